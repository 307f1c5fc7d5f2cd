"""Codes one macroblock by inter prediction, with a residual.

`code_partitions` writes macroblock_layer(), clause 7.3.5, the decoded macroblock to current[mb],
and the data for its neighbours to neighbours[mb]; coding it again replaces all of these. `qp` is
the quantiser.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.bits import put_quantiser
from undoku.h264.cavlc import write_chroma, write_luma
from undoku.h264.macroblock import MacroblockArrays, clear_neighbours, copy_prediction
from undoku.h264.partitions import write_partitions
from undoku.h264.residual_tables import BLOCK_COLUMN, BLOCK_ROW
from undoku.h264.transform import chroma_levels, forward, quantise, restore, restore_chroma
from undoku.machine_code.jit import inner, lean

__all__ = ["code_partitions"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]

_INTER = 65  # percent of a step from which on an inter coefficient becomes a level: more are single
_MIN_POINTS_OF_QUARTER, _MIN_POINTS = 4, 6  # points of an inter residual, below which it is dropped


@inner
def _coded_quarters(
    original: _U8, prediction: _U8, levels: _I32, qp: int, copied: int, block: _I32
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
def _points(levels: _I32, row: int) -> int:
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


@lean
def code_partitions(
    work: MacroblockArrays,
    grid: _I32,
    mb: int,
    width: int,
    qp: int,
    kind: int,
    split: int,
    copied: int,
    candidates: _I32,
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
    if copied == 15:
        for index in range(256, 384):
            reconstructed[index] = prediction[index]
    else:
        pattern |= chroma_levels(original, prediction, levels, qp, block) << 4
    write_partitions(rbsp, cursor, grid, mb, width, kind, split, candidates, pattern)
    if pattern:
        put_quantiser(rbsp, cursor, qp)
    write_luma(rbsp, cursor, levels, 0, pattern & 15, neighbours, mb, width)
    write_chroma(rbsp, cursor, levels, pattern >> 4, neighbours, mb, width)
    if copied != 15:
        restore_chroma(levels, qp, prediction, reconstructed, block)
