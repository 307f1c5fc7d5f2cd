"""A line of text as runs: stretches that one font draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple
from unicodedata import bidirectional, category, name

from undoku.errors import SettingsError
from undoku.render.draw.emoji import emoji
from undoku.render.draw.fonts import (
    DEFAULT,
    Face,
    FontFile,
    Typeface,
    can_shape,
    characters,
    installed_fonts,
    reading,
    sized,
)
from undoku.render.draw.unicode_text import (
    clusters,
    direction_of,
    drawn_characters,
    without_controls,
)


class Run(NamedTuple):
    """Characters in logical order that one font draws. The letters of `shaped` runs are joined,
    stacked and ordered by a text engine, from right to left if `leftwards`; those of others are
    placed side by side from left to right. A run of a font
    whose glyphs are coloured is one cluster, and shaped."""

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


_TRIED = 32
"""Pixels per em at which the outlines of installed fonts are tried."""


@lru_cache(maxsize=4096)
def runs(text: str, typeface: Typeface, face: Face) -> tuple[Run, ...]:
    """The runs of a line in their visual order from left to right. Characters that no font has are
    drawn by the font of the face, as its replacement glyph."""
    own = typeface.font(face)
    if typeface == DEFAULT and _is_usual(text):
        return (Run(text, own, shaped=False, leftwards=False),) if text else ()
    text = without_controls(text)
    ordered = any(direction_of(mark) == "R" for mark in text)
    leftwards = direction_of(text) == "R"
    # The text engine orders the letters of one font, so one font is better for a whole line.
    if ordered and (font := _outlined_font(text, typeface, face)):
        return (Run(text, font, shaped=True, leftwards=leftwards),)
    pieces = _pieces(text, typeface, face)
    if ordered:
        return tuple(_in_visual_order(pieces, leftwards=leftwards))
    return tuple(
        Run(whole, font, font.coloured or _needs_shaping(whole), leftwards=False)
        for whole, font in _joined(pieces)
    )


def _in_visual_order(pieces: Sequence[_FontedPart], *, leftwards: bool) -> Iterator[Run]:
    """The runs of a line with letters of both directions and several fonts, ordered after the
    Unicode Bidirectional Algorithm (UAX #9), rules W7, N1, N2 and L2. `leftwards` is the direction
    of the line."""
    base = "R" if leftwards else "L"
    letters: list[str] = []
    for piece in pieces:
        is_number = bidirectional(piece.text[0]) == "EN"
        before = next(filter(None, reversed(letters)), base)
        letters.append(direction_of(piece.text) or ("L" if is_number and before == "L" else ""))
    directions = []
    for at in range(len(pieces)):
        left, right = (next(filter(None, near), base) for near in (letters[at::-1], letters[at:]))
        directions.append(left if left == right else base)
    stretches = []
    for direction, members in groupby(zip(pieces, directions, strict=True), lambda pair: pair[1]):
        stretch = [
            Run(whole, font, shaped=True, leftwards=direction == "R")
            for whole, font in _joined([piece for piece, _ in members])
        ]
        stretches.append(stretch[::-1] if direction == "R" else stretch)
    for stretch in reversed(stretches) if leftwards else stretches:
        yield from stretch


def _outlined_font(text: str, typeface: Typeface, face: Face) -> FontFile | None:
    """The first font that has outlines for all of a text among the font of the face, the upright
    font of the typeface and the default fonts; None if none has."""
    wanted = frozenset(map(ord, drawn_characters(text)))
    fonts = (near.font(style) for near in (typeface, DEFAULT) for style in (face, Face.REGULAR))
    return next((font for font in fonts if wanted <= characters(font)), None)


def _font_for(cluster: str, typeface: Typeface, face: Face) -> FontFile | None:
    """The font for a cluster of characters: after those of `_outlined_font` the coloured font of
    the typeface and the fonts of this machine. None if no font has it."""
    if font := _outlined_font(cluster, typeface, face):
        return font
    coloured = typeface.coloured
    return coloured if coloured and _has_emoji(cluster, coloured) else installed_font_for(cluster)


@lru_cache(maxsize=4096)
def installed_font_for(cluster: str) -> FontFile | None:
    """The first font of this machine that has outlines for a cluster of characters, otherwise the
    first that has a bitmap for it; None if there is none."""
    wanted = frozenset(map(ord, drawn_characters(cluster)))
    for font in installed_fonts():
        if wanted <= characters(font):
            try:
                with reading(font):
                    sized(font, _TRIED, shaped=False).getmask(drawn_characters(cluster))
            except SettingsError:
                continue
            return font
    fonts = (replace(font, coloured=True) for font in installed_fonts())
    return next((font for font in fonts if _has_emoji(cluster, font)), None)


def _has_emoji(cluster: str, font: FontFile) -> bool:
    """Whether a coloured font can be read and has a bitmap for a cluster."""
    wanted = frozenset(map(ord, drawn_characters(cluster)))
    return wanted <= characters(font) and emoji(cluster, font) is not None


def _fonts_for(cluster: str, typeface: Typeface, face: Face) -> list[tuple[str, FontFile | None]]:
    """The parts of a cluster with their fonts: the whole, or its characters if no font has all of
    it. The font is None for what no font has."""
    whole = _font_for(cluster, typeface, face)
    if whole or len(drawn_characters(cluster)) < 2:
        return [(cluster, whole)]
    parts: list[tuple[str, FontFile | None]] = []
    for mark in cluster:
        if parts and not drawn_characters(mark):
            parts[-1] = (parts[-1][0] + mark, parts[-1][1])
        else:
            parts.append((mark, _font_for(mark, typeface, face)))
    return parts


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
            parts = _fonts_for(cluster, typeface, face)
        for part, font in parts:
            found.append(_FontedPart(part, at, font or own))
            at += len(part)
    return found


def _joined(pieces: Iterable[_FontedPart]) -> Iterator[tuple[str, FontFile]]:
    """The texts of neighbouring pieces that one font draws. Each coloured glyph is its own, so that
    its main tone is determined for it alone."""
    for (font, _), members in groupby(pieces, lambda one: (one.font, one.font.coloured and one.at)):
        yield "".join(piece.text for piece in members), font


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
        if drawn_characters(mark) and _font_for(mark, typeface, Face.REGULAR) is None:
            found.add(mark)
    # A font may have a glyph for characters together, but not for each of them.
    missing = {
        mark
        for text in texts
        if found & set(text)
        for cluster in clusters(text)
        for part, font in _fonts_for(cluster, typeface, Face.REGULAR)
        if font is None
        for mark in found & set(part)
    }
    return "".join(sorted(missing))


def unjoined(texts: Iterable[str]) -> bool:
    """Whether letters of `texts` should be joined, stacked or written from right to left, but can't
    be."""
    return not can_shape() and any(map(_needs_shaping, texts))


def named_characters(marks: str, most: int = 8) -> str:
    """Characters by their names, as "字 (U+5B57 CJK UNIFIED IDEOGRAPH-5B57)"."""
    named = [f"{mark} (U+{ord(mark):04X} {name(mark, 'without a name')})" for mark in marks[:most]]
    more = len(marks) - most
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")
