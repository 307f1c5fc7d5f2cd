"""The sprites of a film, indexed by their contents.

A sprite has a key, a number >= 0 below 2^63, and a kind, which says what draws it. Compiled loops
look it up; one that isn't there yet gets the next number and is drawn before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Canvas, Change, Rect, Sprite
from render.drawing.sprite_run import Sheet, put_all, sprite_numbers
from solver.jit import inner, lean

__all__ = ["MOST_WANTED", "IndexArrays", "SpriteIndex", "number_of"]

MOST_WANTED = 1 << 18
"""Sprites that may be looked up between two drawings."""

_TABLE = 1 << 19
_new = tuple.__new__
_HOMES, _NEAR = 1 << 15, 16
"""Rows of the table where a search for a sprite begins, and how many rows it goes on there before
it begins anew behind them: as long as there are few sprites, hardly any other part of the table is
ever touched, and where there are many, none has long to be looked for."""


class IndexArrays(NamedTuple):
    """Which sprites have a number.

    table   (n, 3) int64   key, kind, 1 + number; 0 where there is none; n is a power of two
    counts  (2,) int64     how many sprites have a number, how many of them are still to be drawn
    wanted  (w, 2) int64   key and kind of those to be drawn
    """

    table: NDArray[np.int64]
    counts: NDArray[np.int64]
    wanted: NDArray[np.int64]


@inner
def _elsewhere(key: int, kind: int) -> int:
    """A number of 31 bits that depends on all of the key's."""
    low = (key & 0x7FFFFFFF ^ kind << 24) * 0x2545F491
    high = (key >> 31) * 0x3C6EF372FD
    return (low ^ low >> 29 ^ high >> 17) & 0x7FFFFFFF


@lean
def number_of(key: int, kind: int, index: IndexArrays) -> int:
    """The number of a sprite, a new one where it isn't known."""
    table, counts, wanted = index.table, index.counts, index.wanted
    row = (((key ^ key >> 31 ^ kind << 20) & 0x7FFFFFFF) * 0x9E3779B1 >> 13) & (_HOMES - 1)
    looked = 0
    while table[row, 2]:
        if table[row, 0] == key and table[row, 1] == kind:
            return int(table[row, 2]) - 1
        looked += 1
        row += 1
        if looked == _NEAR:
            row = _HOMES + _elsewhere(key, kind) % (len(table) - _HOMES)
        elif row == len(table):
            row = _HOMES
    number = int(counts[0])
    table[row, 0] = key
    table[row, 1] = kind
    table[row, 2] = number + 1
    wanted[counts[1], 0] = key
    wanted[counts[1], 1] = kind
    counts[0] += 1
    counts[1] += 1
    return number


class SpriteIndex:
    """Keeps a sheet of sprites."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.arrays = IndexArrays(
            np.zeros((_TABLE, 3), np.int64),
            np.zeros(2, np.int64),
            np.empty((MOST_WANTED, 2), np.int64),
        )
        """Others after `begin` or `put`."""
        self._kinds: dict[Hashable, int] = {}
        self._draw: list[Callable[[int], Sprite]] = []
        self._sizes: list[tuple[int, int]] = []

    def kind(self, name: Hashable, draw: Callable[[int], Sprite]) -> int:
        """The kind of this name. `draw` draws its sprites by their keys."""
        if name not in self._kinds:
            self._kinds[name] = len(self._draw)
            self._draw.append(draw)
        return self._kinds[name]

    def number(self, key: int, kind: int) -> int:
        """The number of one sprite."""
        return number_of(key, kind, self.arrays)

    def begin(self) -> None:
        """Begin a run: all sprites are forgotten where they have become many."""
        if self.sheet.is_full:
            self.sheet.clear()
            self.arrays.counts[:] = 0
            self.arrays = self.arrays._replace(table=np.zeros((_TABLE, 3), np.int64))
            self._sizes.clear()

    def draw(self) -> None:
        """Draw what was looked up and isn't there yet. What only the last run showed goes."""
        self.sheet.drop()
        _, counts, wanted = self.arrays
        if counts[1]:
            drawn = [self._draw[kind](key) for key, kind in wanted[: counts[1]].tolist()]
            self._take(drawn)
            counts[1] = 0
        self.sheet.keep()

    def _take(self, drawn: Sequence[Sprite]) -> None:
        """Put the next sprites on the sheet."""
        sizes = [(one.pixels.shape[1], one.pixels.shape[0]) for one in drawn]
        self._sizes += sizes
        _, pixels = self.sheet.place_all(np.array(sizes))
        at = 0
        for one in drawn:
            end = at + one.pixels.size
            pixels[at:end] = one.pixels.reshape(-1)
            at = end

    def put(self, canvas: Canvas, placed: NDArray[np.int32]) -> None:
        """Copy sprites to a canvas, (n, 3): number, x, y. Their numbers are valid until then; all
        are forgotten where they have become many."""
        self.draw()
        sheet, first, sizes = self.sheet, sprite_numbers(self.sheet), self._sizes
        rows = placed.tolist()
        put_all(canvas.pixels.reshape(-1), canvas.width, sheet.pixels, sheet.shapes, placed)
        # By tuple itself: named tuples take twice the time to make.
        canvas.note(
            [_new(Change, (_new(Rect, (x, y, *sizes[one])), first + one)) for one, x, y in rows]
        )
        self.begin()
