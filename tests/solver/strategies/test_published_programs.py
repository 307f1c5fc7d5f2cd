"""The presets after published programs, against plain programs written from the publications."""

from __future__ import annotations

import pytest

from solver.backtracking import Limits, search
from solver.formats import read
from solver.puzzle import Puzzle
from solver.trace import Op, Outcome
from tests.support.many_puzzles import many_puzzles
from tests.support.puzzles import PUBLISHED
from tests.support.seeded_puzzles import sample

Event = tuple[int, int, int]
SAMPLE = dict(sample())
FULL_UNITS = [name for name in SAMPLE if name.startswith(("4,", "6", "latin", "jigsaw"))]


class Norvig:
    """Norvig 2006: `assign` takes all other values from a square; `eliminate` passes on what
    follows by the two rules; `search` tries the values of the first square with the fewest, on
    copies."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.peers = puzzle.geometry.peers
        self.units = [puzzle.geometry.units[number].cells for number in range(27)]
        self.units_of = puzzle.geometry.units_of
        self.guesses: list[Event] = []
        self.calls = 0
        values = dict.fromkeys(range(81), "123456789")
        given = [(square, str(value)) for square, value in enumerate(puzzle.givens) if value]
        sound = all(self.assign(values, square, value) for square, value in given)
        self.solution = self.search(values if sound else None)

    def assign(self, values: dict[int, str], square: int, value: str) -> bool:
        others = values[square].replace(value, "")
        return all(self.eliminate(values, square, other) for other in others)

    def eliminate(self, values: dict[int, str], square: int, value: str) -> bool:
        if value not in values[square]:
            return True
        values[square] = left = values[square].replace(value, "")
        if not left:
            return False
        if len(left) == 1 and not all(self.eliminate(values, p, left) for p in self.peers[square]):
            return False
        for unit in self.units_of[square]:
            places = [place for place in self.units[unit] if value in values[place]]
            if not places:
                return False
            if len(places) == 1 and not self.assign(values, places[0], value):
                return False
        return True

    def search(self, values: dict[int, str] | None) -> dict[int, str] | None:
        self.calls += 1
        if values is None or all(len(left) == 1 for left in values.values()):
            return values
        open_squares = [square for square in values if len(values[square]) > 1]
        square = min(open_squares, key=lambda square: (len(values[square]), square))
        for value in values[square]:
            copy = dict(values)
            sound = self.assign(copy, square, value)
            self.guesses.append((Op.GUESS, int(value), square))
            if found := self.search(copy if sound else None):
                return found
            self.guesses.append((Op.UNDO, int(value), square))
        return None


def guesses_of(puzzle: Puzzle, strategy: str) -> list[Event]:
    """The guesses of a search, and when each is taken back."""
    guessed: set[int] = set()
    kept = []
    for op, value, cell in search(puzzle, strategy).read().tolist():
        if op == Op.GUESS:
            guessed.add(cell)
        elif op != Op.UNDO or cell not in guessed:
            continue
        else:
            guessed.remove(cell)
        kept.append((op, value, cell))
    return kept


def test_norvig_makes_the_guesses_of_the_program_and_counts_its_calls() -> None:
    """On two hundred puzzles, of which some have no solution, and on the published ones."""
    puzzles = [*many_puzzles(200, (20, 26)), *(read(p.grid) for p in PUBLISHED.values())]
    nodes = 0
    for puzzle in puzzles:
        program = Norvig(puzzle)
        tally = search(puzzle, "norvig").tally()
        assert guesses_of(puzzle, "norvig") == program.guesses
        assert tally.nodes == program.calls
        assert (tally.outcome is Outcome.SOLVED) == bool(program.solution)
        nodes += tally.nodes
    assert nodes > 1000


class ExactCover:
    """Knuth 2000, Algorithm X: choose the item with the fewest options, the first of several; for
    each option that covers it, cover all of its items, and so on. Items that are covered lose every
    option that they share with others."""

    def __init__(self, puzzle: Puzzle, exhaustive: bool, most: int) -> None:
        self.exhaustive, self.most = exhaustive, most
        geometry, size = puzzle.geometry, puzzle.size
        values = range(1, size + 1)
        cells = [("cell", cell, 0) for cell in range(geometry.cells)]
        needs = [("unit", unit, value) for unit in range(len(geometry.units)) for value in values]
        # In the order of the list; the options of each in the order of its column.
        self.options = {item: dict[tuple[int, int], None]() for item in [*cells, *needs]}
        self.items: dict[tuple[int, int], list[tuple[str, int, int]]] = {}
        for cell in range(geometry.cells):
            for value in values:
                units = [("unit", unit, value) for unit in geometry.units_of[cell]]
                self.items[cell, value] = [("cell", cell, 0), *units]
                for item in self.items[cell, value]:
                    self.options[item][cell, value] = None
        self.events: list[Event] = []
        self.nodes = 1
        for cell, value in enumerate(puzzle.givens):
            if value:
                self.cover((cell, value))
        self.visit()

    def cover(self, option: tuple[int, int]) -> None:
        for item in self.items[option]:
            for other in self.options.pop(item):
                for touched in self.items[other]:
                    if touched in self.options:
                        del self.options[touched][other]

    def visit(self) -> bool:
        """Whether the search is over."""
        if not self.options:
            return not self.exhaustive
        item = min(self.options, key=lambda item: len(self.options[item]))
        for cell, value in list(self.options[item]):
            if self.nodes == self.most:
                return True
            self.nodes += 1
            before = {item: dict(options) for item, options in self.options.items()}
            self.events.append((Op.GUESS, value, cell))
            self.cover((cell, value))
            if self.visit():
                return True
            self.options = before
            self.events.append((Op.UNDO, value, cell))
        return False


def events_of(puzzle: Puzzle, limits: Limits) -> list[Event]:
    return [
        (op, v, cell) for op, v, cell in search(puzzle, "dancing-links", limits).read().tolist()
    ]


def test_dancing_links_searches_the_tree_of_algorithm_x() -> None:
    """Every event, on a hundred and fifty puzzles up to the first solution or the limit."""
    for puzzle in many_puzzles(150, (24, 32)):
        program = ExactCover(puzzle, exhaustive=False, most=150)
        assert events_of(puzzle, Limits(max_nodes=150)) == program.events


@pytest.mark.parametrize("name", FULL_UNITS)
def test_dancing_links_finds_all_covers_in_the_order_of_algorithm_x(name: str) -> None:
    """On small boards of other kinds, all solutions."""
    program = ExactCover(SAMPLE[name], exhaustive=True, most=500)
    limits = Limits(exhaustive=True, max_nodes=500)
    assert events_of(SAMPLE[name], limits) == program.events
