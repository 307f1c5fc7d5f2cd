"""The 4x4 transform of residual blocks, its quantisation, and the inverse of both.

A macroblock's samples are (384,) uint8: 16 rows of 16 luma samples, then 8 rows of 8 Cb
and 8 rows of 8 Cr. A block is given by the index of its first sample and the length of its rows.
Levels are (27, 16) int32 in scan order: rows 0..15 luma blocks, 16 the luma DCs of Intra_16x16, 17
and 18 the chroma DCs, 19..22 Cb and 23..26 Cr blocks.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.loops import I32, I32_2D, U8, inner, narrow

# Clause 6.4.3: the column and the row of each 4x4 luma block in its macroblock, in blocks.
BLOCK_COLUMN: I32 = np.array([0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3], np.int32)
BLOCK_ROW: I32 = np.array([0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3], np.int32)

# Table 8-13, frame scan: the raster index (4 * row + column) of each coefficient in scan order.
SCAN: I32 = np.array([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15], np.int32)

# Table 8-15's factors v(m, n) by QP % 6, spread over the 16 raster positions of a block (8-315).
_EVEN_ODD_MIXED = np.array([0, 2, 0, 2, 2, 1, 2, 1, 0, 2, 0, 2, 2, 1, 2, 1])
DEQUANT: I32_2D = np.array(
    [[10, 16, 13], [11, 18, 14], [13, 20, 16], [14, 23, 18], [16, 25, 20], [18, 29, 23]], np.int32
)[:, _EVEN_ODD_MIXED]

# The encoder's own reciprocal: level = (coefficient * QUANT + rounding) >> (15 + QP // 6). The
# norms of the transform's rows (4 and 10) make the three classes differ.
_SCALE = np.array([16.0, 100.0 / 4.0, 20.0])[_EVEN_ODD_MIXED]
QUANT: I32_2D = np.rint(2.0**21 / (DEQUANT * _SCALE)).astype(np.int32)

LUMA_DC = 16
CHROMA_DC = 17
_CHROMA_BLOCKS = 19

_LARGER = 54
_FOR_A_ZERO = 6
_MOST = 95
"""Percentages of a step from which on a coefficient is rounded up: to a level above 1; what each
zero since the last level adds for level 1; and the most for level 1."""
_CHROMA_LEAST = 75
"""The same for level 1 of a chroma coefficient without zeros before it; most are single."""
_CONSTANT_PART = 4
"""A chroma DC is rounded up in the last quarter of a step."""


@narrow
def forward(original: U8, prediction: U8, base: int, stride: int, block: I32) -> None:
    """Write the core transform of original - prediction to block (16,), in raster order."""
    for row in range(4):
        at = base + row * stride
        a = int(original[at]) - int(prediction[at])
        b = int(original[at + 1]) - int(prediction[at + 1])
        c = int(original[at + 2]) - int(prediction[at + 2])
        d = int(original[at + 3]) - int(prediction[at + 3])
        block[4 * row] = a + b + c + d
        block[4 * row + 1] = 2 * (a - d) + b - c
        block[4 * row + 2] = a - b - c + d
        block[4 * row + 3] = a - d - 2 * (b - c)
    for column in range(4):
        a = int(block[column])
        b = int(block[4 + column])
        c = int(block[8 + column])
        d = int(block[12 + column])
        block[column] = a + b + c + d
        block[4 + column] = 2 * (a - d) + b - c
        block[8 + column] = a - b - c + d
        block[12 + column] = a - d - 2 * (b - c)


@narrow
def quantise(block: I32, levels: I32_2D, row: int, first: int, qp: int, least: int) -> int:
    """Write the levels of `block` in scan order, from index `first` on; earlier ones are 0. A
    coefficient becomes level 1 only from `least` percent of a step on, and from more after zeros,
    because a single level after many zeros takes most bits. A larger level takes hardly more bits
    than the next lower one, so a coefficient becomes one from little more than half a step on.
    Returns the number of non-zero levels."""
    shift = 15 + qp // 6
    step = 1 << shift
    lowest, further = step * least // 100, step * _LARGER // 100
    rise, limit = step * _FOR_A_ZERO // 100, step * _MOST // 100
    largest, found = 0, 0
    for index in range(first, 16):
        largest = max(largest, abs(int(block[index])) * int(QUANT[qp % 6, index]))
    if largest < min(limit, lowest):
        levels[row, :] = 0
        return 0
    levels[row, 0] = 0
    for index in range(first, 16):
        at = SCAN[index]
        value = int(block[at])
        scaled = abs(value) * int(QUANT[qp % 6, at])
        level = scaled >> shift
        level += scaled - (level << shift) >= (further if level else min(limit, lowest))
        levels[row, index] = -level if value < 0 else level
        if level:
            found += 1
            lowest = step * least // 100
        else:
            lowest += rise
    return found


@narrow
def _inverse(block: I32, first: int, step: int) -> None:
    """The inverse transform of a row or column of a block, in place."""
    second, third, fourth = first + step, first + 2 * step, first + 3 * step
    e = int(block[first]) + int(block[third])
    f = int(block[first]) - int(block[third])
    g = (int(block[second]) >> 1) - int(block[fourth])
    h = int(block[second]) + (int(block[fourth]) >> 1)
    block[first] = e + h
    block[second] = f + g
    block[third] = f - g
    block[fourth] = e - h


@narrow
def restore(
    levels: I32_2D,
    row: int,
    first: int,
    constant: int,
    qp: int,
    prediction: U8,
    reconstructed: U8,
    base: int,
    stride: int,
    block: I32,
) -> None:
    """Clause 8.5.12: scale the levels from index `first` on, transform them back, and write
    prediction + residual to `reconstructed`. `constant` is the scaled DC coefficient where `first`
    is 1."""
    for index in range(16):
        at = SCAN[index]
        block[at] = (int(levels[row, index]) * int(DEQUANT[qp % 6, at])) << (qp // 6)
    if first:
        block[0] = constant
    for line in range(4):
        _inverse(block, 4 * line, 1)
    for column in range(4):
        _inverse(block, column, 4)
    for line in range(4):
        for column in range(4):
            at = base + line * stride + column
            value = int(prediction[at]) + ((int(block[4 * line + column]) + 32) >> 6)
            reconstructed[at] = min(255, max(0, value))


@narrow
def hadamard(values: I32) -> None:
    """The 4x4 Hadamard transform of values[:16], in place (8-321). Applied twice, it multiplies by
    16."""
    for step in range(2):
        along = 1 if step == 0 else 4
        across = 4 if step == 0 else 1
        for line in range(4):
            p = line * across
            a = int(values[p]) + int(values[p + along])
            b = int(values[p]) - int(values[p + along])
            c = int(values[p + 2 * along]) + int(values[p + 3 * along])
            d = int(values[p + 2 * along]) - int(values[p + 3 * along])
            values[p] = a + c
            values[p + along] = a - c
            values[p + 2 * along] = b - d
            values[p + 3 * along] = b + d


@narrow
def _of_chroma(qp: int) -> int:
    """The quantiser of chroma for that of luma, at most 35: table 8-15."""
    return qp - (qp > 29) - (qp > 33)


@narrow
def chroma_levels(original: U8, prediction: U8, levels: I32_2D, qp: int, block: I32) -> int:
    """Write the levels of both chroma planes; returns the chroma part of coded_block_pattern: 0
    none, 1 DC only, 2 DC and AC."""
    qp = _of_chroma(qp)
    shift = 16 + qp // 6
    rounding = (1 << shift) // _CONSTANT_PART
    pattern = 0
    for plane in range(2):
        base = 256 + 64 * plane
        row = CHROMA_DC + plane
        for index in range(4):
            at = base + 32 * (index >> 1) + 4 * (index & 1)
            forward(original, prediction, at, 8, block)
            levels[row, index] = block[0]
            if quantise(block, levels, _CHROMA_BLOCKS + 4 * plane + index, 1, qp, _CHROMA_LEAST):
                pattern = 2
        a, b = int(levels[row, 0]), int(levels[row, 1])
        c, d = int(levels[row, 2]), int(levels[row, 3])
        levels[row, 0] = a + b + c + d
        levels[row, 1] = a - b + c - d
        levels[row, 2] = a + b - c - d
        levels[row, 3] = a - b - c + d
        for index in range(4):
            value = int(levels[row, index])
            level = (abs(value) * int(QUANT[qp % 6, 0]) + rounding) >> shift
            levels[row, index] = -level if value < 0 else level
            if level and pattern == 0:
                pattern = 1
    return pattern


@narrow
def restore_chroma(
    pattern: int, levels: I32_2D, qp: int, prediction: U8, reconstructed: U8, block: I32
) -> None:
    """Reconstruct both chroma planes from their levels, clauses 8.5.11 and 8.5.12; `pattern` is the
    result of `chroma_levels`."""
    if pattern == 0:
        reconstructed[256:] = prediction[256:]
        return
    qp = _of_chroma(qp)
    for plane in range(2):
        row = CHROMA_DC + plane
        a, b = int(levels[row, 0]), int(levels[row, 1])
        c, d = int(levels[row, 2]), int(levels[row, 3])
        scale = int(DEQUANT[qp % 6, 0]) << (qp // 6)
        for index in range(4):
            across = -1 if index & 1 else 1
            down = -1 if index >> 1 else 1
            constant = ((a + across * b + down * c + across * down * d) * scale) >> 1
            base = 256 + 64 * plane + 32 * (index >> 1) + 4 * (index & 1)
            part = _CHROMA_BLOCKS + 4 * plane + index
            restore(levels, part, 1, constant, qp, prediction, reconstructed, base, 8, block)


@inner
def copy_prediction(
    prediction: U8, reconstructed: U8, levels: I32_2D, index: int, base: int
) -> None:
    """Reconstruct a luma block without residual."""
    for at in range(16):
        levels[index, at] = 0
        place = base + 16 * (at >> 2) + (at & 3)
        reconstructed[place] = prediction[place]
