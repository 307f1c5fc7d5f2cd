"""The chapters of a film, also in ffmpeg's format."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from undoku.texts.text_lines import encodable

__all__ = ["Chapter", "chapter_input", "counted", "listed", "timed", "titled"]

_LISTED = 10**7
"""The units of time per second in an MP4's list of chapters."""

_MAX_TITLE_BYTES = 255
"""The maximum size of a title in bytes: an MP4's list of chapters stores its length in one byte."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a film, from its frame `start` (from 0) to before its frame `end`. The title is
    one line of at most 255 bytes (`titled`)."""

    start: int
    end: int
    title: str


def titled(text: str) -> str:
    """`text` as the title of a chapter: on one line, and cut to the maximum length."""
    line = " ".join(encodable(text.replace("\0", "")).split())
    if len(line.encode()) <= _MAX_TITLE_BYTES:
        return line
    room = _MAX_TITLE_BYTES - len("…".encode())
    return line.encode()[:room].decode("utf-8", "ignore").rstrip() + "…"


def timed(chapters: Sequence[Chapter], fps: Fraction) -> tuple[tuple[Fraction, str], ...]:
    """The start in seconds and the title of each chapter."""
    return tuple((chapter.start / fps, chapter.title) for chapter in chapters)


def counted(chapters: Sequence[Chapter], fps: Fraction, units: int) -> tuple[tuple[int, str], ...]:
    """The start of each chapter in units of time, `units` per second, rounded to the nearest, and
    its title."""
    return tuple(
        (int(units * start + Fraction(1, 2)), title) for start, title in timed(chapters, fps)
    )


def listed(chapters: Sequence[Chapter], fps: Fraction) -> tuple[tuple[int, str], ...]:
    """The start of each chapter in units of 1/10^7 s, as in an MP4's list of chapters, and its
    title."""
    return counted(chapters, fps, _LISTED)


def chapter_input(chapters: Sequence[Chapter], fps: Fraction) -> list[str]:
    """The arguments of an ffmpeg input with the chapters, within the command itself."""
    lines = [";FFMETADATA1"]
    for chapter in chapters:
        lines += [
            "[CHAPTER]",
            f"TIMEBASE={fps.denominator}/{fps.numerator}",
            f"START={chapter.start}",
            f"END={chapter.end}",
            "title=" + re.sub(r"([=;#\\\n])", r"\\\1", chapter.title),
        ]
    encoded = b64encode("\n".join([*lines, ""]).encode()).decode("ascii")
    return ["-f", "ffmetadata", "-i", f"data:text/plain;base64,{encoded}"]
