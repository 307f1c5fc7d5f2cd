"""A compiled loop that updates the looks of an icicle plot.

The looks of a chart's pixels are 0 for no node, the levels of
`undoku.render.playback.tree_profile`, LIVE for the nodes on the current path, AT for the current
node, and LEAF for solutions.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32, I64, U8_2D, group, loop
from undoku.render.playback.tree_profile import LEVELS, IcicleArrays, place_of

LIVE, AT, LEAF, LOOKS = LEVELS + 1, LEVELS + 2, LEVELS + 3, LEVELS + 4


@group
class IcicleLooks(NamedTuple):
    """The last shown state.

    begins   (rows,) int32           the first column of each row's node on the path
    shown    (rows, columns) uint8   the looks
    leaves   (rows, columns) uint8   1 at solutions
    drawn    (1,) int64              the last column that was examined
    dirty    (4,) int64              output: the first and the last column, the first and the last
                                     row that differ; the last ones are -1 if none does
    """

    begins: I32
    shown: U8_2D
    leaves: U8_2D
    drawn: I64
    dirty: I64


@loop
def update_looks(
    depths: int, least_path: int, path: bool, tree: IcicleArrays, looks: IcicleLooks
) -> None:
    """Update the looks of a chart of `depths` depths. The path leads from the root to the current
    node, if it is shown; it is at least `least_path` columns wide."""
    column, depth = place_of(tree)
    if not path:
        depth = -1
    fresh = max(0, int(looks.drawn[0]) - least_path + 1)
    looks.drawn[0] = column
    rows, columns = tree.levels.shape
    dirty = looks.dirty
    dirty[0], dirty[1], dirty[2], dirty[3] = columns, -1, rows, -1
    for row in range(rows):
        first = row * depths // rows
        begin = columns
        if first <= depth:
            begin = tree.starts[first]
        start = fresh
        if begin != looks.begins[row]:
            start = min(fresh, begin, int(looks.begins[row]))
        looks.begins[row] = begin
        for x in range(start, column + 1):
            look = int(tree.levels[row, x])
            if looks.leaves[row, x]:
                look = LEAF
            elif first <= depth and x > column - least_path:
                look = AT
            elif tree.cuts[row, x]:
                look = 0
            elif x >= begin:
                look = LIVE
            if look != looks.shown[row, x]:
                looks.shown[row, x] = look
                dirty[0], dirty[1] = min(dirty[0], x), max(dirty[1], x)
                dirty[2], dirty[3] = min(dirty[2], row), row
