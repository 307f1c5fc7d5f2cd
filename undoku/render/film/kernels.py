"""Follows the pixels of consecutive frames, for the flash meter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.film.extrema import (
    AREA,
    HEIGHT,
    KINDS,
    NEXT,
    TILE,
    WIDTH,
    Turning,
    X,
    Y,
    count_turns,
    follow,
    has_room,
    sampled,
)
from undoku.render.film.tile_patterns import Tiles
from undoku.render.film.tile_transitions import advance_tile
from undoku.render.film.tiles import (
    forget_patterns,
    has_room_for_tiles,
    move_tile,
    release,
    tile_of,
    write_tile,
)
from undoku.render.film.window_rule import BLOCK_HEIGHT, BLOCK_WIDTH

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
def _follow_frame(
    pixels: _U8, areas: _I64, every: int, quarter: int, turning: Turning, tiles: Tiles
) -> bool:
    """Process one frame. Returns whether more pixels than a `quarter` of a field turned in one
    direction; then turning.blocks counts them, otherwise it is cleared."""
    totals = turning.totals
    for kind in range(KINDS):
        totals[kind] = 0
    tiled = has_room_for_tiles(areas, every, turning, tiles)
    most = 0
    for one in range(len(areas)):
        area = areas[one]
        area[TILE] = tile_of(area, every, turning, tiles) if tiled else -1
        if area[TILE] >= 0:
            area[NEXT] = advance_tile(int(area[TILE]), pixels, area, every, turning, tiles)
        else:
            # An upper bound of the pixels that its sampled ones represent.
            most += (int(area[WIDTH]) + every) * (int(area[HEIGHT]) + every)
    most += max(totals[0], totals[1], totals[2], totals[3])
    few = most <= quarter  # and counting where they are is unnecessary
    for kind in range(KINDS):
        totals[kind] = 0
    for one in range(len(areas)):
        area = areas[one]
        tile = int(area[TILE])
        if tile < 0:
            continue
        if not few:
            write_tile(tile, every, turning, tiles)
            follow(pixels, area, every, turning)
            count_turns(area, every, turning)
        move_tile(tile, int(area[NEXT]), tiles)
    for one in range(len(areas)):
        area = areas[one]
        if area[TILE] >= 0:
            continue
        release(area, every, turning, tiles)
        columns = sampled(int(area[X]), int(area[WIDTH]), every)
        if not has_room(columns * sampled(int(area[Y]), int(area[HEIGHT]), every), turning):
            forget_patterns(every, turning, tiles)
        follow(pixels, area, every, turning)
        if not few:
            count_turns(area, every, turning)
    most = max(totals[0], totals[1], totals[2], totals[3])
    if 0 < most <= quarter:
        for one in range(len(areas)):
            _clear(areas[one], turning.blocks)
    return bool(most > quarter)


@lean
def follow_frames(
    pixels: _U8,
    areas: _I64,
    first: _I64,
    frame: int,
    every: int,
    quarter: int,
    turning: Turning,
    tiles: Tiles,
) -> int:
    """Process frames from `frame` on; frame n changes areas[first[n] : first[n + 1]]. `pixels` (m,)
    are the source of the areas, (n, AREA), see undoku.render.film.extrema. Returns the first frame
    on which more pixels than a `quarter` of a field turned in one direction, counted in
    turning.blocks, or the number of frames.
    """
    while frame < len(first) - 1:
        changed = areas[first[frame] : first[frame + 1]]
        if _follow_frame(pixels, changed, every, quarter, turning, tiles):
            return frame
        frame += 1
    return frame
