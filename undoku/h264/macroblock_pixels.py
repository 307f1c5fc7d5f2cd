"""Converts the 16x16 pixels of a macroblock: to bytes, to a fingerprint, and to YUV samples.

Equal pixels have equal fingerprints. The probability that different pixels have the same one is
about 2^-62: for a film of a million contents, an error has a probability below 10^-6.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.bt709 import blue_of, luma_of, red_of
from undoku.h264.hashing import SEED, mix, number_of
from undoku.machine_code.jit import inner, lean

__all__ = ["RGB_BYTES", "copy_rgb", "copy_rows", "fingerprint", "to_yuv"]

RGB_BYTES = 768
"""16 rows of 16 RGB pixels."""

_U8 = NDArray[np.uint8]


@lean
def copy_rows(source: _U8, source_step: int, to: _U8, step: int, size: int, rows: int) -> None:
    """Copy `rows` rows of `size` bytes, of which the next one begins `source_step` bytes later in
    `source` and `step` bytes later in `to`."""
    whole, tail = size & ~15, max(0, size - 16)
    for row in range(rows):
        # Slices: with an index that might be negative, the loop would not be vectorised.
        one = source[row * source_step : row * source_step + size]
        other = to[row * step : row * step + size]
        for index in range(whole):
            other[index] = one[index]
        if whole < size:
            # The last 16 bytes, some of them once more: a single copy instead of a loop.
            one, other = one[tail:size], other[tail:size]
            for index in range(len(one)):
                other[index] = one[index]


@lean
def copy_rgb(pixels: _U8, width: int, height: int, column: int, row: int, rgb: _U8) -> None:
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
            for part in range(3):
                rgb[48 * line + 3 * index + part] = pixels[at + part]


@lean
def fingerprint(words: NDArray[np.uint64], stride: int) -> int:
    """The fingerprint, 1..2^63-1, of 16 rows of 6 `words` each, of which the next one begins
    `stride` words later: four independent chains of hashes, which a processor computes in
    parallel."""
    a, b, c, d = SEED, SEED * np.uint64(3), SEED * np.uint64(5), SEED * np.uint64(7)
    for line in range(0, 16, 2):
        # Slices: with indices that might be negative each would be checked.
        one, two = words[line * stride :], words[(line + 1) * stride :]
        a, b, c, d = mix(a, one[0]), mix(b, one[1]), mix(c, one[2]), mix(d, one[3])
        a, b, c, d = mix(a, one[4]), mix(b, one[5]), mix(c, two[0]), mix(d, two[1])
        a, b, c, d = mix(a, two[2]), mix(b, two[3]), mix(c, two[4]), mix(d, two[5])
    for word in (b, c, d):
        a = mix(a, word)
    return number_of(a)


@inner
def _sum_of_four(rgb: _U8, at: int) -> np.int32:
    """The sum of one colour over 2 x 2 pixels."""
    total = 0
    for step in (0, 3, 48, 51):
        total += int(np.int64(rgb[at + step]))
    return np.int32(total)


@lean
def to_yuv(rgb: _U8, yuv: _U8) -> None:
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
