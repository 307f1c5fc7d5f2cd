"""Plans a picture: which macroblocks change, where each is copied from, what the atlas keeps.

State that lives from picture to picture (mbs = macroblocks of the coded picture):
    registers (REGISTERS,) int64; the first three are the pen of bits.py
    places    (5, mbs) int64     see places.py
    grid      (ROWS, mbs) int32  see places.py and motion.py; TODO, SOURCE and LIST are the plan,
                                 FIRST and LAST the columns of each row that have something to do
    heads     (buckets,) int32   see places.py
    memory    (a power of two,) int64  see places.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import PEN
from render.sinks.h264.places import (
    BEFORE,
    NEXT,
    SEEN,
    USED,
    find,
    link,
    nearest,
    reachable,
    spare,
    unlink,
    worth_keeping,
)
from render.sinks.h264.tiles import TILE_BYTES, fingerprint, gather
from solver.compiled import lean

__all__ = [
    "ACROSS",
    "CHANGED",
    "CODED",
    "CODED_NEW",
    "COLUMNS",
    "COPIED",
    "FIRST",
    "FRAME_NUM",
    "HEIGHT",
    "KEYS",
    "LAST",
    "LINES",
    "LIST",
    "LOOK",
    "LOST",
    "PICTURE",
    "QP",
    "RAW",
    "REGISTERS",
    "ROWS",
    "SOURCE",
    "TODO",
    "WIDTH",
    "arrange",
    "commit",
    "keep",
    "survey",
]

WIDTH, HEIGHT, COLUMNS, ACROSS, LINES, QP = range(PEN, PEN + 6)
PICTURE, FRAME_NUM, KEYS, COPIED, CODED, RAW, LOST = range(PEN + 6, PEN + 13)
REGISTERS = PEN + 13

TODO, SOURCE, LIST, FIRST, LAST = 5, 6, 7, 8, 9
ROWS = 10
CHANGED, LOOK, CODED_NEW = 1, 2, 3
"""What is to do with a macroblock: it changes; its neighbour does; it was coded and not copied."""

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def survey(
    pixels: _U8,
    rects: _I32,
    count: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    samples: _U8,
) -> int:
    """Find which macroblocks differ from the picture before, in rects[:count] (left, top, right,
    bottom); returns how many. They stand in grid[LIST], what they show in places[NEXT], and where
    that can be copied from, or -1, in grid[SOURCE]; LOST counts those."""
    registers[PICTURE] += 1
    picture = registers[PICTURE]
    width = int(registers[WIDTH])
    across, lines = int(registers[ACROSS]), int(registers[LINES])
    taken = samples[:TILE_BYTES]
    words = taken.view(np.uint64)
    changed = 0
    lost = 0
    for number in range(count):
        left, right = int(rects[number, 0]) >> 4, (int(rects[number, 2]) + 15) >> 4
        top, bottom = int(rects[number, 1]) >> 4, (int(rects[number, 3]) + 15) >> 4
        for row in range(top, bottom):
            for column in range(left, right):
                mb = row * width + column
                if places[SEEN, mb] == picture:
                    continue
                places[SEEN, mb] = picture
                gather(pixels, across, lines, column, row, taken)
                content = fingerprint(words)
                if content == places[BEFORE, mb]:
                    continue
                # What the left or the upper neighbour copies from goes on beside: one vector.
                source = -1
                for beside in (1, width):
                    if (column if beside == 1 else row) and grid[TODO, mb - beside] == CHANGED:
                        near = grid[SOURCE, mb - beside] + beside
                        if (
                            near >= beside
                            and near < places.shape[1]
                            and places[BEFORE, near] == content
                            and reachable(near, mb, width)
                        ):
                            source = near
                            break
                if source < 0:
                    source = nearest(places, heads, grid, content, mb, width)
                if source < 0:
                    lost += 1
                else:
                    places[USED, source] = picture
                grid[SOURCE, mb] = source
                grid[TODO, mb] = CHANGED
                grid[LIST, changed] = mb
                changed += 1
                places[NEXT, mb] = content
    registers[LOST] = lost
    return changed


@lean
def commit(changed: int, places: _I64, grid: _I32, heads: _I32) -> None:
    """Take the new contents of grid[LIST, :changed] into the lists."""
    for index in range(changed):
        unlink(places, heads, grid, int(grid[LIST, index]))
    for index in range(changed):
        mb = int(grid[LIST, index])
        link(places, heads, grid, mb, int(places[NEXT, mb]))


@lean
def keep(changed: int, registers: _I64, places: _I64, grid: _I32, heads: _I32, memory: _I64) -> int:
    """Plan copies to the atlas of what is lost with this picture and has returned before, after
    `commit`; returns how many macroblocks change now, those of the atlas included."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns, picture = int(registers[COLUMNS]), int(registers[PICTURE])
    total = changed
    last, slot = -1, -1
    for index in range(changed):
        mb = int(grid[LIST, index])
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
            and near % width >= columns
            and near // width - slot // width == mb // width - last // width
            and places[USED, near] < picture
            and reachable(mb, near, width)
        ):
            slot = near
        else:
            slot = spare(places, mb, width, height, columns, picture)
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
