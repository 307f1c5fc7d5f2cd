"""Compiled painting of the chart of depths, straight into the canvas or in parts.

`pixels` is (height, width, 3) uint8; colours are (3,) uint8 or one such row for each row of the
chart, from the top.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import lean

__all__ = ["paint_depths", "paint_parts"]


@lean
def _rows(low: int, high: int, height: int, deepest: int, thickness: int) -> tuple[int, int]:
    """The first and the last bright row of a column."""
    upper = height - 1 - high * (height - 1) // deepest
    lower = height - 1 - low * (height - 1) // deepest
    return upper, min(height - 1, max(lower, upper + thickness - 1))


@lean
def paint_depths(
    pixels: NDArray[np.uint8],
    left: int,
    top: int,
    first: int,
    end: int,
    deepest: int,
    thickness: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    bright: NDArray[np.uint8],
    dim: NDArray[np.uint8],
    ground: NDArray[np.uint8],
) -> None:
    """Paint columns `first` to `end` - 1 of a chart whose left upper corner is (left, top): bright
    from the greatest depth to the least, at least `thickness` pixels, dim below, ground above."""
    height = len(bright)
    for column in range(first, end):
        upper, lower = _rows(int(low[column]), int(high[column]), height, deepest, thickness)
        x = left + column
        for row in range(height):
            if row < upper:
                for part in range(3):
                    pixels[top + row, x, part] = ground[part]
            elif row <= lower:
                for part in range(3):
                    pixels[top + row, x, part] = bright[row, part]
            else:
                for part in range(3):
                    pixels[top + row, x, part] = dim[row, part]


@lean
def paint_parts(
    room: NDArray[np.uint8],
    widths: NDArray[np.int32],
    deepest: int,
    thickness: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    bright: NDArray[np.uint8],
    dim: NDArray[np.uint8],
    ground: NDArray[np.uint8],
) -> None:
    """Paint parts of a chart as pictures of their own, one after the other in `room` (n,): each so
    many columns wide, their depths one after the other in `low` and `high`."""
    height = len(bright)
    begun = start = 0
    for part in range(len(widths)):
        width = int(widths[part])
        for column in range(width):
            least, most = int(low[begun + column]), int(high[begun + column])
            upper, lower = _rows(least, most, height, deepest, thickness)
            for row in range(height):
                at = start + 3 * (row * width + column)
                for shade in range(3):
                    if row < upper:
                        room[at + shade] = ground[shade]
                    elif row <= lower:
                        room[at + shade] = bright[row, shade]
                    else:
                        room[at + shade] = dim[row, shade]
        begun += width
        start += 3 * width * height
