"""The positions of the cells of a board."""

from __future__ import annotations

from undoku.render.draw.canvas import Rect
from undoku.solver.problem.puzzle import Geometry

__all__ = ["cell_squares"]


def cell_squares(geometry: Geometry, x: int, y: int, side: int) -> list[Rect]:
    """The square of each cell, `side` pixels wide, on a board whose upper left corner is (x, y)."""
    places = map(geometry.position, range(geometry.cells))
    return [Rect(x + column * side, y + row * side, side, side) for row, column in places]
