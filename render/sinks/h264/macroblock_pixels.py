"""Takes 16x16 pixels of the canvas: as bytes, as a number that stands for them, and as a YUV tile.

Equal pixels have equal numbers. Different ones have different numbers but for a chance of 2^-62 for
each pair compared, so a film of a million new tiles errs with a probability below one in a million.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner, lean

__all__ = ["TILE_BYTES", "convert", "fingerprint", "gather"]

TILE_BYTES = 768
"""16 rows of 16 RGB pixels."""

_U8 = NDArray[np.uint8]

_PRIME = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ONE = np.uint64(1)


@lean
def gather(pixels: _U8, width: int, height: int, column: int, row: int, taken: _U8) -> None:
    """Copy the pixels of a macroblock from a picture (width * height * 3,) to taken (768,); beyond
    the right and the lower border the last column and row go on."""
    x = 16 * column
    y = 16 * row
    if x + 16 <= width and y + 16 <= height:
        for line in range(16):
            start = 3 * ((y + line) * width + x)
            # As slices whose length a compiler doesn't see: it copies many bytes at a time then.
            source, to = pixels[start : start + 48], taken[48 * line : 48 * line + 48]
            for index in range(len(source)):
                to[index] = source[index]
        return
    for line in range(16):
        start = 3 * min(y + line, height - 1) * width
        for index in range(16):
            at = start + 3 * min(x + index, width - 1)
            for part in range(3):
                taken[48 * line + 3 * index + part] = pixels[at + part]


@lean
def fingerprint(words: NDArray[np.uint64]) -> int:
    """A number in 1..2^63-1 for (96,) words: four chains, each step of which is a bijection."""
    a, b, c, d = _PRIME, _PRIME * np.uint64(3), _PRIME * np.uint64(5), _PRIME * np.uint64(7)
    for index in range(0, 96, 4):
        a = (a ^ words[index]) * _PRIME
        a ^= a >> _HALF
        b = (b ^ words[index + 1]) * _PRIME
        b ^= b >> _HALF
        c = (c ^ words[index + 2]) * _PRIME
        c ^= c >> _HALF
        d = (d ^ words[index + 3]) * _PRIME
        d ^= d >> _HALF
    for word in (b, c, d):
        a = (a ^ word) * _PRIME
        a ^= a >> _HALF
    return int(np.int64(a >> _ONE)) | 1


# ITU-R BT.709, limited range, as fractions in lowest terms with a half added for the rounding; see
# the room that keeps whole planes for their derivation. A chroma sample is the mean of four pixels.
_LUMA_RED, _LUMA_GREEN, _LUMA_BLUE = 73 * 2126, 73 * 7152, 73 * 722
_LUMA_DIVISOR = 850000
_CB_DIVISOR = 1182945
_CR_DIVISOR = 1003935


@inner
def _four(taken: _U8, at: int) -> int:
    """The sum of one colour over two by two pixels."""
    total = 0
    for step in (0, 3, 48, 51):
        total += int(np.int64(taken[at + step]))
    return total


@lean
def convert(taken: _U8, tile: _U8) -> None:
    """The YUV 4:2:0 tile (384,) of the pixels in taken (768,)."""
    for index in range(256):
        r, g, b = (
            int(np.int64(taken[3 * index])),
            int(np.int64(taken[3 * index + 1])),
            int(np.int64(taken[3 * index + 2])),
        )
        light = _LUMA_RED * r + _LUMA_GREEN * g + _LUMA_BLUE * b + _LUMA_DIVISOR // 2
        tile[index] = 16 + light // _LUMA_DIVISOR
    for row in range(8):
        for column in range(8):
            at = 96 * row + 6 * column
            r = _four(taken, at)
            g = _four(taken, at + 1)
            b = _four(taken, at + 2)
            index = 8 * row + column
            blue = 14 * (9278 * b - 2126 * r - 7152 * g) + 128 * _CB_DIVISOR + _CB_DIVISOR // 2
            tile[256 + index] = blue // _CB_DIVISOR
            red = 14 * (7874 * r - 7152 * g - 722 * b) + 128 * _CR_DIVISOR + _CR_DIVISOR // 2
            tile[320 + index] = red // _CR_DIVISOR
