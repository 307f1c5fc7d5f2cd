"""Puts a macroblock that stands nowhere as a whole together from quarters that do.

A part is a macroblock, one of its halves, or a quarter, with one vector. Vectors are whole quarters
(8 samples), so that chroma is copied sample by sample too. Quarters that stand nowhere are foreseen
from the nearest of the vectors at hand, and get a residual.

`table` (TABLE,) int32 is scratch: the vectors at hand in quarters, across and down, and of each the
quarters of the macroblock that stand there (bits 0..3, row by row); the parts as `packed` has
them; how many vectors there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import put, put_signed, put_unsigned, signed_length
from render.sinks.h264.motion import (
    DOWN,
    MIXED,
    MOVED,
    NO_PART,
    PARTS,
    REFERS,
    RIGHT,
    STILL,
    down_of,
    foresee_part,
    foresee_vector,
    index_of,
    packed,
    right_of,
)
from render.sinks.h264.places import NOW
from render.sinks.h264.quarters import (
    NUMBER,
    REMEMBERED,
    first_of,
    next_of,
    refresh,
    remember,
    stands,
)
from render.sinks.h264.state import HEIGHT, WIDTH
from render.sinks.h264.tables import CBP_INTER
from render.sinks.h264.tiles import TILE_BYTES
from solver.compiled import lean

__all__ = ["TABLE", "bring", "cheapest", "look", "write_parts"]

_WHOLE, _HIGH_HALVES, _WIDE_HALVES, _QUARTERS = range(4)

_MOST = 40  # vectors at hand
_ACROSS, _DOWN, _MASK, _PICKED = 0, _MOST, 2 * _MOST, 3 * _MOST
_COUNT = _PICKED + 4
TABLE = _COUNT + 1

_PATIENCE = 32  # members of a list that are looked at
_CANDIDATES = 6
_REACH_ACROSS, _REACH_DOWN = 255, 63  # quarters: clause A.3, from level 3.1 on
_NONE = 1 << 30

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def _add(table: _I32, across: int, down: int) -> None:
    """Take a vector into the table, unless it is there, out of reach, or there is no room."""
    count = int(table[_COUNT])
    if count == _MOST or abs(across) > _REACH_ACROSS or abs(down) > _REACH_DOWN:
        return
    for index in range(count):
        if table[_ACROSS + index] == across and table[_DOWN + index] == down:
            return
    table[_ACROSS + count], table[_DOWN + count] = across, down
    table[_COUNT] = count + 1


@lean
def _add_foreseen(grid: _I32, mb: int, width: int, table: _I32) -> None:
    """The vectors that cost least: standing still, and what is foreseen."""
    table[_COUNT] = 0
    _add(table, 0, 0)
    for index in (MOVED, STILL):
        right, down = foresee_vector(grid, mb, width, index)
        if (right | down) & 7 == 0:
            _add(table, right >> 3, down >> 3)


@lean
def look(
    pixels: _U8,
    mb: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    quarters: _I64,
    tiles: _U8,
    wanted: _U8,
    samples: _U8,
    table: _I32,
) -> int:
    """Fill the table for a macroblock; returns which of its quarters stand in the picture before.
    If there are some, each of the others is noted where what stands is nearest to `wanted`."""
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    refresh(pixels, registers, places, quarters, samples)
    known = remember(pixels, mb, int(places[NOW, mb]), registers, quarters, samples[:TILE_BYTES])
    _add_foreseen(grid, mb, width, table)
    left, top = 2 * (mb % width), 2 * (mb // width)
    for quarter in range(4):
        number = int(quarters[REMEMBERED + 1 + quarter, known])
        at = first_of(quarters, number)
        found = 0
        for _ in range(_PATIENCE):
            if at < 0 or found == _CANDIDATES:
                break
            if quarters[NUMBER, at] == number:
                found += 1
                column = 2 * (at >> 2) % (2 * width) + (at & 1)
                row = 2 * ((at >> 2) // width) + (at >> 1 & 1)
                _add(table, column - left - (quarter & 1), row - top - (quarter >> 1))
            at = next_of(quarters, at)
    together = 0
    for index in range(table[_COUNT]):
        mask = 0
        for quarter in range(4):
            column = left + (quarter & 1) + int(table[_ACROSS + index])
            row = top + (quarter >> 1) + int(table[_DOWN + index])
            number = int(quarters[REMEMBERED + 1 + quarter, known])
            if stands(quarters, column, row, number, width, height):
                mask |= 1 << quarter
        table[_MASK + index] = mask
        together |= mask
    if together not in (0, 15):
        for quarter in range(4):
            if together >> quarter & 1 == 0:
                _note_nearest(mb, quarter, width, height, tiles, wanted, table)
    return together


@lean
def _note_nearest(
    mb: int, quarter: int, width: int, height: int, tiles: _U8, wanted: _U8, table: _I32
) -> None:
    """Note the vector that brings what is nearest to the luma of a quarter."""
    least, best = _NONE, 0
    x = 16 * (mb % width) + 8 * (quarter & 1)
    y = 16 * (mb // width) + 8 * (quarter >> 1)
    base = 128 * (quarter >> 1) + 8 * (quarter & 1)
    for index in range(table[_COUNT]):
        left, top = x + 8 * int(table[_ACROSS + index]), y + 8 * int(table[_DOWN + index])
        if not (0 <= left < 16 * width and 0 <= top < 16 * height):
            continue
        tile = tiles[0, (top >> 4) * width + (left >> 4)]
        from_ = 16 * (top & 15) + (left & 15)
        distance = 0
        for row in range(8):
            for at in range(16 * row, 16 * row + 8):
                distance += abs(int(np.int64(tile[from_ + at])) - int(np.int64(wanted[base + at])))
            if distance >= least:
                break
        if distance < least:
            least, best = distance, index
    table[_MASK + best] |= 1 << quarter


@lean
def _parts_of(kind: int) -> int:
    return 1 if kind == _WHOLE else 4 if kind == _QUARTERS else 2


@lean
def _corner(kind: int, part: int) -> tuple[int, int]:
    """Column and row of the 4x4 block with which a part begins."""
    if kind == _QUARTERS:
        return 2 * (part & 1), 2 * (part >> 1)
    return (2 * part, 0) if kind == _WIDE_HALVES else (0, 2 * part)


@lean
def _size(kind: int) -> tuple[int, int]:
    """Of its parts, in 4x4 blocks."""
    return (4 if kind < _WIDE_HALVES else 2), (2 if kind & 1 else 4)


@lean
def _decide(grid: _I32, mb: int, kind: int, part: int, value: int) -> None:
    (column, row), (wide, high) = _corner(kind, part), _size(kind)
    for line in range(row, row + high):
        for at in range(4 * line + column, 4 * line + column + wide):
            grid[PARTS + at, mb] = value


@lean
def _undecide(grid: _I32, mb: int) -> None:
    for at in range(16):
        grid[PARTS + at, mb] = NO_PART


@lean
def _pick(grid: _I32, mb: int, width: int, kind: int, table: _I32) -> int:
    """Choose the parts of a kind, each as short as can be; returns the bits of the macroblock
    without its residual, _NONE where it can't be done."""
    _undecide(grid, mb)
    wide, high = _size(kind)
    bits = (1, 3, 3, 9)[kind] + 1
    for part in range(_parts_of(kind)):
        column, row = _corner(kind, part)
        need = (15, 3 << 2 * part, 5 << part, 1 << part)[kind]
        least, best = _NONE, NO_PART
        for index in (MOVED, STILL):
            right, down = foresee_part(grid, mb, width, index, column, row, wide, high)
            for at in range(table[_COUNT]):
                if table[_MASK + at] & need != need:
                    continue
                to_right, to_down = 8 * int(table[_ACROSS + at]), 8 * int(table[_DOWN + at])
                length = signed_length(4 * (to_right - right)) + signed_length(4 * (to_down - down))
                if length < least:
                    least, best = length, packed(to_right, to_down, index)
        if best < 0:
            return _NONE
        bits += 1 + least
        table[_PICKED + part] = best
        _decide(grid, mb, kind, part, best)
    return bits


@lean
def cheapest(grid: _I32, mb: int, width: int, table: _I32) -> int:
    """Choose the shortest way to put the macroblock together: 4 * its bits without a residual and
    its kind. The table holds its parts."""
    least, best = _NONE, _QUARTERS
    for kind in range(4):
        bits = _pick(grid, mb, width, kind, table)
        if bits < least:
            least, best = bits, kind
    _pick(grid, mb, width, best, table)
    return 4 * least + best


@lean
def bring(mb: int, width: int, grid: _I32, tiles: _U8, tile: _U8) -> None:
    """Copy to tile (384,) what the parts of `mb` name in the picture before."""
    for at in range(16):
        part = int(grid[PARTS + at, mb])
        column, row = at & 3, at >> 2
        x = 16 * (mb % width) + 4 * column + right_of(part)
        y = 16 * (mb // width) + 4 * row + down_of(part)
        held = tiles[0, (y >> 4) * width + (x >> 4)]
        x, y = x & 15, y & 15
        for line in range(4):
            for step in range(4):
                tile[16 * (4 * row + line) + 4 * column + step] = held[16 * (y + line) + x + step]
        for plane in (256, 320):
            for line in range(2):
                for step in range(2):
                    to = plane + 8 * (2 * row + line) + 2 * column + step
                    tile[to] = held[plane + 8 * (y // 2 + line) + x // 2 + step]


@lean
def write_parts(
    page: _U8, pen: _I64, grid: _I32, mb: int, width: int, kind: int, table: _I32, pattern: int
) -> None:
    """mb_pred() or sub_mb_pred() of a P macroblock, clauses 7.3.5.1 and 7.3.5.2, and its
    coded_block_pattern."""
    _undecide(grid, mb)
    wide, high = _size(kind)
    count = _parts_of(kind)
    put_unsigned(page, pen, kind)  # mb_type
    if kind == _QUARTERS:
        put(page, pen, 15, 4)  # sub_mb_type: P_L0_8x8, four times
    for part in range(count):
        put(page, pen, 1 - index_of(int(table[_PICKED + part])), 1)  # ref_idx_l0: te(v)
    for part in range(count):
        one = int(table[_PICKED + part])
        column, row = _corner(kind, part)
        right, down = foresee_part(grid, mb, width, index_of(one), column, row, wide, high)
        put_signed(page, pen, 4 * (right_of(one) - right))
        put_signed(page, pen, 4 * (down_of(one) - down))
        _decide(grid, mb, kind, part, one)
    put_unsigned(page, pen, int(CBP_INTER[pattern]))
    grid[REFERS, mb] = MIXED
    grid[RIGHT, mb] = grid[DOWN, mb] = 0
    if kind == _WHOLE:
        one = int(table[_PICKED])
        grid[RIGHT, mb], grid[DOWN, mb] = right_of(one), down_of(one)
        grid[REFERS, mb] = index_of(one)
