"""Follows the pixels of whole frames, for the flash meter. The arrays are those of flashpixels.py,
and what `tally` counts: `blocks` (KINDS, rows, columns) int32 and `totals` (KINDS,) int64.

`areas` (n, AREA) int64 is scratch, with room for what any one frame changes: of each rectangle x,
y, width and height, the byte where its left upper pixel is, and the bytes of a row there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.flashing.turning_points import KINDS, follow, tally
from render.flashing.window_rule import BLOCK_HEIGHT, BLOCK_WIDTH
from solver.jit import inner, lean

__all__ = ["AREA", "look", "look_run"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]
_F32 = NDArray[np.float32]

_X, _Y, _WIDTH, _HEIGHT, _START, _ROW = range(6)
AREA = 6


@inner
def _clear(x: int, y: int, width: int, height: int, blocks: _I32) -> None:
    """Zero the blocks of a rectangle."""
    for kind in range(KINDS):
        for row in range(y // BLOCK_HEIGHT, -(-(y + height) // BLOCK_HEIGHT)):
            for column in range(x // BLOCK_WIDTH, -(-(x + width) // BLOCK_WIDTH)):
                blocks[kind, row, column] = 0


@inner
def _look(
    pixels: _U8,
    count: int,
    areas: _I64,
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
    """Take in areas[:count] of `pixels`. Returns whether more pixels than a `quarter` of a field
    turned one way; then `blocks` tells which did, else they are cleared."""
    most = 0
    for one in range(count):
        # As many as those of it that are looked at may stand for, or more.
        most += (int(areas[one, _WIDTH]) + every) * (int(areas[one, _HEIGHT]) + every)
    few = most <= quarter  # and nobody need count
    for kind in range(KINDS):
        totals[kind] = 0
    for one in range(count):
        area = areas[one]
        x, y, width, height = int(area[_X]), int(area[_Y]), int(area[_WIDTH]), int(area[_HEIGHT])
        follow(
            pixels, int(area[_START]), int(area[_ROW]), x, y, width, height, every,
            now, pasts, finder, steps, used, moved, light, tones, turned,
        )  # fmt: skip
        if not few:
            tally(x, y, width, height, every, turned, blocks, totals)
    most = max(totals[0], totals[1], totals[2], totals[3])
    if 0 < most <= quarter:
        for one in range(count):
            area = areas[one]
            x, y = int(area[_X]), int(area[_Y])
            _clear(x, y, int(area[_WIDTH]), int(area[_HEIGHT]), blocks)
    return bool(most > quarter)


@lean
def look(
    pixels: _U8,
    across: int,
    rects: _I32,
    areas: _I64,
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
    """Take in the rectangles (n, 4: x, y, width, height) of a picture (m,) with rows of `across`
    pixels. Returns whether more pixels than a `quarter` of a field turned one way; then `blocks`
    tells which did, else they are cleared."""
    for one in range(len(rects)):
        for part in range(4):
            areas[one, part] = rects[one, part]
        areas[one, _START] = 3 * (areas[one, _Y] * across + areas[one, _X])
        areas[one, _ROW] = 3 * across
    return _look(
        pixels, len(rects), areas, every, quarter, now, pasts, finder, steps, used, moved, light,
        tones, turned, blocks, totals,
    )  # fmt: skip


@lean
def look_run(
    pictures: _U8,
    shapes: _I64,
    first: _I64,
    placed: _I32,
    frame: int,
    areas: _I64,
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
    """Take in a run from `frame` on. Returns the first frame of which `look` would return True,
    and `blocks` tells of it then, or how many frames there are."""
    while frame < len(first) - 1:
        start, count = int(first[frame]), int(first[frame + 1] - first[frame])
        for one in range(count):
            picture = int(placed[start + one, 0])
            areas[one, _X], areas[one, _Y] = placed[start + one, 1], placed[start + one, 2]
            areas[one, _WIDTH], areas[one, _HEIGHT] = shapes[picture, 1], shapes[picture, 2]
            areas[one, _START], areas[one, _ROW] = shapes[picture, 0], 3 * shapes[picture, 1]
        if _look(
            pictures, count, areas, every, quarter, now, pasts, finder, steps, used, moved, light,
            tones, turned, blocks, totals,
        ):  # fmt: skip
            return frame
        frame += 1
    return frame
