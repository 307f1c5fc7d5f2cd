"""What docs/strategies.md says about searches, against plain programs that do just that."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.backtracking import Limits, search
from solver.formats import read
from solver.puzzle import Geometry, Puzzle, standard_geometry
from solver.trace import Op
from solver.variants import EXTRAS

ROOT = Path(__file__).parents[3]
Event = tuple[int, int, int]

FEW = Puzzle((1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0), standard_geometry(4))
NONE = Puzzle((1, 2, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0), standard_geometry(4))
DIAGONALS = Puzzle((0,) * 16, EXTRAS["diagonals"](standard_geometry(4)))
SIX = read(str(ROOT / "examples" / "puzzles" / "six.txt"))


def events_of(puzzle: Puzzle, strategy: str, *, exhaustive: bool) -> list[Event]:
    found = search(puzzle, strategy, Limits(exhaustive=exhaustive)).read()
    return [(int(op), int(value), int(cell)) for op, value, cell in found.tolist()]


def open_values(board: list[int], puzzle: Puzzle, cell: int) -> list[int]:
    taken = {board[peer] for peer in puzzle.geometry.peers[cell]}
    return [value for value in range(1, puzzle.size + 1) if value not in taken]


class Waves:
    """Limited discrepancy search over the empty cells in reading order, for all solutions."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.board = list(puzzle.givens)
        self.events: list[Event] = []
        self.wave = 0
        self.left_out = True
        while self.left_out:
            self.left_out = False
            self.visit(0, 0)
            self.wave += 1

    def visit(self, depth: int, spent: int) -> None:
        empty = self.puzzle.empty_cells
        if depth == len(empty):
            return
        cell = empty[depth]
        for rank, value in enumerate(open_values(self.board, self.puzzle, cell)):
            cost = 1 if rank else 0  # every later value costs the same
            if spent + cost > self.wave:
                self.left_out = True
                return
            if depth + 1 == len(empty) and spent + cost < self.wave:
                continue  # a full board that an earlier wave has shown
            self.board[cell] = value
            self.events.append((Op.GUESS, value, cell))
            self.visit(depth + 1, spent + cost)
            self.board[cell] = 0
            self.events.append((Op.UNDO, value, cell))


@pytest.mark.parametrize("puzzle", [FEW, NONE, DIAGONALS])
def test_lds_departs_at_the_bottom_first_and_every_later_value_costs_one(puzzle: Puzzle) -> None:
    assert events_of(puzzle, "row-major+lds", exhaustive=True) == Waves(puzzle).events


class Weights:
    """`dom-wdeg` without inference, up to the first solution."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.board = list(puzzle.givens)
        self.weights = [1] * len(puzzle.geometry.units)
        self.events: list[Event] = []
        self.solved = self.visit()

    def quotient(self, cell: int) -> float:
        units = self.puzzle.geometry.units
        weight = sum(
            self.weights[number]
            for number in self.puzzle.geometry.units_of[cell]
            if any(other != cell and not self.board[other] for other in units[number].cells)
        )
        return len(open_values(self.board, self.puzzle, cell)) / max(weight, 1)

    def visit(self) -> bool:
        empty = [cell for cell, value in enumerate(self.board) if not value]
        if not empty:
            return True
        cell = min(empty, key=lambda cell: (self.quotient(cell), cell))
        for value in open_values(self.board, self.puzzle, cell):
            before = [peer for peer in self.open_peers(cell) if self.has_candidates(peer)]
            self.board[cell] = value
            self.events.append((Op.GUESS, value, cell))
            self.blame(cell, [peer for peer in before if not self.has_candidates(peer)])
            if self.visit():
                return True
            self.board[cell] = 0
            self.events.append((Op.UNDO, value, cell))
        return False

    def open_peers(self, cell: int) -> list[int]:
        return [peer for peer in self.puzzle.geometry.peers[cell] if not self.board[peer]]

    def has_candidates(self, cell: int) -> bool:
        return bool(open_values(self.board, self.puzzle, cell))

    def blame(self, cell: int, emptied: list[int]) -> None:
        if emptied:
            of_cell = self.puzzle.geometry.units_of
            for number in set(of_cell[cell]) & set(of_cell[min(emptied)]):
                self.weights[number] += 1


@pytest.mark.parametrize("puzzle", [FEW, NONE, SIX, DIAGONALS])
def test_dom_wdeg_blames_the_units_of_both_cells_and_never_forgets(puzzle: Puzzle) -> None:
    assert events_of(puzzle, "dom-wdeg", exhaustive=False) == Weights(puzzle).events


def test_pairs_alone_depend_on_the_order_of_the_units_and_with_singles_and_locked_they_do_not() -> (
    None
):
    puzzle = read(str(ROOT / "examples" / "puzzles" / "hard.txt"))
    turned = Puzzle(puzzle.givens, Geometry(9, puzzle.geometry.units[::-1]))

    def nodes(strategy: str) -> list[int]:
        return [search(board, strategy).tally().nodes for board in (puzzle, turned)]

    assert nodes("row-major+pairs") == [3827, 3825]
    for strategy in ("row-major+singles+locked+pairs", "mrv+singles+locked+pairs"):
        one, other = nodes(strategy)
        assert one == other
