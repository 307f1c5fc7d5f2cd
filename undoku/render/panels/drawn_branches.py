"""The branches of a search tree as pixels: a compiled loop draws them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64, I64_2D, U8, U8_2D, loop
from undoku.render.draw.canvas import Rect
from undoku.render.playback.branches import Branches

PATH, SOLUTION = 4, 8
"""The kinds of the pixels of the path to a node, and of the mark at a solution, besides those of
`undoku.render.playback.branches`."""


@loop
def draw_branches(
    branches: I64_2D,
    drawn: U8,
    erased: int,
    level: float,
    pitch: float,
    line: int,
    kinds: U8_2D,
) -> None:
    """Draw branches (n, 3), each to a depth and a row from a row, into `kinds`: each adds its kinds
    `drawn` (n,), and removes those that are `erased`. Depths are `level` pixels apart, rows
    `pitch`; lines are `line` pixels thick."""
    for branch in range(len(branches)):
        height = (branches[branch, 1] - branches[branch, 2]) * pitch
        # A curve is steepest in its middle, by a half.
        points = int(max(1.5 * height, level)) + 1
        for point in range(points + 1):
            way = point / points
            down = height * ((3 - 2 * way) * way * way - 1)
            x = int((branches[branch, 0] - 1 + way) * level + 0.5)
            y = int(branches[branch, 1] * pitch + down + 0.5)
            for below in range(line):
                for right in range(line):
                    kept = int(kinds[y + below, x + right]) & ~erased
                    kinds[y + below, x + right] = kept | drawn[branch]


class DrawnBranches:
    """The branches of a tree that is recorded, in a picture of `width` × `height` pixels: depths
    0..`deepest` from left to right, rows `pitch` pixels below each other, in lines of `line`
    pixels. `kinds` (height, width) uint8 are the kinds of what crosses each pixel, as bits."""

    def __init__(
        self, tree: Branches, width: int, height: int, deepest: int, pitch: float, line: int
    ) -> None:
        self._tree, self.pitch, self._line = tree, pitch, line
        self.kinds = np.zeros((height, width), np.uint8)
        self.level = (width - line) / max(1, deepest)
        """The pixels of a depth."""
        self._drawn = np.zeros((2, *tree.arrays.same.shape), np.uint8)
        """The branches that are drawn: those from the same row, and falling ones."""
        self._last = 0
        """Their last row; branches before it are complete."""
        self._path = np.zeros(1, np.int64)
        """The row of the path at each depth."""

    def grow(self) -> Rect | None:
        """Draw the branches that are new; returns the rectangle in which they are."""
        drawn = self._drawn[..., self._last :]
        now = np.stack([kinds[:, self._last :] for kinds in self._tree.arrays[:2]])
        falls, depths, rows = np.nonzero(now != drawn)
        if not len(rows):
            return None
        drawn[:] = now
        kinds, rows = now[falls, depths, rows], rows + self._last
        origins = np.where(falls, self._tree.arrays.origins[depths, rows], rows)
        self._draw(depths, rows, origins, kinds)
        self._last = int(rows.max())
        return self._around(depths.min() - 1, depths.max(), origins.min(), rows.max())

    def follow(self, depth: int) -> Rect | None:
        """Draw the path to the last node of this depth instead of the path that was drawn; returns
        the rectangle in which they differ."""
        rows, before = self._tree.arrays.last[: depth + 1].astype(np.int64), self._path
        both = min(len(rows), len(before))
        first = int(next(iter(np.flatnonzero(rows[:both] != before[:both])), both))
        if first == len(rows) == len(before):
            return None
        self._path = rows
        for path, start, kind in ((before, first, 0), (rows, 1, PATH)):
            depths = np.arange(start, len(path))
            kinds = np.full(len(depths), kind, np.uint8)
            self._draw(depths, path[start:], path[start - 1 : -1], kinds, PATH - kind)
        turns = np.concatenate((before[first - 1 :], rows[first:]))
        deepest = max(len(rows), len(before)) - 1
        return self._around(first - 1, deepest, turns.min(), turns.max())

    def kinds_in(self, rect: Rect) -> NDArray[np.uint8]:
        """The kinds of the pixels of a rectangle."""
        return self.kinds[rect.y : rect.bottom, rect.x : rect.right]

    def mark(self, depth: int, row: int, side: int) -> Rect:
        """Mark the node of a solution by a square of `side` pixels; returns its rectangle."""
        height, width = self.kinds.shape
        left, top = round(depth * self.level), round(row * self.pitch)
        square = Rect(max(0, min(left, width - side)), max(0, min(top, height - side)), side, side)
        marked = self.kinds_in(square)
        marked |= SOLUTION
        return square

    def _draw(
        self, depths: I64, rows: I64, origins: I64, kinds: NDArray[np.uint8], erased: int = 0
    ) -> None:
        level, pitch, line = self.level, self.pitch, self._line
        branches = np.stack((depths, rows, origins), 1)
        draw_branches(branches, kinds, erased, level, pitch, line, self.kinds)

    def _around(self, left: int, right: int, top: int, bottom: int) -> Rect:
        """The rectangle from a depth to a depth and from a row to a row."""
        x, y = int(left * self.level + 0.5), int(top * self.pitch + 0.5)
        width = int(right * self.level + 0.5) + self._line - x
        return Rect(x, y, width, int(bottom * self.pitch + 0.5) + self._line - y)
