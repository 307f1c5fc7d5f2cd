"""The draft of a run: panels add the sprites of its frames, most of them in compiled loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32, I32_2D, I64, I64_2D, U8, group, inner
from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels
from undoku.render.draw.sprite_index import IndexArrays, SpriteIndex
from undoku.render.draw.sprite_run import Sheet

_PICTURES, _BYTES = range(2)
_FIRST_ROOM = 1 << 20


@group
class DraftArrays(NamedTuple):
    """The rows of a draft, one for each picture that is drawn.

    frames  (n,) int32      the frame of the run, from 0
    placed  (n, 3) int32    sprite, x, y. Pictures that only this run shows are -1, -2, …
    rows    (1,) int64      the number of rows
    sprites                 the index in which sprites are looked up
    pixels  (b,) uint8      the pixels of the pictures that only this run shows, in order
    shapes  (p, 2) int64    the width and the height of each of these pictures
    used    (2,) int64      the number of these pictures, and of the bytes of their pixels
    """

    frames: I32
    placed: I32_2D
    rows: I64
    sprites: IndexArrays
    pixels: U8
    shapes: I64_2D
    used: I64


@inner
def put_sprite(frame: int, sprite: int, x: int, y: int, draft: DraftArrays) -> None:
    """Add a row."""
    row = draft.rows[0]
    draft.frames[row] = frame
    draft.placed[row, 0] = sprite
    draft.placed[row, 1] = x
    draft.placed[row, 2] = y
    draft.rows[0] = row + 1


@inner
def has_room(pictures: int, size: int, draft: DraftArrays) -> bool:
    """Whether there is room for this number of new pictures, of `size` bytes together."""
    used = draft.used
    return bool(
        used[_PICTURES] + pictures <= len(draft.shapes) and used[_BYTES] + size <= len(draft.pixels)
    )


@inner
def put_new(frame: int, x: int, y: int, width: int, height: int, draft: DraftArrays) -> int:
    """Add a row with a picture that only this run shows; there must be room for it. Returns the
    index in draft.pixels at which its pixels, rows of 3 * width bytes, must be written."""
    used = draft.used
    picture, begun = int(used[_PICTURES]), int(used[_BYTES])
    draft.shapes[picture, 0] = width
    draft.shapes[picture, 1] = height
    used[_PICTURES] = picture + 1
    used[_BYTES] = begun + 3 * width * height
    put_sprite(frame, -1 - picture, x, y, draft)
    return begun


class Draft:
    """A draft of at most `rows` rows; its sprites are in `index`."""

    def __init__(self, index: SpriteIndex, rows: int) -> None:
        self.index = index
        self.arrays = DraftArrays(
            np.empty(rows, np.int32),
            np.empty((rows, 3), np.int32),
            np.zeros(1, np.int64),
            index.arrays,
            np.empty(0, np.uint8),
            np.empty((0, 2), np.int64),
            np.zeros(2, np.int64),
        )
        """Replaced by `begin` and `fill`: do not keep a reference."""
        self.figure: DrawnShapes | None = None
        """The figure of which the new pictures of a single frame show parts."""

    def begin(self) -> DraftArrays:
        """Remove all rows; returns the arrays."""
        self.arrays.rows[0] = 0
        self.arrays.used[:] = 0
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

    def add_new(self, frame: int, picture: Pixels, x: int, y: int) -> None:
        """Add a picture (height, width, 3) that only this run shows."""
        height, width, _ = picture.shape

        def put(_: int, arrays: DraftArrays) -> int:
            if not has_room(1, picture.size, arrays):
                return 0
            start = put_new(frame, x, y, width, height, arrays)
            arrays.pixels[start : start + picture.size] = picture.reshape(-1)
            return 1

        self.fill(1, put)

    def fill(self, frames: int, put: Callable[[int, DraftArrays], int]) -> None:
        """Add the rows of all `frames` frames with `put`: a loop that begins with the given frame,
        and returns the first frame for which there is no room, without any of its rows, or `frames`
        at the end."""
        frame = put(0, self.arrays)
        while frame < frames:
            _, _, _, _, pixels, shapes, _ = self.arrays
            self.arrays = self.arrays._replace(
                pixels=np.concatenate([pixels, np.empty(max(_FIRST_ROOM, len(pixels)), np.uint8)]),
                shapes=np.concatenate([shapes, np.empty((max(256, len(shapes)), 2), np.int64)]),
            )
            frame = put(frame, self.arrays)

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
        pictures, size = self.arrays.used.tolist()
        _, pixels = sheet.place_all(self.arrays.shapes[:pictures])
        pixels[:] = self.arrays.pixels[:size]

    def draw(self, canvas: Canvas) -> None:
        """Draw all rows, which must be those of a single frame, on a canvas."""
        if not self.arrays.rows[0]:
            return
        placed = self.placed
        new = placed[:, 0] < 0
        if not new.all():
            self.index.put(canvas, placed[~new])
        start = 0
        shapes = self.arrays.shapes[: int(new.sum())].tolist()
        for (_, x, y), (width, height) in zip(placed[new].tolist(), shapes, strict=True):
            end = start + 3 * width * height
            picture = self.arrays.pixels[start:end].reshape(height, width, 3)
            canvas.put(picture, x, y, self.figure)
            start = end
