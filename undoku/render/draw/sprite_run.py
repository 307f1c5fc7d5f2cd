"""Sprite runs: consecutive frames as sprites and their positions.

If frames differ only by copies, a compiled loop makes thousands of them at once, and sinks that
support runs read them in another loop; no Python runs between the frames.

A sheet's arrays: `pixels` (n,) uint8 are the RGB pixels of all pictures, one after the other;
`shapes` (m, 3) int64 are the offset in `pixels`, the width and the height of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32_2D, I64_2D, U8, inner, loop
from undoku.render.draw.canvas import Change, Frame, Pixels, Rect

_T = TypeVar("_T", bound=np.generic)

MAX_SHEET_SPRITES, MAX_SHEET_BYTES = 1 << 14, 24 << 20
"""Sprites and bytes from which on a sheet is full, and is cleared. Few films have so many."""

_ROOM = 3 * MAX_SHEET_BYTES
"""The bytes of a new sheet. The system allocates memory only for those that are written."""

_NUMBERS = 1 << 60
"""The first sprite number of sheets; other sprites have smaller numbers."""


def sprite_numbers(sheet: Sheet) -> int:
    """The number to add to the number of a sprite of this sheet for `Change.sprite`: two changes
    with the same sum draw the same pixels."""
    return _NUMBERS + (sheet.edition << 40)


def _doubled(array: NDArray[_T], used: int) -> NDArray[_T]:
    """An array of twice the length that begins with the first `used` elements. The others are not
    initialised, so the system allocates memory for them only when they are written."""
    larger = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    larger[:used] = array[:used]
    return larger


class Sheet:
    """The pictures of runs, by number. Pictures with numbers below `kept` do not change as long as
    `edition` is the same; the others belong to a single run."""

    def __init__(self) -> None:
        self._pixels = np.empty(_ROOM, np.uint8)
        self._shapes = np.empty((256, 3), np.int64)
        self.count = 0
        self._used = 0
        self.kept = 0
        self._kept_used = 0
        self.edition = 0
        self.identity = object()
        """The same for a sheet and all its shared copies."""
        self._temporary: NDArray[np.uint8] | None = None

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """The pixels of the kept pictures, with the offsets in `shapes`."""
        return self._pixels

    @property
    def temporary(self) -> NDArray[np.uint8]:
        """The pixels of the pictures of a single run, with the offsets in `shapes`."""
        return self._pixels if self._temporary is None else self._temporary

    @property
    def shapes(self) -> NDArray[np.int64]:
        """(count, 3): offset in `pixels` or `temporary`, width, height."""
        return self._shapes[: self.count]

    @property
    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int64], int]:
        """`pixels`, `temporary`, `shapes` and `kept`, which `put_all` takes."""
        return self.pixels, self.temporary, self.shapes, self.kept

    @property
    def bytes(self) -> int:
        """The size of the pixels of all pictures."""
        return self._used

    @property
    def is_full(self) -> bool:
        """Whether the sheet must be cleared before the next run."""
        return self._used > MAX_SHEET_BYTES or self.count > MAX_SHEET_SPRITES

    def add(self, pictures: Sequence[Pixels]) -> int:
        """Add copies of pictures (height, width, 3), at least one; returns the number of the
        first."""
        sizes = np.array([picture.shape[1::-1] for picture in pictures])
        ends = self._used + np.cumsum(3 * sizes.prod(1))
        while ends[-1] > len(self._pixels):
            self._pixels = _doubled(self._pixels, self._used)
        while self.count + len(sizes) > len(self._shapes):
            self._shapes = _doubled(self._shapes, self.count)
        added = self._shapes[self.count : self.count + len(sizes)]
        added[:, 0] = [self._used, *ends[:-1]]
        added[:, 1:] = sizes
        room = self._pixels[self._used : ends[-1]]
        np.concatenate([picture.reshape(-1) for picture in pictures], out=room)
        self._used = int(ends[-1])
        self.count += len(sizes)
        return self.count - len(sizes)

    def keep(self) -> None:
        """Keep all current pictures for later runs."""
        self.kept, self._kept_used = self.count, self._used

    def drop(self) -> None:
        """Remove the pictures that were added since `keep`."""
        self.count, self._used = self.kept, self._kept_used

    def shared_copy(self) -> Sheet:
        """The current state of this sheet for another thread. Kept pictures are shared, pictures of
        a single run are copied."""
        copy = Sheet()
        copy.identity, copy.edition = self.identity, self.edition
        copy.count, copy.kept = self.count, self.kept
        copy._pixels, copy._used, copy._kept_used = self._pixels, self._used, self._kept_used
        copy._temporary = self._pixels[self._kept_used : self._used].copy()
        copy._shapes = self.shapes.copy()
        copy._shapes[self.kept :, 0] -= self._kept_used
        return copy

    def clear(self) -> None:
        """Remove all pictures, and free their memory unless a shared copy is in use, which does not
        change."""
        self._pixels = np.empty(_ROOM, np.uint8)
        self.count = self._used = self.kept = self._kept_used = 0
        self.edition += 1


@dataclass(frozen=True, slots=True, eq=False)
class SpriteRun:
    """Consecutive frames of one tick each. Frame n draws the rows first[n] to first[n + 1] - 1 of
    `placed`, (k, 3) int32: picture, x, y. The pictures of one frame do not overlap; a frame may
    have none. `pixels` is the canvas's buffer in the state before the run.

    The receiver of a run must play it once: afterwards `pixels` shows its last frame. A run is
    valid until the next one is made.
    """

    pixels: Pixels
    sheet: Sheet
    first: NDArray[np.int64]
    placed: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.first) - 1

    def part(self, start: int, stop: int) -> SpriteRun:
        """The frames `start` to `stop` - 1 as a run; earlier frames must be played first. If all
        parts of a run have been played, the run has been played."""
        return SpriteRun(self.pixels, self.sheet, self.first[start : stop + 1], self.placed)

    def play(self) -> None:
        """Play the run without returning its frames. Of several pictures on the same rectangle,
        only the last one is copied."""
        start, stop = self.first[[0, -1]].tolist()
        placed = self.placed[start:stop]
        sides = np.empty((len(placed), 4), np.uint16)
        sides[:, :2] = placed[:, 1:]
        sides[:, 2:] = self.sheet.shapes[placed[:, 0], 1:]
        rects = sides.view(np.uint64)[::-1, 0]
        _, newest = np.unique(rects, return_index=True)
        self._put(placed[np.sort(len(placed) - 1 - newest)])

    def _put(self, placed: NDArray[np.int32]) -> None:
        """Copy pictures, given as rows of `placed`."""
        put_all(self.pixels.reshape(-1), self.pixels.shape[1], *self.sheet.arrays, placed)

    def rects(self) -> Iterator[NDArray[np.int32]]:
        """The rectangles that each frame draws, (n, 4): left, top, right, bottom. Iterating over
        them plays the run."""
        placed = self.placed
        start, stop = self.first[[0, -1]].tolist()
        rects = np.empty((len(placed), 4), np.int32)
        rects[start:stop, :2] = placed[start:stop, 1:]
        sizes = self.sheet.shapes[placed[start:stop, 0], 1:]
        rects[start:stop, 2:] = rects[start:stop, :2] + sizes
        for begun, end in pairwise(self.first.tolist()):
            if begun < end:
                self._put(placed[begun:end])
            yield rects[begun:end]

    def frames(self) -> Iterator[Frame]:
        """The frames, one by one. Iterating over them plays the run."""
        sheet, placed = self.sheet, self.placed
        sizes = sheet.shapes[:, 1:].tolist()
        numbers = sprite_numbers(sheet)
        for start, stop in pairwise(self.first.tolist()):
            self._put(placed[start:stop])
            changes = [
                Change(
                    Rect(x, y, *sizes[picture]), numbers + picture if picture < sheet.kept else -1
                )
                for picture, x, y in placed[start:stop].tolist()
            ]
            yield Frame(self.pixels, tuple(changes))


@inner
def put(
    pixels: U8,
    across: int,
    pictures: U8,
    shapes: I64_2D,
    picture: int,
    x: int,
    y: int,
) -> None:
    """Copy a picture of a sheet to (x, y) of `pixels` (n,), RGB in rows of `across` pixels. It must
    lie inside."""
    start, width, height = int(shapes[picture, 0]), int(shapes[picture, 1]), int(shapes[picture, 2])
    size = 3 * width
    for line in range(y, y + height):
        at = 3 * (line * across + x)
        pixels[at : at + size] = pictures[start : start + size]
        start += size


@loop
def put_all(
    pixels: U8,
    across: int,
    kept: U8,
    temporary: U8,
    shapes: I64_2D,
    first_temporary: int,
    placed: I32_2D,
) -> None:
    """Copy the pictures `placed` (n, 3: picture, x, y) in order, as `put` does; those from number
    `first_temporary` on are in `temporary` (see `Sheet.arrays`)."""
    for one in range(len(placed)):
        picture, x, y = int(placed[one, 0]), int(placed[one, 1]), int(placed[one, 2])
        if picture < first_temporary:
            put(pixels, across, kept, shapes, picture, x, y)
        else:
            put(pixels, across, temporary, shapes, picture, x, y)
