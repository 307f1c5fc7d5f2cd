"""The first steps of a search, and its wrong values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.playback.step_reasons import candidates
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, SearchTrace
from undoku.solver.trace.state import GUESS, State
from undoku.solver.trace.steps import Steps, steps_of
from undoku.solver.trace.trace import Outcome, Trace

MAX_READ = 10_000_000
"""The number of steps after which further wrong values are not searched for."""

_MAX_STEPS = 14
"""The maximum number of first steps that are described."""

_MAX_NODES = 200_000
"""The maximum number of nodes for the proof that a puzzle has one solution."""

_PROVING = Strategy.parse("mrv+singles")
"""The strategy of the search for the proof."""


class Step(NamedTuple):
    """Step `number` of a search, one of the first, which places a value, `decided` by the
    search or found by inference; it is `guessed` if the cell had another option. `options` are
    the candidates of its cell, ascending, before any removal by inference; () where only the
    solver knows them. `board` (cells,) uint8 is the one before it."""

    number: int
    board: NDArray[np.uint8]
    decided: bool
    guessed: bool
    cell: int
    value: int
    options: tuple[int, ...]


class WrongValue(NamedTuple):
    """A value placed in step `step` that is not in the puzzle's only solution, while all `before`
    values that the board already has, besides its givens, are. It is undone in step `until`, 0 if
    it never is."""

    step: int
    cell: int
    value: int
    before: int
    until: int = 0

    @property
    def stands(self) -> int:
        """The number of steps after which it is on the board; 0 if it is not undone."""
        return self.until - self.step if self.until else 0


class FirstMoves(NamedTuple):
    """The first steps of a search, up to the first undo, and its wrong values, by step. For a
    search for all solutions `found` is the step that completes the first one, 0 if it finds
    none."""

    steps: tuple[Step, ...]
    wrong_values: tuple[WrongValue, ...] = ()
    found: int = 0
    complete: bool = False
    """Whether `wrong_values` are all up to the solution, not only those of the beginning."""

    @property
    def first(self) -> Step | None:
        """The first step; None if there is none."""
        return self.steps[0] if self.steps else None

    @property
    def wrong(self) -> WrongValue | None:
        """The first wrong value; None if none is known."""
        return self.wrong_values[0] if self.wrong_values else None


def only_solution(puzzle: Puzzle) -> tuple[int, ...] | None:
    """The values of the cells in the puzzle's only solution; None if it has several or none, or
    if the proof takes too long."""
    tally = SearchTrace(puzzle, _PROVING, Limits(_MAX_NODES, exhaustive=True)).tally()
    unique = tally.outcome is Outcome.EXHAUSTED and tally.solutions == 1
    return tally.solution if unique else None


def first_moves(trace: Trace, solution: Sequence[int] | None) -> FirstMoves:
    """The beginning of a search. `solution` is the only solution of its puzzle; None if it is not
    known, and then no value is called wrong. The trace is read until its first wrong value has been
    undone, and up to MAX_READ steps; that of a search for all solutions until the first one. It is
    not stored."""
    puzzle, exhaustive = trace.header.puzzle, trace.header.exhaustive
    empty = len(puzzle.empty_cells)
    wrong_values = WrongValues(puzzle, solution) if solution else None
    first: tuple[Step, ...] = ()
    found = 0
    for steps in steps_of(trace):
        if not first and len(steps.cells):
            first = tuple(_described(puzzle, steps))
        if wrong_values:
            wrong_values.read(steps)
        if exhaustive and not found:
            left = empty - np.cumsum(np.where(steps.placed, 1, -1))
            full = np.flatnonzero(left == 0)
            found = steps.first + int(full[0]) + 1 if len(full) else 0
            empty = int(left[-1]) if len(left) else empty
        seen = steps.first + len(steps.cells)
        enough = first and (not wrong_values or _is_enough(wrong_values, seen))
        if enough and (found or not exhaustive):
            break
    if wrong_values is None:
        return FirstMoves(first, found=found)
    wrong = tuple(wrong_values.found)
    return FirstMoves(first, wrong, found, wrong_values.solved > 0)


def _is_enough(wrong_values: WrongValues, seen: int) -> bool:
    """Whether no further steps than the first `seen` are needed to find wrong values."""
    known = wrong_values.found
    return wrong_values.solved > 0 or (seen >= MAX_READ and bool(known) and known[0].until > 0)


def _described(puzzle: Puzzle, steps: Steps) -> Iterator[Step]:
    """The first of these steps, which begin with that of the search."""
    board, free, state = puzzle.board, puzzle.problem.is_free, State(puzzle)
    for row, cell in enumerate(steps.cells[:_MAX_STEPS].tolist()):
        if not steps.placed[row]:
            return
        options = () if free else tuple(candidates(puzzle, board, cell))
        value = int(steps.values[row])
        state.play(steps, row + 1)
        guessed = state.arrays.kinds[cell] == GUESS
        yield Step(row + 1, board, bool(steps.decisions[row]), guessed, cell, value, options)
        board = board.copy()
        board[cell] = value


class WrongValues:
    """Finds the wrong values of a search of a puzzle up to its solution, which has the values
    `right` in its cells; and the step `solved` that completes it, 0 if none has."""

    def __init__(self, puzzle: Puzzle, right: Sequence[int]) -> None:
        self._right = np.array(right, np.uint8)
        self._empty = len(puzzle.empty_cells)
        self._filled = self._wrong = 0
        self.found: list[WrongValue] = []
        self.solved = 0

    def read(self, steps: Steps) -> None:
        """Read the next steps."""
        if self.solved or not len(steps.cells):
            return
        change = np.where(steps.placed, 1, -1)
        filled = self._filled + np.cumsum(change)
        wrong = self._wrong + np.cumsum(change * (steps.values != self._right[steps.cells]))
        full = np.flatnonzero((filled == self._empty) & (wrong == 0))
        stop = int(full[0]) + 1 if len(full) else len(wrong)
        # A wrong value is the first one after a right board, and ends with the next right board.
        is_right = np.concatenate([[self._wrong == 0], wrong[:stop] == 0])
        for row in np.flatnonzero(is_right[1:] != is_right[:-1]).tolist():
            number = steps.first + row + 1
            if wrong[row]:
                cell, value = int(steps.cells[row]), int(steps.values[row])
                self.found.append(WrongValue(number, cell, value, int(filled[row]) - 1))
            else:
                self.found[-1] = self.found[-1]._replace(until=number)
        self._filled, self._wrong = int(filled[-1]), int(wrong[-1])
        self.solved = steps.first + stop if len(full) else 0
