"""What is measured of a whole search in one pass: its tree if it is small, and the numbers of
candidates of its choices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from undoku.h264.loops import I64, count_bits, loop
from undoku.render.playback.history import History
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.state import State, StateArrays, apply_events, options_of
from undoku.solver.trace.steps import Steps, fold
from undoku.solver.trace.trace import Trace

MAX_NODES = 400
"""The maximum number of nodes of a tree that is shown node by node."""


class Tree:
    """An observer (`undoku.solver.trace.steps.Observer`) of trees with up to `most` nodes:
    `parents` are the parent of each node, in the order in which nodes were created; the root is
    node 0 and its own parent. `current` is the current node."""

    def __init__(self, most: int) -> None:
        self.parents = [0]
        self.current = 0
        self._most = most

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1, until there are too many nodes."""
        row = start
        while row < stop and self.whole:
            if steps.decisions[row] and steps.placed[row]:
                self.parents.append(self.current)
                self.current = len(self.parents) - 1
            elif steps.decisions[row]:
                self.current = self.parents[self.current]
            row += 1

    @property
    def whole(self) -> bool:
        """Whether all nodes were recorded: there are not too many."""
        return len(self.parents) <= self._most


@loop
def _count(
    steps: Steps,
    start: int,
    stop: int,
    state: StateArrays,
    counts: I64,
    undone: int,
) -> int:
    """Count rows, and apply them to `state`. `undone` is the cell of the preceding step if that was
    an undo, otherwise -1; returns the same for the last step. A guess directly after an undo of its
    cell is the next value of the same node, not a new choice."""
    for row in range(start, stop):
        cell = int(steps.cells[row])
        at = int(steps.starts[row])
        if row == 0:
            apply_events(steps.events, 0, at, state)
        if steps.placed[row]:
            if steps.decisions[row] and cell != undone:
                free = options_of(cell, state.resources) & ~int(state.removed[cell])
                counts[count_bits(free)] += 1
            undone = -1
        else:
            undone = cell
        apply_events(steps.events, at, int(steps.starts[row + 1]), state)
    return undone


class Choices:
    """An observer: see `undoku.solver.trace.steps.Observer`. `counts` (size + 1,) int64 is the
    number of nodes whose chosen cell had 0, 1, 2, … candidates."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.counts = np.zeros(puzzle.geometry.size + 1, np.int64)
        self._state = State(puzzle)
        self._undone = -1

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        arrays = self._state.arrays
        self._undone = _count(steps, start, stop, arrays, self.counts, self._undone)


@dataclass(frozen=True, slots=True)
class Survey:
    """`history` has the number of tries in each cell at the end of the search; `tree` has all nodes
    if there are few."""

    history: History
    tree: Tree


def survey(trace: Trace) -> Survey:
    """Read a trace once, without storing it."""
    found = Survey(History(trace.header.puzzle), Tree(MAX_NODES))
    fold(trace, (found.history, found.tree))
    return found
