"""Which fields of a picture flash, and how often in a second: the window rule of WCAG 2.3.1.

Flashing pixels count only if they cover a quarter or more of any field of 341×256 pixels, ten
degrees of the visual field on a screen of 1024×768.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCK_HEIGHT", "BLOCK_WIDTH", "FIELD", "MAX_FLASHES", "QUARTER", "Fields"]

FIELD = (341, 256)
"""The width and height of a field in pixels."""
QUARTER = FIELD[0] * FIELD[1] / 4
"""A quarter of the pixels of a field."""
MAX_FLASHES = 3
"""The maximum number of flashes in a second; a flash is a change and its opposite."""
BLOCK_WIDTH, BLOCK_HEIGHT = 11, 8
"""Pixels are counted in blocks: fields begin at a block, and have 31 × 32 blocks."""
_KEPT = 2 * MAX_FLASHES + 1  # changes in a second that are more than three pairs


class Fields:
    """The fields of a picture of `width` × `height` pixels at `fps` frames per second, for one kind
    of flash. `blocks` is the number of rows and columns of blocks."""

    def __init__(self, width: int, height: int, fps: Fraction) -> None:
        columns, rows = -(-width // BLOCK_WIDTH), -(-height // BLOCK_HEIGHT)
        self.blocks = rows, columns
        self._fps = fps
        self._size = min(rows, FIELD[1] // BLOCK_HEIGHT), min(columns, FIELD[0] // BLOCK_WIDTH)
        fields = rows - self._size[0] + 1, columns - self._size[1] + 1
        self._last = np.zeros(fields, np.int8)  # direction of each field's last change
        self._when = np.full((_KEPT, *fields), -(1 << 40), np.int64)  # the latest first, in ticks
        self.most = 0
        """The maximum number of changes of one field in any second; counting stops at seven."""

    def count(self, forth: NDArray[np.int32], back: NDArray[np.int32], ticks: int) -> bool:
        """Record the fields of which a quarter or more changed in one direction in the frame that
        begins after `ticks`: `forth` and `back` (rows, columns) are the pixels of each block that
        changed in either direction. Returns whether a field has flashed too often."""
        recent = [self._turn(way, counts, ticks) for way, counts in ((1, forth), (-1, back))]
        self.most = max(self.most, *recent)
        return max(recent) == _KEPT

    def _turn(self, way: int, counts: NDArray[np.int32], ticks: int) -> int:
        """The maximum number of changes within a second of the fields that turned."""
        if counts.sum() <= QUARTER:
            return 0
        high, wide = self._size
        sums = np.zeros((counts.shape[0] + 1, counts.shape[1] + 1), np.int64)
        sums[1:, 1:] = counts.cumsum(0).cumsum(1)
        areas = (
            sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
        )
        turned = (areas >= QUARTER) & (self._last != way)
        if not turned.any():
            return 0
        self._last[turned] = way
        self._when[1:, turned] = self._when[:-1, turned]
        self._when[0, turned] = ticks
        return int((self._when[:, turned] > float(ticks - self._fps)).sum(axis=0).max())
