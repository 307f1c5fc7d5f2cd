"""The sprites of a film, indexed by their contents.

A sprite is identified by its key (0 <= key < 2^63) and its kind, which determines the function that
draws it. Compiled loops look up its number; a sprite that is not in the index yet gets the next
number, and is drawn before it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64, I64_2D, group, inner, loop
from undoku.render.draw.canvas import Canvas, Change, Rect, Sprite
from undoku.render.draw.sprite_run import Sheet, put_all, sprite_numbers

MAX_WANTED = 1 << 18
"""The maximum number of new sprites between two calls of `SpriteIndex.draw`."""

_TABLE = 1 << 19
_new = tuple.__new__
FIRST_ROWS, _FIRST_PROBES = 1 << 15, 16
"""A look-up begins in one of the first FIRST_ROWS rows of the table and examines _FIRST_PROBES
rows; then it continues in the rest of the table, at the row given by a second hash. Few sprites
therefore touch only a small part of the table, and many sprites do not make look-ups slow."""


@group
class IndexArrays(NamedTuple):
    """The numbers of the sprites, as a hash table.

    table   (n, 3) int64   key, kind, 1 + number; 0 where there is none; n is a power of two
    counts  (2,) int64     the number of sprites, and of those that are not drawn yet
    wanted  (w, 2) int64   key and kind of the sprites that are not drawn yet
    """

    table: I64_2D
    counts: I64
    wanted: I64_2D


@inner
def _second_hash(key: int, kind: int) -> int:
    """A hash of 31 bits that depends on all bits of the key."""
    low = (key & 0x7FFFFFFF ^ kind << 24) * 0x2545F491
    high = (key >> 31) * 0x3C6EF372FD
    return (low ^ low >> 29 ^ high >> 17) & 0x7FFFFFFF


@loop
def sprite_number(key: int, kind: int, index: IndexArrays) -> int:
    """The number of a sprite; a sprite that is not in the index gets a new one."""
    table, counts, wanted = index.table, index.counts, index.wanted
    row = (((key ^ key >> 31 ^ kind << 20) & 0x7FFFFFFF) * 0x9E3779B1 >> 13) & (FIRST_ROWS - 1)
    looked = 0
    while table[row, 2]:
        if table[row, 0] == key and table[row, 1] == kind:
            return int(table[row, 2]) - 1
        looked += 1
        row += 1
        if looked == _FIRST_PROBES:
            row = FIRST_ROWS + _second_hash(key, kind) % (len(table) - FIRST_ROWS)
        elif row == len(table):
            row = FIRST_ROWS
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
    """The index of a sheet of sprites."""

    def __init__(self) -> None:
        self.sheet = Sheet()
        self.arrays = IndexArrays(
            np.zeros((_TABLE, 3), np.int64),
            np.zeros(2, np.int64),
            np.empty((MAX_WANTED, 2), np.int64),
        )
        """Replaced by `begin` and `put`: do not keep a reference."""
        self._kinds: dict[Hashable, int] = {}
        self._draw: list[Callable[[int], Sprite]] = []
        self._sizes: list[tuple[int, int]] = []
        self._contents: list[object] = []

    def kind(self, name: Hashable, draw: Callable[[int], Sprite]) -> int:
        """The kind with this name, >= 0; `draw` returns its sprite for a key."""
        if name not in self._kinds:
            self._kinds[name] = len(self._draw)
            self._draw.append(draw)
        return self._kinds[name]

    def number(self, key: int, kind: int) -> int:
        """The number of one sprite."""
        return sprite_number(key, kind, self.arrays)

    def begin(self) -> None:
        """Begin a run. If the sheet is full, all sprites are removed."""
        if self.sheet.is_full:
            self.sheet.clear()
            self.arrays.counts[:] = 0
            self.arrays = self.arrays._replace(table=np.zeros((_TABLE, 3), np.int64))
            self._sizes.clear()
            self._contents.clear()

    def draw(self) -> None:
        """Draw the sprites that were looked up but are not on the sheet yet. Pictures that only the
        last run showed are removed from the sheet."""
        self.sheet.drop()
        _, counts, wanted = self.arrays
        if counts[1]:
            drawn = [self._draw[kind](key) for key, kind in wanted[: counts[1]].tolist()]
            self._take(drawn)
            counts[1] = 0
        self.sheet.keep()

    def _take(self, drawn: Sequence[Sprite]) -> None:
        """Add newly drawn sprites to the sheet."""
        self._sizes += [(one.pixels.shape[1], one.pixels.shape[0]) for one in drawn]
        self._contents += (one.content for one in drawn)
        self.sheet.add([one.pixels for one in drawn])

    def put(self, canvas: Canvas, placed: NDArray[np.int32]) -> None:
        """Draw sprites on a canvas: `placed` (n, 3) holds number, x and y of each. Their numbers
        are not valid afterwards, because all sprites are removed if the sheet is full."""
        self.draw()
        sheet, first, sizes = self.sheet, sprite_numbers(self.sheet), self._sizes
        contents = self._contents
        rows = placed.tolist()
        put_all(canvas.pixels.reshape(-1), canvas.width, *sheet.arrays, placed)
        # `tuple.__new__` takes half the time of the constructors of named tuples.
        canvas.note(
            [_new(Change, (_new(Rect, (x, y, *sizes[one])), first + one)) for one, x, y in rows],
            [contents[one] for one, _, _ in rows],
        )
        self.begin()
