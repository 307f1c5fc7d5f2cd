"""The solutions of an exhaustive search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.state import State
from undoku.solver.trace.steps import Steps

_MAX_KEPT = 32
"""The number of solutions whose boards are stored, besides the last one."""


class FullBoard(NamedTuple):
    """A solution: for each cell its value, the number of guesses on the board when it was placed,
    and the op that placed it, as in `undoku.solver.trace.state.StateArrays`."""

    board: NDArray[np.uint8]
    depths: NDArray[np.int32]
    kinds: NDArray[np.uint8]


def parts_by_solution(
    state: State, steps: Steps, start: int, stop: int
) -> Iterator[tuple[int, int, bool]]:
    """Rows `start` to `stop` - 1 in parts, divided after each solution: the first row of each, the
    row after its last one, and whether that completes a solution. `state`, that before these rows,
    is advanced to that after each part."""
    changes = np.where(steps.placed[start:stop], 1, -1)
    full = np.flatnonzero(state.filled + np.cumsum(changes) == len(state.board))
    for end in (start + 1 + full).tolist():
        state.play(steps, steps.first + end)
        yield start, end, not state.conflicts()
        start = end
    if start < stop:
        state.play(steps, steps.first + stop)
        yield start, stop, False


class Solutions:
    """An observer (`undoku.solver.trace.steps.Observer`) of the full boards without a conflict:
    their number (`count`), the `first` ones, the `last` one, and the step after which it was
    complete."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._state = State(puzzle)
        self.count = 0
        self.first: list[FullBoard] = []
        self.last: FullBoard | None = None
        self.last_step = 0

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        for _, _, solved in parts_by_solution(self._state, steps, start, stop):
            if solved:
                state = self._state
                self.count += 1
                self.last_step = state.steps
                self.last = FullBoard(
                    state.board.copy(), state.arrays.depths.copy(), state.arrays.kinds.copy()
                )
                if len(self.first) < _MAX_KEPT:
                    self.first.append(self.last)
