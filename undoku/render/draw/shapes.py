"""Shapes that every vector format has, in pixels from the upper left corner of the page."""

from __future__ import annotations

from typing import NamedTuple

from undoku.render.draw.colour_space import Colour

Point = tuple[float, float]
Contour = tuple[Point, ...]


class Polygon(NamedTuple):
    """Closed contours of one colour; none overlaps another."""

    contours: tuple[Contour, ...]
    colour: Colour


class Stroke(NamedTuple):
    """Lines of one colour, `width` pixels wide, with round ends; a line of one point is a disc."""

    lines: tuple[Contour, ...]
    width: float
    colour: Colour


def box(x: float, y: float, width: float, height: float) -> Contour:
    """A rectangle as a contour."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)
