"""The picture that a GIF shows: colour numbers, their palette, and the changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Pixels
from undoku.render.write import colour_numbers
from undoku.render.write.changed_box import Rects

__all__ = ["IndexedPicture"]

BOX = slice(colour_numbers.LEFT, colour_numbers.BOTTOM + 1)


class IndexedPicture:
    """A picture as colour numbers from 1, with a palette to which each new colour is added. It
    begins with the colours `reserved`, 0xRRGGBB, at most 255.

    `shown` is (height, width) uint8. `fresh`, whose rows are padded to multiples of 8, is 1 where a
    change is not yet written. `palette` is (256, 3) uint8; its first `colours` rows are in use, and
    number 0 is the transparent colour.
    """

    def __init__(self, width: int, height: int, reserved: Sequence[int] = ()) -> None:
        self.shown = np.zeros((height, width), np.uint8)
        self.words = np.zeros((height, -(-width // 8)), np.uint64)
        self.fresh = self.words.view(np.uint8)
        self._seen: NDArray[np.uint8] = np.empty((height, 3 * width), np.uint8)
        self.palette = np.zeros((colour_numbers.MAX_COLOURS, 3), np.uint8)
        self.table = np.full(colour_numbers.SLOTS, -1, np.int64)
        self.registers = np.zeros(colour_numbers.REGISTERS, np.int64)
        self.registers[colour_numbers.COLOURS] = 1
        if reserved:
            self._reserve(np.array(reserved, np.int64))
        self.forget_box()

    def _reserve(self, colours: NDArray[np.int64]) -> None:
        """Give numbers to these colours: as a picture of one row that is not shown."""
        channels = [colours >> 16, colours >> 8 & 0xFF, colours & 0xFF]
        row = np.stack(channels, -1).astype(np.uint8).reshape(1, -1)
        numbers, fresh = np.zeros((2, 1, len(colours)), np.uint8)
        everything = np.array([[0, 0, len(colours), 1]], np.int64)
        colour_numbers.adopt(
            row,
            everything,
            np.empty_like(row),
            numbers,
            fresh,
            self.table,
            self.palette,
            self.registers,
        )

    def renumber(self, new: NDArray[np.uint8]) -> None:
        """Replace each number n by new[n]; `new` is (256,), a permutation that maps 0 to 0."""
        self.shown[:] = new[self.shown]
        palette = self.palette.copy()
        self.palette[new] = palette
        known = self.table >= 0
        self.table[known] = self.table[known] & ~0xFF | new[self.table[known] & 0xFF]

    @property
    def colours(self) -> int:
        return int(self.registers[colour_numbers.COLOURS])

    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the changed box, in pixels."""
        left, top, right, bottom = self.registers[BOX].tolist()
        return left, top, right, bottom

    @property
    def changed(self) -> int:
        """The number of changed pixels, all of which are in the box."""
        return int(self.registers[colour_numbers.CHANGED])

    def forget_box(self) -> None:
        """Count the changes as written; their marks are cleared by the loops that read them."""
        self.registers[colour_numbers.CHANGED] = 0
        self.registers[BOX] = (1 << 30, 1 << 30, 0, 0)

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        return colour_numbers.differs(
            pixels, rects, self.shown, self.table, self.palette, self.registers
        )

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        colour_numbers.adopt(
            pixels.reshape(self._seen.shape),
            rects,
            self._seen,
            self.shown,
            self.fresh,
            self.table,
            self.palette,
            self.registers,
        )
