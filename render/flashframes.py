"""Follows the pixels of whole frames, for the flash meter. The arrays are those of flashpixels.py,
and what `tally` counts: `blocks` (KINDS, rows, columns) int32 and `totals` (KINDS,) int64."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.flashfields import BLOCK_HEIGHT, BLOCK_WIDTH
from render.flashpixels import KINDS, follow, tally
from solver.compiled import inner, lean

__all__ = ["look", "look_strip"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]
_F32 = NDArray[np.float32]


@lean
def _most(width: int, height: int, every: int) -> int:
    """As many pixels as those of a rectangle that are looked at may stand for, or more."""
    return (width + every) * (height + every)


@inner
def _clear(x: int, y: int, width: int, height: int, blocks: _I32) -> None:
    """Zero the blocks of a rectangle."""
    for kind in range(KINDS):
        for row in range(y // BLOCK_HEIGHT, -(-(y + height) // BLOCK_HEIGHT)):
            for column in range(x // BLOCK_WIDTH, -(-(x + width) // BLOCK_WIDTH)):
                blocks[kind, row, column] = 0


@lean
def look(
    pixels: _U8,
    across: int,
    rects: _I32,
    every: int,
    quarter: int,
    now: _I32,
    pasts: _I32,
    finder: _I32,
    steps: _I64,
    used: _I64,
    moved: _I32,
    light: _F32,
    tones: _F32,
    turned: _U8,
    blocks: _I32,
    totals: _I64,
) -> bool:
    """Take in the rectangles (n, 4: x, y, width, height) of a picture (n,) with rows of `across`
    pixels. Returns whether more pixels than a `quarter` of a field turned one way; then `blocks`
    tells which did, else they are cleared."""
    area = 0
    for rect in rects:
        area += _most(int(rect[2]), int(rect[3]), every)
    few = area <= quarter  # and nobody need count
    for kind in range(KINDS):
        totals[kind] = 0
    for rect in rects:
        x, y, width, height = int(rect[0]), int(rect[1]), int(rect[2]), int(rect[3])
        follow(
            pixels, 3 * (y * across + x), 3 * across, x, y, width, height, every,
            now, pasts, finder, steps, used, moved, light, tones, turned,
        )  # fmt: skip
        if not few:
            tally(x, y, width, height, every, turned, blocks, totals)
    most = max(totals[0], totals[1], totals[2], totals[3])
    if 0 < most <= quarter:
        for rect in rects:
            _clear(int(rect[0]), int(rect[1]), int(rect[2]), int(rect[3]), blocks)
    return bool(most > quarter)


@lean
def look_strip(
    pictures: _U8,
    shapes: _I64,
    first: _I64,
    placed: _I32,
    frame: int,
    every: int,
    quarter: int,
    now: _I32,
    pasts: _I32,
    finder: _I32,
    steps: _I64,
    used: _I64,
    moved: _I32,
    light: _F32,
    tones: _F32,
    turned: _U8,
    blocks: _I32,
    totals: _I64,
) -> int:
    """Take in a strip from `frame` on. Returns the first frame in which more pixels than a
    `quarter` of a field turned one way, of which `blocks` tells then, or how many there are."""
    while frame < len(first) - 1:
        start, stop = int(first[frame]), int(first[frame + 1])
        area = 0
        for one in range(start, stop):
            picture = placed[one, 0]
            area += _most(int(shapes[picture, 1]), int(shapes[picture, 2]), every)
        few = area <= quarter
        for kind in range(KINDS):
            totals[kind] = 0
        for one in range(start, stop):
            picture, x, y = placed[one, 0], int(placed[one, 1]), int(placed[one, 2])
            width, height = int(shapes[picture, 1]), int(shapes[picture, 2])
            follow(
                pictures, int(shapes[picture, 0]), 3 * width, x, y, width, height, every,
                now, pasts, finder, steps, used, moved, light, tones, turned,
            )  # fmt: skip
            if not few:
                tally(x, y, width, height, every, turned, blocks, totals)
        most = max(totals[0], totals[1], totals[2], totals[3])
        if most > quarter:
            return frame
        if most:
            for one in range(start, stop):
                picture = placed[one, 0]
                width, height = int(shapes[picture, 1]), int(shapes[picture, 2])
                _clear(int(placed[one, 1]), int(placed[one, 2]), width, height, blocks)
        frame += 1
    return frame
