"""A line of text as runs: stretches of one direction that one font draws."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple
from unicodedata import category, name

from undoku.render.draw.clusters import ORDERING, clusters, drawn_characters
from undoku.render.draw.direction import mirrored, stretches
from undoku.render.draw.font_choice import font_for, fonts_for
from undoku.render.draw.font_files import DEFAULT, Face, FontFile, Typeface, characters
from undoku.render.draw.text_engine import can_shape

__all__ = [
    "Run",
    "as_drawn",
    "named_characters",
    "runs",
    "unjoined",
    "unshown",
]


class Run(NamedTuple):
    """Characters in logical order that one font draws. The letters of `shaped` runs are joined,
    stacked or reordered by a text engine; those of others are placed side by side from left to
    right. A run of a font whose glyphs are coloured is one cluster, and shaped."""

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
        drawn = "".join(mark for mark in text[start:end] if mark not in ORDERING)
        grouped = [
            Run(
                whole,
                font,
                shaped=leftwards or font.coloured or _needs_shaping(whole),
                leftwards=leftwards,
            )
            for (font, _), members in groupby(_pieces(drawn, typeface, face), key=_joining)
            if (whole := "".join(piece.text for piece in members))
        ]
        found += reversed(grouped) if leftwards else grouped
    return tuple(found)


class _FontedPart(NamedTuple):
    """A part of a line, with the position of its first character and its font."""

    text: str
    at: int
    font: FontFile


def _pieces(text: str, typeface: Typeface, face: Face) -> list[_FontedPart]:
    """The clusters of a text, or their parts if no font has all of one, with their fonts."""
    own = typeface.font(face)
    found: list[_FontedPart] = []
    at = 0
    for cluster in clusters(text):
        before = found[-1].font if found and not found[-1].font.coloured else own
        if cluster.isspace() and ord(cluster) in characters(before):
            parts: list[tuple[str, FontFile | None]] = [(cluster, before)]
        else:
            parts = fonts_for(cluster, typeface, face)
        for part, font in parts:
            found.append(_FontedPart(part, at, font or own))
            at += len(part)
    return found


def _joining(piece: _FontedPart) -> tuple[FontFile, int]:
    """Neighbouring pieces with the same value are one run. Each coloured glyph is its own, so that
    its main tone is determined for it alone."""
    return piece.font, piece.at if piece.font.coloured else -1


def as_drawn(run: Run) -> str:
    """The characters of a run in their visual order from left to right, for drawing without a text
    engine, which would draw a box for a character that needs no glyph."""
    drawn = run.text if run.text.isascii() else drawn_characters(run.text)
    return mirrored(drawn) if run.leftwards else drawn


def _is_usual(text: str) -> bool:
    return text.isascii() or all(ord(mark) < _USUAL or mark in _USUAL_MARKS for mark in text)


def _needs_shaping(text: str) -> bool:
    return any(
        first <= ord(mark) <= last for mark in text if mark > "\u02ff" for first, last in _COMPLEX
    )


def unshown(texts: Iterable[str], typeface: Typeface) -> str:
    """The characters of `texts` that no font of this machine has, each once, in the order of their
    code points."""
    texts = [*texts]
    found: set[str] = set()
    for mark in {mark for text in texts for mark in text}:
        if category(mark) in _CONTROLS or mark.isspace():
            continue
        if typeface == DEFAULT and _is_usual(mark):
            continue
        if drawn_characters(mark) and font_for(mark, typeface, Face.REGULAR) is None:
            found.add(mark)
    # A font may have a glyph for characters together, but not for each of them.
    missing = {
        mark
        for text in texts
        if found & set(text)
        for cluster in clusters(text)
        for part, font in fonts_for(cluster, typeface, Face.REGULAR)
        if font is None
        for mark in found & set(part)
    }
    return "".join(sorted(missing))


def unjoined(texts: Iterable[str]) -> bool:
    """Whether letters of `texts` should be joined or stacked, but can't be."""
    return not can_shape() and any(map(_needs_shaping, texts))


def named_characters(marks: str, most: int = 8) -> str:
    """Characters by their names, as "字 (U+5B57 CJK UNIFIED IDEOGRAPH-5B57)"."""
    named = [f"{mark} (U+{ord(mark):04X} {name(mark, 'without a name')})" for mark in marks[:most]]
    more = len(marks) - most
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")
