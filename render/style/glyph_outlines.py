"""Letters as curves: the outlines of the typeface that `render.style.lettering` draws as masks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from render.style.lettering import Face, font_file

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

__all__ = ["EM", "Outline", "Segment", "outline", "spaced"]

EM = 2048
"""Font units per em, in all cuts of the typeface."""

Segment = tuple[str, tuple[int | float, ...]]
"""A letter and its coordinates, in pairs: M begins a contour, L is a line, Q a quadratic curve
(control point, end), Z closes the contour and has none."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A character's shape in font units, y upwards from the line that letters stand on; filled by
    the nonzero rule. `box` is (left, bottom, right, top), all 0 for a blank."""

    segments: tuple[Segment, ...]
    advance: int
    box: tuple[float, float, float, float]


@lru_cache(maxsize=8)
def _font(face: Face) -> TTFont:
    from fontTools.ttLib import TTFont

    font = TTFont(font_file(face), lazy=True)
    assert font["head"].unitsPerEm == EM
    return font


@lru_cache(maxsize=8)
def _names(face: Face) -> dict[int, str]:
    names: dict[int, str] = _font(face).getBestCmap()
    return names


@lru_cache(maxsize=8)
def _kerning(face: Face) -> dict[tuple[str, str], int]:
    font = _font(face)
    pairs: dict[tuple[str, str], int] = font["kern"].kernTables[0].kernTable
    return pairs


def _name(mark: str, face: Face) -> str:
    """The glyph's name; that of a blank box for what the typeface doesn't have."""
    return _names(face).get(ord(mark), ".notdef")


@lru_cache(maxsize=1024)
def outline(mark: str, face: Face) -> Outline:
    """The shape of one character."""
    from fontTools.pens.basePen import BasePen
    from fontTools.pens.boundsPen import BoundsPen

    found: list[Segment] = []

    class Pen(BasePen):  # type: ignore[misc]  # the library is untyped
        """Takes down what a glyph is made of; components and implied points are resolved."""

        def _moveTo(self, pt: Any) -> None:  # noqa: N802
            found.append(("M", tuple(pt)))

        def _lineTo(self, pt: Any) -> None:  # noqa: N802
            found.append(("L", tuple(pt)))

        def _qCurveToOne(self, pt1: Any, pt2: Any) -> None:  # noqa: N802
            found.append(("Q", (*pt1, *pt2)))

        def _closePath(self) -> None:  # noqa: N802
            found.append(("Z", ()))

    glyphs = _font(face).getGlyphSet()
    name = _name(mark, face)
    bounds = BoundsPen(glyphs)
    glyphs[name].draw(Pen(glyphs))
    glyphs[name].draw(bounds)
    return Outline(tuple(found), glyphs[name].width, bounds.bounds or (0, 0, 0, 0))


@lru_cache(maxsize=1024)
def spaced(text: str, face: Face) -> tuple[tuple[int, ...], int]:
    """Where each character of a line begins, and the line's width, in font units; pairs are
    kerned."""
    places, x = [], 0
    before = ""
    for mark in text:
        name = _name(mark, face)
        x += _kerning(face).get((before, name), 0)
        places.append(x)
        x += outline(mark, face).advance
        before = name
    return tuple(places), x
