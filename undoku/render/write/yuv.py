"""Converts frames to the planes that video encoders read: BT.709, limited range, as
`undoku.h264.bt709` computes it. Only changed parts are converted."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.h264.bt709 import blue_of, luma_of, red_of
from undoku.machine_code.jit import lean
from undoku.render.draw.canvas import Change, Pixels

__all__ = ["Planes"]


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
