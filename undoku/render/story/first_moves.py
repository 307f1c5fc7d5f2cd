"""The first steps of a search, and its wrong values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from undoku.render.playback.step_reasons import candidates
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.steps import Steps, steps_of
from undoku.solver.trace.trace import Op, Outcome, Trace

__all__ = ["FirstMoves", "Step", "WrongValue", "first_moves", "only_solution"]

MAX_STEPS = 48
"""The number of first steps that are examined one by one."""

MAX_READ = 10_000_000
"""The number of steps after which further wrong values are not searched for."""

_NEAR = 1024
"""The number of steps that are examined together for the end of a wrong value; then more are."""

_MAX_NODES = 200_000
"""The maximum number of nodes for the proof that a puzzle has one solution."""

_PROVING = ("mrv", "mrv+singles")
"""The strategies of the searches for the proof: the second one has a slower loop, and proves what
takes the first one too many nodes."""


@dataclass(frozen=True, slots=True)
class Step:
    """The step `number` (from 1) of a search. `options` are the candidates of its cell on the board
    before it, ascending, before any removal by inference; () for an undo."""

    number: int
    op: Op
    cell: int
    value: int
    options: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WrongValue:
    """A value placed in step `step` that is not in the puzzle's only solution, while all `before`
    values that the board already has, besides its givens, are. It is undone in step `until`, 0 if
    it never is."""

    step: int
    cell: int
    value: int
    before: int
    until: int = 0

    @property
    def cost(self) -> int:
        """The number of steps from its place to its undo, both included; 0 if it is not undone."""
        return self.until - self.step + 1 if self.until else 0


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """The first steps of a search, and its wrong values, by step. For a search for all solutions
    `found` is the step that completes the first one, 0 if it finds none."""

    steps: tuple[Step, ...]
    wrong_values: tuple[WrongValue, ...] = ()
    found: int = 0
    solution: tuple[int, ...] | None = None
    """The values of the cells in the only solution; None where that is not known."""
    complete: bool = False
    """Whether `wrong_values` are all up to the solution, not only those of the beginning."""

    @property
    def wrong(self) -> WrongValue | None:
        """The first wrong value; None if none is known."""
        return self.wrong_values[0] if self.wrong_values else None

    @property
    def first_return(self) -> Step | None:
        """The first step that undoes a value."""
        return next((step for step in self.steps if step.op is Op.UNDO), None)


def only_solution(puzzle: Puzzle) -> tuple[int, ...] | None:
    """The values of the cells in the puzzle's only solution; None if it has several or none, or
    if the proof takes too long."""
    for strategy in _PROVING:
        tally = search(puzzle, strategy, Limits(_MAX_NODES, exhaustive=True)).tally()
        if tally.outcome is Outcome.EXHAUSTED:
            return tally.solution if tally.solutions == 1 else None
        if tally.solutions > 1:
            break
    return None


def first_moves(trace: Trace, solution: Sequence[int] | None) -> FirstMoves:
    """The beginning of a search. `solution` is the only solution of its puzzle; None if it is not
    known, and then no value is called wrong. The trace is read until its first wrong value has been
    undone, and up to MAX_READ steps; that of a search for all solutions until the first one. It is
    not stored."""
    puzzle = trace.header.puzzle
    beginning = _Beginning(puzzle)
    wrong_values = _WrongValues(solution, len(puzzle.empty_cells)) if solution else None
    first_full = _FirstFullBoard(puzzle)
    for steps in steps_of(trace):
        beginning.read(steps)
        if wrong_values:
            wrong_values.read(steps)
        if trace.header.exhaustive:
            first_full.read(steps)
            if not first_full.step:
                continue
        seen = steps.first + len(steps.cells)
        if len(beginning.steps) >= MAX_STEPS and (not wrong_values or wrong_values.enough(seen)):
            break
    right = tuple(solution) if solution else None
    wrong = tuple(wrong_values.found) if wrong_values else ()
    solved = wrong_values is not None and wrong_values.solved
    return FirstMoves(tuple(beginning.steps), wrong, first_full.step, right, solved)


class _FirstFullBoard:
    """The `step` after which all cells have a value for the first time, 0 if there is none."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._empty = len(puzzle.empty_cells)
        self.step = 0

    def read(self, steps: Steps) -> None:
        """Read the next steps."""
        left = self._empty - np.cumsum(np.where(steps.placed, 1, -1))
        full = np.flatnonzero(left == 0)
        if len(full) and not self.step:
            self.step = steps.first + int(full[0]) + 1
        self._empty = int(left[-1]) if len(left) else self._empty


class _Beginning:
    """Reads the first steps of a search on `puzzle`."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._board = puzzle.board.copy()
        self.steps: list[Step] = []

    def read(self, steps: Steps) -> None:
        """Read the next steps."""
        for row in range(min(len(steps.cells), MAX_STEPS - len(self.steps))):
            cell, value, placed = int(steps.cells[row]), int(steps.values[row]), steps.placed[row]
            options = tuple(candidates(self._puzzle, self._board, cell)) if placed else ()
            op = (Op.GUESS if steps.guesses[row] else Op.FORCED) if placed else Op.UNDO
            self.steps.append(Step(steps.first + row + 1, op, cell, value, options))
            self._board[cell] = value if placed else 0


class _WrongValues:
    """Finds the wrong values of a search up to the solution; `right` are the values of the only
    solution, `empty` of which are not given."""

    def __init__(self, right: Sequence[int], empty: int) -> None:
        self._right = right
        self._empty = empty
        self._before = 0
        self.found: list[WrongValue] = []

    @property
    def solved(self) -> bool:
        """Whether all cells have the values of the solution."""
        return self._before == self._empty

    def enough(self, seen: int) -> bool:
        """Whether no further events than the first `seen` are needed."""
        return self.solved or (seen >= MAX_READ and bool(self.found) and self.found[0].until > 0)

    def read(self, steps: Steps) -> None:
        """Read the next steps."""
        row = 0
        # Only few steps lead from one wrong value to the next, so this loop is short.
        while row < len(steps.cells) and not self.solved:
            if self.found and not self.found[-1].until:
                row = _after_undo(steps, row, self.found[-1].cell)
                if not row:
                    return
                self.found[-1] = replace(self.found[-1], until=steps.first + row)
                continue
            cell, value, placed = int(steps.cells[row]), int(steps.values[row]), steps.placed[row]
            row += 1
            if not placed:
                self._before -= 1
            elif self._right[cell] == value:
                self._before += 1
            else:
                self.found.append(WrongValue(steps.first + row, cell, value, self._before))


def _after_undo(steps: Steps, start: int, cell: int) -> int:
    """The row after the first one, from `start` on, that undoes `cell`; 0 if there is none."""
    count = _NEAR
    while start < len(steps.cells):
        part = slice(start, start + count)
        back = np.flatnonzero((steps.cells[part] == cell) & (steps.placed[part] == 0))
        if len(back):
            return start + int(back[0]) + 1
        start, count = start + count, count * 4
    return 0
