"""The canvas: RGB pixels on which sprites are drawn where they are read, and the conversion of the
16x16 pixels of a macroblock to bytes, to a fingerprint, and to YUV samples.

A hash identifies the pixels of a macroblock (its fingerprint) or of a part of it, or the contents
of a block of macroblocks. Each step is a bijection of the hash, so equal pixels have equal
fingerprints, and the probability that different pixels have the same one is about 2^-62: for a film
of a million contents, an error has a probability below 10^-6.

Most macroblocks are copied from the previous picture, for which the fingerprints of their sprites
are enough. Their pixels are needed when the macroblock is coded or its blocks are hashed, when
something else is drawn over a part of it, and at the end of a call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undoku.h264.bt709 import blue_of, luma_of, red_of
from undoku.h264.encoder_arrays import TAKEN, VISIBLE_HEIGHT, VISIBLE_WIDTH, WIDTH
from undoku.h264.loops import I32, I64, I64_2D, U8, U64, group, inner

SEED = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


@inner
def mix(value: np.uint64, word: np.uint64) -> np.uint64:
    """The hash `value` with one more word."""
    value = (value ^ word) * SEED
    return np.uint64(value ^ value >> _HALF)


@inner
def number_of(value: np.uint64) -> int:
    """A hash as a number in 1..2^63-1; 0 is reserved for "unknown"."""
    return int(value >> _ONE) | 1


RGB_BYTES = 768
"""16 rows of 16 RGB pixels."""


@inner
def copy_rows(source: U8, source_step: int, to: U8, step: int, size: int, rows: int) -> None:
    """Copy `rows` rows of `size` bytes, of which the next one begins `source_step` bytes later in
    `source` and `step` bytes later in `to`."""
    for row in range(rows):
        to[row * step : row * step + size] = source[row * source_step : row * source_step + size]


@inner
def copy_rgb(pixels: U8, width: int, height: int, column: int, row: int, rgb: U8) -> None:
    """Copy the pixels of a macroblock from a picture (width * height * 3,) to rgb (768,). Beyond
    the right and the lower border the last column and row are repeated."""
    x = 16 * column
    y = 16 * row
    if x + 16 <= width and y + 16 <= height:
        copy_rows(pixels[3 * (y * width + x) :], 3 * width, rgb, 48, 48, 16)
        return
    for line in range(16):
        start = 3 * min(y + line, height - 1) * width
        for index in range(16):
            at = start + 3 * min(x + index, width - 1)
            rgb[48 * line + 3 * index : 48 * line + 3 * index + 3] = pixels[at : at + 3]


@inner
def fingerprint(words: U64, start: int, stride: int) -> int:
    """The fingerprint, 1..2^63-1, of 16 rows of 6 `words` each, of which the first one begins at
    `start` and the next one `stride` words later: four independent chains of hashes, which a
    processor computes in parallel."""
    a, b, c, d = SEED, SEED * np.uint64(3), SEED * np.uint64(5), SEED * np.uint64(7)
    for line in range(0, 16, 2):
        at, below = start + line * stride, start + (line + 1) * stride
        a, b = mix(a, words[at]), mix(b, words[at + 1])
        c, d = mix(c, words[at + 2]), mix(d, words[at + 3])
        a, b = mix(a, words[at + 4]), mix(b, words[at + 5])
        c, d = mix(c, words[below]), mix(d, words[below + 1])
        a, b = mix(a, words[below + 2]), mix(b, words[below + 3])
        c, d = mix(c, words[below + 4]), mix(d, words[below + 5])
    for word in (b, c, d):
        a = mix(a, word)
    return number_of(a)


@inner
def _sum_of_four(rgb: U8, at: int) -> np.int32:
    """The sum of one colour over 2 x 2 pixels."""
    total = 0
    for step in (0, 3, 48, 51):
        total += int(rgb[at + step])
    return np.int32(total)


@inner
def to_yuv(rgb: U8, yuv: U8) -> None:
    """Convert the pixels in rgb (768,) to 4:2:0 samples in yuv (384,): Y, Cb, Cr."""
    for index in range(256):
        r, g, b = (
            np.int32(rgb[3 * index]),
            np.int32(rgb[3 * index + 1]),
            np.int32(rgb[3 * index + 2]),
        )
        yuv[index] = luma_of(r, g, b)
    for row in range(8):
        for column in range(8):
            at = 96 * row + 6 * column
            r = _sum_of_four(rgb, at)
            g = _sum_of_four(rgb, at + 1)
            b = _sum_of_four(rgb, at + 2)
            index = 8 * row + column
            yuv[256 + index] = blue_of(r, g, b)
            yuv[320 + index] = red_of(r, g, b)


_SPRITE, _LISTED = range(2)
_DRAWN = -1


@group
class DeferredCanvas(NamedTuple):
    """A canvas on which sprites of a sheet are still to be drawn.

    pixels    (n,) uint8   RGB in rows of the visible width
    words     (n / 8,) uint64  the same bytes, if each row consists of whole words; else empty
    sheet     (k,) uint8, shapes (m, 3) int64: the pixels and the shapes of the sprites
    deferred  (2, mbs + 1) int64: row SPRITE holds what must be drawn on each macroblock: 1 + the
              number of the sprite << 16 + the row << 8 + the column of the macroblock within it;
              0, or DRAWN if it is listed nevertheless. Row LISTED lists these macroblocks, and its
              last element is their number
    """

    pixels: U8
    words: U64
    sheet: U8
    shapes: I64_2D
    deferred: I64_2D


@inner
def defer_sprite(sprite: int, x: int, y: int, width: int, canvas: DeferredCanvas) -> None:
    """Note a sprite that covers whole macroblocks. `width` is that of the coded picture in
    macroblocks."""
    shapes, deferred = canvas.shapes, canvas.deferred
    last = deferred.shape[1] - 1
    for row in range(shapes[sprite, 2] >> 4):
        for column in range(shapes[sprite, 1] >> 4):
            mb = ((y >> 4) + row) * width + (x >> 4) + column
            if deferred[_SPRITE, mb] == 0:
                deferred[_LISTED, deferred[_LISTED, last]] = mb
                deferred[_LISTED, last] += 1
            deferred[_SPRITE, mb] = 1 + (sprite << 16 | row << 8 | column)


@inner
def _draw(mb: int, what: int, canvas: DeferredCanvas, registers: I64) -> None:
    """Draw a macroblock; `what` is its element of row SPRITE."""
    pixels, sheet, shapes = canvas.pixels, canvas.sheet, canvas.shapes
    across, width = int(registers[VISIBLE_WIDTH]), int(registers[WIDTH])
    what -= 1
    sprite = what >> 16
    wide = int(shapes[sprite, 1])
    start = int(shapes[sprite, 0]) + 48 * ((what >> 8 & 255) * wide + (what & 255))
    at = 48 * (mb // width * across + mb % width)
    copy_rows(sheet[start:], 3 * wide, pixels[at:], 3 * across, 48, 16)


@inner
def draw_macroblock(mb: int, canvas: DeferredCanvas, registers: I64) -> None:
    """Draw what is deferred on a macroblock, if anything is."""
    deferred = canvas.deferred
    if deferred[_SPRITE, mb] > 0:
        _draw(mb, int(deferred[_SPRITE, mb]), canvas, registers)
        deferred[_SPRITE, mb] = _DRAWN


@inner
def take_original(canvas: DeferredCanvas, mb: int, registers: I64, samples: U8) -> None:
    """Write the samples of a visible macroblock of the canvas to samples[768:1152]; the first 768
    are its RGB bytes. registers[TAKEN] is the macroblock that was written last, which is not
    written again; -1 at the start of a picture."""
    if registers[TAKEN] == mb:
        return
    registers[TAKEN] = mb
    width = int(registers[WIDTH])
    rgb = samples[:RGB_BYTES]
    draw_macroblock(mb, canvas, registers)
    across, lines = int(registers[VISIBLE_WIDTH]), int(registers[VISIBLE_HEIGHT])
    copy_rgb(canvas.pixels, across, lines, mb % width, mb // width, rgb)
    to_yuv(rgb, samples[768:1152])


@inner
def draw_below(rect: I32, canvas: DeferredCanvas, registers: I64) -> None:
    """Draw what is deferred on the macroblocks that a rectangle touches: left, top, right, bottom
    in pixels."""
    for row in range(rect[1] >> 4, (rect[3] + 15) >> 4):
        for column in range(rect[0] >> 4, (rect[2] + 15) >> 4):
            draw_macroblock(row * int(registers[WIDTH]) + column, canvas, registers)


@inner
def draw_all(canvas: DeferredCanvas, registers: I64) -> None:
    """Draw everything that is deferred."""
    deferred = canvas.deferred
    last = deferred.shape[1] - 1
    for index in range(deferred[_LISTED, last]):
        mb = int(deferred[_LISTED, index])
        draw_macroblock(mb, canvas, registers)
        deferred[_SPRITE, mb] = 0
    deferred[_LISTED, last] = 0
