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
from solver.compiled import compiled

__all__ = ["Atlas", "Shelf"]

_MOST_BYTES = 64 << 20
"""Films seldom show so many looks; when one does, all are drawn anew, under new numbers."""

_SPAN = 1 << 40
"""Numbers of sprites that each atlas has for itself."""


@compiled
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


class Shelf(dict[int, int]):
    """The slots of all looks that share a `plot` (`render.looks`); one that is asked for is drawn.
    A look without its plot is a small number, which a dictionary finds in a third of the time."""

    def __init__(self, atlas: Atlas, plot: int) -> None:
        super().__init__()
        self.plot = plot
        self._atlas = atlas

    def __missing__(self, look: int) -> int:
        slot = self[look] = self._atlas.drawn(look | self.plot)
        return slot


class Atlas:
    """Pictures of cells of `side` × `side` pixels; `number` tells atlases of a film apart."""

    def __init__(self, theme: Theme, side: int, number: int) -> None:
        self._theme = theme
        self._side = side
        self._first = (number + 1) * _SPAN
        self._shelves: dict[int, Shelf] = {}
        self._used = 0
        self._pictures: Pixels = np.empty((64, side, side, 3), np.uint8)
        self._most = max(1024, _MOST_BYTES // (side * side * 3))

    def shelf(self, plot: int) -> Shelf:
        """Where the looks with this plot are."""
        if plot not in self._shelves:
            self._shelves[plot] = Shelf(self, plot)
        return self._shelves[plot]

    def paint(
        self,
        canvas: Canvas,
        looks: Sequence[int],
        cells: NDArray[np.int32],
        corners: NDArray[np.int64],
        rects: Sequence[Rect],
        shelves: Sequence[Shelf],
    ) -> None:
        """Paint cells[n] as looks[n] (`render.looks.packed`, without the plot). `corners` (board's
        cells, 2) int64, `rects` and `shelves` are the places and the plots of all cells."""
        if self._used + len(looks) > self._most:
            self._first += self._used
            self._used = 0
            for shelf in self._shelves.values():
                shelf.clear()
        numbers = cells.tolist()
        slots = [shelves[cell][look] for look, cell in zip(looks, numbers, strict=True)]
        _copy(canvas.pixels, self._pictures, np.array(slots, np.int64), cells, corners)
        first = self._first
        canvas.note(
            [Change(rects[cell], first + slot) for cell, slot in zip(numbers, slots, strict=True)]
        )

    def drawn(self, look: int) -> int:
        """Draw a look with its plot that is not known yet; returns its slot."""
        slot = self._used
        self._used += 1
        if slot == len(self._pictures):
            grown = np.empty((2 * slot, *self._pictures.shape[1:]), np.uint8)
            grown[:slot] = self._pictures
            self._pictures = grown
        self._pictures[slot] = draw_cell(unpacked(look), self._side, self._theme)
        return slot
