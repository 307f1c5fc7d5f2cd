"""Plans a picture: which macroblocks change, where each is copied from, what the atlas keeps. The
arrays are those of state.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.block_copies import keep_blocks, match, singles
from render.sinks.h264.content_index import (
    BEFORE,
    NEXT,
    SEEN,
    USED,
    exchangeable,
    find,
    link,
    nearest,
    reachable,
    spare,
    unlink,
    worth_keeping,
)
from render.sinks.h264.encoder_arrays import (
    ACROSS,
    BLOCK_HIGH,
    BLOCK_WIDE,
    CHANGED,
    COLUMNS,
    FIRST,
    HEIGHT,
    LAST,
    LINES,
    LIST,
    LOOK,
    LOST,
    MOVES,
    PICTURE,
    SOURCE,
    TODO,
    UNKNOWN,
    WIDTH,
)
from render.sinks.h264.macroblock_pixels import TILE_BYTES, fingerprint, gather
from solver.jit import inner, lean

__all__ = ["arrange", "commit", "keep", "survey"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def survey(
    pixels: _U8,
    rects: _I32,
    count: int,
    prints: _I64,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    memory: _I64,
    slots: _I64,
    words: NDArray[np.uint64],
    samples: _U8,
) -> int:
    """Find which macroblocks differ from the picture before, in rects[:count] (left, top, right,
    bottom, and where in `prints` the contents of its macroblocks begin, all of which it covers
    alone, or -1); returns how many change, with those that are copied with them. They stand in
    grid[LIST], what they show in places[NEXT], and where that can be copied from, or -1, in
    grid[SOURCE]; LOST counts those. `words` (96,) are the first of `samples` once more."""
    registers[PICTURE] += 1
    changed = _differing(pixels, rects, count, prints, registers, places, grid, words, samples)
    width, wide, high = int(registers[WIDTH]), registers[BLOCK_WIDE], registers[BLOCK_HIGH]
    if changed and wide:
        for number in range(count):
            left, top = int(rects[number, 0]), int(rects[number, 1])
            right, bottom = int(rects[number, 2]), int(rects[number, 3])
            if (left | top) & 15 == 0 and right - left == 16 * wide and bottom - top == 16 * high:
                corner = (top >> 4) * width + (left >> 4)
                changed = match(corner, changed, registers, places, grid, heads, memory, slots)
    lost = 0
    for index in range(changed):
        mb = int(grid[LIST, index])
        if grid[SOURCE, mb] == UNKNOWN:
            grid[SOURCE, mb] = _source(mb, registers, places, grid, heads)
        if grid[SOURCE, mb] < 0:
            lost += 1
        else:
            places[USED, grid[SOURCE, mb]] = registers[PICTURE]
    registers[LOST] = lost
    return changed


@inner
def _differing(
    pixels: _U8,
    rects: _I32,
    count: int,
    prints: _I64,
    registers: _I64,
    places: _I64,
    grid: _I32,
    words: NDArray[np.uint64],
    samples: _U8,
) -> int:
    """The part of `survey` that looks at pixels."""
    picture, width = registers[PICTURE], int(registers[WIDTH])
    across, lines = int(registers[ACROSS]), int(registers[LINES])
    taken = samples[:TILE_BYTES]
    changed = 0
    for number in range(count):
        left, right = int(rects[number, 0]) >> 4, (int(rects[number, 2]) + 15) >> 4
        top, bottom = int(rects[number, 1]) >> 4, (int(rects[number, 3]) + 15) >> 4
        known = int(rects[number, 4])
        for row in range(top, bottom):
            for column in range(left, right):
                mb = row * width + column
                if places[SEEN, mb] == picture:
                    continue
                places[SEEN, mb] = picture
                if known >= 0:
                    content = int(prints[known + (row - top) * (right - left) + column - left])
                else:
                    gather(pixels, across, lines, column, row, taken)
                    content = fingerprint(words)
                if content != places[BEFORE, mb]:
                    grid[SOURCE, mb] = UNKNOWN
                    grid[TODO, mb] = CHANGED
                    grid[LIST, changed] = mb
                    changed += 1
                    places[NEXT, mb] = content
    return changed


@inner
def _source(mb: int, registers: _I64, places: _I64, grid: _I32, heads: _I32) -> int:
    """Where what `mb` is to show stands: best where what its left or upper neighbour copies from
    goes on, which takes one vector for both."""
    width, content = int(registers[WIDTH]), int(places[NEXT, mb])
    for beside in (1, width):
        if (mb % width if beside == 1 else mb // width) and grid[TODO, mb - beside] == CHANGED:
            near = grid[SOURCE, mb - beside] + beside
            if (
                near >= beside
                and near < places.shape[1]
                and places[BEFORE, near] == content
                and reachable(near, mb, width)
            ):
                return int(near)
    return nearest(places, heads, grid, content, mb, width)


@lean
def commit(changed: int, places: _I64, grid: _I32, heads: _I32) -> None:
    """Take the new contents of grid[LIST, :changed] into the lists."""
    for index in range(changed):
        unlink(places, heads, grid, int(grid[LIST, index]))
    for index in range(changed):
        mb = int(grid[LIST, index])
        link(places, heads, grid, mb, int(places[NEXT, mb]))


@lean
def keep(
    changed: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    memory: _I64,
    slots: _I64,
) -> int:
    """Plan copies to the atlas of what is lost with this picture and has returned before, after
    `commit`; returns how many macroblocks change now, those of the atlas included."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns, picture = int(registers[COLUMNS]), int(registers[PICTURE])
    total = keep_blocks(changed, registers, places, grid, heads, memory, slots)
    behind = singles(registers)
    last, slot = -1, -1
    for index in range(changed):
        mb = int(grid[LIST, index])
        if grid[TODO, mb] == MOVES:
            continue
        content = int(places[BEFORE, mb])
        if content == 0 or find(places, heads, grid, content, mb, width) >= 0:
            continue
        if not worth_keeping(memory, content):
            continue
        # What stood together is kept together, so that one vector brings it back.
        near = slot + mb - last if slot >= 0 else -1
        if (
            near >= 0
            and near < width * height
            and columns <= near % width < behind
            and near // width - slot // width == mb // width - last // width
            and places[USED, near] < picture
            and exchangeable(mb, near, width)
        ):
            slot = near
        else:
            slot = spare(places, mb, width, height, columns, behind, picture)
        if slot < 0:
            break
        last = mb
        unlink(places, heads, grid, slot)
        link(places, heads, grid, slot, content)
        places[USED, slot] = picture
        grid[SOURCE, slot] = mb
        grid[TODO, slot] = CHANGED
        grid[LIST, total] = slot
        total += 1
    return total


@lean
def arrange(total: int, width: int, grid: _I32) -> None:
    """Note which columns of each row must be looked at: those of grid[LIST, :total], and what
    stands still on their right, which may need to say so."""
    for index in range(total):
        mb = int(grid[LIST, index])
        row, column = mb // width, mb % width
        grid[FIRST, row] = min(grid[FIRST, row], column)
        if column < width - 1:
            column += 1
            if grid[TODO, mb + 1] == 0:
                grid[TODO, mb + 1] = LOOK
        grid[LAST, row] = max(grid[LAST, row], column)
