"""Compiled painting of an icicle, straight into the canvas.

`pixels` is (height, width, 3) uint8. The looks of a chart's pixels are 0 for no node, the levels of
`render.playback.recorders.tree_profile`, LIVE for the nodes that the search is in and AT for its
place among them; `colours` (rows, LOOKS, 3) uint8 are each row's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.playback.recorders.tree_profile import LEVELS
from solver.jit import lean

__all__ = ["AT", "LIVE", "LOOKS", "paint_icicle"]

LIVE, AT, LOOKS = LEVELS + 1, LEVELS + 2, LEVELS + 3

_APART = 48
"""Pixels by which rows that changed must differ in where they begin to be two rectangles."""


@lean
def paint_icicle(
    pixels: NDArray[np.uint8],
    left: int,
    top: int,
    height: int,
    depths: int,
    mortar: int,
    trunk: int,
    drawn: int,
    column: int,
    depth: int,
    levels: NDArray[np.uint8],
    cuts: NDArray[np.uint8],
    starts: NDArray[np.int32],
    begins: NDArray[np.int32],
    shown: NDArray[np.uint8],
    colours: NDArray[np.uint8],
    boxes: NDArray[np.int64],
) -> int:
    """Bring the rows of a chart of `height` pixels, `mortar` of them between two rows, up to date;
    returns how many of `boxes` (rows, 4) say where, each as (left, top, right, bottom).

    `column` is the last of the tree, `drawn` was it at the last call, 0 at first. The path from the
    root to `depth`, -1 for none, is at least `trunk` columns wide. `begins` (rows,) and `shown`
    (rows, columns) keep where each row's live node began and the looks.
    """
    rows, columns = levels.shape
    fresh = max(0, drawn - trunk + 1)
    count = 0
    for row in range(rows):
        first = row * depths // rows
        begin = columns
        if first <= depth:
            begin = starts[first]
        start = fresh
        if begin != begins[row]:
            start = min(fresh, begin, begins[row])
        begins[row] = begin
        upper = top + row * height // rows
        lower = top + (row + 1) * height // rows - mortar
        changed_from, changed_to = columns, -1
        for x in range(start, column + 1):
            look = int(levels[row, x])
            if first <= depth and x > column - trunk:
                look = AT
            elif cuts[row, x]:
                look = 0
            elif x >= begin:
                look = LIVE
            if look == shown[row, x]:
                continue
            shown[row, x] = look
            changed_from, changed_to = min(changed_from, x), x
            for y in range(upper, lower):
                for part in range(3):
                    pixels[y, left + x, part] = colours[row, look, part]
        if changed_to < 0:
            continue
        x, right = left + changed_from, left + changed_to + 1
        box = boxes[count - 1]
        if count and box[3] + mortar == upper and abs(box[0] - x) < _APART:
            box[0], box[2], box[3] = min(box[0], x), max(box[2], right), lower
        else:
            box = boxes[count]
            box[0], box[1], box[2], box[3] = x, upper, right, lower
            count += 1
    return count
