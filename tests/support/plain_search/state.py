"""The board of a plain search: its candidates, why they are gone, and the events so far."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, NoReturn

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.trace import Op

Levels = frozenset[int]
"""Guesses, by how many stand before each."""

Mark = tuple[int, list[set[int]]]
"""What `take_back` goes back to: the length of the trail, and the candidates."""


class FailedError(Exception):
    """The board can't be filled, for the guesses at these levels."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels


class Find(NamedTuple):
    """What a rule finds: the value of a cell, or a value that it can't have; the cells whose lost
    candidates this follows from; and the number of the unit it was inferred from, -1 for a cell."""

    forced: bool
    value: int
    cell: int
    because: Sequence[int]
    unit: int = -1


class PlainState:
    """A board whose candidates lose what a place takes from its peers and what rules remove.

    `why` says for which guesses a candidate is gone, and for which a value was placed; it is kept
    where `explains` is true. Nothing is told of what happens while the board is `silent`.
    """

    def __init__(self, puzzle: Puzzle, givens: Sequence[int], *, explains: bool) -> None:
        self.problem, self.size = puzzle.problem, puzzle.size
        self.all = range(1, self.size + 1)
        self.units = [sorted(unit.cells) for unit in puzzle.problem.units]
        self.board = list(givens)
        self.candidates = [set(self.all) for _ in self.board]
        self.explains = explains
        self.why: dict[tuple[int, int], Levels] = {}
        self.trail: list[tuple[int, int, int]] = []
        self.events: list[tuple[int, int, int]] = []
        self.silent = self.forward = False
        self.weights = [1] * len(self.units)
        self.activity = [1.0] * len(self.board)
        for cell, value in enumerate(self.board):
            if value:
                self.candidates[cell] = {value}
                for peer in self.problem.peers[cell]:
                    self.candidates[peer].discard(value)

    @property
    def empty(self) -> list[int]:
        return [cell for cell, value in enumerate(self.board) if not value]

    def tell(self, op: int, value: int, cell: int) -> None:
        if not self.silent:
            self.events.append((op, value, cell))

    def because(self, cells: Sequence[int], values: Sequence[int] = ()) -> Levels:
        """The guesses for which candidates of these cells are gone: all or some values."""
        gone = [
            self.why.get((cell, value), frozenset())
            for cell in cells
            for value in values or self.all
            if self.explains and value not in self.candidates[cell]
        ]
        return frozenset[int]().union(*gone)

    def blame(self, *units: int) -> None:
        """Boussemart, Hemery, Lecoutre and Sais 2004: a failure adds 1 to what caused it."""
        for unit in units:
            if unit >= 0:
                self.weights[unit] += 1

    def fail(self, unit: int, cells: Sequence[int]) -> NoReturn:
        """These cells of a unit can't be filled."""
        self.blame(unit)
        raise FailedError(self.because(cells))

    def place(self, op: int, value: int, cell: int, levels: Levels) -> None:
        self.why |= dict.fromkeys(product([cell], self.candidates[cell]), levels)
        self.candidates[cell] = {value}
        self.board[cell] = value
        self.trail.append((op, value, cell))
        self.tell(op, value, cell)
        losing = [peer for peer in self.problem.peers[cell] if value in self.candidates[peer]]
        for peer in losing:
            self.candidates[peer].remove(value)
            self.why[peer, value] = levels
        lowest = min((peer for peer in losing if not self.candidates[peer]), default=-1)
        if lowest >= 0:
            units = self.problem.units_of
            self.blame(*(unit for unit in units[cell] if unit in units[lowest]))
            if self.forward:
                raise FailedError(self.because([lowest]))

    def remove(self, value: int, cell: int, levels: Levels, unit: int = -1) -> None:
        self.candidates[cell].remove(value)
        self.why[cell, value] = levels
        self.trail.append((Op.ELIMINATE, value, cell))
        self.tell(Op.ELIMINATE, value, cell)
        if not self.candidates[cell]:
            self.fail(unit, [cell])

    def mark(self) -> Mark:
        return len(self.trail), [set(values) for values in self.candidates]

    def take_back(self, mark: Mark) -> None:
        length, self.candidates = mark
        while len(self.trail) > length:
            op, value, cell = self.trail.pop()
            if op == Op.ELIMINATE:
                self.tell(Op.RESTORE, value, cell)
            else:
                self.tell(Op.UNDO, value, cell)
                self.board[cell] = 0
