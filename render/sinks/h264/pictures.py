"""Codes a picture as planned: what can be copied is, the rest is coded.

Beside the plan's state (see state.py) there are
    tiles     (2, mbs, 384) uint8  the picture before and the one being coded, as decoded
    around    (mbs, 40) uint8    see cavlc.py
    page      (n,) uint8         room for one RBSP; unit (m,) uint8, for its NAL unit
    samples   (1536,) uint8, levels (27, 16) and numbers (71,) int32: scratch
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import put_unsigned, written
from render.sinks.h264.blocks import clear
from render.sinks.h264.choice import best_luma, is_even
from render.sinks.h264.macroblock import (
    code_intra4,
    code_intra16,
    code_raw,
    code_residual,
    forget,
)
from render.sinks.h264.motion import (
    DOWN,
    INTRA,
    MOVED,
    REFERS,
    RIGHT,
    STILL,
    foresee_vector,
    offset_of,
    skip_vector,
    write_copy,
)
from render.sinks.h264.places import BEFORE, NOW, missed, shows, unlink
from render.sinks.h264.plan import arrange, commit, keep
from render.sinks.h264.slices import finish, slice_header
from render.sinks.h264.state import (
    ACROSS,
    CODED,
    CODED_NEW,
    COLUMNS,
    COPIED,
    FIRST,
    FRAME_NUM,
    HEIGHT,
    KEYS,
    LAST,
    LINES,
    LIST,
    LOOK,
    MOVES,
    QP,
    RAW,
    SOURCE,
    TODO,
    WIDTH,
)
from render.sinks.h264.tiles import TILE_BYTES, convert, gather
from solver.compiled import lean

__all__ = ["draw"]

_MOST_BITS = 3100  # a macroblock may have 3200, clause A.3.1
_RESIDUAL, _INTRA16, _INTRA4 = range(3)

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def _settle(total: int, places: _I64, grid: _I32, tiles: _U8, around: _U8) -> None:
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
        places[BEFORE, mb] = places[NOW, mb]


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
            _code_new(
                pixels, mb, True, registers, grid, tiles, around, page, samples, levels, numbers
            )
    else:
        total = keep(changed, registers, places, grid, heads, memory, slots)
        arrange(total, width, grid)
        slice_header(registers, page, False)
        _delta(
            pixels, registers, places, grid, memory, tiles, around, page, samples, levels, numbers
        )
    size = finish(registers, page, unit, 0x65 if key else 0x41)
    _settle(total, places, grid, tiles, around)
    registers[FRAME_NUM] += 1
    return size


@lean
def _delta(
    pixels: _U8,
    registers: _I64,
    places: _I64,
    grid: _I32,
    memory: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    samples: _U8,
    levels: _I32,
    numbers: _I32,
) -> None:
    """slice_data() of a P slice, clause 7.3.4: runs of skipped macroblocks and what is between."""
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
                _code_new(
                    pixels,
                    mb,
                    False,
                    registers,
                    grid,
                    tiles,
                    around,
                    page,
                    samples,
                    levels,
                    numbers,
                )
    if done < mbs - 1:
        put_unsigned(page, registers, mbs - 1 - done)  # mb_skip_run


@lean
def _copy(tiles: _U8, mb: int, source: int) -> None:
    to, held = tiles[1, mb], tiles[0, source]
    for index in range(384):
        to[index] = held[index]


@lean
def _take(pixels: _U8, mb: int, registers: _I64, current: _U8, taken: _U8, wanted: _U8) -> None:
    """The tile that `mb` is to show. Nothing is seen of the atlas: in a key picture it goes on as
    the picture ends on its left, which costs next to nothing."""
    column, row = mb % int(registers[WIDTH]), mb // int(registers[WIDTH])
    if column < registers[COLUMNS]:
        gather(pixels, int(registers[ACROSS]), int(registers[LINES]), column, row, taken)
        convert(taken, wanted)
    else:
        for index in range(384):
            wanted[index] = current[mb - 1, index | (15 if index < 256 else 7)]


@lean
def _code_new(
    pixels: _U8,
    mb: int,
    key: bool,
    registers: _I64,
    grid: _I32,
    tiles: _U8,
    around: _U8,
    page: _U8,
    samples: _U8,
    levels: _I32,
    numbers: _I32,
) -> None:
    """Code what stands nowhere: in a P picture as the difference to what stood here, or from its
    neighbours, whichever is shorter; in a key picture from its neighbours; or as it is."""
    width, qp = int(registers[WIDTH]), int(registers[QP])
    taken, wanted = samples[:TILE_BYTES], samples[768:1152]
    foreseen = samples[1152:1536]
    block, edge, shades = numbers[:16], numbers[16:32], numbers[32:]
    current = tiles[1]
    _take(pixels, mb, registers, current, taken, wanted)
    held, bits, byte = registers[0], registers[1], registers[2]
    start = written(registers)
    offset = 0 if key else 5
    right, down = 0, 0
    luma = best_luma(wanted, current, mb, width, foreseen)
    # In a key picture, where there are thousands, only what is likely best is tried.
    even = luma >> 2 == 0 or is_even(wanted, foreseen)
    first = (_INTRA16 if even else _INTRA4) if key else _RESIDUAL
    last = first if key else _INTRA4
    if not key:
        right, down = foresee_vector(grid, mb, width, STILL)
    shortest = 1 << 30
    choice = first
    for turn in range(first, last + 2):
        # All tries, then the best of them again, unless it was the last.
        way = choice if turn > last else turn
        if turn > last and way == last:
            break
        registers[0], registers[1], registers[2] = held, bits, byte
        if way == _RESIDUAL:
            for index in range(384):
                foreseen[index] = tiles[0, mb, index]
            code_residual(
                page, registers, wanted, current, around, mb, width, qp, -4 * right, -4 * down,
                levels, block, foreseen,
            )  # fmt: skip
        elif way == _INTRA16:
            if not key:
                luma = best_luma(wanted, current, mb, width, foreseen)
            code_intra16(
                page, registers, wanted, current, around, mb, width, qp, offset, luma & 3,
                levels, block, foreseen,
            )  # fmt: skip
        else:
            code_intra4(
                page, registers, wanted, current, around, mb, width, qp, offset,
                levels, block, foreseen, edge, shades,
            )  # fmt: skip
        length = written(registers) - start
        if turn <= last and length < shortest:
            shortest = length
            choice = way
    grid[REFERS, mb] = STILL if choice == _RESIDUAL else INTRA
    if shortest > _MOST_BITS:
        registers[0], registers[1], registers[2] = held, bits, byte
        code_raw(page, registers, wanted, current, around, mb, offset)
        grid[REFERS, mb] = INTRA
        registers[RAW] += 1
