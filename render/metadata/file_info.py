"""What a file made by undoku says about itself, read back from its own metadata."""

from __future__ import annotations

import re
import subprocess
from fractions import Fraction
from html import unescape
from pathlib import Path

from render.metadata.text_lines import read_about
from solver.errors import InputError, ReadError

__all__ = ["RECIPE", "about_of", "chapters_of"]

RECIPE = "recipe"
"""The name under which a film's recipe stands."""

_FILMS = {".mp4", ".m4v", ".mov", ".webm", ".mkv"}
_LIMIT = 1 << 20  # characters; what undoku writes about a file is far shorter


def about_of(path: Path) -> dict[str, str]:
    """The texts by name that the file carries, such as "title", "puzzle", "strategies", "counts",
    "command" and "recipe".

    Raises ReadError when the file can't be read, InputError when it carries none.
    """
    try:
        with path.open("rb") as file:
            head = file.read(256)
    except FileNotFoundError:
        raise ReadError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise ReadError(f"{str(path)!r} can't be read: {error.strerror}") from None
    if path.suffix.lower() in _FILMS:
        found = _of_film(path)
    elif head.startswith(b"%PDF-"):
        found = _of_pdf(path)
    elif b"<svg" in head or head.lstrip().startswith(b"<?xml"):
        found = _of_svg(path)
    else:
        found = _of_picture(path)
    if not found:
        raise InputError(f"{str(path)!r} says nothing about how it was made")
    return found


def _of_picture(path: Path) -> dict[str, str]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            if picture.format == "PNG":
                picture.load()  # texts may stand behind the pixels
                return {str(name): str(text) for name, text in getattr(picture, "text", {}).items()}
            if picture.format == "GIF":
                comment = picture.info.get("comment", b"")
                return dict(read_about(bytes(comment).decode("utf-8", "replace")))
            if picture.format == "WEBP":
                packet = bytes(picture.info.get("xmp", b"")).decode("utf-8", "replace")
                return dict(read_about(_description(packet)))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise InputError(f"{str(path)!r} is no picture that can be read: {error}") from None
    return {}


def _description(packet: str) -> str:
    """The text of an XMP packet's description, or of an SVG's."""
    found = re.search(r'<(?:rdf:li xml:lang="x-default"|desc)>(.*?)</', packet, re.DOTALL)
    return unescape(found[1]) if found else ""


def _of_svg(path: Path) -> dict[str, str]:
    return dict(read_about(_description(path.read_text("utf-8", "replace")[:_LIMIT])))


def _of_pdf(path: Path) -> dict[str, str]:
    """From the XMP packet, which stands in the file as plain text so that any program finds it."""
    match = re.search(rb"<x:xmpmeta.*?</x:xmpmeta>", path.read_bytes(), re.DOTALL)
    packet = match[0][: _LIMIT * 4].decode("utf-8", "replace") if match else ""
    return dict(read_about(_description(packet)))


def chapters_of(path: Path) -> tuple[tuple[Fraction, str], ...]:
    """The chapters of a film, each with its start in seconds and its title; none of a format that
    has no chapters. Raises InputError for a film that can't be read."""
    if path.suffix.lower() not in _FILMS:
        return ()
    chapters = (tags for section, tags in _sections(path) if section == "CHAPTER")
    return tuple(
        (int(tags.get("start", "0")) * Fraction(tags.get("timebase", "1")), tags.get("title", ""))
        for tags in chapters
    )


def _of_film(path: Path) -> dict[str, str]:
    _, tags = _sections(path)[0]
    found = dict(read_about(tags.get("comment", "")))
    if found and "title" in tags:
        found = {"title": tags["title"], **found}
    return found


def _sections(path: Path) -> list[tuple[str, dict[str, str]]]:
    """What a film says of itself, and of its parts, such as a "CHAPTER": through ffmpeg, which
    writes it as lines of `name=text` with escapes, below a line `[CHAPTER]` for each."""
    from render.ffmpeg_binary import executable

    done = subprocess.run(
        [executable(), "-v", "error", "-i", f"file:{path}", "-f", "ffmetadata", "-"],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise InputError(f"{str(path)!r} is no film that can be read")
    text = done.stdout[:_LIMIT].decode("utf-8", "replace")
    sections: list[tuple[str, dict[str, str]]] = [("", {})]
    # A line break or one of =;#\ in a text stands behind a backslash.
    lines = r"^\[(\w+)\]$|^(\w+)=((?:[^\\\n]|\\.)*)$"
    for section, name, value in re.findall(lines, text, re.MULTILINE | re.DOTALL):
        if section:
            sections.append((section, {}))
        else:
            sections[-1][1][name.lower()] = re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
    return sections
