"""Codes one macroblock without other pictures: as Intra_16x16, Intra_4x4 or I_PCM.

Each function writes macroblock_layer(), clause 7.3.5, the decoded macroblock to current[mb], and
the data for its neighbours to neighbours[mb]; coding it again replaces all of these. `qp` is the
quantiser; `offset` is added to mb_type, 5 in P slices.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.bits import align, put, put_quantiser, put_unsigned
from undoku.h264.cavlc import (
    MODES,
    NEIGHBOUR_BYTES,
    write_chroma,
    write_luma,
    write_luma_constants,
)
from undoku.h264.intra_modes import (
    best_chroma,
    distance_of,
    expected_mode,
    nearest_mode,
    predict_block,
)
from undoku.h264.intra_prediction import DC, copy_edge, fill_predictors
from undoku.h264.macroblock import MacroblockArrays, clear_neighbours, copy_prediction
from undoku.h264.residual_tables import BLOCK_COLUMN, BLOCK_ROW, CBP_INTRA, DEQUANT, QUANT
from undoku.h264.residual_tables import SCAN as _SCAN
from undoku.h264.transform import (
    LUMA_DC,
    chroma_levels,
    forward,
    hadamard,
    quantise,
    restore,
    restore_chroma,
)
from undoku.machine_code.jit import lean

__all__ = ["code_intra4", "code_intra16", "code_pcm"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]

_INTRA = 55  # percent of a step from which on an intra coefficient becomes a level of 1
_CONSTANT_PART = 4  # a luma DC of Intra_16x16 is rounded up in the last quarter of a step


@lean
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
        for index in range(16):
            levels[LUMA_DC, index] = 0
        write_luma_constants(rbsp, cursor, levels, neighbours, mb, width)
        for index in range(384):
            reconstructed[index] = original[index]
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
    for index in range(16):
        constants[index] = block[index]
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
    restore_chroma(levels, qp, prediction, reconstructed, block)


@lean
def code_intra4(
    work: MacroblockArrays, mb: int, width: int, qp: int, offset: int, edge: _I32, predictors: _I32
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
    restore_chroma(levels, qp, prediction, reconstructed, block)


@lean
def code_pcm(work: MacroblockArrays, mb: int, offset: int) -> None:
    """Code as I_PCM: the samples themselves, uncompressed."""
    rbsp, cursor, original = work.rbsp, work.cursor, work.original
    current, neighbours = work.current, work.neighbours
    put_unsigned(rbsp, cursor, offset + 25)
    align(rbsp, cursor)
    for index in range(384):
        put(rbsp, cursor, int(np.int64(original[index])), 8)
        current[mb, index] = original[index]
    for index in range(NEIGHBOUR_BYTES):
        neighbours[mb, index] = DC if index >= MODES else 16
