"""A search tree of any size, folded to the size of a picture: a compiled loop over arrays.

J. B. Kruskal and J. M. Landwehr, "Icicle Plots: Better Displays for Hierarchical Clustering", 1983:
a node is as wide as its subtree has nodes, and hangs below its parent. Nodes stand in the order in
which they were made, so that a node of depth d covers, in row d, the nodes from itself to the last
one below it. Column c of `columns` shows nodes c * most // columns to (c + 1) * most // columns - 1
of the `most` nodes that have room, one at least; a row shows one depth, or some where there are
more depths than rows. The darkness of a pixel is the share of its column's nodes that are at or
below the depth of its row, averaged over the depths of the row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import lean
from solver.ops import OP_FORCED, OP_GUESS, OP_UNDO
from solver.puzzle import Puzzle

__all__ = ["LEVELS", "Icicle", "IcicleArrays", "TreeScale", "add_nodes", "place_of"]

LEVELS = 7
"""Shades of a share, from some to all."""

_COUNT, _DEPTH, _COLUMN, _END = range(4)


class TreeScale(NamedTuple):
    """`most` nodes fill the width and depths 0..`depths` - 1 the height; wide nodes that have
    failed end in a cut of `edge` columns."""

    most: int
    depths: int
    edge: int


class IcicleArrays(NamedTuple):
    """A tree; `registers` (4,) int64 are those of the loop.

    levels    (rows, columns) uint8  0 for no node, else the share in LEVELS parts, rounded up
    cuts      (rows, columns) uint8  1 at the right edge of a wide node that has failed
    starts    (cells + 2,) int32     the column in which the present node of each depth begins
    held      (cells + 2,) int64     how many nodes of the present column each depth has
    forced    (cells,) uint8         1 where inference placed the value that stands
    """

    levels: NDArray[np.uint8]
    cuts: NDArray[np.uint8]
    starts: NDArray[np.int32]
    held: NDArray[np.int64]
    forced: NDArray[np.uint8]
    registers: NDArray[np.int64]


@lean
def place_of(tree: IcicleArrays) -> tuple[int, int]:
    """The column of the last node, and the depth of the present one."""
    return int(tree.registers[_COLUMN]), int(tree.registers[_DEPTH])


@lean
def _shade(column: int, scale: TreeScale, tree: IcicleArrays) -> None:
    """Bring a column of the levels up to date with what it holds."""
    levels, held, most, depths = tree.levels, tree.held, scale.most, scale.depths
    rows, columns = levels.shape
    size = max(1, (column + 1) * most // columns - column * most // columns)
    below = 0
    for row in range(rows - 1, -1, -1):
        first, end = row * depths // rows, (row + 1) * depths // rows
        covered = 0
        for depth in range(end - 1, first - 1, -1):
            below += held[depth]
            covered += below
        whole = size * (end - first)
        levels[row, column] = min(LEVELS, (covered * LEVELS + whole - 1) // whole)


@lean
def add_nodes(events: NDArray[np.uint32], scale: TreeScale, tree: IcicleArrays) -> None:
    """Take note of packed events. Nodes beyond the most fall into the last column."""
    rows, columns = tree.levels.shape
    held, forced, starts, registers = tree.held, tree.forced, tree.starts, tree.registers
    most, edge = scale.most, scale.edge
    count = registers[_COUNT]
    depth = registers[_DEPTH]
    column = registers[_COLUMN]
    end = registers[_END]
    for event in events:
        op = event & 0xFF
        cell = event >> 16
        if op == OP_GUESS:
            forced[cell] = 0
            depth += 1
            if count >= end and column + 1 < columns:
                _shade(column, scale, tree)
                held[:] = 0
                column += 1
                end = (column + 1) * most // columns
            held[depth] += 1
            starts[depth] = column
            while end <= count and column + 1 < columns:  # where a node is wider than a column
                _shade(column, scale, tree)
                held[:] = 0
                held[depth] = 1
                column += 1
                end = (column + 1) * most // columns
            count += 1
        elif op == OP_FORCED:
            forced[cell] = 1
        elif op == OP_UNDO and not forced[cell]:
            if rows == scale.depths and edge and column - starts[depth] >= 3 * edge:
                tree.cuts[depth, column + 1 - edge : column + 1] = 1
            depth -= 1
    _shade(column, scale, tree)
    registers[_COUNT] = count
    registers[_DEPTH] = depth
    registers[_COLUMN] = column
    registers[_END] = end


class Icicle:
    """A recorder (`render.playback.player.Recorder`). Its `arrays` are changed in place.

    `most` (>= 1) nodes share `columns` (>= 1), depths 0..`deepest` share `rows` (1 to deepest + 1).
    Failed nodes at least three times as wide end in a cut of `edge` columns, where each row has one
    depth.
    """

    def __init__(
        self, puzzle: Puzzle, columns: int, rows: int, deepest: int, most: int, edge: int = 1
    ) -> None:
        cells = puzzle.geometry.cells
        self.scale = TreeScale(max(1, most), deepest + 1, edge)
        self.arrays = IcicleArrays(
            levels=np.zeros((rows, columns), np.uint8),
            cuts=np.zeros((rows, columns), np.uint8),
            starts=np.zeros(cells + 2, np.int32),
            held=np.zeros(cells + 2, np.int64),
            forced=np.zeros(cells, np.uint8),
            registers=np.zeros(4, np.int64),
        )
        self.arrays.held[0] = 1
        column = (columns - 1) // self.scale.most  # the root's last one
        for begun in range(column + 1):
            _shade(begun, self.scale, self.arrays)
        end = (column + 1) * self.scale.most // columns
        self.arrays.registers[:] = 1, 0, column, end

    @property
    def levels(self) -> NDArray[np.uint8]:
        return self.arrays.levels

    @property
    def cuts(self) -> NDArray[np.uint8]:
        return self.arrays.cuts

    @property
    def starts(self) -> NDArray[np.int32]:
        return self.arrays.starts

    def record(self, events: NDArray[np.uint32]) -> None:
        """Take note of packed events (n,)."""
        add_nodes(events, self.scale, self.arrays)

    @property
    def count(self) -> int:
        """The nodes so far, the root included."""
        return int(self.arrays.registers[_COUNT])

    @property
    def depth(self) -> int:
        """The depth of the node that the search is in, 0 for the root."""
        return int(self.arrays.registers[_DEPTH])

    @property
    def column(self) -> int:
        """The column that the last node stands in."""
        return int(self.arrays.registers[_COLUMN])
