"""Collects candidate motion vectors for a macroblock without an exact match.

`candidates` (CANDIDATES,) int32 is scratch: vectors in units of 4x4 blocks, BLOCKS_X and BLOCKS_Y;
EXACT, the blocks of the macroblock that the vector predicts without error, one bit each, row by
row; NEAR, those that it predicts best; COUNT, how many vectors there are. SINGLE are the quarters
(8x8, bits 0..3) that one vector predicts without error, SPLIT those that four do, one for each 4x4
block. PICKED are the vectors of the partitions that were chosen (see partitions.py), as `packed`
has them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.block_index import (
    BUCKET_SIZE,
    HASH,
    POSITIONS,
    REMEMBERED,
    bucket_of,
    hash_at,
    refresh,
    remember,
)
from render.sinks.h264.content_index import NOW
from render.sinks.h264.encoder_arrays import HEIGHT, WIDTH, Pictures, Plan
from render.sinks.h264.levels import HORIZONTAL_REACH, VERTICAL_REACH
from render.sinks.h264.macroblock_pixels import RGB_BYTES
from render.sinks.h264.motion_vectors import MOVED, STILL, predict_vector
from solver.jit import inner, lean

__all__ = [
    "BLOCKS_X",
    "BLOCKS_Y",
    "CANDIDATES",
    "COUNT",
    "EXACT",
    "NEAR",
    "PICKED",
    "SINGLE",
    "SPLIT",
    "blocks_of",
    "collect_candidates",
]

_MOST = 48  # vectors
BLOCKS_X, BLOCKS_Y, EXACT, NEAR = range(0, 4 * _MOST, _MOST)
PICKED = 4 * _MOST
COUNT, SINGLE, SPLIT = range(PICKED + 16, PICKED + 19)
CANDIDATES = PICKED + 19

_REACH_ACROSS, _REACH_DOWN = HORIZONTAL_REACH // 4 - 1, VERTICAL_REACH // 4 - 1  # 4x4 blocks

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def blocks_of(quarter: int) -> int:
    """The blocks of a quarter, bit by bit."""
    return 0x33 << (2 * (quarter & 1) + 8 * (quarter >> 1))


@inner
def _add(candidates: _I32, across: int, down: int) -> None:
    """Add a vector, unless it is there, out of range, or the table is full."""
    count = int(candidates[COUNT])
    if count == _MOST or abs(across) > _REACH_ACROSS or abs(down) > _REACH_DOWN:
        return
    for at in range(count):
        if candidates[BLOCKS_X + at] == across and candidates[BLOCKS_Y + at] == down:
            return
    candidates[BLOCKS_X + count], candidates[BLOCKS_Y + count] = across, down
    candidates[EXACT + count] = candidates[NEAR + count] = 0
    candidates[COUNT] = count + 1


@inner
def _add_all(mb: int, block: int, number: int, width: int, known: _I64, candidates: _I32) -> None:
    """Add the vectors to where a block of the macroblock stands."""
    a_row = 2 if known.shape[0] == REMEMBERED + 5 else 4
    bucket = bucket_of(known, number)
    for place in range(bucket, bucket + BUCKET_SIZE):
        at = int(known[POSITIONS, place])
        if at >= 0 and known[HASH, at] == number:
            source, part = at // (a_row * a_row), at % (a_row * a_row)
            across = a_row * (source % width - mb % width) + part % a_row - block % a_row
            down = a_row * (source // width - mb // width) + part // a_row - block // a_row
            _add(candidates, across * (4 // a_row), down * (4 // a_row))


@lean
def collect_candidates(
    pixels: _U8,
    mb: int,
    plan: Plan,
    pictures: Pictures,
    original: _U8,
    samples: _U8,
    candidates: _I32,
) -> bool:
    """Fill `candidates` for a macroblock; whether any of its quarters has an exact match in the
    picture before."""
    registers, contents, grid = plan.registers, plan.contents, plan.grid
    blocks8, blocks4, decoded = pictures.blocks8, pictures.blocks4, pictures.decoded
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    content, rgb = int(contents[NOW, mb]), samples[:RGB_BYTES]
    refresh(pixels, registers, contents, blocks8, samples)
    held = remember(pixels, mb, content, registers, blocks8, rgb)
    candidates[COUNT] = 0
    _add(candidates, 0, 0)
    for index in (MOVED, STILL):
        right, down = predict_vector(grid, mb, width, index)
        _add(candidates, right >> 2, down >> 2)
    for quarter in range(4):
        number = int(blocks8[REMEMBERED + 1 + quarter, held])
        _add_all(mb, quarter, number, width, blocks8, candidates)
    single = 0
    for at in range(candidates[COUNT]):
        across, down = int(candidates[BLOCKS_X + at]), int(candidates[BLOCKS_Y + at])
        if (across | down) & 1:
            continue
        for quarter in range(4):
            column = 2 * (mb % width) + (quarter & 1) + across // 2
            row = 2 * (mb // width) + (quarter >> 1) + down // 2
            number = int(blocks8[REMEMBERED + 1 + quarter, held])
            if hash_at(blocks8, column, row, 1, width, height) == number:
                candidates[EXACT + at] |= blocks_of(quarter)
                single |= 1 << quarter
    candidates[SINGLE], candidates[SPLIT] = single, 0
    if single != 15:
        refresh(pixels, registers, contents, blocks4, samples)
        held = remember(pixels, mb, content, registers, blocks4, rgb)
        _look_closer(mb, width, height, blocks4, held, candidates)
        if candidates[SINGLE] | candidates[SPLIT]:
            for quarter in range(4):
                if candidates[SINGLE] >> quarter & 1 == 0:
                    _note_nearest(mb, quarter, width, height, decoded, original, candidates)
    return bool(candidates[SINGLE] | candidates[SPLIT])


@inner
def _look_closer(
    mb: int, width: int, height: int, blocks4: _I64, held: int, candidates: _I32
) -> None:
    """The part of `collect_candidates` for the 4x4 blocks of quarters without an exact match."""
    single = int(candidates[SINGLE])
    for block in range(16):
        if single >> (block >> 1 & 1 | block >> 2 & 2) & 1 == 0:
            number = int(blocks4[REMEMBERED + 1 + block, held])
            _add_all(mb, block, number, width, blocks4, candidates)
    together = 0
    for at in range(candidates[COUNT]):
        exact = int(candidates[EXACT + at])
        left = 4 * (mb % width) + int(candidates[BLOCKS_X + at])
        top = 4 * (mb // width) + int(candidates[BLOCKS_Y + at])
        for block in range(16):
            if exact >> block & 1:
                continue
            column, row = left + (block & 3), top + (block >> 2)
            number = int(blocks4[REMEMBERED + 1 + block, held])
            if hash_at(blocks4, column, row, 2, width, height) == number:
                exact |= 1 << block
        candidates[EXACT + at] = exact
        together |= exact
        for quarter in range(4):
            if exact & blocks_of(quarter) == blocks_of(quarter):
                single |= 1 << quarter
    candidates[SINGLE] = single
    for quarter in range(4):
        if single >> quarter & 1 == 0 and together & blocks_of(quarter) == blocks_of(quarter):
            candidates[SPLIT] |= 1 << quarter


@inner
def _note_nearest(
    mb: int, quarter: int, width: int, height: int, decoded: _U8, original: _U8, candidates: _I32
) -> None:
    """Note the vector that predicts the luma of a quarter best."""
    least, best = 1 << 30, 0
    x = 16 * (mb % width) + 8 * (quarter & 1)
    y = 16 * (mb // width) + 8 * (quarter >> 1)
    base = 128 * (quarter >> 1) + 8 * (quarter & 1)
    for at in range(candidates[COUNT]):
        across, down = int(candidates[BLOCKS_X + at]), int(candidates[BLOCKS_Y + at])
        left, top = x + 4 * across, y + 4 * down
        if (across | down) & 1 or not (0 <= left < 16 * width and 0 <= top < 16 * height):
            continue
        held = decoded[0, (top >> 4) * width + (left >> 4)]
        away = 16 * (top & 15) + (left & 15)
        distance = 0
        for row in range(8):
            for step in range(16 * row, 16 * row + 8):
                sample = int(np.int64(original[base + step]))
                distance += abs(int(np.int64(held[away + step])) - sample)
            if distance >= least:
                break
        if distance < least:
            least, best = distance, at
    candidates[NEAR + best] |= blocks_of(quarter)
