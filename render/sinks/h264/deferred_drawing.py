"""Draws sprites of a run on the canvas only when their pixels are read.

Most macroblocks are copied from the previous picture, for which the fingerprints of their sprites
are enough. Their pixels are needed when one of a picture is coded, when something else is drawn
over a part of them, and at the end of a call.

`deferred` (2, mbs + 1) int64 holds in row SPRITE what must be drawn on each macroblock: 1 + the
number of the sprite << 16 + the row << 8 + the column of the macroblock within it; 0, or DRAWN if
it is listed nevertheless. Row LISTED lists these macroblocks, and its last element is their number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import inner, lean

__all__ = ["defer_sprite", "draw_all", "draw_below"]

_SPRITE, _LISTED = range(2)
_DRAWN = -1

_U8 = NDArray[np.uint8]
_I64 = NDArray[np.int64]


@inner
def defer_sprite(sprite: int, x: int, y: int, shapes: _I64, width: int, deferred: _I64) -> None:
    """Note a sprite that covers whole macroblocks. `width` is that of the coded picture in
    macroblocks."""
    last = deferred.shape[1] - 1
    for row in range(shapes[sprite, 2] >> 4):
        for column in range(shapes[sprite, 1] >> 4):
            mb = ((y >> 4) + row) * width + (x >> 4) + column
            if deferred[_SPRITE, mb] == 0:
                deferred[_LISTED, deferred[_LISTED, last]] = mb
                deferred[_LISTED, last] += 1
            deferred[_SPRITE, mb] = 1 + (sprite << 16 | row << 8 | column)


@inner
def _draw(
    mb: int, pixels: _U8, across: int, sheet: _U8, shapes: _I64, width: int, deferred: _I64
) -> None:
    """Draw what is deferred on a macroblock, if anything is."""
    what = int(deferred[_SPRITE, mb]) - 1
    if what < 0:
        return
    sprite = what >> 16
    wide = int(shapes[sprite, 1])
    start = int(shapes[sprite, 0]) + 48 * ((what >> 8 & 255) * wide + (what & 255))
    at = 48 * (mb // width * across + mb % width)
    for _ in range(16):
        # Slices whose length the compiler doesn't know: it then uses block copies.
        source, to = sheet[start : start + 48], pixels[at : at + 48]
        for index in range(len(to)):
            to[index] = source[index]
        start += 3 * wide
        at += 3 * across


@inner
def draw_below(
    rect: NDArray[np.int32],
    pixels: _U8,
    across: int,
    sheet: _U8,
    shapes: _I64,
    width: int,
    deferred: _I64,
) -> None:
    """Draw what is deferred on the macroblocks that a rectangle touches: left, top, right, bottom
    in pixels."""
    for row in range(rect[1] >> 4, (rect[3] + 15) >> 4):
        for column in range(rect[0] >> 4, (rect[2] + 15) >> 4):
            mb = row * width + column
            if deferred[_SPRITE, mb] > 0:
                _draw(mb, pixels, across, sheet, shapes, width, deferred)
                deferred[_SPRITE, mb] = _DRAWN


@lean
def draw_all(
    pixels: _U8, across: int, sheet: _U8, shapes: _I64, width: int, deferred: _I64
) -> None:
    """Draw everything that is deferred on `pixels`, rows of `across` pixels. `sheet` and `shapes`
    are those of the run whose sprites were deferred."""
    last = deferred.shape[1] - 1
    for index in range(deferred[_LISTED, last]):
        mb = int(deferred[_LISTED, index])
        _draw(mb, pixels, across, sheet, shapes, width, deferred)
        deferred[_SPRITE, mb] = 0
    deferred[_LISTED, last] = 0
