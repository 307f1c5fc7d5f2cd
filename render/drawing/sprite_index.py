"""The pictures that runs of a film are put together from, found by what they show.

A picture has a key, a number >= 0 below 2^63, and is of a kind: the one who draws it. Compiled
loops look it up; one that isn't there yet gets the next number and is drawn before it is shown.

Arrays:
    table   (n, 3) int64   key, kind, 1 + number; 0 where there is none; n is a power of two
    counts  (2,) int64     how many pictures have a number, how many of them are still to be drawn
    wanted  (w, 2) int64   key and kind of those to be drawn
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Pixels
from render.drawing.sprite_run import Sheet
from solver.jit import inner, lean

__all__ = ["MOST_WANTED", "SpriteIndex", "number_of"]

MOST_WANTED = 1 << 18
"""Pictures that may be looked up between two drawings."""

_TABLE = 1 << 19
_HOMES, _NEAR = 1 << 15, 16
"""Rows of the table where a search for a picture begins, and how many rows it goes on there before
it begins anew behind them: as long as there are few pictures, hardly any other part of the table is
ever touched, and where there are many, none has long to be looked for."""

_MOST_KEPT, _MOST_BYTES = 1 << 14, 24 << 20
"""Pictures that are kept; a film seldom has so many, and then they are drawn anew."""


@inner
def _elsewhere(key: int, kind: int) -> int:
    """A number of 31 bits that depends on all of the key's."""
    low = (key & 0x7FFFFFFF ^ kind << 24) * 0x2545F491
    high = (key >> 31) * 0x3C6EF372FD
    return (low ^ low >> 29 ^ high >> 17) & 0x7FFFFFFF


@lean
def number_of(
    key: int,
    kind: int,
    table: NDArray[np.int64],
    counts: NDArray[np.int64],
    wanted: NDArray[np.int64],
) -> int:
    """The number of a picture, a new one where it isn't known."""
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
    """Keeps a sheet of pictures."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self._table = np.zeros((_TABLE, 3), np.int64)
        self._counts = np.zeros(2, np.int64)
        self._wanted = np.empty((MOST_WANTED, 2), np.int64)
        self._kinds: dict[Hashable, int] = {}
        self._draw: list[Callable[[int], Pixels]] = []

    def kind(self, name: Hashable, draw: Callable[[int], Pixels]) -> int:
        """The kind of this name. `draw` draws its pictures, (height, width, 3), by their keys."""
        if name not in self._kinds:
            self._kinds[name] = len(self._draw)
            self._draw.append(draw)
        return self._kinds[name]

    @property
    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """table, counts, wanted."""
        return self._table, self._counts, self._wanted

    def number(self, key: int, kind: int) -> int:
        """The number of one picture."""
        return number_of(key, kind, *self.arrays)

    def begin(self) -> None:
        """Begin a run: what only the last one showed goes, and all where it has become much."""
        self.sheet.drop()
        if self.sheet.bytes > _MOST_BYTES or self.sheet.count > _MOST_KEPT:
            self.sheet.clear()
            self._table = np.zeros((_TABLE, 3), np.int64)
            self._counts[:] = 0

    def draw(self) -> None:
        """Draw what was looked up and isn't there yet."""
        for key, kind in self._wanted[: self._counts[1]].tolist():
            self.sheet.add(self._draw[kind](key))
        self._counts[1] = 0
        self.sheet.keep()
