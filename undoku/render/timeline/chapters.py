"""The chapters of a film, which begin at its marks; also in ffmpeg's format. A title is one line
of at most 255 bytes (`titled`)."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from fractions import Fraction

from undoku.render.timeline.notes import FILM, Note, NoteKind, on_one_line
from undoku.texts.text_lines import encodable

_LISTED = 10**7
"""The units of time per second in an MP4's list of chapters."""

_MAX_TITLE_BYTES = 255
"""The maximum size of a title in bytes: an MP4's list of chapters stores its length in one byte."""


def chapters_at(marks: Iterable[Note], frames: int, title: str, apart: int = 1) -> tuple[Note, ...]:
    """The chapters of a film of `frames` frames, without a gap: the first, called `title`, begins
    with the film, each further one on the frame of a mark. A mark within `apart` frames after the
    begin of a chapter belongs to it. There are none without marks."""
    at: dict[int, list[str]] = {}
    start = -apart
    for mark in sorted(marks, key=lambda mark: mark.start):
        if mark.start - start >= apart:
            start = mark.start
        at.setdefault(start, []).append(mark.text)
    if not at:
        return ()
    titles = [(frame, on_one_line(at[frame])) for frame in at]
    if titles[0][0]:
        titles.insert(0, (0, title))
    ends = [start for start, _ in titles[1:]] + [frames]
    return tuple(
        Note(start, end, FILM, NoteKind.CHAPTER, titled(text))
        for (start, text), end in zip(titles, ends, strict=True)
    )


def titled(text: str) -> str:
    """`text` as the title of a chapter: on one line, and cut to the maximum length."""
    line = " ".join(encodable(text.replace("\0", "")).split())
    if len(line.encode()) <= _MAX_TITLE_BYTES:
        return line
    room = _MAX_TITLE_BYTES - len("…".encode())
    return line.encode()[:room].decode("utf-8", "ignore").rstrip() + "…"


def listed(chapters: Sequence[Note], fps: Fraction) -> tuple[tuple[int, str], ...]:
    """The start of each chapter in units of 1/10^7 s, as in an MP4's list of chapters, rounded to
    the nearest, and its title."""
    half = Fraction(1, 2)
    return tuple((int(_LISTED * each.start / fps + half), each.text) for each in chapters)


def chapter_input(chapters: Sequence[Note], fps: Fraction) -> list[str]:
    """The arguments of an ffmpeg input with the chapters, within the command itself."""
    lines = [";FFMETADATA1"]
    for chapter in chapters:
        lines += [
            "[CHAPTER]",
            f"TIMEBASE={fps.denominator}/{fps.numerator}",
            f"START={chapter.start}",
            f"END={chapter.end}",
            "title=" + re.sub(r"([=;#\\\n])", r"\\\1", chapter.text),
        ]
    encoded = b64encode("\n".join([*lines, ""]).encode()).decode("ascii")
    return ["-f", "ffmetadata", "-i", f"data:text/plain;base64,{encoded}"]
