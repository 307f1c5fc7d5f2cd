"""The board of a plain search: candidates, why they are gone, and what stands on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.support.plain_search.finds import Event, Levels
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.trace import Op

__all__ = ["FailedError", "PlainState"]


class FailedError(Exception):
    """The board can't be filled, for the guesses at these levels."""

    def __init__(self, levels: Levels) -> None:
        self.levels = levels


class PlainState:
    """A board whose candidates lose what a place takes from its peers and what rules remove.

    `why` says for which guesses a candidate is gone; it is kept where `explains` is true.
    """

    def __init__(self, puzzle: Puzzle, givens: Sequence[int], *, explains: bool) -> None:
        self.puzzle, self.geometry = puzzle, puzzle.geometry
        self.size = puzzle.size
        self.all = range(1, self.size + 1)
        self.units = [tuple(sorted(unit.cells)) for unit in puzzle.geometry.units]
        self.board = list(givens)
        self.candidates = [set(self.all) for _ in self.board]
        self.explains = explains
        self.why: dict[tuple[int, int], Levels] = {}
        self.trail: list[Event] = []
        self.reported = 0
        self.events: list[Event] = []
        self.forward = False
        self.weights = [1] * len(self.units)
        self.activity = [1.0] * len(self.board)
        for cell, value in enumerate(self.board):
            if value:
                self.candidates[cell] = {value}
                for peer in self.geometry.peers[cell]:
                    self.candidates[peer].discard(value)

    @property
    def empty(self) -> list[int]:
        return [cell for cell, value in enumerate(self.board) if not value]

    def tell(self, op: int, value: int, cell: int) -> None:
        """An event of its own, after all that is on the trail."""
        self.events += self.trail[self.reported :]
        self.reported = len(self.trail)
        self.events.append((op, value, cell))

    def because(self, cells: Sequence[int], values: Sequence[int] = ()) -> Levels:
        """The guesses for which candidates of these cells are gone: all or some values."""
        if not self.explains:
            return frozenset()
        gone = [
            self.why.get((cell, value), frozenset())
            for cell in cells
            for value in values or self.all
            if value not in self.candidates[cell]
        ]
        return frozenset[int]().union(*gone)

    def blame(self, *units: int) -> None:
        """Boussemart, Hemery, Lecoutre and Sais 2004: a failure adds 1 to what caused it."""
        for unit in units:
            if unit >= 0:
                self.weights[unit] += 1

    def place(self, op: int, value: int, cell: int, levels: Levels) -> None:
        for other in self.candidates[cell] - {value}:
            self.why[cell, other] = levels
        self.candidates[cell] = {value}
        self.board[cell] = value
        self.trail.append((op, value, cell))
        emptied = []
        for peer in self.geometry.peers[cell]:
            if value in self.candidates[peer]:
                self.candidates[peer].remove(value)
                self.why[peer, value] = levels
                if not self.candidates[peer]:
                    emptied.append(peer)
        if emptied:
            lowest = min(emptied)
            units = self.geometry.units_of
            self.blame(*(unit for unit in units[cell] if unit in units[lowest]))
            if self.forward:
                raise FailedError(self.because([lowest]))

    def remove(self, value: int, cell: int, levels: Levels, unit: int = -1) -> None:
        self.candidates[cell].remove(value)
        self.why[cell, value] = levels
        self.trail.append((Op.ELIMINATE, value, cell))
        if not self.candidates[cell]:
            self.blame(unit)
            raise FailedError(self.because([cell]))

    def mark(self) -> tuple[int, list[set[int]]]:
        """What `take_back` goes back to."""
        return len(self.trail), [set(values) for values in self.candidates]

    def take_back(self, mark: tuple[int, list[set[int]]], *, reported: bool = True) -> None:
        length, before = mark
        while len(self.trail) > length:
            op, value, cell = self.trail[-1]
            if reported:
                self.tell(Op.RESTORE if op == Op.ELIMINATE else Op.UNDO, value, cell)
            self.trail.pop()
            self.reported = min(self.reported, len(self.trail))
            if op != Op.ELIMINATE:
                self.board[cell] = 0
        self.candidates = [set(values) for values in before]

    @contextmanager
    def telling(self) -> Iterator[None]:
        """All that this puts on the trail is told, also where it fails."""
        try:
            yield
        finally:
            self.events += self.trail[self.reported :]
            self.reported = len(self.trail)
