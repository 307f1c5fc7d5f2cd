"""The draft of a run: panels add the sprites of its frames, most of them in compiled loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32, I32_2D, I64, I64_2D, group, inner, loop
from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels
from undoku.render.draw.sprite_index import IndexArrays, SpriteIndex, sprite_number
from undoku.render.draw.sprite_run import Sheet


@group
class DraftArrays(NamedTuple):
    """The rows of a draft, one for each picture that is drawn.

    frames  (n,) int32      the frame of the run, from 0
    placed  (n, 3) int32    sprite, x, y. Pictures that only this run shows are -1, -2, …
    rows    (1,) int64      the number of rows
    sprites                 the index in which sprites are looked up
    """

    frames: I32
    placed: I32_2D
    rows: I64
    sprites: IndexArrays


@inner
def put_sprite(frame: int, sprite: int, x: int, y: int, draft: DraftArrays) -> None:
    """Add a row."""
    row = draft.rows[0]
    draft.frames[row] = frame
    draft.placed[row, 0] = sprite
    draft.placed[row, 1] = x
    draft.placed[row, 2] = y
    draft.rows[0] = row + 1


@loop
def put_looked_up(rows: I64_2D, draft: DraftArrays) -> None:
    """Add rows (n, 5): frame, key, kind, x and y."""
    for row in range(len(rows)):
        sprite = sprite_number(int(rows[row, 1]), int(rows[row, 2]), draft.sprites)
        put_sprite(int(rows[row, 0]), sprite, int(rows[row, 3]), int(rows[row, 4]), draft)


class Draft:
    """A draft of at most `rows` rows; its sprites are in `index`."""

    def __init__(self, index: SpriteIndex, rows: int) -> None:
        self.index = index
        self.arrays = DraftArrays(
            np.empty(rows, np.int32),
            np.empty((rows, 3), np.int32),
            np.zeros(1, np.int64),
            index.arrays,
        )
        """Replaced by `begin`: do not keep a reference."""
        self._new: list[Pixels] = []
        self.figure: DrawnShapes | None = None
        """The figure of which the new pictures of a single frame show parts."""

    def begin(self) -> DraftArrays:
        """Remove all rows; returns the arrays."""
        self.arrays.rows[0] = 0
        self._new = []
        self.figure = None
        if self.arrays.sprites is not self.index.arrays:
            self.arrays = self.arrays._replace(sprites=self.index.arrays)
        return self.arrays

    def add(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        """Add rows: frame, sprite, x, y."""
        if not rows:
            return
        begun = int(self.arrays.rows[0])
        added = np.array(rows, np.int32)
        self.arrays.frames[begun : begun + len(rows)] = added[:, 0]
        self.arrays.placed[begun : begun + len(rows)] = added[:, 1:]
        self.arrays.rows[0] = begun + len(rows)

    def look_up(self, frames: I64, keys: I64, kinds: I64 | int, x: I64 | int, y: I64 | int) -> None:
        """Add rows (n,), or the same for all: sprites of the index, by key and kind."""
        if len(frames):
            rows = np.empty((len(frames), 5), np.int64)
            for column, each in enumerate((frames, keys, kinds, x, y)):
                rows[:, column] = each
            put_looked_up(rows, self.arrays)

    def change(self, shown: int, keys: I64, kind: int, x: int, y: int) -> int:
        """Add a row for each frame whose sprite at (x, y), given by `keys` (frames,), differs from
        the one before it, the first from `shown`. Returns the last key."""
        (frames,) = (keys != np.concatenate(([shown], keys[:-1]))).nonzero()
        self.look_up(frames, keys[frames], kind, x, y)
        return int(keys[-1])

    def add_new(self, frame: int, picture: Pixels, x: int, y: int) -> None:
        """Add a picture (height, width, 3) that only this run shows."""
        self._new.append(picture)
        self.add([(frame, -len(self._new), x, y)])

    @property
    def frames(self) -> NDArray[np.int32]:
        """The frames of the rows, (n,)."""
        return self.arrays.frames[: int(self.arrays.rows[0])]

    @property
    def placed(self) -> NDArray[np.int32]:
        """The pictures that are drawn, (n, 3): sprite, x, y."""
        return self.arrays.placed[: int(self.arrays.rows[0])]

    def take_new(self, sheet: Sheet) -> None:
        """Add the pictures that only this run shows to a sheet."""
        if self._new:
            sheet.add(self._new)
            self._new = []

    def draw(self, canvas: Canvas) -> None:
        """Draw all rows, which must be those of a single frame, on a canvas."""
        if not self.arrays.rows[0]:
            return
        placed = self.placed
        new = placed[:, 0] < 0
        if not new.all():
            self.index.put(canvas, placed[~new])
        for (_, x, y), picture in zip(placed[new].tolist(), self._new, strict=True):
            canvas.put(picture, x, y, self.figure)
