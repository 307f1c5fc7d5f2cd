"""Draws sprites of a run on the canvas only where their pixels are read.

Most macroblocks are copied from the previous picture, for which the fingerprints of their sprites
are enough. Their pixels are needed when the macroblock is coded or its blocks are hashed, when
something else is drawn over a part of it, and at the end of a call.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.encoder_arrays import TAKEN, VISIBLE_HEIGHT, VISIBLE_WIDTH, WIDTH
from undoku.h264.macroblock_pixels import RGB_BYTES, copy_rgb, copy_rows, to_yuv
from undoku.machine_code.jit import inner, lean

__all__ = [
    "DeferredCanvas",
    "defer_sprite",
    "draw_all",
    "draw_below",
    "draw_macroblock",
    "take_original",
]

_SPRITE, _LISTED = range(2)
_DRAWN = -1

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


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

    pixels: _U8
    words: NDArray[np.uint64]
    sheet: _U8
    shapes: _I64
    deferred: _I64


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
def _draw(mb: int, what: int, canvas: DeferredCanvas, registers: _I64) -> None:
    """Draw a macroblock; `what` is its element of row SPRITE."""
    pixels, sheet, shapes = canvas.pixels, canvas.sheet, canvas.shapes
    across, width = int(registers[VISIBLE_WIDTH]), int(registers[WIDTH])
    what -= 1
    sprite = what >> 16
    wide = int(shapes[sprite, 1])
    start = int(shapes[sprite, 0]) + 48 * ((what >> 8 & 255) * wide + (what & 255))
    at = 48 * (mb // width * across + mb % width)
    copy_rows(sheet[start:], 3 * wide, pixels[at:], 3 * across, 48, 16)


@lean
def draw_macroblock(mb: int, canvas: DeferredCanvas, registers: _I64) -> None:
    """Draw what is deferred on a macroblock, if anything is."""
    deferred = canvas.deferred
    if deferred[_SPRITE, mb] > 0:
        _draw(mb, int(deferred[_SPRITE, mb]), canvas, registers)
        deferred[_SPRITE, mb] = _DRAWN


@lean
def take_original(canvas: DeferredCanvas, mb: int, registers: _I64, samples: _U8) -> None:
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
def draw_below(rect: _I32, canvas: DeferredCanvas, registers: _I64) -> None:
    """Draw what is deferred on the macroblocks that a rectangle touches: left, top, right, bottom
    in pixels."""
    for row in range(rect[1] >> 4, (rect[3] + 15) >> 4):
        for column in range(rect[0] >> 4, (rect[2] + 15) >> 4):
            draw_macroblock(row * int(registers[WIDTH]) + column, canvas, registers)


@lean
def draw_all(canvas: DeferredCanvas, registers: _I64) -> None:
    """Draw everything that is deferred."""
    deferred = canvas.deferred
    last = deferred.shape[1] - 1
    for index in range(deferred[_LISTED, last]):
        mb = int(deferred[_LISTED, index])
        draw_macroblock(mb, canvas, registers)
        deferred[_SPRITE, mb] = 0
    deferred[_LISTED, last] = 0
