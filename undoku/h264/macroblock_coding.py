"""Codes one macroblock: by inter prediction, with a residual, or without other pictures, as
Intra_16x16, Intra_4x4 or I_PCM.

Each function writes macroblock_layer(), clause 7.3.5, the decoded macroblock to current[mb], and
the data for its neighbours to neighbours[mb]; coding it again replaces all of these. `qp` is the
quantiser; `offset` is added to mb_type, 5 in P slices.
"""

from __future__ import annotations

from undoku.h264.bits import align, put, put_quantiser, put_unsigned
from undoku.h264.cavlc import (
    CBP_INTRA,
    MODES,
    NEIGHBOUR_BYTES,
    write_chroma,
    write_luma,
    write_luma_constants,
)
from undoku.h264.encoder_arrays import MacroblockArrays
from undoku.h264.intra_prediction import (
    DC,
    best_chroma,
    clear_neighbours,
    copy_edge,
    distance_of,
    expected_mode,
    fill_predictors,
    nearest_mode,
    predict_block,
)
from undoku.h264.loops import I32, I32_2D, U8, inner
from undoku.h264.partitions import write_partitions
from undoku.h264.transform import (
    BLOCK_COLUMN,
    BLOCK_ROW,
    DEQUANT,
    LUMA_DC,
    QUANT,
    chroma_levels,
    copy_prediction,
    forward,
    hadamard,
    quantise,
    restore,
    restore_chroma,
)
from undoku.h264.transform import SCAN as _SCAN

_INTER = 65  # percent of a step from which on an inter coefficient becomes a level: more are single
_MIN_POINTS_OF_QUARTER, _MIN_POINTS = 4, 6  # points of an inter residual, below which it is dropped


@inner
def _coded_quarters(
    original: U8, prediction: U8, levels: I32_2D, qp: int, copied: int, block: I32
) -> int:
    """Quantise the luma residual of the quarters that aren't in the bits of `copied`; returns the
    quarters whose residual is coded. Like the reference software (JM), it drops the residual of a
    quarter with less than 4 points, and that of the macroblock with less than 6."""
    found, points = 0, 0
    for quarter in range(4):
        if copied >> quarter & 1:
            continue
        own = 0
        for index in range(4 * quarter, 4 * quarter + 4):
            base = 64 * int(BLOCK_ROW[index]) + 4 * int(BLOCK_COLUMN[index])
            forward(original, prediction, base, 16, block)
            if quantise(block, levels, index, 0, qp, _INTER):
                own += _points(levels, index)
        if own >= _MIN_POINTS_OF_QUARTER:
            found |= 1 << quarter
            points += own
    return found if points >= _MIN_POINTS else 0


@inner
def _points(levels: I32_2D, row: int) -> int:
    """The points of a block's levels: 3 for a level of ±1 that directly follows another or comes
    first, fewer after more zeros, and a large number for a larger level."""
    found, run = 0, 0
    for index in range(16):
        level = abs(int(levels[row, index]))
        if level > 1:
            return _MIN_POINTS
        if level:
            found += 3 if run == 0 else 2 if run <= 2 else 1 if run <= 5 else 0
            run = 0
        else:
            run += 1
    return found


@inner
def code_partitions(
    work: MacroblockArrays,
    grid: I32_2D,
    mb: int,
    width: int,
    qp: int,
    kind: int,
    split: int,
    copied: int,
    candidates: I32,
) -> None:
    """Code by inter prediction from partitions (see partitions.py), which the caller has written to
    `prediction`. It has a residual, except for the luma of the quarters in the bits of `copied`,
    and none at all if these are all quarters."""
    rbsp, cursor, original, current, neighbours, levels, block, prediction = work
    reconstructed = current[mb]
    clear_neighbours(neighbours, mb)
    pattern = _coded_quarters(original, prediction, levels, qp, copied, block)
    for index in range(16):
        base = 64 * int(BLOCK_ROW[index]) + 4 * int(BLOCK_COLUMN[index])
        if pattern >> (index >> 2) & 1:
            restore(levels, index, 0, 0, qp, prediction, reconstructed, base, 16, block)
        else:
            copy_prediction(prediction, reconstructed, levels, index, base)
    if copied != 15:
        pattern |= chroma_levels(original, prediction, levels, qp, block) << 4
    write_partitions(rbsp, cursor, grid, mb, width, kind, split, candidates, pattern)
    if pattern:
        put_quantiser(rbsp, cursor, qp)
    write_luma(rbsp, cursor, levels, 0, pattern & 15, neighbours, mb, width)
    write_chroma(rbsp, cursor, levels, pattern >> 4, neighbours, mb, width)
    restore_chroma(pattern >> 4, levels, qp, prediction, reconstructed, block)


_INTRA = 55  # percent of a step from which on an intra coefficient becomes a level of 1
_CONSTANT_PART = 4  # a luma DC of Intra_16x16 is rounded up in the last quarter of a step


@inner
def code_intra16(
    work: MacroblockArrays, mb: int, width: int, qp: int, offset: int, mode: int
) -> None:
    """Code as Intra_16x16, with luma predicted by `mode`; the caller has written it to
    `prediction`."""
    rbsp, cursor, original, current, neighbours, levels, block, prediction = work
    reconstructed = current[mb]
    chroma = best_chroma(original, current, mb, width, prediction)
    clear_neighbours(neighbours, mb)
    if distance_of(original, prediction, 0, 384) == 0:
        put_unsigned(rbsp, cursor, offset + 1 + mode)
        put_unsigned(rbsp, cursor, chroma)
        put_quantiser(rbsp, cursor, qp)
        levels[LUMA_DC, :] = 0
        write_luma_constants(rbsp, cursor, levels, neighbours, mb, width)
        reconstructed[:] = original
        return
    pattern = 0
    for index in range(16):
        column, row = int(BLOCK_COLUMN[index]), int(BLOCK_ROW[index])
        forward(original, prediction, 64 * row + 4 * column, 16, block)
        levels[LUMA_DC, 4 * row + column] = block[0]
        if quantise(block, levels, index, 1, qp, _INTRA):
            pattern = 15
    constants = levels[LUMA_DC]
    hadamard(constants)
    shift = 16 + qp // 6
    rounding = (1 << shift) // _CONSTANT_PART
    for index in range(16):
        value = (int(constants[index]) + 1) >> 1
        level = (abs(value) * int(QUANT[qp % 6, 0]) + rounding) >> shift
        block[index] = -level if value < 0 else level
    for index in range(16):
        constants[index] = block[_SCAN[index]]
    colours = chroma_levels(original, prediction, levels, qp, block)

    put_unsigned(rbsp, cursor, offset + 1 + mode + 4 * colours + (12 if pattern else 0))
    put_unsigned(rbsp, cursor, chroma)
    put_quantiser(rbsp, cursor, qp)
    write_luma_constants(rbsp, cursor, levels, neighbours, mb, width)
    write_luma(rbsp, cursor, levels, 1, pattern, neighbours, mb, width)
    write_chroma(rbsp, cursor, levels, colours, neighbours, mb, width)

    for index in range(16):
        block[_SCAN[index]] = constants[index]
    constants[:16] = block[:16]
    hadamard(constants)
    scale = 16 * int(DEQUANT[qp % 6, 0])
    for index in range(16):
        column, row = int(BLOCK_COLUMN[index]), int(BLOCK_ROW[index])
        value = int(constants[4 * row + column]) * scale
        constant = (value + (1 << (5 - qp // 6))) >> (6 - qp // 6)
        restore(
            levels,
            index,
            1,
            constant,
            qp,
            prediction,
            reconstructed,
            64 * row + 4 * column,
            16,
            block,
        )
    restore_chroma(colours, levels, qp, prediction, reconstructed, block)


@inner
def code_intra4(
    work: MacroblockArrays, mb: int, width: int, qp: int, offset: int, edge: I32, predictors: I32
) -> None:
    """Code as Intra_4x4: each luma block is predicted from earlier blocks, then its residual is
    coded."""
    rbsp, cursor, original, current, neighbours, levels, block, prediction = work
    reconstructed = current[mb]
    chroma = best_chroma(original, current, mb, width, prediction)
    clear_neighbours(neighbours, mb)
    put_unsigned(rbsp, cursor, offset)
    weight = 1 << (qp // 6)
    pattern = 0
    for index in range(16):
        column, row = int(BLOCK_COLUMN[index]), int(BLOCK_ROW[index])
        base = 64 * row + 4 * column
        found = copy_edge(current, mb, width, column, row, edge)
        expected = expected_mode(neighbours, mb, width, column, row)
        fill_predictors(edge, found, predictors)
        mode = nearest_mode(original, predictors, found, expected, base, weight, block)
        neighbours[mb, MODES + 4 * row + column] = mode
        if mode == expected:
            put(rbsp, cursor, 1, 1)
        else:
            put(rbsp, cursor, mode - 1 if mode > expected else mode, 4)
        levels_found = 0
        if predict_block(original, predictors, mode, prediction, base):
            forward(original, prediction, base, 16, block)
            levels_found = quantise(block, levels, index, 0, qp, _INTRA)
        if levels_found:
            pattern |= 1 << (index >> 2)
            restore(levels, index, 0, 0, qp, prediction, reconstructed, base, 16, block)
        else:
            copy_prediction(prediction, reconstructed, levels, index, base)
    pattern |= chroma_levels(original, prediction, levels, qp, block) << 4
    put_unsigned(rbsp, cursor, chroma)
    put_unsigned(rbsp, cursor, int(CBP_INTRA[pattern]))
    if pattern:
        put_quantiser(rbsp, cursor, qp)
    write_luma(rbsp, cursor, levels, 0, pattern & 15, neighbours, mb, width)
    write_chroma(rbsp, cursor, levels, pattern >> 4, neighbours, mb, width)
    restore_chroma(pattern >> 4, levels, qp, prediction, reconstructed, block)


@inner
def code_pcm(work: MacroblockArrays, mb: int, offset: int) -> None:
    """Code as I_PCM: the samples themselves, uncompressed."""
    rbsp, cursor, original = work.rbsp, work.cursor, work.original
    current, neighbours = work.current, work.neighbours
    put_unsigned(rbsp, cursor, offset + 25)
    align(rbsp, cursor)
    for index in range(384):
        put(rbsp, cursor, int(original[index]), 8)
        current[mb, index] = original[index]
    for index in range(NEIGHBOUR_BYTES):
        neighbours[mb, index] = DC if index >= MODES else 16
