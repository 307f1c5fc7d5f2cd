"""The positions in a cell of marks for units that are not rows, columns or boxes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from undoku.render.draw.cell_look import CellLook
from undoku.solver.problem.appearance import Form

LEVELS_OF_CAGES = 3
"""The maximum number of overlapping units of a cell that can be distinguished by their outlines."""

_LEFT, _TOP, _RIGHT, _BOTTOM = 1, 2, 4, 8
ALL_SIDES = 15
"""All sides of a cell, bits: left, top, right, bottom."""


class FilledRect(NamedTuple):
    """A filled rectangle in pixels, relative to the cell's upper left corner."""

    x: int
    y: int
    width: int
    height: int


def strong_width(side: int) -> int:
    """The width in pixels of the line between two boxes, for cells of `side` pixels."""
    return max(2, round(side / 16))


def thin_width(side: int) -> int:
    """The width in pixels of the line between two cells of a box."""
    return max(1, round(side / 64))


def line_widths(look: CellLook, side: int) -> tuple[int, int]:
    """The widths in pixels of a cell's lines on the left and upper edge. Only cells of a grid have
    thin ones."""
    thin = thin_width(side) if look.form is Form.GRID else 0
    return strong_width(side) if look.left else thin, strong_width(side) if look.top else thin


def unit_marks(look: CellLook, side: int) -> Iterator[FilledRect]:
    """The dashes of a cell's cages and its tabs. A cage is a dashed line just inside the edge of
    its unit; a tab is a bar at the lower edge of the cell, whose position from left to right
    distinguishes units whose cells are scattered over the board."""
    left, top = line_widths(look, side)
    thick = max(1, round(side / 32))
    for level in range(LEVELS_OF_CAGES):
        if sides := look.cages >> (4 * level) & 15:
            off = 2 * thick * level
            inner = FilledRect(left + off, top + off, side - left - 2 * off, side - top - 2 * off)
            yield from _cage(sides, inner, thick, side)
    if look.tabs:
        below = any(look.cages >> (4 * n) & _BOTTOM for n in range(LEVELS_OF_CAGES))
        off = 2 * thick if below else 0
        yield from _tabs(look.tabs, look.slots, side, side - off)


def _cage(sides: int, inner: FilledRect, thick: int, side: int) -> Iterator[FilledRect]:
    """Dashes along the sides of `inner` on which the unit ends. On the other sides they continue to
    the edge of the cell."""
    right, bottom = inner.x + inner.width, inner.y + inner.height
    across = inner.x if sides & _LEFT else 0, right if sides & _RIGHT else side
    along = inner.y if sides & _TOP else 0, bottom if sides & _BOTTOM else side
    for first, length in _dashes(side, *across):
        if sides & _TOP:
            yield FilledRect(first, inner.y, length, thick)
        if sides & _BOTTOM:
            yield FilledRect(first, bottom - thick, length, thick)
    for first, length in _dashes(side, *along):
        if sides & _LEFT:
            yield FilledRect(inner.x, first, thick, length)
        if sides & _RIGHT:
            yield FilledRect(right - thick, first, thick, length)


def _dashes(side: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The start and the length of each dash along a cell of `side` pixels, from `begin` to `end`. A
    dash crosses the edge of the cell: half of it is in the next cell."""
    count = 4 if side >= 24 else 2
    for number in range(count + 1):
        first = max(begin, side * (4 * number - 1) // (4 * count))
        last = min(end, side * (4 * number + 1) // (4 * count))
        if last > first:
            yield first, last - first


def _tabs(tabs: int, slots: int, side: int, foot: int) -> Iterator[FilledRect]:
    left, right = strong_width(side) + 1, side - 2
    high = max(2, round(side / 24))
    for slot in range(slots):
        if tabs >> slot & 1:
            start = left + (right - left) * slot // slots
            end = left + (right - left) * (slot + 1) // slots
            yield FilledRect(start, foot - high, max(1, end - start), high)
