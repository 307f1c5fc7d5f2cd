"""The beginning of a search: its first steps, and its first wrong value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from render.playback.step_reasons import candidates
from solver.backtracking import Limits, search
from solver.puzzle import Puzzle
from solver.trace import Events, Op, Outcome, Trace, is_step

__all__ = ["FirstMoves", "Step", "WrongValue", "first_moves", "only_solution"]

MAX_STEPS = 48
"""The number of first steps that are examined one by one."""

_MAX_NODES = 200_000
"""The maximum number of nodes for the proof that a puzzle has one solution."""


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
    """A value placed in step `step` that is not in the puzzle's only solution, while all values
    before it are. It is undone in step `until`, 0 if it never is."""

    step: int
    cell: int
    value: int
    until: int


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """The first steps of a search, and its first wrong value; None if none is known. For a search
    for all solutions `found` is the step that completes the first one, 0 if it finds none."""

    steps: tuple[Step, ...]
    wrong: WrongValue | None = None
    found: int = 0
    solution: tuple[int, ...] | None = None
    """The values of the cells in the only solution; None where that is not known."""

    @property
    def first_return(self) -> Step | None:
        """The first step that undoes a value."""
        return next((step for step in self.steps if step.op is Op.UNDO), None)


def only_solution(puzzle: Puzzle) -> tuple[int, ...] | None:
    """The values of the cells in the puzzle's only solution; None if it has several or none, or
    if the proof takes too long."""
    tally = search(puzzle, "mrv", Limits(_MAX_NODES, exhaustive=True)).tally()
    proved = tally.outcome is Outcome.EXHAUSTED and tally.solutions == 1
    return tally.solution if proved else None


def first_moves(trace: Trace, solution: Sequence[int] | None) -> FirstMoves:
    """The beginning of a search. `solution` is the only solution of its puzzle; None if it is not
    known, and then no value is called wrong. The trace is read until its first wrong value has been
    undone, and that of a search for all solutions until the first one; it is not stored."""
    puzzle = trace.header.puzzle
    opening = _Opening(puzzle, np.array(solution, np.uint8) if solution else None)
    seen = 0
    for chunk in trace.chunks():
        events = chunk[is_step(chunk)]
        if opening.read(events, seen):
            break
        seen += len(events)
    found = _first_full_board(trace) if trace.header.exhaustive else 0
    right = tuple(solution) if solution else None
    return FirstMoves(tuple(opening.steps), opening.wrong, found, right)


def _first_full_board(trace: Trace) -> int:
    """The step after which all cells have a value for the first time, 0 where none is that step."""
    empty, seen = len(trace.header.puzzle.empty_cells), 0
    for chunk in trace.chunks():
        events = chunk[is_step(chunk)]
        left = empty - np.cumsum(np.where(events["op"] == Op.UNDO, -1, 1))
        full = np.flatnonzero(left == 0)
        if len(full):
            return seen + int(full[0]) + 1
        seen += len(events)
        empty = int(left[-1]) if len(left) else empty
    return 0


class _Opening:
    """Reads the beginning of a search on `puzzle`; `right` (cells,) uint8 is its solution."""

    def __init__(self, puzzle: Puzzle, right: NDArray[np.uint8] | None) -> None:
        self._puzzle = puzzle
        self._right = right
        self._board = puzzle.board.copy()
        self.steps: list[Step] = []
        self.wrong: WrongValue | None = None

    def read(self, events: Events, seen: int) -> bool:
        """Read events after the first `seen` steps; returns whether no more are needed."""
        at = 0
        # At most one step per cell is right without being the last, so this loop is short.
        while at < len(events) and (self._searching or len(self.steps) < MAX_STEPS):
            self._note(events[at], seen + at + 1)
            at += 1
        if self.wrong is None:
            return not self._searching and len(self.steps) >= MAX_STEPS
        if not self.wrong.until:
            wrong = self.wrong
            back = np.flatnonzero((events["cell"] == wrong.cell) & (events["op"] == Op.UNDO))
            later = back[back + seen + 1 > wrong.step]
            if len(later):
                until = seen + int(later[0]) + 1
                self.wrong = WrongValue(wrong.step, wrong.cell, wrong.value, until)
        return bool(self.wrong.until) and len(self.steps) >= MAX_STEPS

    @property
    def _searching(self) -> bool:
        """Whether a wrong value may still be found."""
        return self._right is not None and self.wrong is None and not self._board.all()

    def _note(self, event: np.void, number: int) -> None:
        op, cell, value = Op(int(event["op"])), int(event["cell"]), int(event["value"])
        if len(self.steps) < MAX_STEPS:
            options = () if op is Op.UNDO else tuple(candidates(self._puzzle, self._board, cell))
            self.steps.append(Step(number, op, cell, value, options))
        self._board[cell] = 0 if op is Op.UNDO else value
        if self._searching and op is not Op.UNDO:
            assert self._right is not None
            if self._right[cell] != value:
                self.wrong = WrongValue(number, cell, value, 0)
