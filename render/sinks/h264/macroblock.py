"""Codes one macroblock that is new: intra 16x16, intra 4x4, samples as they are, or a residual.

Each coder writes macroblock_layer(), clause 7.3.5, puts the picture as the decoder will have it
into tiles[mb], and what neighbours must know into around[mb]; coding again replaces all that.

The common arguments: `page` and `pen` (bits), `wanted` (384,) the tile to show, `tiles` the picture
being coded, `around` as in cavlc.py, `levels` (27, 16) and `block` (16,) scratch, `foreseen` (384,)
the prediction, `offset` what a P slice adds to the number of an intra type.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import align, put, put_signed, put_unsigned
from render.sinks.h264.cavlc import (
    AROUND,
    MODES,
    write_chroma,
    write_luma,
    write_luma_constants,
)
from render.sinks.h264.intra_modes import best_chroma, best_mode, distance_of, expected_mode
from render.sinks.h264.intra_prediction import DC, rim, shade
from render.sinks.h264.partitions import write_parts
from render.sinks.h264.residual_tables import (
    BLOCK_COLUMN,
    BLOCK_ROW,
    CBP_INTER,
    CBP_INTRA,
    DEQUANT,
    QUANT,
)
from render.sinks.h264.residual_tables import SCAN as _SCAN
from render.sinks.h264.transform import (
    LUMA_DC,
    chroma_levels,
    forward,
    quantise,
    restore,
    restore_chroma,
    square_sums,
)
from solver.jit import inner, lean

__all__ = ["code_intra4", "code_intra16", "code_parts", "code_raw", "code_residual", "forget"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

_INTRA = 3  # an intra coefficient is rounded up from the last third of a step on
_INTER = 6  # a residual between pictures from the last sixth on


@lean
def forget(around: _U8, mb: int) -> None:
    """What neighbours may assume of a macroblock without coefficients or intra 4x4 modes."""
    for index in range(AROUND):
        around[mb, index] = DC if index >= MODES else 0


@lean
def code_intra16(
    page: _U8,
    pen: _I64,
    wanted: _U8,
    tiles: _U8,
    around: _U8,
    mb: int,
    width: int,
    qp: int,
    offset: int,
    mode: int,
    levels: _I32,
    block: _I32,
    foreseen: _U8,
) -> None:
    """Intra_16x16 with luma predicted by `mode`, which stands in `foreseen` already."""
    tile = tiles[mb]
    chroma = best_chroma(wanted, tiles, mb, width, foreseen)
    forget(around, mb)
    if distance_of(wanted, foreseen, 0, 384) == 0:
        put_unsigned(page, pen, offset + 1 + mode)
        put_unsigned(page, pen, chroma)
        put_signed(page, pen, 0)  # mb_qp_delta
        for index in range(16):
            levels[LUMA_DC, index] = 0
        write_luma_constants(page, pen, levels, around, mb, width)
        for index in range(384):
            tile[index] = wanted[index]
        return
    pattern = 0
    for index in range(16):
        column, row = int(BLOCK_COLUMN[index]), int(BLOCK_ROW[index])
        forward(wanted, foreseen, 64 * row + 4 * column, 16, block)
        levels[LUMA_DC, 4 * row + column] = block[0]
        if quantise(block, levels, index, 1, qp, _INTRA):
            pattern = 15
    constants = levels[LUMA_DC]
    square_sums(constants)
    shift = 16 + qp // 6
    rounding = (1 << shift) // _INTRA
    for index in range(16):
        value = (int(constants[index]) + 1) >> 1
        level = (abs(value) * int(QUANT[qp % 6, 0]) + rounding) >> shift
        block[index] = -level if value < 0 else level
    for index in range(16):
        constants[index] = block[_SCAN[index]]
    colours = chroma_levels(wanted, foreseen, levels, qp, _INTRA, block)

    put_unsigned(page, pen, offset + 1 + mode + 4 * colours + (12 if pattern else 0))
    put_unsigned(page, pen, chroma)
    put_signed(page, pen, 0)  # mb_qp_delta
    write_luma_constants(page, pen, levels, around, mb, width)
    write_luma(page, pen, levels, 1, pattern, around, mb, width)
    write_chroma(page, pen, levels, colours, around, mb, width)

    for index in range(16):
        block[_SCAN[index]] = constants[index]
    for index in range(16):
        constants[index] = block[index]
    square_sums(constants)
    scale = 16 * int(DEQUANT[qp % 6, 0])
    for index in range(16):
        column, row = int(BLOCK_COLUMN[index]), int(BLOCK_ROW[index])
        value = int(constants[4 * row + column]) * scale
        constant = (value + (1 << (5 - qp // 6))) >> (6 - qp // 6)
        restore(levels, index, 1, constant, qp, foreseen, tile, 64 * row + 4 * column, 16, block)
    restore_chroma(levels, qp, foreseen, tile, block)


@inner
def _as_foreseen(foreseen: _U8, tile: _U8, levels: _I32, index: int, base: int) -> None:
    """A luma block without residual."""
    for at in range(16):
        levels[index, at] = 0
        place = base + 16 * (at >> 2) + (at & 3)
        tile[place] = foreseen[place]


@lean
def code_intra4(
    page: _U8,
    pen: _I64,
    wanted: _U8,
    tiles: _U8,
    around: _U8,
    mb: int,
    width: int,
    qp: int,
    offset: int,
    levels: _I32,
    block: _I32,
    foreseen: _U8,
    edge: _I32,
    shades: _I32,
) -> None:
    """Intra_4x4: each luma block predicted from the blocks before it, then its residual."""
    tile = tiles[mb]
    chroma = best_chroma(wanted, tiles, mb, width, foreseen)
    forget(around, mb)
    put_unsigned(page, pen, offset)
    weight = 1 << (qp // 6)
    pattern = 0
    for index in range(16):
        column, row = int(BLOCK_COLUMN[index]), int(BLOCK_ROW[index])
        base = 64 * row + 4 * column
        found = rim(tiles, mb, width, column, row, edge)
        expected = expected_mode(around, mb, width, column, row)
        shade(edge, found, shades)
        chosen = best_mode(wanted, shades, found, expected, foreseen, base, weight)
        mode = chosen >> 10
        around[mb, MODES + 4 * row + column] = mode
        if mode == expected:
            put(page, pen, 1, 1)
        else:
            put(page, pen, mode - 1 if mode > expected else mode, 4)
        if chosen & 1023 == 0:
            _as_foreseen(foreseen, tile, levels, index, base)
            continue
        forward(wanted, foreseen, base, 16, block)
        if quantise(block, levels, index, 0, qp, _INTRA):
            pattern |= 1 << (index >> 2)
            restore(levels, index, 0, 0, qp, foreseen, tile, base, 16, block)
        else:
            _as_foreseen(foreseen, tile, levels, index, base)
    pattern |= chroma_levels(wanted, foreseen, levels, qp, _INTRA, block) << 4
    put_unsigned(page, pen, chroma)
    put_unsigned(page, pen, int(CBP_INTRA[pattern]))
    if pattern:
        put_signed(page, pen, 0)  # mb_qp_delta
    write_luma(page, pen, levels, 0, pattern & 15, around, mb, width)
    write_chroma(page, pen, levels, pattern >> 4, around, mb, width)
    restore_chroma(levels, qp, foreseen, tile, block)


@lean
def code_raw(
    page: _U8, pen: _I64, wanted: _U8, tiles: _U8, around: _U8, mb: int, offset: int
) -> None:
    """I_PCM: the samples themselves."""
    put_unsigned(page, pen, offset + 25)
    align(page, pen)
    for index in range(384):
        put(page, pen, int(np.int64(wanted[index])), 8)
        tiles[mb, index] = wanted[index]
    for index in range(AROUND):
        around[mb, index] = DC if index >= MODES else 16


@lean
def code_residual(
    page: _U8,
    pen: _I64,
    wanted: _U8,
    tiles: _U8,
    around: _U8,
    mb: int,
    width: int,
    qp: int,
    across: int,
    down: int,
    levels: _I32,
    block: _I32,
    foreseen: _U8,
) -> None:
    """P_L0_16x16 with a residual: `foreseen` is the tile that the motion vector names, `across` and
    `down` are its mvd_l0 in quarter samples."""
    tile = tiles[mb]
    forget(around, mb)
    pattern = 0
    for index in range(16):
        base = 64 * int(BLOCK_ROW[index]) + 4 * int(BLOCK_COLUMN[index])
        forward(wanted, foreseen, base, 16, block)
        if quantise(block, levels, index, 0, qp, _INTER):
            pattern |= 1 << (index >> 2)
            restore(levels, index, 0, 0, qp, foreseen, tile, base, 16, block)
        else:
            _as_foreseen(foreseen, tile, levels, index, base)
    pattern |= chroma_levels(wanted, foreseen, levels, qp, _INTER, block) << 4
    put_unsigned(page, pen, 0)  # mb_type
    put(page, pen, 1, 1)  # ref_idx_l0: te(v) of 0 in a list of two
    put_signed(page, pen, across)
    put_signed(page, pen, down)
    put_unsigned(page, pen, int(CBP_INTER[pattern]))
    if pattern:
        put_signed(page, pen, 0)  # mb_qp_delta
    write_luma(page, pen, levels, 0, pattern & 15, around, mb, width)
    write_chroma(page, pen, levels, pattern >> 4, around, mb, width)
    restore_chroma(levels, qp, foreseen, tile, block)


@lean
def code_parts(
    page: _U8,
    pen: _I64,
    wanted: _U8,
    tiles: _U8,
    around: _U8,
    grid: _I32,
    mb: int,
    width: int,
    qp: int,
    kind: int,
    split: int,
    copied: int,
    table: _I32,
    levels: _I32,
    block: _I32,
    foreseen: _U8,
) -> None:
    """A macroblock put together from parts (see parts.py), which stand in `foreseen`: with a
    residual but for the luma of the quarters named by the bits of `copied`, if these aren't all."""
    tile = tiles[mb]
    forget(around, mb)
    pattern = 0
    for index in range(16):
        base = 64 * int(BLOCK_ROW[index]) + 4 * int(BLOCK_COLUMN[index])
        if copied >> (index >> 2) & 1:
            _as_foreseen(foreseen, tile, levels, index, base)
            continue
        forward(wanted, foreseen, base, 16, block)
        if quantise(block, levels, index, 0, qp, _INTER):
            pattern |= 1 << (index >> 2)
            restore(levels, index, 0, 0, qp, foreseen, tile, base, 16, block)
        else:
            _as_foreseen(foreseen, tile, levels, index, base)
    if copied == 15:
        for index in range(256, 384):
            tile[index] = foreseen[index]
    else:
        pattern |= chroma_levels(wanted, foreseen, levels, qp, _INTER, block) << 4
    write_parts(page, pen, grid, mb, width, kind, split, table, pattern)
    if pattern:
        put_signed(page, pen, 0)  # mb_qp_delta
    write_luma(page, pen, levels, 0, pattern & 15, around, mb, width)
    write_chroma(page, pen, levels, pattern >> 4, around, mb, width)
    if copied != 15:
        restore_chroma(levels, qp, foreseen, tile, block)
