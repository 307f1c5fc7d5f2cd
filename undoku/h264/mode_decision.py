"""Mode decision: codes a macroblock without an exact match in the mode with the fewest bits.

The shortest coding so far is saved while other modes are tried. All of them write from the same
position of the cursor, so a coding can be put back by copying its bytes; coding the macroblock
again would take many times as long.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.bits import position_of, rewind, written
from undoku.h264.canvas import DeferredCanvas, take_original
from undoku.h264.cavlc import NEIGHBOUR_BYTES
from undoku.h264.encoder_arrays import (
    BYTE,
    CODED,
    COLUMNS,
    COPIED,
    CURSOR,
    MUCH_NEW,
    PCM,
    QP,
    WIDTH,
    MacroblockArrays,
    Pictures,
    Plan,
    SavedCoding,
    Scratch,
)
from undoku.h264.intra_prediction import PREDICTORS, best_luma, is_even
from undoku.h264.loops import I32, I32_2D, I64, U8, U8_2D, inner
from undoku.h264.macroblock_coding import code_intra4, code_intra16, code_partitions, code_pcm
from undoku.h264.motion_candidates import (
    LEFT_OVER,
    SINGLE,
    SPLIT,
    TOO_FAR,
    begin_candidates,
    collect_exact,
)
from undoku.h264.motion_vectors import BLOCK_VECTORS, INTRA, MV_X, MV_Y, REF_IDX, set_vector
from undoku.h264.nearest_candidates import collect_nearest, collect_whole
from undoku.h264.partitions import (
    choose_partitions,
    predict_partitions,
    uncopied_blocks,
    vectors_left,
)
from undoku.h264.previous_picture import gather_surroundings, mark_coded
from undoku.h264.quantiser_control import note_error, squared_error

MAX_CODING_BYTES = 4096
"""More than the bytes of any macroblock: 384 levels of at most 28 bits, their tokens and zeros, and
16 vectors."""

_VECTORS = 16


def empty_coding() -> SavedCoding:
    """The arrays for one coding."""
    return SavedCoding(
        bytes=np.zeros(MAX_CODING_BYTES, np.uint8),
        samples=np.zeros(384, np.uint8),
        neighbours=np.zeros(NEIGHBOUR_BYTES, np.uint8),
        cursor=np.zeros(CURSOR, np.int64),
        motion=np.zeros(3 + _VECTORS, np.int32),
    )


@inner
def save_coding(mb: int, start: int, plan: Plan, pictures: Pictures, saved: SavedCoding) -> None:
    """Save what was written for `mb`, from byte `start` of the picture on, to `saved`."""
    rbsp, cursor, grid = pictures.rbsp, plan.registers, plan.grid
    count = int(cursor[BYTE]) - start
    saved.cursor[:] = cursor[:CURSOR]
    saved.bytes[:count] = rbsp[start : start + count]
    saved.samples[:] = pictures.decoded.current[mb]
    saved.neighbours[:] = pictures.neighbours[mb]
    motion = saved.motion
    motion[0], motion[1], motion[2] = grid[REF_IDX, mb], grid[MV_X, mb], grid[MV_Y, mb]
    for index in range(_VECTORS):
        motion[3 + index] = grid[BLOCK_VECTORS + index, mb]


@inner
def restore_coding(mb: int, start: int, plan: Plan, pictures: Pictures, saved: SavedCoding) -> None:
    """Put back what `save_coding` saved for `mb`."""
    rbsp, cursor, grid = pictures.rbsp, plan.registers, plan.grid
    cursor[:CURSOR] = saved.cursor
    count = int(cursor[BYTE]) - start
    rbsp[start : start + count] = saved.bytes[:count]
    pictures.decoded.current[mb] = saved.samples
    pictures.neighbours[mb] = saved.neighbours
    _restore_motion(grid, mb, saved.motion)


@inner
def _restore_motion(grid: I32_2D, mb: int, motion: I32) -> None:
    grid[REF_IDX, mb], grid[MV_X, mb], grid[MV_Y, mb] = motion[0], motion[1], motion[2]
    for index in range(_VECTORS):
        grid[BLOCK_VECTORS + index, mb] = motion[3 + index]


_CHEAP = 96  # bits up to which no other mode is tried
_A_BIT = 16  # a distance of intra prediction that takes a bit or more
_MAX_BITS = 3100  # a macroblock may have 3200, clause A.3.1
_FAR = 4  # a prediction whose distance is this many times another's is not tried
_FLAT = 40  # bits up to which no vector is searched for if intra prediction leaves no luma residual
_AFTER_INTER = 5  # the first mb_type of intra macroblocks in P pictures
_INTRA16, _INTRA4, _PARTS, _FINER = range(4)


@inner
def _take(canvas: DeferredCanvas, mb: int, registers: I64, current: U8_2D, samples: U8) -> None:
    """Write the samples of `mb` to samples[768:1152]. The atlas is not visible: in a key frame it
    repeats the last column of the picture, which takes very few bits."""
    if mb % registers[WIDTH] < registers[COLUMNS]:
        take_original(canvas, mb, registers, samples)
    else:
        original = samples[768:1152]
        for index in range(384):
            original[index] = current[mb - 1, index | (15 if index < 256 else 7)]


@inner
def _one_bit(mask: int) -> bool:
    return mask != 0 and mask & (mask - 1) == 0


@inner
def _fitting(split: int, grid: I32_2D, mb: int) -> int:
    """The quarters of `split`, reduced to as many as the limit of vectors allows."""
    room = vectors_left(grid, mb) - 4
    for quarter in range(4):
        if split >> quarter & 1:
            if room < 3:
                split &= ~(1 << quarter)
            room -= 3
    return split


@inner
def _likely_intra(luma: int, work: MacroblockArrays) -> int:
    """The intra mode that is likely shorter, the only one that is tried; `luma` is the result of
    `best_luma`, whose prediction `work` has."""
    return _INTRA16 if luma >> 2 == 0 or is_even(work.original, work.prediction) else _INTRA4


@inner
def _code_intra(
    way: int, work: MacroblockArrays, mb: int, offset: int, mode: int, plan: Plan, numbers: I32
) -> None:
    """Code as Intra_16x16 with this luma `mode`, which `work` has the prediction of, or as
    Intra_4x4."""
    width, qp = int(plan.registers[WIDTH]), int(plan.registers[QP])
    if way == _INTRA16:
        code_intra16(work, mb, width, qp, offset, mode)
    else:
        predictors = numbers[32 : 32 + PREDICTORS]
        code_intra4(work, mb, width, qp, offset, numbers[16:32], predictors)
    set_vector(plan.grid, mb, 0, 0, INTRA)


@inner
def code_macroblock(
    canvas: DeferredCanvas, mb: int, key: bool, plan: Plan, pictures: Pictures, scratch: Scratch
) -> None:
    """Code a macroblock without an exact match: in a P picture by inter prediction from partitions
    or by intra prediction, whichever is shorter; in a key frame by intra prediction; as I_PCM if
    everything else exceeds the bits that a macroblock may take. Its error is noted."""
    registers, decoded = plan.registers, pictures.decoded
    samples, width = scratch.samples, int(registers[WIDTH])
    work = scratch.work
    mark_coded(decoded, mb)
    position, start = position_of(registers), written(registers)
    if key:
        _take(canvas, mb, registers, work.current, samples)
        luma = best_luma(work.original, work.current, mb, width, work.prediction)
        way = _likely_intra(luma, work)
        _code_intra(way, work, mb, 0, luma & 3, plan, scratch.numbers)
    else:
        _code_shortest(canvas, mb, work, plan, pictures, scratch)
    if written(registers) - start > _MAX_BITS:
        rewind(registers, position)
        code_pcm(work, mb, 0 if key else _AFTER_INTER)
        set_vector(plan.grid, mb, 0, 0, INTRA)
        registers[PCM] += 1
    error = 0
    if mb % width < registers[COLUMNS]:
        error = squared_error(work.original, decoded.current[mb])
    decoded.coded_errors[mb] = error
    note_error(error, registers)


@inner
def _nearest_intra(
    canvas: DeferredCanvas,
    mb: int,
    work: MacroblockArrays,
    plan: Plan,
    pictures: Pictures,
    samples: U8,
) -> int:
    """`best_luma` of a macroblock of a P picture."""
    width = int(plan.registers[WIDTH])
    gather_surroundings(pictures.decoded, mb, width)
    take_original(canvas, mb, plan.registers, samples)
    return best_luma(work.original, work.current, mb, width, work.prediction)


@inner
def _code_shortest(
    canvas: DeferredCanvas,
    mb: int,
    work: MacroblockArrays,
    plan: Plan,
    pictures: Pictures,
    scratch: Scratch,
) -> None:
    """Code a macroblock of a P picture in the mode with the fewest bits."""
    registers, grid, decoded = plan.registers, plan.grid, pictures.decoded
    samples, candidates = scratch.samples, scratch.numbers[32 + PREDICTORS :]
    original, prediction = work.original, work.prediction
    width, qp = int(registers[WIDTH]), int(registers[QP])
    position, byte, start = position_of(registers), int(registers[BYTE]), written(registers)
    begin_candidates(mb, plan, candidates)
    single, split, kind, picked, luma = 0, 0, 0, 0, 0
    # Where much is new, one vector for the macroblock is searched for before anything else.
    much, searched = registers[MUCH_NEW] != 0, False
    if much:
        luma = _nearest_intra(canvas, mb, work, plan, pictures, samples)
        if luma >> 2:
            searched = collect_whole(mb, plan, pictures, original, luma >> 2, candidates)
    if not searched:
        collect_exact(canvas, mb, plan, pictures, samples, candidates)
        single, split = int(candidates[SINGLE]), _fitting(int(candidates[SPLIT]), grid, mb)
        if single | split == 15:
            # A macroblock copied by short vectors alone is not tried in other modes.
            kind = choose_partitions(grid, mb, width, 0, split, candidates)
            picked = _FINER if split else _PARTS
            if kind >> 2 <= _CHEAP:
                take_original(canvas, mb, registers, samples)
                predict_partitions(mb, width, grid, decoded, prediction)
                code_partitions(work, grid, mb, width, qp, kind & 3, split, 15, candidates)
                registers[COPIED] += 1
                registers[CODED] -= 1
                return
    if not much:
        luma = _nearest_intra(canvas, mb, work, plan, pictures, samples)
    intra = _likely_intra(luma, work)
    if luma >> 2 == 0:
        _code_intra(_INTRA16, work, mb, _AFTER_INTER, luma & 3, plan, scratch.numbers)
        if written(registers) - start <= _FLAT:
            return
        rewind(registers, position)
    if not searched:
        collect_nearest(mb, plan, pictures, original, luma >> 2, candidates)
    near = candidates[LEFT_OVER] < TOO_FAR
    single, split = int(candidates[SINGLE]), _fitting(int(candidates[SPLIT]), grid, mb)
    first, last = intra, _FINER if split else _PARTS
    if single | split == 15:
        first = last if kind >> 2 <= (luma >> 2) // _A_BIT else first
    elif not near:
        last = intra
    elif _one_bit(~(single | split) & 15) or _FAR * candidates[LEFT_OVER] <= luma >> 2:
        first = _PARTS  # three quarters are copied, or inter prediction is much nearer
    shortest = 1 << 30
    choice = coded = first
    for way in range(first, last + 1):
        if way == _INTRA16 + _INTRA4 - intra or (way == _PARTS and not near):
            continue
        if shortest < 1 << 30:
            rewind(registers, position)
        coded = way
        if way >= _PARTS:
            fine = split if way == _FINER else 0
            if picked != way:
                opened = uncopied_blocks(single | fine)
                kind, picked = choose_partitions(grid, mb, width, opened, fine, candidates), way
            predict_partitions(mb, width, grid, decoded, prediction)
            code_partitions(work, grid, mb, width, qp, kind & 3, fine, single | fine, candidates)
        else:
            if way == _INTRA16:
                luma = best_luma(original, work.current, mb, width, prediction)
            _code_intra(way, work, mb, _AFTER_INTER, luma & 3, plan, scratch.numbers)
        length = written(registers) - start
        if length < shortest:
            shortest, choice = length, way
            if way < last:
                save_coding(mb, byte, plan, pictures, scratch.saved)
    if coded != choice:
        restore_coding(mb, byte, plan, pictures, scratch.saved)
    if choice >= _PARTS and single | (split if choice == _FINER else 0) == 15:
        registers[COPIED] += 1
        registers[CODED] -= 1
