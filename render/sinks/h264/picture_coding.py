"""Codes a picture as planned: what can be copied is, the rest is coded.

Beside the plan's state (see state.py) there are
    tiles     (2, mbs, 384) uint8  the picture before and the one being coded, as decoded
    around    (mbs, 40) uint8    see cavlc.py
    page      (n,) uint8         room for one RBSP; unit (m,) uint8, for its NAL unit
    quarters, fours  (., n) int64  see quarters.py
    samples   (1536,) uint8, levels (27, 16) and numbers (n,) int32: scratch
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import put_unsigned
from render.sinks.h264.block_copies import clear
from render.sinks.h264.block_index import note_change, refresh
from render.sinks.h264.content_index import BEFORE, NOW, missed, shows, unlink
from render.sinks.h264.encoder_arrays import (
    CODED,
    CODED_NEW,
    COLUMNS,
    COPIED,
    FIRST,
    FRAME_NUM,
    HEIGHT,
    KEYS,
    LAST,
    LIST,
    LOOK,
    MOVES,
    SOURCE,
    TODO,
    WIDTH,
)
from render.sinks.h264.macroblock import forget
from render.sinks.h264.mode_decision import code_new
from render.sinks.h264.motion_vectors import (
    DOWN,
    MOVED,
    REFERS,
    RIGHT,
    STILL,
    foresee_vector,
    offset_of,
    skip_vector,
    write_copy,
)
from render.sinks.h264.picture_plan import arrange, commit, keep
from render.sinks.h264.slices import finish, slice_header
from solver.jit import inner, lean

__all__ = ["draw", "emit"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@inner
def _settle(
    total: int,
    places: _I64,
    grid: _I32,
    quarters: _I64,
    fours: _I64,
    tiles: _U8,
    around: _U8,
) -> None:
    """Make the picture that was coded the picture before."""
    for index in range(total):
        mb = int(grid[LIST, index])
        to, source = tiles[0, mb], tiles[1, mb]
        for at in range(384):
            to[at] = source[at]
        if grid[TODO, mb] == CODED_NEW:
            forget(around, mb)
        grid[RIGHT, mb] = 0
        grid[DOWN, mb] = 0
        grid[REFERS, mb] = STILL
        grid[TODO, mb] = 0
        if places[BEFORE, mb] != places[NOW, mb]:
            places[BEFORE, mb] = places[NOW, mb]
            note_change(quarters, mb)
            note_change(fours, mb)


@lean
def draw(
    pixels: _U8,
    changed: int,
    key: bool,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    memory: _I64,
    slots: _I64,
    quarters: _I64,
    fours: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    unit: _U8,
    samples: _U8,
    levels: _I32,
    numbers: _I32,
) -> int:
    """The picture of the `changed` macroblocks that `survey` found; returns the bytes of its NAL
    unit. With `key` it is an IDR picture of all that stands on the canvas, and the atlas is empty
    after it; otherwise a P picture made from the one before."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    columns = int(registers[COLUMNS])
    total = width * height
    commit(changed, places, grid, heads)
    if key:
        registers[FRAME_NUM] = 0
        registers[KEYS] += 1
        clear(registers, slots)
        slice_header(registers, page, True)
        for mb in range(total):
            if mb % width >= columns:
                unlink(places, heads, grid, mb)
            grid[LIST, mb] = mb
            grid[TODO, mb] = CODED_NEW
            code_new(
                pixels, mb, True, registers, places, grid, quarters, fours, tiles, around, page,
                samples, levels, numbers,
            )  # fmt: skip
        size = finish(registers, page, unit, 0x65)
    else:
        total = keep(changed, registers, places, grid, heads, memory, slots)
        arrange(total, width, grid)
        size = emit(
            pixels, registers, places, grid, memory, quarters, fours, tiles, around, page, unit,
            samples, levels, numbers,
        )  # fmt: skip
    _settle(total, places, grid, quarters, fours, tiles, around)
    if key:
        # What changes next is gone from the canvas by then.
        refresh(pixels, registers, places, quarters, samples)
        refresh(pixels, registers, places, fours, samples)
    registers[FRAME_NUM] += 1
    return size


@lean
def emit(
    pixels: _U8,
    registers: _I64,
    places: _I64,
    grid: _I32,
    memory: _I64,
    quarters: _I64,
    fours: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    unit: _U8,
    samples: _U8,
    levels: _I32,
    numbers: _I32,
) -> int:
    """Write the P picture that is planned; returns the bytes of its NAL unit. Its slice_data(),
    clause 7.3.4, is runs of skipped macroblocks and what is between."""
    slice_header(registers, page, False)
    width = int(registers[WIDTH])
    mbs = width * int(registers[HEIGHT])
    done = -1  # the last macroblock that is written or belongs to a run that is
    for row in range(int(registers[HEIGHT])):
        first, last = grid[FIRST, row], grid[LAST, row]
        grid[FIRST, row] = width
        grid[LAST, row] = -1
        for mb in range(row * width + first, row * width + last + 1):
            todo = grid[TODO, mb]
            if todo == 0:
                continue
            right, down = skip_vector(grid, mb, width)
            if todo == MOVES:
                # With its block or not at all: another vector would cost the next ones theirs.
                source = int(grid[SOURCE, mb])
                _copy(tiles, mb, source)
                if offset_of(source, mb, width) == (right, down):
                    grid[RIGHT, mb] = right
                    grid[DOWN, mb] = down
                    continue
                right, down = offset_of(source, mb, width)
                put_unsigned(page, registers, mb - done - 1)  # mb_skip_run
                write_copy(page, registers, grid, mb, width, right, down, MOVED)
                done = mb
                registers[COPIED] += 1
                continue
            if todo == LOOK:
                grid[TODO, mb] = 0
                if right or down:
                    put_unsigned(page, registers, mb - done - 1)  # mb_skip_run
                    write_copy(page, registers, grid, mb, width, 0, 0, STILL)
                    done = mb
                continue
            content = places[NOW, mb]
            if shows(places, mb, width, right, down, content):
                grid[RIGHT, mb] = right
                grid[DOWN, mb] = down
                _copy(tiles, mb, mb + down // 16 * width + right // 16)
                continue
            put_unsigned(page, registers, mb - done - 1)  # mb_skip_run
            done = mb
            right, down = foresee_vector(grid, mb, width, MOVED)
            source = int(grid[SOURCE, mb])
            if shows(places, mb, width, right, down, content):
                source = mb + down // 16 * width + right // 16
            if source >= 0:
                right, down = offset_of(source, mb, width)
                write_copy(page, registers, grid, mb, width, right, down, MOVED)
                _copy(tiles, mb, source)
                registers[COPIED] += 1
            else:
                missed(memory, content)
                registers[CODED] += 1
                grid[TODO, mb] = CODED_NEW
                code_new(
                    pixels, mb, False, registers, places, grid, quarters, fours, tiles, around,
                    page, samples, levels, numbers,
                )  # fmt: skip
    if done < mbs - 1:
        put_unsigned(page, registers, mbs - 1 - done)  # mb_skip_run
    return finish(registers, page, unit, 0x41)


@inner
def _copy(tiles: _U8, mb: int, source: int) -> None:
    to, held = tiles[1, mb], tiles[0, source]
    for index in range(384):
        to[index] = held[index]
