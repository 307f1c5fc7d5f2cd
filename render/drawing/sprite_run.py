"""Sprite runs: consecutive frames as sprites and their positions.

If frames differ only by copies, a compiled loop makes thousands of them at once, and sinks that
support runs read them in another loop; no Python runs between the frames.

A sheet's arrays: `pixels` (n,) uint8 are the RGB pixels of all pictures, one after the other;
`shapes` (m, 3) int64 are each one's offset in it, width and height.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Change, Frame, Pixels, Rect
from solver.jit import lean

__all__ = ["Sheet", "SpriteRun", "played", "put", "put_all", "sprite_numbers"]

_T = TypeVar("_T", bound=np.generic)

_MOST_KEPT, _MOST_BYTES = 1 << 14, 24 << 20
"""Sprites that a sheet keeps; a film seldom has so many, and then they are drawn anew."""

_NUMBERS = 1 << 60
"""Sprites of sheets are numbered from here, far from all others."""


def sprite_numbers(sheet: Sheet) -> int:
    """What the number of a sprite of this sheet is added to, for a change of a frame: two changes
    with the same number put the same pixels."""
    return _NUMBERS + (sheet.edition << 40)


def _doubled(array: NDArray[_T], used: int) -> NDArray[_T]:
    """An array of twice the length, which begins with the first `used` elements. The others are
    not written, so that the system gives memory to them only when they are."""
    larger = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    larger[:used] = array[:used]
    return larger


class Sheet:
    """Pictures that runs are put together from, by number. Those below `kept` stay what they are
    as long as `edition` does; the others are of one run."""

    def __init__(self) -> None:
        self._pixels = np.empty(1 << 20, np.uint8)
        self._shapes = np.empty((256, 3), np.int64)
        self.count = 0
        self._used = 0
        self.kept = 0
        self._kept_used = 0
        self.edition = 0
        self.identity = object()
        """That of a sheet and of all that are lent of it."""
        self._unkept: NDArray[np.uint8] | None = None
        self._lent: ref[Sheet] | None = None

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Those of kept pictures."""
        return self._pixels

    @property
    def unkept(self) -> NDArray[np.uint8]:
        """Those of the pictures of one run."""
        return self._pixels if self._unkept is None else self._unkept

    @property
    def shapes(self) -> NDArray[np.int64]:
        """(count, 3): offset in `pixels` or `unkept`, width, height."""
        return self._shapes[: self.count]

    @property
    def bytes(self) -> int:
        """Of all pictures."""
        return self._used

    @property
    def is_full(self) -> bool:
        """Whether it is to be cleared before the next run."""
        return self._used > _MOST_BYTES or self.count > _MOST_KEPT

    def place(self, width: int, height: int) -> tuple[int, NDArray[np.uint8]]:
        """Room for one more picture: its number, and its pixels (height * width * 3,) to be written
        before any other picture is added."""
        return self.place_all(np.array([(width, height)]))

    def place_all(self, sizes: NDArray[np.int64]) -> tuple[int, NDArray[np.uint8]]:
        """Room for pictures of `sizes` (n, 2), width and height each: the number of the first, and
        the pixels of all, one after the other, as `place` gives them."""
        ends = np.cumsum(3 * sizes[:, 0] * sizes[:, 1])
        size = int(ends[-1]) if len(ends) else 0
        while self._used + size > len(self._pixels):
            self._pixels = _doubled(self._pixels, self._used)
        while self.count + len(sizes) > len(self._shapes):
            self._shapes = _doubled(self._shapes, self.count)
        added = self._shapes[self.count : self.count + len(sizes)]
        added[:, 0] = self._used + ends - 3 * sizes[:, 0] * sizes[:, 1]
        added[:, 1:] = sizes
        self._used += size
        self.count += len(sizes)
        return self.count - len(sizes), self._pixels[self._used - size : self._used]

    def add(self, picture: Pixels) -> int:
        """The number of a picture (height, width, 3), which is copied."""
        height, width, _ = picture.shape
        number, room = self.place(width, height)
        room[:] = picture.reshape(-1)
        return number

    def keep(self) -> None:
        """Keep all that is there now for further runs."""
        self.kept, self._kept_used = self.count, self._used

    def drop(self) -> None:
        """Forget what was added since `keep`."""
        self.count, self._used = self.kept, self._kept_used

    def lent(self) -> Sheet:
        """This sheet as it is now, for another thread: kept pictures are shared with it, those of
        the run alone are copied."""
        copy = Sheet()
        copy.identity, copy.edition = self.identity, self.edition
        copy.count, copy.kept = self.count, self.kept
        copy._pixels, copy._used, copy._kept_used = self._pixels, self._used, self._kept_used
        copy._unkept = self._pixels[self._kept_used : self._used].copy()
        copy._shapes = self.shapes.copy()
        copy._shapes[self.kept :, 0] -= self._kept_used
        self._lent = ref(copy)
        return copy

    def clear(self) -> None:
        """Forget everything. The pixels stay as they are for a copy that is still in use."""
        if self._lent and self._lent():
            self._pixels = np.empty(1 << 20, np.uint8)
        self.count = self._used = self.kept = self._kept_used = 0
        self.edition += 1


@dataclass(frozen=True, slots=True, eq=False)
class SpriteRun:
    """Frames in a row that stand for one tick each. Frame n puts the pictures placed[first[n] :
    first[n + 1]], (k, 3) int32 each: picture, x, y. Those of one frame don't overlap; a frame may
    have none. `pixels` is the canvas's buffer as the frame before the run left it.

    The receiver of a run plays it once: afterwards `pixels` shows its last frame. It is valid until
    the next one is made.
    """

    pixels: Pixels
    sheet: Sheet
    first: NDArray[np.int64]
    placed: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.first) - 1

    def part(self, start: int, stop: int) -> SpriteRun:
        """Its frames `start` to `stop` - 1 as a run of their own: those before are played first.
        A run that is played in parts is played, too."""
        return SpriteRun(self.pixels, self.sheet, self.first[start : stop + 1], self.placed)

    def play(self) -> None:
        """Play it without looking at its frames."""
        start, stop = self.first[[0, -1]].tolist()
        sheet, width = self.sheet, self.pixels.shape[1]
        if sheet.unkept is not sheet.pixels:
            for _ in self.frames():
                pass
            return
        put_all(self.pixels.reshape(-1), width, sheet.pixels, sheet.shapes, self.placed[start:stop])

    def frames(self) -> Iterator[Frame]:
        """Its frames, one by one: the run is played as they are taken."""
        sheet, flat, width = self.sheet, self.pixels.reshape(-1), self.pixels.shape[1]
        placed, first = self.placed, self.first.tolist()
        sizes = sheet.shapes[:, 1:].tolist()
        numbers = sprite_numbers(sheet)
        for start, stop in pairwise(first):
            changes = []
            for picture, x, y in placed[start:stop].tolist():
                kept = picture < sheet.kept
                source = sheet.pixels if kept else sheet.unkept
                put(flat, width, source, sheet.shapes, picture, x, y)
                number = numbers + picture if kept else -1
                changes.append(Change(Rect(x, y, *sizes[picture]), number))
            yield Frame(self.pixels, tuple(changes))


def played(run: SpriteRun) -> Iterator[NDArray[np.int32]]:
    """The rectangles that each frame of a run puts, (n, 4): left, top, right, bottom. The run is
    played as they are taken."""
    sheet, placed = run.sheet, run.placed
    start, stop = run.first[[0, -1]].tolist()
    rects = np.empty((len(placed), 4), np.int32)
    rects[start:stop, :2] = placed[start:stop, 1:]
    shown = sheet.shapes[placed[start:stop, 0], 1:]
    rects[start:stop, 2:] = rects[start:stop, :2] + shown
    flat, across = run.pixels.reshape(-1), run.pixels.shape[1]
    for begun, end in pairwise(run.first.tolist()):
        if begun < end:
            put_all(flat, across, sheet.pixels, sheet.shapes, placed[begun:end])
        yield rects[begun:end]


@lean
def put(
    pixels: NDArray[np.uint8],
    across: int,
    pictures: NDArray[np.uint8],
    shapes: NDArray[np.int64],
    picture: int,
    x: int,
    y: int,
) -> None:
    """Copy a picture of a sheet, which must fit, to (x, y) of pixels (n,), rows of `across`."""
    start, width, height = int(shapes[picture, 0]), int(shapes[picture, 1]), int(shapes[picture, 2])
    size = 3 * width
    for line in range(y, y + height):
        at = 3 * (line * across + x)
        # As slices, since an index that might be negative keeps a loop from being vectorised.
        to, source = pixels[at : at + size], pictures[start : start + size]
        for step in range(size):
            to[step] = source[step]
        start += size


@lean
def put_all(
    pixels: NDArray[np.uint8],
    across: int,
    pictures: NDArray[np.uint8],
    shapes: NDArray[np.int64],
    placed: NDArray[np.int32],
) -> None:
    """Put the pictures `placed` (n, 3: picture, x, y), one after the other."""
    for one in range(len(placed)):
        picture, x, y = int(placed[one, 0]), int(placed[one, 1]), int(placed[one, 2])
        put(pixels, across, pictures, shapes, picture, x, y)
