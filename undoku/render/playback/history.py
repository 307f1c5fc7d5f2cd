"""What charts need of the past of a search, in memory that does not depend on its length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import I64, I64_2D, group, loop
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.steps import Steps

_ABOVE_ALL = 1 << 30


@group
class CellHistory(NamedTuple):
    """The past of each cell, changed in place.

    tries  (cells,) int64           how often a value was placed in it
    since  (cells,) int64           the step from which its content has not been counted
    stood  (cells, size + 1) int64  the number of steps counted for each value; 0: it was empty
    """

    tries: I64
    since: I64
    stood: I64_2D


@loop
def note_cells(steps: Steps, start: int, stop: int, history: CellHistory) -> None:
    """Record rows `start` to `stop` - 1."""
    for row in range(start, stop):
        cell = int(steps.cells[row])
        placed = int(steps.placed[row])
        now = steps.first + row
        history.stood[cell, 0 if placed else steps.values[row]] += now - history.since[cell]
        history.since[cell] = now
        history.tries[cell] += placed


class History:
    """An observer: see `undoku.solver.trace.steps.Observer`. `tries` (cells,) int64, changed in
    place, is how often a value was placed in each cell; `cells` are these and how long its values
    stood."""

    def __init__(self, puzzle: Puzzle) -> None:
        cells = puzzle.problem.cells
        self.tries = np.zeros(cells, np.int64)
        stood = np.zeros((cells, puzzle.size + 1), np.int64)
        self.cells = CellHistory(self.tries, np.zeros(cells, np.int64), stood)

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        note_cells(steps, start, stop, self.cells)


class Depths:
    """An observer: see `undoku.solver.trace.steps.Observer`. Its arrays are changed in place.

    `total` steps (>= 1) are distributed over `columns`: step s (from 0) belongs to column s *
    columns // total. A column covers the depths before and after its steps; a column without a
    step covers the depth at its time.

    low, high  (columns,) int32     the least and the largest depth; -1 in `high` of a column that
                                    has not begun
    restarts   (columns,) bool      whether the search restarted in it
    nodes      (cells + 1,) int64   the number of guesses at each depth >= 1; 1 at depth 0, the root
    """

    def __init__(self, puzzle: Puzzle, columns: int, total: int) -> None:
        self.total = max(1, total)
        self.low = np.full(columns, _ABOVE_ALL, np.int32)
        self.high = np.full(columns, -1, np.int32)
        self.restarts = np.zeros(columns, np.bool_)
        self.nodes = np.zeros(puzzle.problem.cells + 1, np.int64)
        self.nodes[0] = 1
        self.steps = self.depth = 0
        """The number of recorded steps, and the depth after them."""
        self.reached = 0
        """The number of columns that have begun."""

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        columns, total, before = len(self.low), self.total, self.steps
        after, done = steps.depths[start:stop], before + stop - start
        first = min(columns - 1, before * columns // total)
        self.reached = min(
            columns, max(0, (done - 1) * columns // total + 1, done * columns // total)
        )
        # Between which of these depths each column is, both included; the last one is unused.
        depths = np.concatenate(([self.depth], after, [0]))
        bounds = -(np.arange(first, self.reached + 1) * -total // columns) - before
        bounds = np.clip(bounds, 0, stop - start)
        spans = np.stack([bounds[:-1], bounds[1:] + 1], axis=1).reshape(-1)
        low, high = self.low[first : self.reached], self.high[first : self.reached]
        np.minimum(low, np.minimum.reduceat(depths, spans)[::2], out=low)
        np.maximum(high, np.maximum.reduceat(depths, spans)[::2], out=high)
        restarts = before + np.flatnonzero(steps.restarts[start:stop])
        self.restarts[np.minimum(columns - 1, restarts * columns // total)] = True
        guesses = after[(steps.placed[start:stop] & steps.decisions[start:stop]) > 0]
        self.nodes += np.bincount(guesses, minlength=len(self.nodes))
        self.steps, self.depth = done, int(depths[-2])

    def shown(self, steps: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many columns are complete after so many steps."""
        return steps * len(self.low) // self.total
