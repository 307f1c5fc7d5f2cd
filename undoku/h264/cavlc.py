"""Writes the levels of a macroblock with CAVLC, clause 9.2.

`neighbours` (macroblocks, 40) uint8 holds the data that the coding of neighbouring macroblocks
depends on: 0..15 the number of non-zero levels of each luma block (raster order), 16..19 and 20..23
those for Cb and Cr, 24..39 the Intra_4x4 prediction mode of each luma block (2 if it has none).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.bits import put
from undoku.h264.residual_tables import (
    BLOCK_COLUMN,
    BLOCK_ROW,
    RUN_BITS,
    RUN_LENGTH,
    TOKEN_BITS,
    TOKEN_LENGTH,
    ZEROS_BITS,
    ZEROS_CHROMA_BITS,
    ZEROS_CHROMA_LENGTH,
    ZEROS_LENGTH,
)
from undoku.h264.transform import CHROMA_DC, LUMA_DC
from undoku.machine_code.jit import inner, lean

__all__ = [
    "MODES",
    "NEIGHBOUR_BYTES",
    "write_block",
    "write_chroma",
    "write_luma",
    "write_luma_constants",
]

NEIGHBOUR_BYTES = 40
MODES = 24

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@inner
def _write_level(rbsp: _U8, cursor: _I64, code: int, suffix: int) -> None:
    """level_prefix and level_suffix of a levelCode, clause 9.2.2.1, suffixLength `suffix`."""
    if suffix == 0:
        if code < 14:
            put(rbsp, cursor, 1, code + 1)
        elif code < 30:
            put(rbsp, cursor, 1, 15)
            put(rbsp, cursor, code - 14, 4)
        else:
            put(rbsp, cursor, 1, 16)
            put(rbsp, cursor, code - 30, 12)
    elif code < 15 << suffix:
        put(rbsp, cursor, 1, (code >> suffix) + 1)
        put(rbsp, cursor, code & ((1 << suffix) - 1), suffix)
    else:
        put(rbsp, cursor, 1, 16)
        put(rbsp, cursor, code - (15 << suffix), 12)


@lean
def write_block(
    rbsp: _U8, cursor: _I64, levels: _I32, row: int, first: int, count: int, context: int
) -> int:
    """residual_block_cavlc(), clause 7.3.5.3.2, of levels[row, first : first + count].

    `context` is nC, or -1 for chroma DC. Returns the number of non-zero levels.
    """
    last = first + count - 1
    while last >= first and levels[row, last] == 0:
        last -= 1
    total = 0
    ones = 0
    trailing = True
    for back in range(last - first + 1):
        level = abs(int(levels[row, last - back]))
        if level:
            total += 1
            trailing = trailing and level == 1 and ones < 3
            if trailing:
                ones += 1
    kind = 4 if context < 0 else (context > 1) + (context > 3) + (context > 7)
    token = 4 * total + ones
    put(rbsp, cursor, int(TOKEN_BITS[kind, token]), int(TOKEN_LENGTH[kind, token]))
    if total == 0:
        return 0

    suffix = 1 if total > 10 and ones < 3 else 0
    seen = 0
    for back in range(last - first + 1):
        level = int(levels[row, last - back])
        if level == 0:
            continue
        if seen < ones:
            put(rbsp, cursor, 1 if level < 0 else 0, 1)
        else:
            code = 2 * abs(level) - (1 if level < 0 else 2)
            if seen == ones and ones < 3:
                code -= 2
            _write_level(rbsp, cursor, code, suffix)
            if suffix == 0:
                suffix = 1
            if suffix < 6 and abs(level) > 3 << (suffix - 1):
                suffix += 1
        seen += 1

    zeros = last - first + 1 - total
    if total < count:
        if context < 0:
            put(
                rbsp,
                cursor,
                int(ZEROS_CHROMA_BITS[total - 1, zeros]),
                int(ZEROS_CHROMA_LENGTH[total - 1, zeros]),
            )
        else:
            # Table 9-7 also applies to blocks with 15 coefficients.
            put(
                rbsp,
                cursor,
                int(ZEROS_BITS[total - 1, zeros]),
                int(ZEROS_LENGTH[total - 1, zeros]),
            )
    at = last
    for _ in range(total - 1):
        if zeros == 0:
            break
        run = 0
        while levels[row, at - 1 - run] == 0:
            run += 1
        line = min(zeros, 7) - 1
        put(rbsp, cursor, int(RUN_BITS[line, run]), int(RUN_LENGTH[line, run]))
        zeros -= run
        at -= run + 1
    return total


@lean
def _context(
    neighbours: _U8, mb: int, width: int, part: int, size: int, column: int, row: int
) -> int:
    """nC, clause 9.2.1, of the block at (column, row) of a plane of size x size blocks, whose
    counts start at neighbours[mb, part]."""
    left = -1
    if column > 0:
        left = int(np.int64(neighbours[mb, part + row * size + column - 1]))
    elif mb % width > 0:
        left = int(np.int64(neighbours[mb - 1, part + row * size + size - 1]))
    above = -1
    if row > 0:
        above = int(np.int64(neighbours[mb, part + (row - 1) * size + column]))
    elif mb >= width:
        above = int(np.int64(neighbours[mb - width, part + (size - 1) * size + column]))
    if left >= 0 and above >= 0:
        return (left + above + 1) >> 1
    return max(left, above, 0)


@lean
def write_luma_constants(
    rbsp: _U8, cursor: _I64, levels: _I32, neighbours: _U8, mb: int, width: int
) -> None:
    """Write Intra16x16DCLevel: the DC levels of all luma blocks."""
    write_block(rbsp, cursor, levels, LUMA_DC, 0, 16, _context(neighbours, mb, width, 0, 4, 0, 0))


@lean
def write_luma(
    rbsp: _U8,
    cursor: _I64,
    levels: _I32,
    first: int,
    pattern: int,
    neighbours: _U8,
    mb: int,
    width: int,
) -> None:
    """Write the luma blocks of the 8x8 quarters in the low four bits of `pattern`, without DC if
    `first` is 1, and their numbers of non-zero levels to `neighbours`."""
    for block in range(16):
        column = int(BLOCK_COLUMN[block])
        row = int(BLOCK_ROW[block])
        total = 0
        if pattern >> (block >> 2) & 1:
            context = _context(neighbours, mb, width, 0, 4, column, row)
            total = write_block(rbsp, cursor, levels, block, first, 16 - first, context)
        neighbours[mb, 4 * row + column] = total


@lean
def write_chroma(
    rbsp: _U8, cursor: _I64, levels: _I32, pattern: int, neighbours: _U8, mb: int, width: int
) -> None:
    """Write the chroma levels; `pattern` 1: DC, 2: DC and AC."""
    if pattern:
        write_block(rbsp, cursor, levels, CHROMA_DC, 0, 4, -1)
        write_block(rbsp, cursor, levels, CHROMA_DC + 1, 0, 4, -1)
    for block in range(8):
        total = 0
        if pattern == 2:
            part = 16 + (block & 4)
            context = _context(neighbours, mb, width, part, 2, block & 1, (block >> 1) & 1)
            total = write_block(rbsp, cursor, levels, 19 + block, 1, 15, context)
        neighbours[mb, 16 + block] = total
