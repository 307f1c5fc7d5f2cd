"""Motion vectors of macroblocks and of their partitions: prediction and inference, clause 8.4.1.

`grid` is (rows, macroblocks) int32. Its rows MV_X and MV_Y hold the vector of each macroblock of
the picture being coded, in samples, and REF_IDX its ref_idx_l0, or INTRA if it has no vector. If
REF_IDX is MIXED, the macroblock has several vectors, and MV_X is their number: BLOCK_VECTORS and
the 15 rows after it hold the vector of each 4x4 block, row by row, as `packed` encodes it.

There is one reference picture, the previous one, but it is in the reference list twice. Vectors
that are not zero use index MOVED, others index STILL. If exactly one neighbour has the same index,
the vector is predicted from that neighbour alone. So a moved macroblock among unmoved ones is not
predicted to be unmoved.

The vectors that predicted macroblocks well most recently are candidates for the next ones. What
moves as a whole, such as a board, has one vector. `plan.recent` (2, RECENT) int32 holds such
vectors, across and down in samples, the latest first; (0, 0) stands for none.
"""

from __future__ import annotations

from undoku.h264.bits import put, put_signed, put_unsigned
from undoku.h264.loops import I32_2D, I64, U8, inner

MV_X, MV_Y, REF_IDX = 2, 3, 4
STILL, MOVED, INTRA, MIXED = range(4)
BLOCK_VECTORS = 10

NO_PART = -1
"""In BLOCK_VECTORS: a vector that is not chosen yet."""


@inner
def packed(right: int, down: int, index: int) -> int:
    """A vector in samples (absolute values up to 2048 across and below 1024 down) and its
    ref_idx_l0, or INTRA, as one number."""
    return (right + 2048) << 13 | (down + 1024) << 2 | index


@inner
def right_of(part: int) -> int:
    return (part >> 13) - 2048


@inner
def down_of(part: int) -> int:
    return (part >> 2 & 2047) - 1024


@inner
def index_of(part: int) -> int:
    return part & 3


@inner
def _block_at(grid: I32_2D, mb: int, width: int, column: int, row: int) -> int:
    """The packed vector of the 4x4 block at `column` -1..4 and `row` -1..3, relative to the corner
    of `mb`; NO_PART outside the picture and for blocks that are decoded later."""
    at = mb
    if row < 0:
        if mb < width:
            return NO_PART
        at -= width
        row = 3
    elif column > 3:
        return NO_PART
    if column < 0:
        if mb % width == 0:
            return NO_PART
        at -= 1
        column = 3
    elif column > 3:
        if mb % width == width - 1:
            return NO_PART
        at += 1
        column = 0
    if at == mb or grid[REF_IDX, at] == MIXED:
        return int(grid[BLOCK_VECTORS + 4 * row + column, at])
    return packed(int(grid[MV_X, at]), int(grid[MV_Y, at]), int(grid[REF_IDX, at]))


@inner
def predict_partition(
    grid: I32_2D, mb: int, width: int, index: int, column: int, row: int, wide: int, high: int
) -> tuple[int, int]:
    """mvpLX, clause 8.4.1.3, of the partition of `mb` that begins at the 4x4 block (column, row),
    `wide` and `high` in such blocks: the median of the vectors on the left, above and above right,
    or the only one of them with the same reference index; halves prefer one side. The rows of
    BLOCK_VECTORS hold the vectors of `mb` chosen so far, NO_PART elsewhere."""
    a = _block_at(grid, mb, width, column - 1, row)
    b = _block_at(grid, mb, width, column, row - 1)
    c = _block_at(grid, mb, width, column + wide, row - 1)
    if c < 0:
        c = _block_at(grid, mb, width, column - 1, row - 1)
    side = NO_PART
    if wide == 4 and high == 2:
        side = b if row == 0 else a
    elif wide == 2 and high == 4:
        side = a if column == 0 else c
    if side >= 0 and index_of(side) == index:
        return right_of(side), down_of(side)
    if b < 0 and c < 0:
        # Without neighbours above, the left one replaces all three.
        return (right_of(a), down_of(a)) if a >= 0 else (0, 0)
    alike, found = 0, 0
    for one in (a, b, c):
        if one >= 0 and index_of(one) == index:
            alike += 1
            found = one
    if alike == 1:
        return right_of(found), down_of(found)
    # One without a vector, or outside, counts as (0, 0).
    still = packed(0, 0, INTRA)
    a, b, c = (a if a >= 0 else still), (b if b >= 0 else still), (c if c >= 0 else still)
    return (
        _middle(right_of(a), right_of(b), right_of(c)),
        _middle(down_of(a), down_of(b), down_of(c)),
    )


@inner
def _middle(a: int, b: int, c: int) -> int:
    return max(min(a, b), min(max(a, b), c))


@inner
def predict_vector(grid: I32_2D, mb: int, width: int, index: int) -> tuple[int, int]:
    """mvpLX of a whole macroblock, clause 8.4.1.3: the median of the vectors on the left, above and
    above right, or the only one of them with the same reference index."""
    column = mb % width
    a = mb - 1 if column > 0 else -1
    b = mb - width  # negative in the first row
    c = -1
    if mb >= width:
        if column < width - 1:
            c = mb - width + 1
        elif column > 0:
            c = mb - width - 1
    else:
        # Without neighbours above, the left one replaces all three.
        if a < 0:
            return 0, 0
        if grid[REF_IDX, a] == MIXED:
            return predict_partition(grid, mb, width, index, 0, 0, 4, 4)
        return int(grid[MV_X, a]), int(grid[MV_Y, a])
    if (
        (a >= 0 and grid[REF_IDX, a] == MIXED)
        or grid[REF_IDX, b] == MIXED
        or (c >= 0 and grid[REF_IDX, c] == MIXED)
    ):
        return predict_partition(grid, mb, width, index, 0, 0, 4, 4)
    alike_a = a >= 0 and grid[REF_IDX, a] == index
    alike_b = grid[REF_IDX, b] == index
    alike_c = c >= 0 and grid[REF_IDX, c] == index
    if alike_a and not alike_b and not alike_c:
        return int(grid[MV_X, a]), int(grid[MV_Y, a])
    if alike_b and not alike_a and not alike_c:
        return int(grid[MV_X, b]), int(grid[MV_Y, b])
    if alike_c and not alike_a and not alike_b:
        return int(grid[MV_X, c]), int(grid[MV_Y, c])
    # One without a vector, or outside, counts as (0, 0), which is what the rows hold for intra.
    right_a, down_a = (int(grid[MV_X, a]), int(grid[MV_Y, a])) if a >= 0 else (0, 0)
    right_b, down_b = int(grid[MV_X, b]), int(grid[MV_Y, b])
    right_c, down_c = (int(grid[MV_X, c]), int(grid[MV_Y, c])) if c >= 0 else (0, 0)
    return _middle(right_a, right_b, right_c), _middle(down_a, down_b, down_c)


@inner
def offset_of(source: int, mb: int, width: int) -> tuple[int, int]:
    """The vector from `mb` to `source`, in samples."""
    return 16 * (source % width - mb % width), 16 * (source // width - mb // width)


@inner
def skip_vector(grid: I32_2D, mb: int, width: int) -> tuple[int, int]:
    """The vector of a skipped macroblock, clause 8.4.1.1: zero at the picture's left and upper
    border and next to an unmoved neighbour, otherwise the predicted one."""
    if mb % width == 0 or mb < width:
        return 0, 0
    still = packed(0, 0, STILL)
    if _block_at(grid, mb, width, -1, 0) == still or _block_at(grid, mb, width, 0, -1) == still:
        return 0, 0
    return predict_vector(grid, mb, width, STILL)


@inner
def set_vector(grid: I32_2D, mb: int, right: int, down: int, index: int) -> None:
    """Record the vector of a macroblock and its ref_idx_l0 or INTRA; with MIXED, `right` is the
    number of its vectors."""
    grid[MV_X, mb], grid[MV_Y, mb], grid[REF_IDX, mb] = right, down, index


@inner
def write_copy(
    rbsp: U8, cursor: I64, grid: I32_2D, mb: int, width: int, right: int, down: int, index: int
) -> None:
    """Write P_L0_16x16 without residual, clause 7.3.5: a copy with the vector (right, down)."""
    predicted_right, predicted_down = predict_vector(grid, mb, width, index)
    put(rbsp, cursor, 1, 1)  # mb_type 0
    put(rbsp, cursor, 1 - index, 1)  # ref_idx_l0: te(v), clause 9.1, of a list of two
    put_signed(rbsp, cursor, 4 * (right - predicted_right))
    put_signed(rbsp, cursor, 4 * (down - predicted_down))
    put_unsigned(rbsp, cursor, 0)  # coded_block_pattern 0
    set_vector(grid, mb, right, down, index)


RECENT = 6


@inner
def note_vector(right: int, down: int, recent: I32_2D) -> None:
    """Make a vector the latest one."""
    if right == 0 and down == 0:
        return
    at = 0
    while at < RECENT - 1 and (recent[0, at] != right or recent[1, at] != down):
        at += 1
    while at > 0:
        recent[0, at], recent[1, at] = recent[0, at - 1], recent[1, at - 1]
        at -= 1
    recent[0, 0], recent[1, 0] = right, down
