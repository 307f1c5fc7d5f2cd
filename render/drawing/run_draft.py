"""What the frames of a run put, while the run is made: compiled loops add to it frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Canvas
from render.drawing.sprite_index import IndexArrays, SpriteIndex
from solver.jit import inner

__all__ = ["Draft", "DraftArrays", "put_sprite"]


class DraftArrays(NamedTuple):
    """The rows of a draft, one for each sprite that is put.

    frames  (n,) int32      the frame of the run, from 0
    placed  (n, 3) int32    sprite, x, y. A picture that only this run shows, and that has no number
                            yet, is -1, -2, …
    rows    (1,) int64      how many rows there are
    sprites which sprites have a number
    """

    frames: NDArray[np.int32]
    placed: NDArray[np.int32]
    rows: NDArray[np.int64]
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


class Draft:
    """A draft of at most `rows` rows, with sprites of `index`."""

    def __init__(self, index: SpriteIndex, rows: int) -> None:
        self.index = index
        self._frames = np.empty(rows, np.int32)
        self._placed = np.empty((rows, 3), np.int32)
        self._rows = np.zeros(1, np.int64)
        self._arrays = DraftArrays(self._frames, self._placed, self._rows, index.arrays)

    def begin(self) -> DraftArrays:
        """Empty it."""
        self._rows[0] = 0
        if self._arrays.sprites is not self.index.arrays:
            self._arrays = self._arrays._replace(sprites=self.index.arrays)
        return self._arrays

    def add(self, rows: Sequence[tuple[int, int, int, int]]) -> None:
        """Add rows: frame, sprite, x, y."""
        if not rows:
            return
        begun = int(self._rows[0])
        added = np.array(rows, np.int32)
        self._frames[begun : begun + len(rows)] = added[:, 0]
        self._placed[begun : begun + len(rows)] = added[:, 1:]
        self._rows[0] = begun + len(rows)

    @property
    def frames(self) -> NDArray[np.int32]:
        """The frames of the rows, (n,)."""
        return self._frames[: int(self._rows[0])]

    @property
    def placed(self) -> NDArray[np.int32]:
        """What is put, (n, 3): sprite, x, y."""
        return self._placed[: int(self._rows[0])]

    def draw(self, canvas: Canvas) -> None:
        """Put all rows on a canvas: those of a single frame."""
        if self._rows[0]:
            self.index.put(canvas, self.placed)
