"""A search tree of any size, reduced to the size of a picture: a compiled loop over arrays.

J. B. Kruskal and J. M. Landwehr, "Icicle Plots: Better Displays for Hierarchical Clustering", 1983:
the width of a node is the number of nodes in its subtree, and it is drawn below its parent. Nodes
are numbered in the order in which they were created, so a node of depth d covers, in row d, the
nodes from itself to the last one of its subtree. Column c of `columns` shows nodes c * most //
columns to (c + 1) * most // columns - 1 of `most` nodes, at least one; a row shows one depth, or
several if there are more depths than rows. The darkness of a pixel is the share of its column's
nodes that are at or below the depth of its row, averaged over the depths of the row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I32, I64, U8_2D, group, inner, loop
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.steps import NO_STEPS, Steps

LEVELS = 7
"""The number of shades for a share above 0."""

_COUNT, _DEPTH, _COLUMN, _END = range(4)


@group
class TreeScale(NamedTuple):
    """`most` nodes fill the width, and depths 0..`depths` - 1 the height. Wide nodes that have
    failed end in a gap of `edge` columns."""

    most: int
    depths: int
    edge: int


@group
class IcicleArrays(NamedTuple):
    """A tree; `registers` (4,) int64 hold the state of the loop.

    levels    (rows, columns) uint8  0 for no node, otherwise the share in LEVELS parts, rounded up
    cuts      (rows, columns) uint8  1 at the right edge of a wide node that has failed
    starts    (cells + 2,) int32     the first column of the current node of each depth
    held      (cells + 2,) int64     the number of nodes of the current column at each depth
    """

    levels: U8_2D
    cuts: U8_2D
    starts: I32
    held: I64
    registers: I64


@inner
def place_of(tree: IcicleArrays) -> tuple[int, int]:
    """The column of the last node, and the depth of the current one."""
    return int(tree.registers[_COLUMN]), int(tree.registers[_DEPTH])


@inner
def _shade(column: int, scale: TreeScale, tree: IcicleArrays) -> None:
    """Update a column of the levels from `held`."""
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


@loop
def add_nodes(steps: Steps, start: int, stop: int, scale: TreeScale, tree: IcicleArrays) -> None:
    """Record rows. Nodes beyond the expected number belong to the last column."""
    rows, columns = tree.levels.shape
    held, starts, registers = tree.held, tree.starts, tree.registers
    most, edge = scale.most, scale.edge
    count = registers[_COUNT]
    column = registers[_COLUMN]
    end = registers[_END]
    for step in range(start, stop):
        if not steps.decisions[step]:
            continue
        depth = int(steps.depths[step])
        registers[_DEPTH] = depth
        if not steps.placed[step]:
            failed = depth + 1
            if rows == scale.depths and edge and column - starts[failed] >= 3 * edge:
                tree.cuts[failed, column + 1 - edge : column + 1] = 1
            continue
        if count >= end and column + 1 < columns:
            _shade(column, scale, tree)
            held[:] = 0
            column += 1
            end = (column + 1) * most // columns
        held[depth] += 1
        starts[depth] = column
        while end <= count and column + 1 < columns:  # if a node is wider than a column
            _shade(column, scale, tree)
            held[:] = 0
            held[depth] = 1
            column += 1
            end = (column + 1) * most // columns
        count += 1
    _shade(column, scale, tree)
    registers[_COUNT] = count
    registers[_COLUMN] = column
    registers[_END] = end


class Icicle:
    """An observer: see `undoku.solver.trace.steps.Observer`. Its `arrays` are changed in place.

    `most` (>= 1) nodes share `columns` (>= 1), depths 0..`deepest` share `rows` (1 to deepest + 1).
    If each row has one depth, failed nodes of more than 3 * `edge` columns end in a gap of `edge`
    columns.
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
            registers=np.zeros(4, np.int64),
        )
        self.arrays.held[0] = 1
        column = (columns - 1) // self.scale.most  # the last column of the root
        end = (column + 1) * self.scale.most // columns
        self.arrays.registers[:] = 1, 0, column, end
        self.record(NO_STEPS, 0, 0)  # shades this column
        self.levels[:, :column] = self.levels[:, column : column + 1]

    @property
    def levels(self) -> NDArray[np.uint8]:
        return self.arrays.levels

    @property
    def cuts(self) -> NDArray[np.uint8]:
        return self.arrays.cuts

    @property
    def starts(self) -> NDArray[np.int32]:
        return self.arrays.starts

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        add_nodes(steps, start, stop, self.scale, self.arrays)

    @property
    def count(self) -> int:
        """The number of nodes so far, including the root."""
        return int(self.arrays.registers[_COUNT])

    @property
    def depth(self) -> int:
        """The depth of the current node, 0 for the root."""
        return int(self.arrays.registers[_DEPTH])

    @property
    def column(self) -> int:
        """The column of the last node."""
        return int(self.arrays.registers[_COLUMN])
