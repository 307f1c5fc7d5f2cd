"""The branches of a search tree as pixels: a compiled loop draws them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64, U8_2D, group, inner, loop
from undoku.render.draw.canvas import Rect
from undoku.render.playback.branches import BranchArrays, Branches

PATH, SOLUTION = 4, 8
"""The kinds of the pixels of the path to a node, and of the mark at a solution, besides those of
`undoku.render.playback.branches`."""


@group
class DrawnArrays(NamedTuple):
    """What has been drawn of a tree.

    same, falling  (cells + 1, rows) uint8  the kinds of the branches, as in `BranchArrays`
    path           (cells + 1,) int64       the row of the path at each depth
    ends           (2,) int64               the last row of branches, which are complete before it,
                                            and the depth of the path
    around         (4,) int64               what was drawn last: the least and the largest depth,
                                            the least and the largest row
    kinds          (height, width) uint8    the kinds of what crosses each pixel, as bits
    """

    same: U8_2D
    falling: U8_2D
    path: I64
    ends: I64
    around: I64
    kinds: U8_2D


@inner
def _cover(depth: int, row: int, origin: int, around: I64) -> None:
    """Note that a branch was drawn."""
    around[0] = min(around[0], depth - 1)
    around[1] = max(around[1], depth)
    around[2] = min(around[2], origin)
    around[3] = max(around[3], row)


@inner
def _draw(
    depth: int,
    row: int,
    origin: int,
    added: int,
    erased: int,
    level: float,
    pitch: float,
    line: int,
    kinds: U8_2D,
) -> None:
    """Draw a branch to a depth and a row from a row: add the kinds `added`, remove `erased`."""
    height = (row - origin) * pitch
    # A curve is steepest in its middle, by a half.
    points = int(max(1.5 * height, level)) + 1
    for point in range(points + 1):
        way = point / points
        down = height * ((3 - 2 * way) * way * way - 1)
        x = int((depth - 1 + way) * level + 0.5)
        y = int(row * pitch + down + 0.5)
        for below in range(line):
            for right in range(line):
                kept = int(kinds[y + below, x + right]) & ~erased
                kinds[y + below, x + right] = kept | added


@loop
def draw_tree(
    tree: BranchArrays, depth: int, level: float, pitch: float, line: int, drawn: DrawnArrays
) -> None:
    """Draw the path to the last node of this depth instead of the path that was drawn, and the
    branches that are new. Depths are `level` pixels apart, rows `pitch`; lines are `line` pixels
    thick."""
    path, ends, around, kinds = drawn.path, drawn.ends, drawn.around, drawn.kinds
    around[0] = around[2] = 1 << 30
    around[1] = around[3] = -1
    before = int(ends[1])
    first = 1
    while first <= min(depth, before) and tree.last[first] == path[first]:
        first += 1
    for at in range(first, before + 1):
        _draw(at, path[at], path[at - 1], 0, PATH, level, pitch, line, kinds)
        _cover(at, path[at], path[at - 1], around)
    for at in range(first, depth + 1):
        path[at] = tree.last[at]
        _cover(at, path[at], path[at - 1], around)
    if around[1] > 0:  # what was erased may have crossed the rest of the path
        for at in range(1, depth + 1):
            _draw(at, path[at], path[at - 1], PATH, 0, level, pitch, line, kinds)
    ends[1] = depth
    begun = int(ends[0])
    for at in range(1, len(tree.last)):
        for row in range(begun, int(tree.last[at]) + 1):
            if tree.same[at, row] != drawn.same[at, row]:
                drawn.same[at, row] = tree.same[at, row]
                _draw(at, row, row, tree.same[at, row], 0, level, pitch, line, kinds)
                _cover(at, row, row, around)
                ends[0] = max(ends[0], row)
            if tree.falling[at, row] != drawn.falling[at, row]:
                drawn.falling[at, row] = tree.falling[at, row]
                origin = int(tree.origins[at, row])
                _draw(at, row, origin, tree.falling[at, row], 0, level, pitch, line, kinds)
                _cover(at, row, origin, around)
                ends[0] = max(ends[0], row)


class DrawnBranches:
    """The branches of a tree that is recorded, in a picture of `width` × `height` pixels: depths
    0..`deepest` from left to right, rows `pitch` pixels below each other, in lines of `line`
    pixels."""

    def __init__(
        self, tree: Branches, width: int, height: int, deepest: int, pitch: float, line: int
    ) -> None:
        self._tree, self.pitch, self._line = tree, pitch, line
        shape = tree.arrays.same.shape
        self._drawn = DrawnArrays(
            same=np.zeros(shape, np.uint8),
            falling=np.zeros(shape, np.uint8),
            path=np.zeros(shape[0], np.int64),
            ends=np.zeros(2, np.int64),
            around=np.zeros(4, np.int64),
            kinds=np.zeros((height, width), np.uint8),
        )
        self.level = (width - line) / max(1, deepest)
        """The pixels of a depth."""

    def draw(self, depth: int = 0) -> Rect | None:
        """Draw the path to the last node of this depth instead of the path that was drawn, and the
        branches that are new; returns the rectangle in which these are."""
        draw_tree(self._tree.arrays, depth, self.level, self.pitch, self._line, self._drawn)
        left, right, top, bottom = self._drawn.around.tolist()
        if right < 0:
            return None
        x, y = int(left * self.level + 0.5), int(top * self.pitch + 0.5)
        width = int(right * self.level + 0.5) + self._line - x
        return Rect(x, y, width, int(bottom * self.pitch + 0.5) + self._line - y)

    def kinds_in(self, rect: Rect) -> NDArray[np.uint8]:
        """The kinds of the pixels of a rectangle."""
        return self._drawn.kinds[rect.y : rect.bottom, rect.x : rect.right]

    def mark(self, depth: int, row: int, side: int) -> Rect:
        """Mark the node of a solution by a square of `side` pixels; returns its rectangle."""
        height, width = self._drawn.kinds.shape
        left, top = round(depth * self.level), round(row * self.pitch)
        square = Rect(max(0, min(left, width - side)), max(0, min(top, height - side)), side, side)
        marked = self.kinds_in(square)
        marked |= SOLUTION
        return square
