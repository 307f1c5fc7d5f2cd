"""Gathers the vectors at hand for a macroblock that stands nowhere as a whole.

`table` (TABLE,) int32 is scratch: vectors in 4x4 blocks, ACROSS and DOWN; the blocks of the
macroblock that stand where the vector points, bit by bit and row by row, EXACT; those for which it
is the nearest, NEAR; how many vectors there are, COUNT. SINGLE are the quarters (bits 0..3) that
one vector brings as they are, SPLIT those that four do, one for each 4x4 block. PICKED are the
parts (see parts.py), as `packed` has them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.block_index import (
    A_BUCKET,
    NUMBER,
    PLACES,
    REMEMBERED,
    bucket_of,
    number_at,
    refresh,
    remember,
)
from render.sinks.h264.content_index import NOW
from render.sinks.h264.encoder_arrays import HEIGHT, WIDTH
from render.sinks.h264.levels import HORIZONTAL_REACH, VERTICAL_REACH
from render.sinks.h264.macroblock_pixels import TILE_BYTES
from render.sinks.h264.motion_vectors import MOVED, STILL, foresee_vector
from solver.jit import inner, lean

__all__ = [
    "ACROSS",
    "COUNT",
    "DOWN",
    "EXACT",
    "NEAR",
    "PICKED",
    "SINGLE",
    "SPLIT",
    "TABLE",
    "blocks_of",
    "look",
]

_MOST = 48  # vectors
ACROSS, DOWN, EXACT, NEAR = range(0, 4 * _MOST, _MOST)
PICKED = 4 * _MOST
COUNT, SINGLE, SPLIT = range(PICKED + 16, PICKED + 19)
TABLE = PICKED + 19

_REACH_ACROSS, _REACH_DOWN = HORIZONTAL_REACH // 4 - 1, VERTICAL_REACH // 4 - 1  # 4x4 blocks

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def blocks_of(quarter: int) -> int:
    """The blocks of a quarter, bit by bit."""
    return 0x33 << (2 * (quarter & 1) + 8 * (quarter >> 1))


@inner
def _add(table: _I32, across: int, down: int) -> None:
    """Take in a vector, unless it is there, out of reach, or there is no room."""
    count = int(table[COUNT])
    if count == _MOST or abs(across) > _REACH_ACROSS or abs(down) > _REACH_DOWN:
        return
    for at in range(count):
        if table[ACROSS + at] == across and table[DOWN + at] == down:
            return
    table[ACROSS + count], table[DOWN + count] = across, down
    table[EXACT + count] = table[NEAR + count] = 0
    table[COUNT] = count + 1


@inner
def _add_all(mb: int, block: int, number: int, width: int, known: _I64, table: _I32) -> None:
    """Take in where a block of the macroblock stands."""
    a_row = 2 if known.shape[0] == REMEMBERED + 5 else 4
    bucket = bucket_of(known, number)
    for place in range(bucket, bucket + A_BUCKET):
        at = int(known[PLACES, place])
        if at >= 0 and known[NUMBER, at] == number:
            source, part = at // (a_row * a_row), at % (a_row * a_row)
            across = a_row * (source % width - mb % width) + part % a_row - block % a_row
            down = a_row * (source // width - mb // width) + part // a_row - block // a_row
            _add(table, across * (4 // a_row), down * (4 // a_row))


@lean
def look(
    pixels: _U8,
    mb: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    quarters: _I64,
    fours: _I64,
    tiles: _U8,
    wanted: _U8,
    samples: _U8,
    table: _I32,
) -> bool:
    """Fill the table for a macroblock; whether any of its quarters stands in the picture before.
    `quarters` and `fours` are what is known of 8x8 and of 4x4 blocks, see quarters.py."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    content, taken = int(places[NOW, mb]), samples[:TILE_BYTES]
    refresh(pixels, registers, places, quarters, samples)
    held = remember(pixels, mb, content, registers, quarters, taken)
    table[COUNT] = 0
    _add(table, 0, 0)
    for index in (MOVED, STILL):
        right, down = foresee_vector(grid, mb, width, index)
        _add(table, right >> 2, down >> 2)
    for quarter in range(4):
        number = int(quarters[REMEMBERED + 1 + quarter, held])
        _add_all(mb, quarter, number, width, quarters, table)
    single = 0
    for at in range(table[COUNT]):
        across, down = int(table[ACROSS + at]), int(table[DOWN + at])
        if (across | down) & 1:
            continue
        for quarter in range(4):
            column = 2 * (mb % width) + (quarter & 1) + across // 2
            row = 2 * (mb // width) + (quarter >> 1) + down // 2
            number = int(quarters[REMEMBERED + 1 + quarter, held])
            if number_at(quarters, column, row, 1, width, height) == number:
                table[EXACT + at] |= blocks_of(quarter)
                single |= 1 << quarter
    table[SINGLE], table[SPLIT] = single, 0
    if single != 15:
        refresh(pixels, registers, places, fours, samples)
        held = remember(pixels, mb, content, registers, fours, taken)
        _look_closer(mb, width, height, fours, held, table)
        if table[SINGLE] | table[SPLIT]:
            for quarter in range(4):
                if table[SINGLE] >> quarter & 1 == 0:
                    _note_nearest(mb, quarter, width, height, tiles, wanted, table)
    return bool(table[SINGLE] | table[SPLIT])


@inner
def _look_closer(mb: int, width: int, height: int, fours: _I64, held: int, table: _I32) -> None:
    """The part of `look` for 4x4 blocks, of quarters that stand nowhere as they are."""
    single = int(table[SINGLE])
    for block in range(16):
        if single >> (block >> 1 & 1 | block >> 2 & 2) & 1 == 0:
            number = int(fours[REMEMBERED + 1 + block, held])
            _add_all(mb, block, number, width, fours, table)
    together = 0
    for at in range(table[COUNT]):
        exact = int(table[EXACT + at])
        left = 4 * (mb % width) + int(table[ACROSS + at])
        top = 4 * (mb // width) + int(table[DOWN + at])
        for block in range(16):
            if exact >> block & 1:
                continue
            column, row = left + (block & 3), top + (block >> 2)
            number = int(fours[REMEMBERED + 1 + block, held])
            if number_at(fours, column, row, 2, width, height) == number:
                exact |= 1 << block
        table[EXACT + at] = exact
        together |= exact
        for quarter in range(4):
            if exact & blocks_of(quarter) == blocks_of(quarter):
                single |= 1 << quarter
    table[SINGLE] = single
    for quarter in range(4):
        if single >> quarter & 1 == 0 and together & blocks_of(quarter) == blocks_of(quarter):
            table[SPLIT] |= 1 << quarter


@inner
def _note_nearest(
    mb: int, quarter: int, width: int, height: int, tiles: _U8, wanted: _U8, table: _I32
) -> None:
    """Note the vector that brings what is nearest to the luma of a quarter."""
    least, best = 1 << 30, 0
    x = 16 * (mb % width) + 8 * (quarter & 1)
    y = 16 * (mb // width) + 8 * (quarter >> 1)
    base = 128 * (quarter >> 1) + 8 * (quarter & 1)
    for at in range(table[COUNT]):
        across, down = int(table[ACROSS + at]), int(table[DOWN + at])
        left, top = x + 4 * across, y + 4 * down
        if (across | down) & 1 or not (0 <= left < 16 * width and 0 <= top < 16 * height):
            continue
        tile = tiles[0, (top >> 4) * width + (left >> 4)]
        away = 16 * (top & 15) + (left & 15)
        distance = 0
        for row in range(8):
            for step in range(16 * row, 16 * row + 8):
                sample = int(np.int64(wanted[base + step]))
                distance += abs(int(np.int64(tile[away + step])) - sample)
            if distance >= least:
                break
        if distance < least:
            least, best = distance, at
    table[NEAR + best] |= blocks_of(quarter)
