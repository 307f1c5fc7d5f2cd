"""Rules that run once at the root, `singles@root`, against a plain program that does just that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver import engines
from solver.backtracking import Limits, search
from solver.errors import StrategyError
from solver.puzzle import Puzzle
from solver.stats import tally_of
from solver.strategies.strategy import Strategy
from solver.trace import Op, Outcome, Tally
from tests.support.puzzles import PUBLISHED
from tests.support.seeded_puzzles import sample

Event = tuple[int, int, int]
MOST = 3000
"""Nodes after which both programs stop."""


class TooManyError(Exception):
    """The plain program has as many nodes as are compared."""


class Presolved:
    """Singles at the root until there are none, then the plain search in reading order (or for the
    cell with the fewest values) of what is left, for all solutions."""

    def __init__(self, puzzle: Puzzle, fewest: bool) -> None:
        self.puzzle, self.fewest = puzzle, fewest
        self.board = list(puzzle.givens)
        self.events: list[Event] = []
        self.nodes = 1
        if self.singles():
            try:
                self.visit()
            except TooManyError:
                return

    def open_values(self, cell: int) -> set[int]:
        if self.board[cell]:
            return {self.board[cell]}
        taken = {self.board[peer] for peer in self.puzzle.geometry.peers[cell]}
        return set(range(1, self.puzzle.size + 1)) - taken

    def singles(self) -> bool:
        """Naked singles while there are any, then the hidden ones of the whole board, and again.
        False where the board can't be filled."""
        while True:
            candidates = [self.open_values(cell) for cell in range(len(self.board))]
            if not all(candidates):
                return False
            found = [
                (cell, next(iter(candidates[cell])))
                for cell, value in enumerate(self.board)
                if not value and len(candidates[cell]) == 1
            ]
            if not found:
                hidden = self.hidden_singles(candidates)
                if not hidden:
                    return hidden is not None
                found = hidden
            for cell, value in found:
                if self.board[cell] == value:
                    continue
                if value not in self.open_values(cell):
                    return False
                self.board[cell] = value
                self.events.append((Op.FORCED, value, cell))
                if not all(map(self.open_values, range(len(self.board)))):
                    return False

    def hidden_singles(self, candidates: list[set[int]]) -> list[tuple[int, int]] | None:
        """(cell, value) unit by unit; None where a unit can't be filled."""
        found = []
        for unit in self.puzzle.geometry.units:
            if len(unit.cells) != self.puzzle.size:
                continue
            places = {
                value: [cell for cell in unit.cells if value in candidates[cell]]
                for value in range(1, self.puzzle.size + 1)
            }
            alone = [(cells[0], value) for value, cells in places.items() if len(cells) == 1]
            if not all(places.values()) or len({cell for cell, _ in alone}) < len(alone):
                return None
            found += [(cell, value) for cell, value in sorted(alone) if not self.board[cell]]
        return found

    def visit(self) -> None:
        empty = [cell for cell, value in enumerate(self.board) if not value]
        if not empty:
            return
        cell = min(empty, key=lambda cell: len(self.open_values(cell))) if self.fewest else empty[0]
        for value in sorted(self.open_values(cell)):
            if self.nodes == MOST:
                raise TooManyError
            self.nodes += 1
            self.board[cell] = value
            self.events.append((Op.GUESS, value, cell))
            self.visit()
            self.board[cell] = 0
            self.events.append((Op.UNDO, value, cell))


@pytest.mark.parametrize("spec", ["row-major+singles@root", "mrv+singles@root"])
def test_singles_once_at_the_root_then_plain_search(spec: str) -> None:
    """Event by event the same as a program of thirty lines, on puzzles with none, one and many
    solutions."""
    for name, puzzle in sample().items():
        trace = search(puzzle, spec, Limits(exhaustive=True, max_nodes=MOST))
        found = [(int(op), int(value), int(cell)) for op, value, cell in trace.read().tolist()]
        assert found == Presolved(puzzle, spec.startswith("mrv")).events, name


@pytest.mark.parametrize(
    "spec",
    ["row-major+singles@root", "mrv/random:2+singles@root", "spiral/descending+locked@root"],
)
def test_the_faster_loops_after_the_root_search_the_same_tree(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events and counts, also where the root ends the search or eliminates candidates."""

    def found() -> list[tuple[bytes, Tally]]:
        many = (
            search(p, spec, Limits(MOST, exhaustive=whole))
            for p in sample().values()
            for whole in (False, True)
        )
        return [(trace.read().tobytes(), replace(trace.tally(), seconds=0)) for trace in many]

    fast = found()
    monkeypatch.setattr(
        engines, "_PresolvedEngine", lambda *given: engines._GeneralEngine(*given[:3])
    )
    assert found() == fast


def test_nothing_is_forced_after_the_first_guess() -> None:
    trace = search(PUBLISHED["hard"].grid, "row-major+singles@root+locked@root")
    ops = [op for op, _, _ in trace.read().tolist()]
    first = ops.index(Op.GUESS)
    assert Op.FORCED in ops[:first]
    assert not {Op.FORCED, Op.ELIMINATE, Op.RESTORE} & set(ops[first:])
    assert tally_of(trace.header, trace.chunks(), Outcome.SOLVED).nodes == trace.tally().nodes


def test_rules_at_the_root_and_rules_at_every_node_go_together() -> None:
    """The root of `a+b@root` is that of `a+b`, its nodes those of `a`."""
    both, mixed, alone = (
        search(PUBLISHED["hard"].grid, spec).read().tolist()
        for spec in ("mrv+naked-singles+locked", "mrv+naked-singles+locked@root", "mrv+locked")
    )
    head = next(at for at, (op, _, _) in enumerate(both) if op == Op.GUESS)
    assert mixed[:head] == both[:head]
    after = {op for op, _, _ in mixed[head:]}
    assert Op.FORCED in after and Op.ELIMINATE not in after
    assert mixed != alone


def test_the_text_says_which_rules_run_at_the_root_only() -> None:
    short = {
        "row-major + singles@root": "row-major+singles@root",
        "mrv+hidden-singles@root+naked-singles@root": "mrv+singles@root",
        "mrv+pairs@root+naked-singles+locked@ROOT": "mrv+naked-singles+locked@root+pairs@root",
        "mrv+singles@root+naked-singles": "mrv+naked-singles+hidden-singles@root",
        "mrv+singles+singles@root": "mrv+singles",
        "mrv+singles@root+cbj": "mrv+singles@root+cbj",
    }
    for written, expected in short.items():
        strategy = Strategy.parse(written)
        assert str(strategy) == expected
        assert Strategy.parse(expected) == strategy
    assert Strategy.parse("row-major+singles@root").sentence == (
        "Takes the empty cells in reading order; logic once, before the first guess: forced digits"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mrv+cbj@root", ["cbj@root", "way of going back", "+cbj"]),
        ("mrv+single@root", ["'single'", "did you mean singles?"]),
        ("mrv+@root", ["missing"]),
        ("mrv@root", ["'mrv@root'"]),
        ("mrv+singles@node", ["'singles@node'"]),
    ],
)
def test_a_root_that_is_not_a_rules_is_refused_in_one_sentence(spec: str, words: list[str]) -> None:
    with pytest.raises(StrategyError) as caught:
        Strategy.parse(spec)
    for word in words:
        assert word in str(caught.value)
