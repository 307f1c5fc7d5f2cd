"""The numbers of candidates of the choices of a search."""

from __future__ import annotations

import numpy as np

from undoku.h264.loops import I64, count_bits, loop
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.state import State, StateArrays, apply_events, options_of
from undoku.solver.trace.steps import Steps


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
        self.counts = np.zeros(puzzle.problem.size + 1, np.int64)
        self._state = State(puzzle)
        self._undone = -1

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        arrays = self._state.arrays
        self._undone = _count(steps, start, stop, arrays, self.counts, self._undone)
