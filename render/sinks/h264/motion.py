"""Motion vectors of whole macroblocks, as the standard predicts and skips them.

`grid` is (rows, macroblocks) int32. Its rows RIGHT and DOWN hold the vector of each macroblock of
the picture being coded, in samples, and REFERS its ref_idx_l0, or INTRA where it has no vector.

There is one reference picture, the one before, but it stands twice in the list: what is copied from
elsewhere says index MOVED. A vector is predicted from neighbours of the same index alone (if there
is just one), so that one which moves is not foreseen to stand still as most around it do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.bits import put, put_signed, put_unsigned
from solver.compiled import lean

__all__ = [
    "DOWN",
    "INTRA",
    "MOVED",
    "REFERS",
    "RIGHT",
    "STILL",
    "foresee_vector",
    "offset_of",
    "skip_vector",
    "write_copy",
]

RIGHT, DOWN, REFERS = 2, 3, 4
STILL, MOVED, INTRA = 0, 1, 2

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]


@lean
def _middle(a: int, b: int, c: int) -> int:
    return max(min(a, b), min(max(a, b), c))


@lean
def foresee_vector(grid: _I32, mb: int, width: int, index: int) -> tuple[int, int]:
    """mvpLX of a whole macroblock, clause 8.4.1.3: the median of the vectors on the left, above and
    above right, or that one of them that alone has the same reference index."""
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
        # Nothing above: the left one stands for all three.
        if a < 0:
            return 0, 0
        return int(grid[RIGHT, a]), int(grid[DOWN, a])
    alike_a = a >= 0 and grid[REFERS, a] == index
    alike_b = grid[REFERS, b] == index
    alike_c = c >= 0 and grid[REFERS, c] == index
    if alike_a and not alike_b and not alike_c:
        return int(grid[RIGHT, a]), int(grid[DOWN, a])
    if alike_b and not alike_a and not alike_c:
        return int(grid[RIGHT, b]), int(grid[DOWN, b])
    if alike_c and not alike_a and not alike_b:
        return int(grid[RIGHT, c]), int(grid[DOWN, c])
    # One without a vector, or outside, counts as (0, 0), which is what the rows hold for intra.
    right_a, down_a = (int(grid[RIGHT, a]), int(grid[DOWN, a])) if a >= 0 else (0, 0)
    right_b, down_b = int(grid[RIGHT, b]), int(grid[DOWN, b])
    right_c, down_c = (int(grid[RIGHT, c]), int(grid[DOWN, c])) if c >= 0 else (0, 0)
    return _middle(right_a, right_b, right_c), _middle(down_a, down_b, down_c)


@lean
def offset_of(source: int, mb: int, width: int) -> tuple[int, int]:
    """The vector from `mb` to `source`, in samples."""
    return 16 * (source % width - mb % width), 16 * (source // width - mb // width)


@lean
def skip_vector(grid: _I32, mb: int, width: int) -> tuple[int, int]:
    """The vector that a skipped macroblock takes, clause 8.4.1.1: none beside the picture's border
    or beside one that stands still, else the predicted one."""
    if mb % width == 0 or mb < width:
        return 0, 0
    for at in (mb - 1, mb - width):
        if grid[REFERS, at] == STILL and grid[RIGHT, at] == 0 and grid[DOWN, at] == 0:
            return 0, 0
    return foresee_vector(grid, mb, width, STILL)


@lean
def write_copy(
    page: _U8, pen: _I64, grid: _I32, mb: int, width: int, right: int, down: int, index: int
) -> None:
    """P_L0_16x16 without residual, clause 7.3.5: copies what lies `right` and `down` of here."""
    foreseen_right, foreseen_down = foresee_vector(grid, mb, width, index)
    put(page, pen, 1, 1)  # mb_type 0
    put(page, pen, 1 - index, 1)  # ref_idx_l0: te(v), clause 9.1, of a list of two
    put_signed(page, pen, 4 * (right - foreseen_right))
    put_signed(page, pen, 4 * (down - foreseen_down))
    put_unsigned(page, pen, 0)  # coded_block_pattern 0
    grid[RIGHT, mb] = right
    grid[DOWN, mb] = down
    grid[REFERS, mb] = index
