"""Compiled painting of an icicle, straight into the canvas.

`pixels` is (height, width, 3) uint8. The looks of a chart's pixels are 0 for no node, the levels of
`render.playback.recorders.tree_profile`, LIVE for the nodes that the search is in and AT for where
it is among them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.playback.recorders.tree_profile import LEVELS, IcicleArrays
from solver.jit import lean

__all__ = ["AT", "LIVE", "LOOKS", "IcicleBox", "IcicleShown", "paint_icicle"]

LIVE, AT, LOOKS = LEVELS + 1, LEVELS + 2, LEVELS + 3

_APART = 48
"""Pixels by which rows that changed must differ in where they begin to be two rectangles."""


class IcicleBox(NamedTuple):
    """The chart: its left upper corner, its height in pixels, how many depths it shows, the pixels
    between two rows (`mortar`), and how many columns the path is wide at least (`trunk`)."""

    left: int
    top: int
    height: int
    depths: int
    mortar: int
    trunk: int


class IcicleShown(NamedTuple):
    """What was painted last.

    begins   (rows,) int32            the column in which each row's live node began
    shown    (rows, columns) uint8    the looks
    colours  (rows, LOOKS, 3) uint8   each row's colours
    boxes    (rows, 4) int64          receives where pixels changed: left, top, right, bottom
    """

    begins: NDArray[np.int32]
    shown: NDArray[np.uint8]
    colours: NDArray[np.uint8]
    boxes: NDArray[np.int64]


@lean
def paint_icicle(
    pixels: NDArray[np.uint8],
    box: IcicleBox,
    drawn: int,
    column: int,
    depth: int,
    tree: IcicleArrays,
    painted: IcicleShown,
) -> int:
    """Bring the rows of a chart up to date; returns how many of painted.boxes say where.

    `column` is the last of the tree, `drawn` was it at the last call, 0 at first. The path leads
    from the root to `depth`, -1 for none.
    """
    left, top, height, depths, mortar, trunk = box
    levels, cuts, starts = tree.levels, tree.cuts, tree.starts
    begins, shown, colours, boxes = painted
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
        above = boxes[count - 1]
        if count and above[3] + mortar == upper and abs(above[0] - x) < _APART:
            above[0], above[2], above[3] = min(above[0], x), max(above[2], right), lower
        else:
            new = boxes[count]
            new[0], new[1], new[2], new[3] = x, upper, right, lower
            count += 1
    return count
