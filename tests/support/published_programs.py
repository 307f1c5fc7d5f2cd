"""Plain programs written from publications, and nothing else, that searches are compared with."""

from __future__ import annotations

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.trace import Op

__all__ = ["Event", "ExactCover", "Item", "Norvig", "guesses_of"]

Event = tuple[int, int, int]
"""Op, value, cell."""
Item = tuple[str, int, int]
"""("cell", cell, 0) or ("unit", unit, value)."""


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

    def next_square(self, values: dict[int, str]) -> int:
        open_squares = [square for square in values if len(values[square]) > 1]
        return min(open_squares, key=lambda square: (len(values[square]), square))

    def search(self, values: dict[int, str] | None) -> dict[int, str] | None:
        self.calls += 1
        if values is None or all(len(left) == 1 for left in values.values()):
            return values
        square = self.next_square(values)
        for value in values[square]:
            copy = dict(values)
            sound = self.assign(copy, square, value)
            self.guesses.append((Op.GUESS, int(value), square))
            if found := self.search(copy if sound else None):
                return found
            self.guesses.append((Op.UNDO, int(value), square))
        return None


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
        self.items: dict[tuple[int, int], list[Item]] = {}
        for cell in range(geometry.cells):
            for value in values:
                units = [("unit", unit, value) for unit in geometry.units_of[cell]]
                self.items[cell, value] = [("cell", cell, 0), *units]
                for item in self.items[cell, value]:
                    self.options[item][cell, value] = None
        self.chosen: list[Item] = []
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

    def next_item(self) -> Item:
        return min(self.options, key=lambda item: len(self.options[item]))

    def visit(self) -> bool:
        """Whether the search is over."""
        if not self.options:
            return not self.exhaustive
        item = self.next_item()
        for cell, value in list(self.options[item]):
            if self.nodes == self.most:
                return True
            self.nodes += 1
            before = {item: dict(options) for item, options in self.options.items()}
            self.events.append((Op.GUESS, value, cell))
            self.cover((cell, value))
            self.chosen.append(item)
            if self.visit():
                return True
            self.chosen.pop()
            self.options = before
            self.events.append((Op.UNDO, value, cell))
        return False


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
