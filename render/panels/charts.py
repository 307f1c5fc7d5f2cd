"""Compiled painting of the chart of depths, straight into the canvas.

`pixels` is (height, width, 3) uint8; colours are (3,) uint8 or one such row for each row of the
chart, from the top.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.compiled import lean

__all__ = ["paint_depths"]


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
        upper = height - 1 - int(high[column]) * (height - 1) // deepest
        lower = height - 1 - int(low[column]) * (height - 1) // deepest
        lower = min(height - 1, max(lower, upper + thickness - 1))
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
