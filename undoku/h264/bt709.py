"""Converts RGB to samples of luma and chroma: BT.709, limited range.

Luma 16..235 and chroma 16..240 around 128, from ITU-R BT.709-6, items 3.2 to 3.5 and 4.6:

    E'Y = 0.2126 R + 0.7152 G + 0.0722 B
    Y   = 16 + 219 E'Y,   Cb = 128 + 224 (B - E'Y) / 1.8556,   Cr = 128 + 224 (R - E'Y) / 1.5748

with R, G, B in 0..1. The coefficients are decimals, so each sample is one integer division, rounded
exactly, half up. In 4:2:0 a chroma sample is the mean of 2 x 2 pixels.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.loops import narrow

# The fractions above for samples in 0..255 in lowest terms, with a half added for the rounding:
# Y = 16 + 73 (2126 R + 7152 G + 722 B) / 850000, Cb = 128 + 14 (...) / 1182945 for the sum of four
# pixels. Everything stays below 2^31, and 32 bits take half the time of 64.
_LUMA = (np.int32(73 * 2126), np.int32(73 * 7152), np.int32(73 * 722), np.int32(425000))
_LUMA_DIVISOR, _BLACK = np.uint32(850000), np.uint32(16)
_BLUE_DIVISOR, _BLUE_OFFSET = np.uint32(1182945), np.int32(128 * 1182945 + 1182945 // 2)
_RED_DIVISOR, _RED_OFFSET = np.uint32(1003935), np.int32(128 * 1003935 + 1003935 // 2)
_BLUE_4 = (np.int32(-14 * 2126), np.int32(-14 * 7152), np.int32(14 * 9278))
_RED_4 = (np.int32(14 * 7874), np.int32(-14 * 7152), np.int32(-14 * 722))


@narrow
def luma_of(r: np.int32, g: np.int32, b: np.int32) -> int:
    """Y of a pixel; `r`, `g` and `b` are 0..255."""
    light = _LUMA[0] * r + _LUMA[1] * g + _LUMA[2] * b + _LUMA[3]
    return int(np.uint32(light) // _LUMA_DIVISOR + _BLACK)


@narrow
def blue_of(r: np.int32, g: np.int32, b: np.int32) -> int:
    """Cb of four pixels; `r`, `g` and `b` are sums over them."""
    away = _BLUE_4[0] * r + _BLUE_4[1] * g + _BLUE_4[2] * b + _BLUE_OFFSET
    return int(np.uint32(away) // _BLUE_DIVISOR)


@narrow
def red_of(r: np.int32, g: np.int32, b: np.int32) -> int:
    """Cr of four pixels; `r`, `g` and `b` are sums over them."""
    away = _RED_4[0] * r + _RED_4[1] * g + _RED_4[2] * b + _RED_OFFSET
    return int(np.uint32(away) // _RED_DIVISOR)
