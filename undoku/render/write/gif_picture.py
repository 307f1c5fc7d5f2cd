"""The picture that a GIF shows: colour numbers, their palette and the changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32, I32_2D, I64, U8, U8_2D, U8_3D, U64_2D, inner, loop
from undoku.render.draw.canvas import Pixels
from undoku.render.write.changed_box import Rects

SLOTS = 1 << 16
MAX_COLOURS = 256  # number 0 is the transparent one
REMEMBERED = SLOTS // 2  # colours in the table; further colours are searched for each time
COLOURS, KNOWN, CHANGED, LEFT, TOP, RIGHT, BOTTOM = range(7)  # registers
REGISTERS = 7
_CHUNK = 64
"""The number of pixels of a row that are compared at once with those shown."""


@inner
def _nearest(palette: U8_2D, count: int, red: int, green: int, blue: int) -> int:
    """The number of the nearest colour by the distance 2 r² + 4 g² + 3 b²; the lowest on a tie."""
    best, least = 1, 1 << 30
    for number in range(1, count):
        r = red - int(palette[number, 0])
        g = green - int(palette[number, 1])
        b = blue - int(palette[number, 2])
        distance = 2 * r * r + 4 * g * g + 3 * b * b
        if distance < least:
            best, least = number, distance
    return best


@inner
def _number(
    rgb: int,
    table: I64,
    palette: U8_2D,
    registers: I64,
) -> int:
    """The number of a colour, which is added to the palette; of the nearest colour when the
    palette is full."""
    slot = (rgb * 40503 >> 8) & (SLOTS - 1)
    while True:
        entry = int(table[slot])
        if entry < 0:
            break
        if entry >> 8 == rgb:
            return entry & 0xFF
        slot = (slot + 1) & (SLOTS - 1)
    red, green, blue = rgb >> 16, rgb >> 8 & 0xFF, rgb & 0xFF
    number = int(registers[COLOURS])
    if number < MAX_COLOURS:
        palette[number, 0], palette[number, 1], palette[number, 2] = red, green, blue
        registers[COLOURS] += 1
    else:
        number = _nearest(palette, number, red, green, blue)
    if registers[KNOWN] < REMEMBERED:
        table[slot] = rgb << 8 | number
        registers[KNOWN] += 1
    return number


@loop
def differs(
    pixels: U8_3D,
    rects: I32_2D,
    shown: U8_2D,
    table: I64,
    palette: U8_2D,
    registers: I64,
) -> bool:
    """Whether any pixel in `rects` ((n, 4): x, y, right, bottom) differs from what is shown."""
    last, number = -1, 0
    for rect in range(len(rects)):
        for y in range(rects[rect, 1], rects[rect, 3]):
            for x in range(rects[rect, 0], rects[rect, 2]):
                rgb = int(pixels[y, x, 0]) << 16 | int(pixels[y, x, 1]) << 8 | int(pixels[y, x, 2])
                if rgb != last:
                    last = rgb
                    number = _number(rgb, table, palette, registers)
                if number != shown[y, x]:
                    return True
    return False


@inner
def _adopt_chunk(
    pixels: U8,
    shown: U8,
    fresh: U8,
    since: int,
    table: I64,
    palette: U8_2D,
    registers: I64,
) -> bool:
    """Convert the pixels (3 n,) of a part of a row, which begins at x = `since`, to colour numbers
    in `shown` (n,). Marks changed pixels in `fresh` (n,) and extends the box horizontally; returns
    whether there are any."""
    last, number = -1, 0
    first, end, changed = len(shown), 0, 0
    for x in range(len(shown)):
        rgb = int(pixels[3 * x]) << 16 | int(pixels[3 * x + 1]) << 8 | int(pixels[3 * x + 2])
        if rgb != last:
            last = rgb
            number = _number(rgb, table, palette, registers)
        if number != shown[x]:
            shown[x] = number
            changed += 1 - fresh[x]
            fresh[x] = 1
            first = min(first, x)
            end = x + 1
    if end:
        registers[CHANGED] += changed
        registers[LEFT] = min(int(registers[LEFT]), since + first)
        registers[RIGHT] = max(int(registers[RIGHT]), since + end)
    return end > 0


@loop
def adopt(
    pixels: U8_2D,
    rects: I32_2D,
    seen: U8_2D,
    shown: U8_2D,
    fresh: U8_2D,
    table: I64,
    palette: U8_2D,
    registers: I64,
) -> None:
    """Convert the pixels (height, 3 width) in `rects` to colour numbers in `shown` (height, width),
    which is 0 before the first time. `seen` (height, 3 width) are the pixels that were converted
    last: those that are equal are skipped. Marks changed pixels with 1 in `fresh` (height, width),
    counts them, and extends the box in the registers to include them."""
    for rect in range(len(rects)):
        left, right = int(rects[rect, 0]), int(rects[rect, 2])
        for y in range(int(rects[rect, 1]), int(rects[rect, 3])):
            changed = False
            for x in range(left, right, _CHUNK):
                end = min(x + _CHUNK, right)
                new, old = pixels[y, 3 * x : 3 * end], seen[y, 3 * x : 3 * end]
                difference = 0
                for one in range(len(new)):
                    difference |= new[one] ^ old[one]
                if difference or not shown[y, x]:
                    old[:] = new
                    changed |= _adopt_chunk(
                        new, shown[y, x:end], fresh[y, x:end], x, table, palette, registers
                    )
            if changed:
                registers[TOP] = min(int(registers[TOP]), y)
                registers[BOTTOM] = max(int(registers[BOTTOM]), y + 1)


@loop
def unroll(
    shown: U8_2D,
    fresh: U8_2D,
    words: U64_2D,
    registers: I64,
    symbols: U8,
    loose: U8,
    starts: I32,
    ends: I32,
) -> int:
    """Copy the box in the registers to one row of pixels, and clear its marks.

    `fresh` (height, a multiple of 8 >= width) marks the changed pixels, all of them in the box;
    `words` is the same memory as 8-byte words, so that unchanged runs are skipped quickly.
    `symbols` (pixels of the box,) receives the colour numbers, `loose` 1 for each unchanged pixel,
    `starts` and `ends` the runs of unchanged pixels, terminated by an empty run after the last
    pixel. Returns the highest colour number of a changed pixel.
    """
    left, right = int(registers[LEFT]), int(registers[RIGHT])
    row, since, runs, highest = 0, 0, 0, 0
    loose[: (right - left) * int(registers[BOTTOM] - registers[TOP])] = 1
    for y in range(int(registers[TOP]), int(registers[BOTTOM])):
        for x in range(left, right):
            symbols[row + x - left] = shown[y, x]
        for word in range(left >> 3, (right + 7) >> 3):
            if words[y, word] == 0:
                continue
            for x in range(word << 3, (word + 1) << 3):
                if fresh[y, x]:
                    position = row + x - left
                    loose[position] = 0
                    highest = max(highest, int(shown[y, x]))
                    if position > since:
                        starts[runs], ends[runs] = since, position
                        runs += 1
                    since = position + 1
            words[y, word] = 0
        row += right - left
    if row > since:
        starts[runs], ends[runs] = since, row
        runs += 1
    starts[runs], ends[runs] = row, row + 1
    return highest


BOX = slice(LEFT, BOTTOM + 1)


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
        self.palette = np.zeros((MAX_COLOURS, 3), np.uint8)
        self.table = np.full(SLOTS, -1, np.int64)
        self.registers = np.zeros(REGISTERS, np.int64)
        self.registers[COLOURS] = 1
        if reserved:
            self._reserve(np.array(reserved, np.int64))
        self.forget_box()

    def _reserve(self, colours: NDArray[np.int64]) -> None:
        """Give numbers to these colours: as a picture of one row that is not shown."""
        channels = [colours >> 16, colours >> 8 & 0xFF, colours & 0xFF]
        row = np.stack(channels, -1).astype(np.uint8).reshape(1, -1)
        numbers, fresh = np.zeros((2, 1, len(colours)), np.uint8)
        everything = np.array([[0, 0, len(colours), 1]], np.int32)
        adopt(
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
        return int(self.registers[COLOURS])

    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the changed box, in pixels."""
        left, top, right, bottom = self.registers[BOX].tolist()
        return left, top, right, bottom

    @property
    def changed(self) -> int:
        """The number of changed pixels, all of which are in the box."""
        return int(self.registers[CHANGED])

    def forget_box(self) -> None:
        """Count the changes as written; their marks are cleared by the loops that read them."""
        self.registers[CHANGED] = 0
        self.registers[BOX] = (1 << 30, 1 << 30, 0, 0)

    def differs(self, pixels: Pixels, rects: Rects) -> bool:
        return differs(pixels, rects, self.shown, self.table, self.palette, self.registers)

    def adopt(self, pixels: Pixels, rects: Rects) -> None:
        adopt(
            pixels.reshape(self._seen.shape),
            rects,
            self._seen,
            self.shown,
            self.fresh,
            self.table,
            self.palette,
            self.registers,
        )
