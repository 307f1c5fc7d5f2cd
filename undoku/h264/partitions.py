"""Inter prediction of a macroblock without an exact match, by partitions.

A partition is a macroblock, one of its halves, a quarter, or a 4x4 block, with one vector. Vectors
of exact matches are multiples of 4 samples, so that chroma is copied without interpolation. A
partition without an exact match is predicted by the nearest candidate, at any whole sample, and has
a residual. `candidates` is that of motion_candidates.py.
"""

from __future__ import annotations

from undoku.h264.bits import put, put_signed, put_unsigned, signed_length
from undoku.h264.cavlc import CBP_INTER
from undoku.h264.encoder_arrays import DecodedPictures
from undoku.h264.loops import I32, I32_2D, I64, U8, inner
from undoku.h264.motion_candidates import (
    COUNT,
    EXACT,
    NEAR,
    PICKED,
    VECTORS_X,
    VECTORS_Y,
    blocks_of,
)
from undoku.h264.motion_search import copy_block
from undoku.h264.motion_vectors import (
    BLOCK_VECTORS,
    MIXED,
    MOVED,
    MV_X,
    NO_PART,
    REF_IDX,
    STILL,
    down_of,
    index_of,
    packed,
    predict_partition,
    right_of,
    set_vector,
)

_WHOLE, _HIGH_HALVES, _WIDE_HALVES, _QUARTERS = range(4)

_OF_TYPES = (1, 3, 3, 9)
"""The bits of the types of a macroblock of each kind and of its quarters."""
_NONE = 1 << 30
_FOR_MOVED = 4
"""Bits by which MOVED must be shorter than STILL where a residual follows: with STILL, the
neighbours that do not change can be skipped."""
_MAX_VECTORS = 16  # in two consecutive macroblocks: MaxMvsPer2Mb, table A-1


@inner
def _parts_of(kind: int) -> int:
    return 1 if kind == _WHOLE else 4 if kind == _QUARTERS else 2


@inner
def _corner(kind: int, part: int) -> int:
    """The number of the first 4x4 block of a part, row by row."""
    if kind == _QUARTERS:
        return 2 * (part & 1) + 8 * (part >> 1)
    return 2 * part if kind == _WIDE_HALVES else 8 * part


@inner
def _size(kind: int) -> int:
    """The size of the parts of a kind, in 4x4 blocks: 16 * across + down."""
    return 16 * (4 if kind < _WIDE_HALVES else 2) + (2 if kind & 1 else 4)


@inner
def _decide(grid: I32_2D, mb: int, place: int, size: int, value: int) -> None:
    for line in range(place, place + 4 * (size & 15), 4):
        for at in range(line, line + (size >> 4)):
            grid[BLOCK_VECTORS + at, mb] = value


@inner
def _pick_part(
    grid: I32_2D,
    mb: int,
    width: int,
    slot: int,
    place: int,
    size: int,
    index: int,
    need: int,
    opened: int,
    candidates: I32,
) -> int:
    """Choose the vector with the fewest bits for the part that begins at the 4x4 block `place`;
    `size` is 16 * across + down in such blocks. It must predict all blocks of `need` exactly, or be
    the nearest for those of them in `opened`. Returns its bits, _NONE if there is none."""
    least, best = _NONE, NO_PART
    right, down = predict_partition(
        grid, mb, width, index, place & 3, place >> 2, size >> 4, size & 15
    )
    for at in range(candidates[COUNT]):
        if (candidates[EXACT + at] & ~opened | candidates[NEAR + at] & opened) & need != need:
            continue
        to_right, to_down = int(candidates[VECTORS_X + at]), int(candidates[VECTORS_Y + at])
        bits = signed_length(4 * (to_right - right)) + signed_length(4 * (to_down - down))
        if bits < least:
            least, best = bits, packed(to_right, to_down, index)
            if bits == 2:
                break  # equal to the predicted vector: none is shorter
    candidates[PICKED + slot] = best
    if best >= 0:
        _decide(grid, mb, place, size, best)
    return least


@inner
def _pick_fours(
    grid: I32_2D, mb: int, width: int, quarter: int, index: int, candidates: I32
) -> int:
    """Choose the vectors of the 4x4 blocks of a quarter; returns their bits."""
    bits = 4  # the additional bits of sub_mb_type
    for block in range(4):
        place = 8 * (quarter >> 1) + 2 * (quarter & 1) + 4 * (block >> 1) + (block & 1)
        slot = 4 * quarter + block
        bits += _pick_part(grid, mb, width, slot, place, 0x11, index, 1 << place, 0, candidates)
    return bits


@inner
def _pick(
    grid: I32_2D, mb: int, width: int, kind: int, opened: int, split: int, candidates: I32
) -> int:
    """Choose the vectors of all parts of a kind; returns the bits of the macroblock without its
    residual, _NONE or more if the kind isn't possible."""
    for block in range(16):
        grid[BLOCK_VECTORS + block, mb] = NO_PART
    bits = _OF_TYPES[kind] + 1
    size = _size(kind)
    for part in range(_parts_of(kind)):
        place = _corner(kind, part)
        need = (0xFFFF, 0xFF << 8 * part, 0x3333 << 2 * part, blocks_of(part))[kind]
        fine = kind == _QUARTERS and split >> part & 1
        least, best = _NONE, MOVED
        for turn in range(3):
            # Tries both indices, then the better one again unless it was the last.
            index = best if turn == 2 else STILL if turn == 0 else MOVED
            if turn == 2 and best == MOVED:
                break
            _decide(grid, mb, place, size, NO_PART)
            if fine:
                more = _pick_fours(grid, mb, width, part, index, candidates)
            else:
                more = _pick_part(
                    grid, mb, width, 4 * part, place, size, index, need, opened, candidates
                )
            if more + (_FOR_MOVED if index == MOVED and opened else 0) < least or (
                more == least and index == MOVED and not opened
            ):
                least, best = more, index
            if more == 2:
                break
        bits += 1 + least
        if least >= _NONE:
            break
    return bits


@inner
def choose_partitions(
    grid: I32_2D, mb: int, width: int, opened: int, split: int, candidates: I32
) -> int:
    """Choose the partitions with the fewest bits; returns 4 * their bits (without a residual) +
    their kind, and writes their vectors to `candidates`. Quarters in `split` are divided into 4x4
    blocks; blocks in `opened` may be predicted by the nearest candidate."""
    least, best, last = _NONE, _QUARTERS, _QUARTERS
    for kind in range(_QUARTERS if split else 0, 4):
        # Each part takes three bits or more.
        if _OF_TYPES[kind] + 1 + 3 * _parts_of(kind) >= least:
            continue
        bits, last = _pick(grid, mb, width, kind, opened, split, candidates), kind
        if bits < least:
            least, best = bits, kind
    if best != last:
        _pick(grid, mb, width, best, opened, split, candidates)
    return 4 * least + best


@inner
def uncopied_blocks(copied: int) -> int:
    """The blocks of the quarters that are not in `copied`, one bit each."""
    opened = 0
    for quarter in range(4):
        if copied >> quarter & 1 == 0:
            opened |= blocks_of(quarter)
    return opened


@inner
def vectors_left(grid: I32_2D, mb: int) -> int:
    """The number of vectors that a macroblock may have, so that the limit of the level holds
    together with the previous macroblock and with the next one, which may need four."""
    before = 1
    if mb and grid[REF_IDX, mb - 1] == MIXED:
        before = int(grid[MV_X, mb - 1])
    return min(_MAX_VECTORS - before, _MAX_VECTORS - 4)


@inner
def predict_partitions(
    mb: int, width: int, grid: I32_2D, decoded: DecodedPictures, prediction: U8
) -> None:
    """Write to prediction (384,) the samples of the previous picture to which the vectors of `mb`
    point."""
    for at in range(16):
        part = int(grid[BLOCK_VECTORS + at, mb])
        x = 16 * (mb % width) + 4 * (at & 3) + right_of(part)
        y = 16 * (mb // width) + 4 * (at >> 2) + down_of(part)
        copy_block(decoded, width, x, y, at, prediction)


@inner
def _write_vector(
    rbsp: U8, cursor: I64, grid: I32_2D, mb: int, width: int, place: int, size: int, one: int
) -> None:
    """Write mvd_l0 of a part, and record its vector in `grid`."""
    right, down = predict_partition(
        grid, mb, width, index_of(one), place & 3, place >> 2, size >> 4, size & 15
    )
    put_signed(rbsp, cursor, 4 * (right_of(one) - right))
    put_signed(rbsp, cursor, 4 * (down_of(one) - down))
    _decide(grid, mb, place, size, one)


@inner
def write_partitions(
    rbsp: U8,
    cursor: I64,
    grid: I32_2D,
    mb: int,
    width: int,
    kind: int,
    split: int,
    candidates: I32,
    pattern: int,
) -> None:
    """Write mb_pred() or sub_mb_pred() of a P macroblock, clauses 7.3.5.1 and 7.3.5.2, and its
    coded_block_pattern."""
    for block in range(16):
        grid[BLOCK_VECTORS + block, mb] = NO_PART
    size, count = _size(kind), _parts_of(kind)
    vectors = count
    put_unsigned(rbsp, cursor, kind)  # mb_type
    if kind == _QUARTERS:
        for part in range(4):
            put_unsigned(rbsp, cursor, 3 if split >> part & 1 else 0)  # sub_mb_type
            vectors += 3 * (split >> part & 1)
    for part in range(count):
        put(rbsp, cursor, 1 - index_of(int(candidates[PICKED + 4 * part])), 1)  # ref_idx_l0: te(v)
    for part in range(count):
        place = _corner(kind, part)
        if kind == _QUARTERS and split >> part & 1:
            for block in range(4):
                one = int(candidates[PICKED + 4 * part + block])
                within = place + 4 * (block >> 1) + (block & 1)
                _write_vector(rbsp, cursor, grid, mb, width, within, 0x11, one)
        else:
            _write_vector(
                rbsp, cursor, grid, mb, width, place, size, int(candidates[PICKED + 4 * part])
            )
    put_unsigned(rbsp, cursor, int(CBP_INTER[pattern]))
    set_vector(grid, mb, vectors, 0, MIXED)
    if kind == _WHOLE:
        one = int(candidates[PICKED])
        set_vector(grid, mb, right_of(one), down_of(one), index_of(one))
