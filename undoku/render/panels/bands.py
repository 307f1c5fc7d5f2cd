"""The area between two curves in horizontal bands of colour, as polygons for documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from undoku.render.draw.colour_space import Colour
from undoku.render.draw.shapes import Contour, Point, Polygon

__all__ = ["Band", "banded"]


_Across = tuple[float, float, float]
"""x, and the y of the upper and of the lower curve at x."""

_OVERLAP = 1.0
"""Pixels by which a band overlaps the next one."""


class Band(NamedTuple):
    """Two curves through points with the same ascending `xs`: `upper` is nowhere below `lower`,
    that is, its y, counted downwards, is nowhere larger."""

    xs: Sequence[float]
    upper: Sequence[float]
    lower: Sequence[float]


def banded(curves: Band, bands: Sequence[tuple[float, Colour]]) -> Iterator[Polygon]:
    """The area between the curves; each band begins at its y and extends to that of the next one.
    The polygon of a band extends a little below its end, under the next one, so that viewers with
    smoothed edges show no seam.
    """
    ends = [begin + _OVERLAP for begin, _ in bands[1:]] + [max(curves.lower)]
    for (begin, colour), end in zip(bands, ends, strict=True):
        if contours := tuple(_between(curves, begin, end)):
            yield Polygon(contours, colour)


def _between(curves: Band, begin: float, end: float) -> Iterator[Contour]:
    """The outlines of the area between the curves, from y `begin` to `end`."""
    top: list[Point] = []
    bottom: list[Point] = []
    for x, upper, lower in _points(_points(zip(*curves, strict=True), begin), end):
        if lower >= begin and upper <= end:
            top.append((x, max(upper, begin)))
            bottom.append((x, min(lower, end)))
        elif top:
            yield from _outline(top, bottom)
            top, bottom = [], []
    if top:
        yield from _outline(top, bottom)


def _points(curves: Iterable[_Across], level: float) -> Iterator[_Across]:
    """The points of the curves, and the intersections with `level` between them."""
    before: _Across | None = None
    for here in curves:
        if before:
            crossed = sorted(
                ((level - before[curve]) / (here[curve] - before[curve]), curve)
                for curve in (1, 2)
                if (before[curve] - level) * (here[curve] - level) < 0
            )
            for share, curve in crossed:
                x, upper, lower = (a + (b - a) * share for a, b in zip(before, here, strict=True))
                yield (x, level, lower) if curve == 1 else (x, upper, level)
        yield here
        before = here


def _outline(top: list[Point], bottom: list[Point]) -> Iterator[Contour]:
    """One contour from two lines, if there is room between them."""
    if max(b[1] - t[1] for t, b in zip(top, bottom, strict=True)) > 1e-6:
        yield tuple(_straightened(top) + _straightened(bottom[::-1]))


def _straightened(line: list[Point]) -> list[Point]:
    """The line, rounded to hundredths of a pixel, without collinear points."""
    found: list[Point] = []
    for x, y in line:
        point = round(x, 2), round(y, 2)
        while len(found) > 1 and _straight(found[-2], found[-1], point):
            found.pop()
        if not found or found[-1] != point:
            found.append(point)
    return found


def _straight(a: Point, b: Point, c: Point) -> bool:
    return abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) < 1e-6
