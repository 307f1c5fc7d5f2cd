"""Caches the fingerprints of a sheet's pictures, so that they aren't computed for each frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.macroblock_pixels import RGB_BYTES, copy_rgb, fingerprint
from undoku.h264.sprites import Sheet
from undoku.machine_code.jit import lean

__all__ = ["SheetFingerprints"]

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


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


@lean
def _learn(
    pictures: _U8,
    shapes: _I64,
    known: int,
    starts: _I64,
    fingerprints: _I64,
    at: int,
    rgb: _U8,
    rgb_words: NDArray[np.uint64],
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
                fingerprints[at] = fingerprint(rgb_words, 6)
                at += 1
    return at
