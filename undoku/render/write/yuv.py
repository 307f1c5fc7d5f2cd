"""Converts frames to the planes that video encoders read: BT.709, limited range, as
`undoku.h264.bt709` computes it. Only changed parts are converted.

Films with alpha have a plane of alpha, too. Colours are not multiplied by it ("straight" alpha), as
WebM and editors expect. The colour of a transparent pixel is not visible, but it affects its
neighbours, because chroma is subsampled and the coefficients of a block are quantised. Therefore a
transparent pixel gets the mean visible colour of its block of 16 x 16 pixels, or of the blocks
around it, so that visible edges keep their colours.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.h264.bt709 import blue_of, luma_of, red_of
from undoku.h264.loops import I32_2D, I64_3D, U8_2D, U8_3D, inner, loop
from undoku.render.draw.canvas import Change, Pixels, corners

_BLOCK = 16


@loop
def _convert_halved(
    pixels: U8_3D,
    luma: U8_2D,
    blue: U8_2D,
    red: U8_2D,
    rects: I32_2D,
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


@loop
def _convert_full(
    pixels: U8_3D,
    luma: U8_2D,
    blue: U8_2D,
    red: U8_2D,
    rects: I32_2D,
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
        self.convert(pixels, corners(changes))

    def convert(self, pixels: Pixels, rects: NDArray[np.int32]) -> None:
        """Convert `rects` (n, 4: left, top, right, bottom), which are widened in place."""
        if self.full_chroma:
            _convert_full(pixels, self.luma, self.blue, self.red, rects)
        else:
            rects[:, :2] &= ~1
            rects[:, 2:] = (rects[:, 2:] + 1) & ~1
            _convert_halved(pixels, self.luma, self.blue, self.red, rects)


@loop
def _measure(pixels: U8_3D, marked: U8_2D, sums: I64_3D) -> None:
    """Write to `sums` the sums of alpha and of the colours times alpha, for each of the `marked`
    blocks."""
    for row in range(marked.shape[0]):
        for column in range(marked.shape[1]):
            if not marked[row, column]:
                continue
            sums[row, column, :] = 0
            for y in range(row * _BLOCK, min((row + 1) * _BLOCK, pixels.shape[0])):
                for x in range(column * _BLOCK, min((column + 1) * _BLOCK, pixels.shape[1])):
                    alpha = int(pixels[y, x, 3])
                    sums[row, column, 3] += alpha
                    for shade in range(3):
                        sums[row, column, shade] += alpha * int(pixels[y, x, shade])


@inner
def _nearby(sums: I64_3D, row: int, column: int, shade: int) -> int:
    """The mean visible value of colour channel `shade` in a block; if the block is transparent, in
    the blocks around it; 0 where these are, too."""
    own = int(sums[row, column, 3])
    if own:
        return (int(sums[row, column, shade]) + own // 2) // own
    seen, alpha = 0, 0
    for y in range(max(0, row - 1), min(row + 2, sums.shape[0])):
        for x in range(max(0, column - 1), min(column + 2, sums.shape[1])):
            seen += int(sums[y, x, shade])
            alpha += int(sums[y, x, 3])
    return (seen + alpha // 2) // alpha if alpha else 0


@loop
def _convert(
    pixels: U8_3D,
    marked: U8_2D,
    sums: I64_3D,
    luma: U8_2D,
    blue: U8_2D,
    red: U8_2D,
    alphas: U8_2D,
) -> None:
    """Convert the `marked` blocks. The shape of `blue` and `red` decides on 4:2:0 or 4:4:4."""
    step = luma.shape[1] // blue.shape[1]
    for row in range(marked.shape[0]):
        for column in range(marked.shape[1]):
            if not marked[row, column]:
                continue
            r0 = _nearby(sums, row, column, 0)
            g0 = _nearby(sums, row, column, 1)
            b0 = _nearby(sums, row, column, 2)
            bottom = min((row + 1) * _BLOCK, luma.shape[0])
            right = min((column + 1) * _BLOCK, luma.shape[1])
            for y0 in range(row * _BLOCK, bottom, step):
                for x0 in range(column * _BLOCK, right, step):
                    weight, r, g, b = 0, 0, 0, 0
                    for y in range(y0, y0 + step):
                        for x in range(x0, x0 + step):
                            alpha = int(pixels[y, x, 3])
                            alphas[y, x] = alpha
                            if not alpha:
                                luma[y, x] = luma_of(np.int32(r0), np.int32(g0), np.int32(b0))
                                continue
                            own = int(pixels[y, x, 0]), int(pixels[y, x, 1]), int(pixels[y, x, 2])
                            luma[y, x] = luma_of(
                                np.int32(own[0]), np.int32(own[1]), np.int32(own[2])
                            )
                            weight += alpha
                            r += alpha * own[0]
                            g += alpha * own[1]
                            b += alpha * own[2]
                    if not weight:
                        weight, r, g, b = 1, r0, g0, b0
                    # The formulas take sums over four pixels.
                    r4 = np.int32((4 * r + weight // 2) // weight)
                    g4 = np.int32((4 * g + weight // 2) // weight)
                    b4 = np.int32((4 * b + weight // 2) // weight)
                    blue[y0 // step, x0 // step] = blue_of(r4, g4, b4)
                    red[y0 // step, x0 // step] = red_of(r4, g4, b4)


class AlphaPlanes(Planes):
    """The planes of one film with alpha, kept from frame to frame: those of Planes, then `alphas`,
    (height, width) uint8, 0: transparent, 255: opaque."""

    def __init__(self, width: int, height: int, *, full_chroma: bool = False) -> None:
        super().__init__(width, height, full_chroma=full_chroma)
        colours = len(self.bytes)
        self.bytes = np.zeros(colours + width * height, np.uint8)
        self.luma, self.blue, self.red = (
            self.bytes[start : start + plane.size].reshape(plane.shape)
            for start, plane in (
                (0, self.luma),
                (self.luma.size, self.blue),
                (self.luma.size + self.blue.size, self.red),
            )
        )
        self.alphas = self.bytes[colours:].reshape(height, width)
        blocks = -(-height // _BLOCK), -(-width // _BLOCK)
        self._sums: NDArray[np.int64] = np.zeros((*blocks, 4), np.int64)

    @property
    def layout(self) -> str:
        return "yuva444p" if self.full_chroma else "yuva420p"

    def update(self, pixels: Pixels, changes: Iterable[Change]) -> None:
        """Convert the changed blocks and transparent pixels around them. `pixels` is (height,
        width, 4) uint8."""
        marked: NDArray[np.uint8] = np.zeros((len(self._sums), self._sums.shape[1]), np.uint8)
        for rect, _ in changes:
            rows = slice(rect.y // _BLOCK, -(-rect.bottom // _BLOCK))
            marked[rows, rect.x // _BLOCK : -(-rect.right // _BLOCK)] = 1
        if not marked.any():
            return
        _measure(pixels, marked, self._sums)
        wide = np.pad(marked, 1)
        around = np.zeros_like(marked)
        for y in range(3):
            for x in range(3):
                around |= wide[y : y + marked.shape[0], x : x + marked.shape[1]]
        _convert(pixels, around, self._sums, self.luma, self.blue, self.red, self.alphas)
