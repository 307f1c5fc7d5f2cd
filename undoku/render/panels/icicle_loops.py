"""Compiled loops that paint an icicle plot into a separate picture.

The looks of a chart's pixels are 0 for no node, the levels of
`undoku.render.playback.tree_profile`, LIVE for the nodes on the current path and AT for
the current node.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32, I64, I64_2D, U8, U8_2D, U8_3D, group, inner, loop
from undoku.render.draw.run_draft import DraftArrays, has_room, put_new
from undoku.render.playback.tree_profile import (
    LEVELS,
    IcicleArrays,
    TreeScale,
    add_nodes,
    place_of,
)
from undoku.solver.trace.steps import Steps

LIVE, AT, LOOKS = LEVELS + 1, LEVELS + 2, LEVELS + 3

_APART = 48
"""Changed rows are separate rectangles if their left edges differ by more than this, in pixels."""


@group
class IcicleBox(NamedTuple):
    """The chart: its upper left corner, its height in pixels, the number of depths that it shows,
    the gap between two rows in pixels (`gap`), and the least width of the path in columns
    (`least_path`)."""

    left: int
    top: int
    height: int
    depths: int
    gap: int
    least_path: int


@group
class IcicleShown(NamedTuple):
    """The last painted state.

    begins   (rows,) int32            the first column of each row's node on the path
    shown    (rows, columns) uint8    the looks
    colours  (rows, LOOKS, 3) uint8   the colours of each row
    boxes    (rows, 4) int64          output: where pixels changed: left, top, right, bottom
    pixels   (height, width, 3) uint8 the chart
    drawn    (1,) int64               the last column that was painted
    marks    (m, 4) int64             the rectangles of solutions, as in `boxes`
    ink      (3,) uint8               their colour
    """

    begins: I32
    shown: U8_2D
    colours: U8_3D
    boxes: I64_2D
    pixels: U8_3D
    drawn: I64
    marks: I64_2D
    ink: U8


@inner
def _mark_again(mark: I64, box: I64, painted: IcicleShown) -> None:
    """Paint the part of a mark that is within a painted box."""
    for y in range(max(mark[1], box[1]), min(mark[3], box[3])):
        for x in range(max(mark[0], box[0]), min(mark[2], box[2])):
            painted.pixels[y, x] = painted.ink


@inner
def paint_icicle(box: IcicleBox, path: bool, tree: IcicleArrays, painted: IcicleShown) -> int:
    """Update the rows of a chart; returns the number of changed boxes in painted.boxes. The path
    leads from the root to the current node, if it is shown."""
    height, depths, gap, least_path = box.height, box.depths, box.gap, box.least_path
    column, depth = place_of(tree)
    if not path:
        depth = -1
    drawn, painted.drawn[0] = int(painted.drawn[0]), column
    levels, cuts, starts = tree.levels, tree.cuts, tree.starts
    begins, shown, boxes = painted.begins, painted.shown, painted.boxes
    rows, columns = levels.shape
    fresh = max(0, drawn - least_path + 1)
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
        upper = row * height // rows
        lower = (row + 1) * height // rows - gap
        changed_from, changed_to = columns, -1
        for x in range(start, column + 1):
            look = int(levels[row, x])
            if first <= depth and x > column - least_path:
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
                painted.pixels[y, x] = painted.colours[row, look]
        if changed_to < 0:
            continue
        x, right = changed_from, changed_to + 1
        above = boxes[count - 1]
        if count and above[3] + gap == upper and abs(above[0] - x) < _APART:
            above[0], above[2], above[3] = min(above[0], x), max(above[2], right), lower
        else:
            new = boxes[count]
            new[0], new[1], new[2], new[3] = x, upper, right, lower
            count += 1
    for box_number in range(count):
        for mark in range(len(painted.marks)):
            _mark_again(painted.marks[mark], boxes[box_number], painted)
    return count


@loop
def put_icicle(
    frame: int,
    ends: I64,
    steps: Steps,
    begun: int,
    scale: TreeScale,
    box: IcicleBox,
    path: bool,
    tree: IcicleArrays,
    painted: IcicleShown,
    draft: DraftArrays,
) -> int:
    """Record the rows of the frames of a run from `frame` on in the tree, those of the first being
    `begun` to ends[0] - 1, and draw the changes on each; returns the first frame for which
    there is no room, or the number of frames."""
    boxes, pixels = painted.boxes, painted.pixels
    size = pixels.shape[0] * pixels.shape[1] * pixels.shape[2]
    at = begun if frame == 0 else int(ends[frame - 1])
    while frame < len(ends):
        if not has_room(len(boxes), size, draft):
            return frame
        end = int(ends[frame])
        if end > at:
            add_nodes(steps, at, end, scale, tree)
            at = end
        for one in range(paint_icicle(box, path, tree, painted)):
            x, y, right, bottom = boxes[one]
            start = put_new(
                frame, box.left + int(x), box.top + int(y), int(right - x), int(bottom - y),
                draft,
            )  # fmt: skip
            for line in range(y, bottom):
                for column in range(x, right):
                    for part in range(3):
                        draft.pixels[start] = pixels[line, column, part]
                        start += 1
        frame += 1
    return frame
