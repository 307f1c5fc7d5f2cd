"""Writes the levels of a macroblock with CAVLC, clause 9.2. A code is stored as its length and its
bits, in arrays that are constants of the compiled loops.

`neighbours` (macroblocks, 40) uint8 holds the data that the coding of neighbouring macroblocks
depends on: 0..15 the number of non-zero levels of each luma block (raster order), 16..19 and 20..23
those for Cb and Cr, 24..39 the Intra_4x4 prediction mode of each luma block (2 if it has none).
"""

from __future__ import annotations

import numpy as np

from undoku.h264.bits import put
from undoku.h264.loops import I32, I32_2D, I64, U8, U8_2D, inner
from undoku.h264.transform import BLOCK_COLUMN, BLOCK_ROW, CHROMA_DC, LUMA_DC

NEIGHBOUR_BYTES = 40
MODES = 24


def _table(*rows: str) -> I32_2D:
    """Rows of numbers, padded with zeros to the longest."""
    numbers = [[int(word) for word in row.split()] for row in rows]
    table = np.zeros((len(rows), max(map(len, numbers))), np.int32)
    for row, line in zip(table, numbers, strict=True):
        row[: len(line)] = line
    return table


# Table 9-4 for chroma format 4:2:0: the codeNum of each coded_block_pattern.
_INTRA_ORDER = (
    "47 31 15 0 23 27 29 30 7 11 13 14 39 43 45 46 16 3 5 10 12 19 21 26 28 35 37 42 44 1 2 4 8 "
    "17 18 20 24 6 9 22 25 32 33 34 36 40 38 41"
)
_INTER_ORDER = (
    "0 16 1 2 4 8 32 3 5 10 12 15 47 7 11 13 14 6 9 31 35 37 42 44 33 34 36 40 39 43 45 46 17 18 "
    "20 24 19 21 26 28 23 27 29 30 22 25 38 41"
)
CBP_INTRA: I32 = np.argsort([int(word) for word in _INTRA_ORDER.split()]).astype(np.int32)
CBP_INTER: I32 = np.argsort([int(word) for word in _INTER_ORDER.split()]).astype(np.int32)

# Table 9-5, coeff_token by nC class (0..1, 2..3, 4..7, 8 and more, chroma DC), at
# [class, 4 * total coefficients + trailing ones].
TOKEN_LENGTH: I32_2D = _table(
    "1 0 0 0 6 2 0 0 8 6 3 0 9 8 7 5 10 9 8 6 11 10 9 7 13 11 10 8 13 13 11 9 13 13 13 10 "
    "14 14 13 11 14 14 14 13 15 15 14 14 15 15 15 14 16 15 15 15 16 16 16 15 16 16 16 16 "
    "16 16 16 16",
    "2 0 0 0 6 2 0 0 6 5 3 0 7 6 6 4 8 6 6 4 8 7 7 5 9 8 8 6 11 9 9 6 11 11 11 7 12 11 11 9 "
    "12 12 12 11 12 12 12 11 13 13 13 12 13 13 13 13 13 14 13 13 14 14 14 13 14 14 14 14",
    "4 0 0 0 6 4 0 0 6 5 4 0 6 5 5 4 7 5 5 4 7 5 5 4 7 6 6 4 7 6 6 4 8 7 7 5 8 8 7 6 9 8 8 7 "
    "9 9 8 8 9 9 9 8 10 9 9 9 10 10 10 10 10 10 10 10 10 10 10 10",
    " ".join(["6"] * 68),
    "2 0 0 0 6 1 0 0 6 6 3 0 6 7 7 6 6 8 8 7",
)
TOKEN_BITS: I32_2D = _table(
    "1 0 0 0 5 1 0 0 7 4 1 0 7 6 5 3 7 6 5 3 7 6 5 4 15 6 5 4 11 14 5 4 8 10 13 4 15 14 9 4 "
    "11 10 13 12 15 14 9 12 11 10 13 8 15 1 9 12 11 14 13 8 7 10 9 12 4 6 5 8",
    "3 0 0 0 11 2 0 0 7 7 3 0 7 10 9 5 7 6 5 4 4 6 5 6 7 6 5 8 15 6 5 4 11 14 13 4 15 10 9 4 "
    "11 14 13 12 8 10 9 8 15 14 13 12 11 10 9 12 7 11 6 8 9 8 10 1 7 6 5 4",
    "15 0 0 0 15 14 0 0 11 15 13 0 8 12 14 12 15 10 11 11 11 8 9 10 9 14 13 9 8 10 9 8 "
    "15 14 13 13 11 14 10 12 15 10 13 12 11 14 9 12 8 10 13 8 13 7 9 12 9 12 11 10 5 8 7 6 "
    "1 4 3 2",
    "3 0 0 0 "
    + " ".join(str(4 * (total - 1) + ones) for total in range(1, 17) for ones in range(4)),
    "1 0 0 0 7 1 0 0 4 6 1 0 3 3 2 5 2 3 2 0",
)

# Tables 9-7 and 9-8, total_zeros at [total coefficients - 1, zeros].
ZEROS_LENGTH: I32_2D = _table(
    "1 3 3 4 4 5 5 6 6 7 7 8 8 9 9 9",
    "3 3 3 3 3 4 4 4 4 5 5 6 6 6 6",
    "4 3 3 3 4 4 3 3 4 5 5 6 5 6",
    "5 3 4 4 3 3 3 4 3 4 5 5 5",
    "4 4 4 3 3 3 3 3 4 5 4 5",
    "6 5 3 3 3 3 3 3 4 3 6",
    "6 5 3 3 3 2 3 4 3 6",
    "6 4 5 3 2 2 3 3 6",
    "6 6 4 2 2 3 2 5",
    "5 5 3 2 2 2 4",
    "4 4 3 3 1 3",
    "4 4 2 1 3",
    "3 3 1 2",
    "2 2 1",
    "1 1",
)
ZEROS_BITS: I32_2D = _table(
    "1 3 2 3 2 3 2 3 2 3 2 3 2 3 2 1",
    "7 6 5 4 3 5 4 3 2 3 2 3 2 1 0",
    "5 7 6 5 4 3 4 3 2 3 2 1 1 0",
    "3 7 5 4 6 5 4 3 3 2 2 1 0",
    "5 4 3 7 6 5 4 3 2 1 1 0",
    "1 1 7 6 5 4 3 2 1 1 0",
    "1 1 5 4 3 3 2 1 1 0",
    "1 1 1 3 3 2 2 1 0",
    "1 0 1 3 2 1 1 1",
    "1 0 1 3 2 1 1",
    "0 1 1 2 1 3",
    "0 1 1 1 1",
    "0 1 1 1",
    "0 1 1",
    "0 1",
)
# Table 9-9 (a), total_zeros of the four chroma DC coefficients.
ZEROS_CHROMA_LENGTH: I32_2D = _table("1 2 3 3", "1 2 2", "1 1")
ZEROS_CHROMA_BITS: I32_2D = _table("1 1 1 0", "1 1 0", "1 0")

# Table 9-10, run_before at [min(zeros left, 7) - 1, run].
RUN_LENGTH: I32_2D = _table(
    "1 1",
    "1 2 2",
    "2 2 2 2",
    "2 2 2 3 3",
    "2 2 3 3 3 3",
    "2 3 3 3 3 3 3",
    "3 3 3 3 3 3 3 4 5 6 7 8 9 10 11",
)
RUN_BITS: I32_2D = _table(
    "1 0",
    "1 1 0",
    "3 2 1 0",
    "3 2 1 1 0",
    "3 2 3 2 1 0",
    "3 0 1 3 2 5 4",
    "7 6 5 4 3 2 1 1 1 1 1 1 1 1 1",
)


@inner
def _write_level(rbsp: U8, cursor: I64, code: int, suffix: int) -> None:
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


@inner
def write_block(
    rbsp: U8, cursor: I64, levels: I32_2D, row: int, first: int, count: int, context: int
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


@inner
def _context(
    neighbours: U8_2D, mb: int, width: int, part: int, size: int, column: int, row: int
) -> int:
    """nC, clause 9.2.1, of the block at (column, row) of a plane of size x size blocks, whose
    counts start at neighbours[mb, part]."""
    left = -1
    if column > 0:
        left = int(neighbours[mb, part + row * size + column - 1])
    elif mb % width > 0:
        left = int(neighbours[mb - 1, part + row * size + size - 1])
    above = -1
    if row > 0:
        above = int(neighbours[mb, part + (row - 1) * size + column])
    elif mb >= width:
        above = int(neighbours[mb - width, part + (size - 1) * size + column])
    if left >= 0 and above >= 0:
        return (left + above + 1) >> 1
    return max(left, above, 0)


@inner
def write_luma_constants(
    rbsp: U8, cursor: I64, levels: I32_2D, neighbours: U8_2D, mb: int, width: int
) -> None:
    """Write Intra16x16DCLevel: the DC levels of all luma blocks."""
    write_block(rbsp, cursor, levels, LUMA_DC, 0, 16, _context(neighbours, mb, width, 0, 4, 0, 0))


@inner
def write_luma(
    rbsp: U8,
    cursor: I64,
    levels: I32_2D,
    first: int,
    pattern: int,
    neighbours: U8_2D,
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


@inner
def write_chroma(
    rbsp: U8, cursor: I64, levels: I32_2D, pattern: int, neighbours: U8_2D, mb: int, width: int
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
