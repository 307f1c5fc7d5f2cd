"""Compiled painting of the charts, straight into the canvas.

`pixels` is (height, width, 3) uint8; colours are (3,) uint8 or one such row for each row of the
chart, from the top.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.compiled import lean

__all__ = ["paint_depths", "paint_rows"]


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


@lean
def paint_rows(
    pixels: NDArray[np.uint8],
    left: int,
    top: int,
    width: int,
    height: int,
    most: int,
    depth: int,
    trunk: int,
    widest: NDArray[np.int64],
    shown: NDArray[np.int64],
    bright: NDArray[np.uint8],
    dim: NDArray[np.uint8],
    ground: NDArray[np.uint8],
    box: NDArray[np.int64],
) -> bool:
    """Bring the rows of a tree up to date, which share `height` pixels: for each row a bar in the
    middle, `width` pixels for `most` nodes, and on it a trunk of `trunk` pixels down to the row of
    `depth`.

    `widest` (rows,) is the number of nodes of each row; `shown`
    (rows,) is what was painted last: length * 2 + (1 with a trunk), -1 at first. Returns whether
    anything was painted, and in `box` (left, top, right, bottom) where.
    """
    changed = False
    middle = left + width // 2
    box[0], box[1], box[2], box[3] = left + width, 1 << 30, left, 0
    for row in range(len(widest)):
        length = 0
        if widest[row]:
            length = min(width, max(trunk, (int(widest[row]) * width + most - 1) // most))
        look = length * 2 + int(row <= depth and length > 0)
        before = shown[row]
        if look == before:
            continue
        shown[row] = look
        changed = True
        reach = max(length, before // 2 if before >= 0 else 0)
        start, end = middle - reach // 2 - 1, middle + (reach + 1) // 2 + 1
        start, end = max(left, start), min(left + width, end)
        bar_start, bar_end = middle - length // 2, middle - length // 2 + length
        trunk_start = middle - trunk // 2
        upper = top + row * height // len(widest)
        lower = top + (row + 1) * height // len(widest)
        for y in range(upper, lower):
            for x in range(start, end):
                if not bar_start <= x < bar_end:
                    for part in range(3):
                        pixels[y, x, part] = ground[part]
                elif look & 1 and trunk_start <= x < trunk_start + trunk:
                    for part in range(3):
                        pixels[y, x, part] = bright[row, part]
                else:
                    for part in range(3):
                        pixels[y, x, part] = dim[row, part]
        box[0], box[2] = min(box[0], start), max(box[2], end)
        box[1], box[3] = min(box[1], upper), max(box[3], lower)
    return changed
