"""The metadata of files: read from those of all formats, and written to pages."""

from __future__ import annotations

import json
import re
import struct
import zlib
from codecs import BOM_UTF16_BE
from collections.abc import Iterable
from contextlib import closing
from fractions import Fraction
from itertools import islice
from pathlib import Path
from warnings import catch_warnings

from undoku.errors import InputError
from undoku.file_reading import opened
from undoku.render.write.stall_watch import StallWatch, report_stall
from undoku.texts.text_lines import read_about

RECIPE = "recipe"
"""The name of the recipe in the metadata."""

_FILMS = {".mp4", ".m4v", ".mov", ".webm", ".mkv"}
_ELEMENT = re.compile(r'<script type="application/json" id="undoku-about">([^<]*)</script>')
"""The metadata of a page: a JSON object in an element that browsers do not show."""

_LIMIT = 1 << 20  # characters; undoku's own metadata is much shorter
_MAX_PAGE_BYTES = 64 << 20  # bytes of a PDF
_KEYWORDS = re.compile(rb"/Keywords \(((?:[^\\()]|\\.){0,%d}+)\)" % (4 * _LIMIT), re.DOTALL)
_HEAD = 256  # bytes

_BOXES = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide")
"""The possible first bytes of a QuickTime or MP4 file, after a length."""


def about_of(path: Path) -> dict[str, str]:
    """The texts of the metadata by name, such as "title", "puzzle", "strategies", "counts",
    "command" and "recipe". Raises ReadError if the file can't be read, InputError if it has none.
    """
    head = start_of(path, _HEAD)
    if demuxer := _demuxer(head):
        found = _of_film(path, demuxer)
    elif path.suffix.lower() in _FILMS:
        raise _unreadable_film(path)
    elif head.lstrip().lower().startswith((b"<!doctype html", b"<html")):
        found = _about_in_page(start_of(path, 4 * _LIMIT).decode("utf-8", "replace"))
    elif head.startswith(b"%PDF-"):
        found = _of_pdf(path)
    elif b"<svg" in head or head.lstrip().startswith(b"<?xml"):
        found = _of_svg(path)
    else:
        found = _of_picture(path)
    if not found:
        raise InputError(f"{str(path)!r} has no metadata about how it was made")
    return found


def start_of(path: Path, most: int) -> bytes:
    """At most the first `most` bytes of a file. Raises ReadError."""
    with opened(str(path)) as file:
        return file.read(most)


def _demuxer(head: bytes) -> str:
    """ffmpeg's name of the only container format that a file beginning with `head` may have; "" for
    none. ffmpeg must not guess the format: it also supports playlists, whose files and addresses it
    would open.
    """
    if head[4:8] in _BOXES:
        return "mov"
    return "matroska" if head.startswith(b"\x1a\x45\xdf\xa3") else ""


def _of_picture(path: Path) -> dict[str, str]:
    from PIL import Image, UnidentifiedImageError

    try:
        with (
            catch_warnings(action="ignore"),
            Image.open(path, formats=("PNG", "GIF", "WEBP")) as picture,
        ):
            if picture.format == "PNG":
                picture.load()  # texts may follow the pixels
                return {str(name): str(text) for name, text in getattr(picture, "text", {}).items()}
            if picture.format == "GIF":
                comment = picture.info.get("comment", b"")
                return dict(read_about(bytes(comment).decode("utf-8", "replace")))
            if picture.format == "WEBP":
                packet = bytes(picture.info.get("xmp", b"")).decode("utf-8", "replace")
                return dict(read_about(_description(packet)))
    except (
        *(UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError, ValueError),
        *(EOFError, LookupError, OverflowError, struct.error, zlib.error),
    ) as error:
        raise InputError(f"{str(path)!r} is not a picture that can be read: {error}") from None
    return {}


def _description(packet: str) -> str:
    """The text of the description in an XMP packet or an SVG."""
    found = re.search(r'<(?:rdf:li xml:lang="x-default"|desc)>', packet)
    end = packet.find("</", found.end()) if found else -1
    from html import unescape

    return unescape(packet[found.end() : end]) if found and end >= 0 else ""


def _of_svg(path: Path) -> dict[str, str]:
    text = start_of(path, 4 * _LIMIT).decode("utf-8", "replace")
    return dict(read_about(_description(text[:_LIMIT])))


def _of_pdf(path: Path) -> dict[str, str]:
    """The texts in its keywords: a string in brackets, in ASCII or UTF-16, where a backslash is
    before brackets, backslashes and the letters of line breaks."""
    found = _KEYWORDS.search(start_of(path, _MAX_PAGE_BYTES))
    text = re.sub(rb"\\(.)", _unescaped, found[1], flags=re.DOTALL) if found else b""
    wide = text.startswith(BOM_UTF16_BE)
    return dict(read_about(text.decode("utf-16" if wide else "latin-1", "replace")))


def _unescaped(escape: re.Match[bytes]) -> bytes:
    return {b"n": b"\n", b"r": b"\r"}.get(escape[1], escape[1])


def chapters_of(path: Path) -> tuple[tuple[Fraction, str], ...]:
    """The chapters of a film, each with its start in seconds and its title; none for formats
    without chapters. Raises ReadError; InputError for a film that can't be read."""
    demuxer = _demuxer(start_of(path, _HEAD))
    if not demuxer:
        return ()
    chapters = (tags for section, tags in _sections(path, demuxer) if section == "CHAPTER")
    try:
        return tuple(
            (int(tags.get("start", "0")) * Fraction(tags.get("timebase", "1")),
             tags.get("title", ""))
            for tags in chapters
        )  # fmt: skip
    except (ValueError, ZeroDivisionError):
        raise _unreadable_film(path) from None


def _unreadable_film(path: Path) -> InputError:
    return InputError(f"{str(path)!r} is not a film that can be read")


def _of_film(path: Path, demuxer: str) -> dict[str, str]:
    _, tags = _sections(path, demuxer)[0]
    found = dict(read_about(tags.get("comment", "")))
    if found and "title" in tags:
        found = {"title": tags["title"], **found}
    return found


def _sections(path: Path, demuxer: str) -> list[tuple[str, dict[str, str]]]:
    """The metadata of a film, and of its parts, such as each "CHAPTER": ffmpeg writes them as lines
    of `name=text` with escapes, below a line `[CHAPTER]` for each."""
    from undoku.render.write.ffmpeg import FfmpegFailedError, file_input, output_of

    output = output_of([*file_input(path, demuxer), "-f", "ffmetadata", "-"], 4 * _LIMIT)
    try:
        with (
            closing(StallWatch(lambda: 0, lambda: report_stall("ffmpeg", path))),
            closing(output),
        ):
            text = b"".join(islice(output, 2)).decode("utf-8", "replace")[:_LIMIT]
    except FfmpegFailedError:
        raise _unreadable_film(path) from None
    sections: list[tuple[str, dict[str, str]]] = [("", {})]
    # A line break or one of =;#\ in a text follows a backslash.
    for line in re.findall(r"(?:[^\\\n]++|\\.)++", text, re.DOTALL):
        if section := re.fullmatch(r"\[(\w+)\]", line):
            sections.append((section[1], {}))
        elif named := re.fullmatch(r"(\w+)=(.*)", line, re.DOTALL):
            sections[-1][1][named[1].lower()] = re.sub(r"\\(.)", r"\1", named[2], flags=re.DOTALL)
    return sections


def about_element(about: Iterable[tuple[str, str]]) -> str:
    """The element with the given texts by name."""
    text = json.dumps(dict(about), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="undoku-about">{text}</script>\n'


def _about_in_page(page: str) -> dict[str, str]:
    """The texts by name in a page; {} if it has none, or if they are damaged."""
    found = _ELEMENT.search(page)
    try:
        content = json.loads(found[1]) if found else {}
    except ValueError:
        return {}
    if not isinstance(content, dict):
        return {}
    return {name: text for name, text in content.items() if isinstance(text, str)}
