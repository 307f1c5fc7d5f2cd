"""The pictures of cells that boards of one cell size show, side by side in one array, so that many
are copied at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from render.canvas import Canvas, Change, Pixels, Rect
from render.cells import draw_cell
from render.looks import unpacked
from render.theme import Theme
from solver.compiled import lean

__all__ = ["Atlas"]

_MOST_BYTES = 64 << 20
"""Films seldom show so many looks; when one does, all are drawn anew, under new numbers."""

_SPAN = 1 << 40
"""Numbers of sprites that each atlas has for itself."""


@lean
def _copy(
    pixels: NDArray[np.uint8],
    pictures: NDArray[np.uint8],
    slots: NDArray[np.int64],
    cells: NDArray[np.int32],
    corners: NDArray[np.int64],
) -> None:
    """Copy picture slots[n] of `pictures` (m, side, side, 3) to the corner (x, y) of cells[n]."""
    side = pictures.shape[1]
    for number in range(len(slots)):
        slot, x, y = slots[number], corners[cells[number], 0], corners[cells[number], 1]
        for row in range(side):
            for column in range(side):
                for part in range(3):
                    pixels[y + row, x + column, part] = pictures[slot, row, column, part]


class Atlas:
    """Pictures of cells of `side` × `side` pixels; `number` tells atlases of a film apart."""

    def __init__(self, theme: Theme, side: int, number: int) -> None:
        self._theme = theme
        self._side = side
        self._first = (number + 1) * _SPAN
        self._slots: dict[int, int] = {}
        self._pictures: Pixels = np.empty((64, side, side, 3), np.uint8)
        self._most = max(1024, _MOST_BYTES // (side * side * 3))

    def paint(
        self,
        canvas: Canvas,
        looks: Sequence[int],
        cells: NDArray[np.int32],
        corners: NDArray[np.int64],
        rects: Sequence[Rect],
    ) -> None:
        """Paint cells[n] as looks[n] (`render.looks.packed`). `corners` (board's cells, 2) int64
        and `rects` are the places of all cells of the board."""
        known = self._slots
        if len(known) + len(looks) > self._most:
            self._first += len(known)
            known.clear()
        slots = [known[look] if look in known else self._draw(look) for look in looks]
        _copy(canvas.pixels, self._pictures, np.array(slots, np.int64), cells, corners)
        first = self._first
        canvas.note(
            [
                Change(rects[cell], first + slot)
                for cell, slot in zip(cells.tolist(), slots, strict=True)
            ]
        )

    def _draw(self, look: int) -> int:
        """Draw a look that is not known yet; returns its slot."""
        slot = self._slots[look] = len(self._slots)
        if slot == len(self._pictures):
            grown = np.empty((2 * slot, *self._pictures.shape[1:]), np.uint8)
            grown[:slot] = self._pictures
            self._pictures = grown
        self._pictures[slot] = draw_cell(unpacked(look), self._side, self._theme)
        return slot
