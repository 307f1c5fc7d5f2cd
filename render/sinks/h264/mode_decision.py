"""Codes a macroblock that stands nowhere as a whole, in whichever way is shortest. The arrays are
those of state.py and pictures.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import written
from render.sinks.h264.encoder_arrays import ACROSS, CODED, COLUMNS, COPIED, LINES, QP, RAW, WIDTH
from render.sinks.h264.intra_modes import best_luma, is_even
from render.sinks.h264.intra_prediction import SHADES
from render.sinks.h264.macroblock import (
    code_intra4,
    code_intra16,
    code_parts,
    code_raw,
    code_residual,
)
from render.sinks.h264.macroblock_pixels import TILE_BYTES, convert, gather
from render.sinks.h264.motion_candidates import SINGLE, SPLIT, look
from render.sinks.h264.motion_vectors import DOWN, INTRA, REFERS, RIGHT, STILL, foresee_vector
from render.sinks.h264.partitions import bring, cheapest, open_blocks, room_for_vectors
from solver.jit import inner, lean

__all__ = ["code_new"]

_CHEAP = 96  # bits for which no other way is tried
_MOST_BITS = 3100  # a macroblock may have 3200, clause A.3.1
_RESIDUAL, _INTRA16, _INTRA4, _PARTS, _FINER = range(5)

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@inner
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


@inner
def _one_bit(mask: int) -> bool:
    return mask != 0 and mask & (mask - 1) == 0


@inner
def _fitting(split: int, grid: _I32, mb: int) -> int:
    """Of the quarters that may be split, as many as there may be vectors for."""
    room = room_for_vectors(grid, mb) - 4
    for quarter in range(4):
        if split >> quarter & 1:
            if room < 3:
                split &= ~(1 << quarter)
            room -= 3
    return split


@lean
def code_new(
    pixels: _U8,
    mb: int,
    key: bool,
    registers: _I64,
    places: _I64,
    grid: _I32,
    quarters: _I64,
    fours: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    samples: _U8,
    levels: _I32,
    numbers: _I32,
) -> None:
    """Code what stands nowhere as a whole: in a P picture from quarters that do, as the difference
    to what stood here, or from its neighbours, whichever is shorter; in a key picture from its
    neighbours; or as it is."""
    width, qp = int(registers[WIDTH]), int(registers[QP])
    taken, wanted = samples[:TILE_BYTES], samples[768:1152]
    foreseen = samples[1152:1536]
    block, edge = numbers[:16], numbers[16:32]
    shades, table = numbers[32 : 32 + SHADES], numbers[32 + SHADES :]
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
    single, split, kind, picked = 0, 0, 0, 0
    if not key:
        right, down = foresee_vector(grid, mb, width, STILL)
        if look(
            pixels, mb, registers, places, grid, quarters, fours, tiles, wanted, samples, table
        ):
            single, split = int(table[SINGLE]), _fitting(int(table[SPLIT]), grid, mb)
            last = _FINER if split else _PARTS
            # What is all copied by short vectors is not tried otherwise.
            if single | split == 15:
                kind, picked = cheapest(grid, mb, width, 0, split, table), last
                first = last if kind >> 2 <= _CHEAP else first
            elif _one_bit(~(single | split) & 15):
                first = _PARTS  # three quarters are copied
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
        elif way >= _PARTS:
            fine = split if way == _FINER else 0
            if picked != way:
                opened = open_blocks(single | fine)
                kind, picked = cheapest(grid, mb, width, opened, fine, table), way
            bring(mb, width, grid, tiles, foreseen)
            code_parts(
                page, registers, wanted, current, around, grid, mb, width, qp, kind & 3, fine,
                single | fine, table, levels, block, foreseen,
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
    if choice >= _PARTS:
        if single | (split if choice == _FINER else 0) == 15:
            registers[COPIED] += 1
            registers[CODED] -= 1
    else:
        grid[REFERS, mb] = STILL if choice == _RESIDUAL else INTRA
        grid[RIGHT, mb] = grid[DOWN, mb] = 0
    if shortest > _MOST_BITS:
        registers[0], registers[1], registers[2] = held, bits, byte
        code_raw(page, registers, wanted, current, around, mb, offset)
        grid[REFERS, mb] = INTRA
        grid[RIGHT, mb] = grid[DOWN, mb] = 0
        registers[RAW] += 1
