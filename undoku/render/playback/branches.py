"""The branches of a search tree of any size that a picture has room for: a compiled loop over
arrays.

Nodes are numbered in the order in which they were created, so that those of a subtree follow each
other. Equal numbers of them share a row, and in a picture those of one row and depth are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I32, I32_2D, I64, U8_2D, group, loop
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.steps import Steps

RIGHT, WRONG = 1, 2
"""The kinds of branches."""


@group
class BranchArrays(NamedTuple):
    """The branches to each row at each depth >= 1, (cells + 1, rows). At most two lead there: from
    the same row, and from an earlier one.

    same     uint8               the kind of the branch from the same row; 0 for none
    falling  uint8               the kind of the one from an earlier row; 0 for none
    origins  int32               that row
    last     (cells + 1,) int32  the row of the last node at each depth
    nodes    (1,) int64          the number of nodes, the root included
    """

    same: U8_2D
    falling: U8_2D
    origins: I32_2D
    last: I32
    nodes: I64


@loop
def add_branches(
    steps: Steps, start: int, stop: int, kind: int, per_row: int, tree: BranchArrays
) -> None:
    """Record rows `start` to `stop` - 1 of the steps. A branch has the kind of its first node.
    Nodes beyond the expected number belong to the last row."""
    same, falling = tree.same, tree.falling
    final = same.shape[1] - 1
    for step in range(start, stop):
        if not (steps.decisions[step] and steps.placed[step]):
            continue
        depth = int(steps.depths[step])
        row = min(final, tree.nodes[0] // per_row)
        origin = tree.last[depth - 1]
        if origin == row:
            if not same[depth, row]:
                same[depth, row] = kind
        elif not falling[depth, row]:
            falling[depth, row] = kind
            tree.origins[depth, row] = origin
        tree.last[depth] = row
        tree.nodes[0] += 1


class Branches:
    """An observer: see `undoku.solver.trace.steps.Observer`. Its `arrays` are changed in place.
    `per_row` (>= 1) nodes share each of `rows` (>= 1) rows. Branches are WRONG that begin in one of
    the `wrong` spans of steps: numbers, from 1, of a place and of its undo, ascending."""

    def __init__(
        self, puzzle: Puzzle, rows: int, per_row: int, wrong: Sequence[tuple[int, int]] = ()
    ) -> None:
        depths = puzzle.problem.cells + 1
        self.arrays = BranchArrays(
            same=np.zeros((depths, rows), np.uint8),
            falling=np.zeros((depths, rows), np.uint8),
            origins=np.zeros((depths, rows), np.int32),
            last=np.zeros(depths, np.int32),
            nodes=np.ones(1, np.int64),
        )
        self._per_row = per_row
        self._turns = [step - 1 for span in wrong for step in span]

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        turns = [min(stop, max(start, turn - steps.first)) for turn in self._turns]
        for number, (first, end) in enumerate(pairwise([start, *turns, stop])):
            kind = WRONG if number % 2 else RIGHT
            add_branches(steps, first, end, kind, self._per_row, self.arrays)
