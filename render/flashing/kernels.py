"""Follows the pixels of consecutive frames, for the flash meter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.flashing.extrema import (
    AREA,
    HEIGHT,
    KINDS,
    WIDTH,
    Turning,
    X,
    Y,
    count_turns,
    follow,
)
from render.flashing.window_rule import BLOCK_HEIGHT, BLOCK_WIDTH
from solver.jit import inner, lean

__all__ = ["AREA", "follow_frames"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@inner
def _clear(area: _I64, blocks: _I32) -> None:
    """Zero the blocks of an area."""
    x, y, width, height = int(area[X]), int(area[Y]), int(area[WIDTH]), int(area[HEIGHT])
    for kind in range(KINDS):
        for row in range(y // BLOCK_HEIGHT, -(-(y + height) // BLOCK_HEIGHT)):
            for column in range(x // BLOCK_WIDTH, -(-(x + width) // BLOCK_WIDTH)):
                blocks[kind, row, column] = 0


@inner
def _follow_frame(pixels: _U8, areas: _I64, every: int, quarter: int, turning: Turning) -> bool:
    """Process one frame. Returns whether more pixels than a `quarter` of a field turned in one
    direction; then turning.blocks counts them, otherwise it is cleared."""
    most = 0
    for one in range(len(areas)):
        # An upper bound of the pixels that its sampled ones represent.
        most += (int(areas[one, WIDTH]) + every) * (int(areas[one, HEIGHT]) + every)
    few = most <= quarter  # and counting is unnecessary
    totals = turning.totals
    for kind in range(KINDS):
        totals[kind] = 0
    for one in range(len(areas)):
        follow(pixels, areas[one], every, turning)
        if not few:
            count_turns(areas[one], every, turning)
    most = max(totals[0], totals[1], totals[2], totals[3])
    if 0 < most <= quarter:
        for one in range(len(areas)):
            _clear(areas[one], turning.blocks)
    return bool(most > quarter)


@lean
def follow_frames(
    pixels: _U8, areas: _I64, first: _I64, frame: int, every: int, quarter: int, turning: Turning
) -> int:
    """Process frames from `frame` on; frame n changes areas[first[n] : first[n + 1]]. `pixels` (m,)
    are the source of the areas, (n, AREA), see render.flashing.extrema. Returns the first frame on
    which more pixels than a `quarter` of a field turned in one direction, counted in
    turning.blocks, or the number of frames.
    """
    while frame < len(first) - 1:
        if _follow_frame(pixels, areas[first[frame] : first[frame + 1]], every, quarter, turning):
            return frame
        frame += 1
    return frame
