"""The pictures that the encoder takes: frames with the rectangles that changed, and runs of frames
as sprites and the places where they are put. The fingerprints of a sheet's pictures are computed
once, not for each frame.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from undoku.h264.canvas import RGB_BYTES, copy_rgb, fingerprint
from undoku.h264.loops import I64, I64_2D, U8, U64, loop

Pixels = NDArray[np.uint8]
"""(height, width, 3) uint8, RGB."""

Change = tuple[tuple[int, int, int, int], int]
"""A rectangle that changed: its left edge, upper edge, width and height in pixels; and the number
of the sprite that it shows, -1 for none. Contents of sprites may occur again."""


class Sheet(Protocol):
    """The pictures of runs, by number. Those with numbers below `kept` do not change as long as
    `identity` and `edition` are the same; the others belong to a single run."""

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """(n,): RGB pixels of the pictures that are kept, one picture after the other."""

    @property
    def temporary(self) -> NDArray[np.uint8]:
        """(n,): the same of the others."""

    @property
    def shapes(self) -> NDArray[np.int64]:
        """(m, 3): offset in `pixels` or `temporary`, width and height of each picture."""

    @property
    def kept(self) -> int: ...

    @property
    def edition(self) -> int: ...

    @property
    def identity(self) -> object: ...


class SpriteRun(Protocol):
    """Consecutive frames of one tick each. Frame n draws the rows first[n] to first[n + 1] - 1 of
    `placed` (k, 3) int32: picture, x, y. The pictures of one frame do not overlap. `pixels` shows
    the frame before the run, and its last frame once it is encoded. `first` is (frames + 1,)
    int64."""

    @property
    def pixels(self) -> Pixels: ...

    @property
    def sheet(self) -> Sheet: ...

    @property
    def first(self) -> NDArray[np.int64]: ...

    @property
    def placed(self) -> NDArray[np.int32]: ...


class SheetFingerprints:
    """The fingerprints of the kept pictures of one edition of a sheet.

    `of` (n,) int64 are the fingerprints of the macroblocks, row by row, of all pictures whose sides
    are multiples of 16; `starts` (m,) int64 is the index of each picture's first one, -1 for
    other pictures.
    """

    def __init__(self) -> None:
        self.of = np.empty(0, np.int64)
        self.starts = np.empty(0, np.int64)
        self._used = 0
        self._known = 0
        self._sheet: object | None = None
        self._edition = 0
        self._taken = np.empty(RGB_BYTES, np.uint8)
        self._words = self._taken.view(np.uint64)

    def learn(self, sheet: Sheet) -> None:
        """Add the pictures that the sheet has kept since the last call."""
        if sheet.identity is not self._sheet or sheet.edition != self._edition:
            self._sheet, self._edition = sheet.identity, sheet.edition
            self._used = self._known = 0
        if self._known == sheet.kept:
            return
        shapes = sheet.shapes[: sheet.kept]
        more = self._used + int((shapes[self._known :, 1:] >> 4).prod(axis=1).sum())
        self.of = np.concatenate((self.of[: self._used], np.empty(more - self._used, np.int64)))
        new = np.empty(sheet.kept - self._known, np.int64)
        self.starts = np.concatenate((self.starts[: self._known], new))
        known = self._known
        self._used = _learn(
            sheet.pixels, shapes, known, self.starts, self.of, self._used, self._taken, self._words
        )
        self._known = sheet.kept


@loop
def _learn(
    pictures: U8,
    shapes: I64_2D,
    known: int,
    starts: I64,
    fingerprints: I64,
    at: int,
    rgb: U8,
    rgb_words: U64,
) -> int:
    """Write the fingerprints of the pictures from number `known` on to fingerprints[at:]; returns
    the index after the last. `rgb` (768,) and `rgb_words` (96,), the same memory, are scratch."""
    for picture in range(known, len(shapes)):
        begin = int(shapes[picture, 0])
        width, height = int(shapes[picture, 1]), int(shapes[picture, 2])
        starts[picture] = -1
        if (width | height) & 15:
            continue
        starts[picture] = at
        pixels = pictures[begin : begin + 3 * width * height]
        for row in range(height >> 4):
            for column in range(width >> 4):
                copy_rgb(pixels, width, height, column, row, rgb)
                fingerprints[at] = fingerprint(rgb_words, 0, 6)
                at += 1
    return at
