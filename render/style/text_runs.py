"""A line of text as runs: stretches of one direction that one font draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple
from unicodedata import category, combining, name

from render.style.direction import mirrored, stretches
from render.style.font_files import DEFAULT, Face, FontFile, Typeface, characters, font_for

__all__ = [
    "Run",
    "as_drawn",
    "can_shape",
    "clusters",
    "named_characters",
    "runs",
    "unjoined",
    "unshown",
]


class Run(NamedTuple):
    """Characters in logical order that one font draws. The letters of `shaped` runs are joined,
    stacked or reordered by a text engine; those of others are placed side by side from left to
    right."""

    text: str
    font: FontFile
    shaped: bool
    leftwards: bool


_COMPLEX = (
    (0x0300, 0x036F), (0x0483, 0x0489), (0x0590, 0x109F), (0x1100, 0x11FF), (0x135D, 0x135F),
    (0x1700, 0x18AF), (0x1900, 0x1CFF), (0x1DC0, 0x1DFF), (0x200C, 0x200D), (0x20D0, 0x20FF),
    (0x2DE0, 0x2DFF), (0xA66F, 0xA69F), (0xA6F0, 0xA6F1), (0xA800, 0xABFF), (0xD7B0, 0xD7FF),
    (0xFB1D, 0xFDFF), (0xFE00, 0xFE2F), (0xFE70, 0xFEFF), (0x10800, 0x11FFF), (0x16A00, 0x16FFF),
    (0x1E000, 0x1EFFF), (0x1F1E6, 0x1F1FF), (0x1F3FB, 0x1F3FF), (0xE0020, 0xE01EF),
)  # fmt: skip
"""Code points, first and last, of scripts whose letters are joined, stacked or reordered, and of
combining marks."""

_ORDERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that control the order of others; they are not drawn."""

_UNSEEN = frozenset("\u00ad\u034f\u200b\u200c\u200d\u2060\ufeff")
"""Further characters that need no glyph."""

_CONTROLS = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))

_USUAL = 0x250
"""The default typeface has all letters below this code point, in all faces."""

_USUAL_MARKS = frozenset("–—‘’“”…×✓→▌≤≥′⁴")
"""Further characters that the default typeface has in all faces."""


@lru_cache(maxsize=4096)
def runs(text: str, typeface: Typeface, face: Face) -> tuple[Run, ...]:
    """The runs of a line in their visual order from left to right. Characters that no font has are
    drawn by the font of the face, as its replacement glyph."""
    own = typeface.font(face)
    if typeface == DEFAULT and _is_usual(text):
        return (Run(text, own, shaped=False, leftwards=False),) if text else ()
    found: list[Run] = []
    for start, end, leftwards in stretches(text):
        drawn = "".join(mark for mark in text[start:end] if mark not in _ORDERING)
        pieces: list[tuple[FontFile, str]] = []
        for cluster in clusters(drawn):
            font = pieces[-1][0] if pieces else own
            if not (cluster.isspace() and ord(cluster) in characters(font)):
                font = font_for(_needed(cluster), typeface, face) or own
            pieces.append((font, cluster))
        grouped = [
            Run(whole, font, shaped=leftwards or _needs_shaping(whole), leftwards=leftwards)
            for font, members in groupby(pieces, key=lambda piece: piece[0])
            if (whole := "".join(piece for _, piece in members))
        ]
        found += reversed(grouped) if leftwards else grouped
    return tuple(found)


def as_drawn(run: Run) -> str:
    """The characters of a run in their visual order from left to right, for drawing without a text
    engine."""
    return mirrored(run.text) if run.leftwards else run.text


def _is_usual(text: str) -> bool:
    return text.isascii() or all(ord(mark) < _USUAL or mark in _USUAL_MARKS for mark in text)


def _needs_shaping(text: str) -> bool:
    return any(
        first <= ord(mark) <= last for mark in text if mark > "\u02ff" for first, last in _COMPLEX
    )


def clusters(text: str) -> Iterator[str]:
    """The indivisible parts of a text: a character with its combining marks and the characters
    joined to it."""
    found = ""
    for mark in text:
        joined = combining(mark) or category(mark) in ("Mn", "Mc", "Me") or mark in _UNSEEN
        modifies = "\U0001f3fb" <= mark <= "\U0001f3ff"
        if found and (joined or modifies or found[-1] == "\u200d"):
            found += mark
        else:
            if found:
                yield found
            found = mark
    if found:
        yield found


def _needed(cluster: str) -> str:
    """The characters of a cluster for which a font must have a glyph."""
    return "".join(
        mark
        for mark in cluster
        if mark not in _UNSEEN and mark not in _ORDERING and not "\ufe00" <= mark <= "\ufe0f"
    )


@cache
def can_shape() -> bool:
    """Whether Pillow has the library that joins and stacks letters."""
    from PIL import features

    return bool(features.check("raqm"))


def unshown(texts: Iterable[str], typeface: Typeface) -> str:
    """The characters of `texts` that no font of this machine has, each once, in the order of their
    code points."""
    found: set[str] = set()
    for mark in {mark for text in texts for mark in text}:
        if category(mark) in _CONTROLS or mark.isspace():
            continue
        if typeface == DEFAULT and _is_usual(mark):
            continue
        if _needed(mark) and font_for(mark, typeface, Face.REGULAR) is None:
            found.add(mark)
    return "".join(sorted(found))


def unjoined(texts: Iterable[str]) -> bool:
    """Whether letters of `texts` should be joined or stacked, but can't be."""
    return not can_shape() and any(map(_needs_shaping, texts))


def named_characters(marks: str, most: int = 8) -> str:
    """Characters by their names, as "字 (U+5B57 CJK UNIFIED IDEOGRAPH-5B57)"."""
    named = [f"{mark} (U+{ord(mark):04X} {name(mark, 'without a name')})" for mark in marks[:most]]
    more = len(marks) - most
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")
