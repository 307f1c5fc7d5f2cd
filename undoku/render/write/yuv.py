"""Converts frames to the planes that video encoders read: BT.709, limited range. Only changed parts
are converted.

Luma 16..235 and chroma 16..240 around 128, from ITU-R BT.709-6, items 3.2 to 3.5 and 4.6:

    E'Y = 0.2126 R + 0.7152 G + 0.0722 B
    Y   = 16 + 219 E'Y,   Cb = 128 + 224 (B - E'Y) / 1.8556,   Cr = 128 + 224 (R - E'Y) / 1.5748

with R, G, B in 0..1. The coefficients are decimals, so each sample is one integer division, rounded
exactly, half up. In 4:2:0 a chroma sample is the mean of 2 x 2 pixels.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.machine_code.jit import exact, lean
from undoku.render.draw.canvas import Change, Pixels

__all__ = ["Planes", "blue_of", "luma_of", "red_of"]

# The fractions above for samples in 0..255 in lowest terms, with a half added for the rounding:
# Y = 16 + 73 (2126 R + 7152 G + 722 B) / 850000, Cb = 128 + 14 (...) / 1182945 for the sum of four
# pixels. Everything stays below 2^31, and 32 bits take half the time of 64.
_LUMA = (np.int32(73 * 2126), np.int32(73 * 7152), np.int32(73 * 722), np.int32(425000))
_LUMA_DIVISOR, _BLACK = np.uint32(850000), np.uint32(16)
_BLUE_DIVISOR, _BLUE_OFFSET = np.uint32(1182945), np.int32(128 * 1182945 + 1182945 // 2)
_RED_DIVISOR, _RED_OFFSET = np.uint32(1003935), np.int32(128 * 1003935 + 1003935 // 2)
_BLUE_4 = (np.int32(-14 * 2126), np.int32(-14 * 7152), np.int32(14 * 9278))
_RED_4 = (np.int32(14 * 7874), np.int32(-14 * 7152), np.int32(-14 * 722))


@exact
def luma_of(r: np.int32, g: np.int32, b: np.int32) -> int:
    """Y of a pixel; `r`, `g` and `b` are 0..255."""
    light = _LUMA[0] * r + _LUMA[1] * g + _LUMA[2] * b + _LUMA[3]
    return int(np.uint32(light) // _LUMA_DIVISOR + _BLACK)


@exact
def blue_of(r: np.int32, g: np.int32, b: np.int32) -> int:
    """Cb of four pixels; `r`, `g` and `b` are sums over them."""
    away = _BLUE_4[0] * r + _BLUE_4[1] * g + _BLUE_4[2] * b + _BLUE_OFFSET
    return int(np.uint32(away) // _BLUE_DIVISOR)


@exact
def red_of(r: np.int32, g: np.int32, b: np.int32) -> int:
    """Cr of four pixels; `r`, `g` and `b` are sums over them."""
    away = _RED_4[0] * r + _RED_4[1] * g + _RED_4[2] * b + _RED_OFFSET
    return int(np.uint32(away) // _RED_DIVISOR)


@lean
def _convert_halved(
    pixels: Pixels,
    luma: NDArray[np.uint8],
    blue: NDArray[np.uint8],
    red: NDArray[np.uint8],
    rects: NDArray[np.int32],
) -> None:
    """Convert `rects` (n, 4: left, top, right, bottom; all even) to 4:2:0 planes."""
    for number in range(rects.shape[0]):
        left, top, right, bottom = rects[number]
        for y in range(top, bottom):
            row, grey = pixels[y, left:right], luma[y, left:right]
            for x in range(right - left):
                r, g, b = np.int32(row[x, 0]), np.int32(row[x, 1]), np.int32(row[x, 2])
                grey[x] = luma_of(r, g, b)
        for y in range(top // 2, bottom // 2):
            above, below = pixels[2 * y, left:right], pixels[2 * y + 1, left:right]
            cb, cr = blue[y, left // 2 : right // 2], red[y, left // 2 : right // 2]
            for x in range((right - left) // 2):
                i, j = 2 * x, 2 * x + 1
                r = np.int32(above[i, 0]) + np.int32(above[j, 0])
                g = np.int32(above[i, 1]) + np.int32(above[j, 1])
                b = np.int32(above[i, 2]) + np.int32(above[j, 2])
                r += np.int32(below[i, 0]) + np.int32(below[j, 0])
                g += np.int32(below[i, 1]) + np.int32(below[j, 1])
                b += np.int32(below[i, 2]) + np.int32(below[j, 2])
                cb[x] = blue_of(r, g, b)
                cr[x] = red_of(r, g, b)


@lean
def _convert_full(
    pixels: Pixels,
    luma: NDArray[np.uint8],
    blue: NDArray[np.uint8],
    red: NDArray[np.uint8],
    rects: NDArray[np.int32],
) -> None:
    """Convert `rects` (n, 4: left, top, right, bottom) to 4:4:4 planes."""
    for number in range(rects.shape[0]):
        left, top, right, bottom = rects[number]
        for y in range(top, bottom):
            row, grey = pixels[y, left:right], luma[y, left:right]
            cb, cr = blue[y, left:right], red[y, left:right]
            for x in range(right - left):
                r, g, b = np.int32(row[x, 0]), np.int32(row[x, 1]), np.int32(row[x, 2])
                grey[x] = luma_of(r, g, b)
                r, g, b = np.int32(4 * r), np.int32(4 * g), np.int32(4 * b)
                cb[x] = blue_of(r, g, b)
                cr[x] = red_of(r, g, b)


class Planes:
    """The planes of one film, kept from frame to frame.

    `luma` is (height, width) uint8; `blue` and `red` are (height / 2, width / 2) uint8, or as large
    as `luma` with `full_chroma` (4:4:4). The three are views of `bytes`, (n,) uint8, in the order
    in which an encoder reads them. Raises SettingsError for an odd side in 4:2:0.
    """

    def __init__(self, width: int, height: int, *, full_chroma: bool = False) -> None:
        if not full_chroma and (width % 2 or height % 2):
            raise SettingsError(
                f"a video of {width}x{height} has an odd side, which 4:2:0 can't hold",
                remedy=f"ask for {width + width % 2}x{height + height % 2}",
            )
        self.full_chroma = full_chroma
        across, down = (width, height) if full_chroma else (width // 2, height // 2)
        luma, chroma = width * height, across * down
        self.bytes: NDArray[np.uint8] = np.empty(luma + 2 * chroma, np.uint8)
        self.luma = self.bytes[:luma].reshape(height, width)
        self.blue = self.bytes[luma : luma + chroma].reshape(down, across)
        self.red = self.bytes[luma + chroma :].reshape(down, across)

    @property
    def layout(self) -> str:
        """ffmpeg's name of the pixel format."""
        return "yuv444p" if self.full_chroma else "yuv420p"

    def update(self, pixels: Pixels, changes: Iterable[Change]) -> None:
        """Convert the changed rectangles. `pixels` is (height, width, 3) uint8 and contiguous; the
        changes must lie inside it. In 4:2:0 rectangles are widened to even bounds."""
        corners = [(r.x, r.y, r.x + r.width, r.y + r.height) for r, _ in changes]
        if corners:
            self.convert(pixels, np.array(corners, np.int32))

    def convert(self, pixels: Pixels, rects: NDArray[np.int32]) -> None:
        """Convert `rects` (n, 4: left, top, right, bottom), which are widened in place."""
        if self.full_chroma:
            _convert_full(pixels, self.luma, self.blue, self.red, rects)
        else:
            rects[:, :2] &= ~1
            rects[:, 2:] = (rects[:, 2:] + 1) & ~1
            _convert_halved(pixels, self.luma, self.blue, self.red, rects)
