"""`+last-conflict`, against published programs to which it is added."""

from __future__ import annotations

import random

import pytest

from tests.support.many_puzzles import many_puzzles, rearranged
from tests.support.published_programs import Event, ExactCover, Item, Norvig, guesses_of
from tests.support.puzzles import EXTREME, FIFTY_MINUTES
from undoku.errors import StrategyError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, search

MAX_NODES = 120
"""Nodes after which both programs stop."""


def events_of(puzzle: Puzzle, spec: str, exhaustive: bool = False) -> list[Event]:
    limits = Limits(exhaustive=exhaustive, max_nodes=MAX_NODES)
    return [(op, value, cell) for op, value, cell in search(puzzle, spec, limits).read().tolist()]


# So many puzzles of nine values: few in the short run, hundreds in the long one.
few_or_many = pytest.mark.parametrize(
    "count", [30, pytest.param(300, marks=pytest.mark.long)], ids=["few", "many"]
)


class NorvigWithLastConflict(Norvig):
    """Norvig's program, with the square of the last guess that failed before all others."""

    conflict = -1

    def search(self, values: dict[int, str] | None) -> dict[int, str] | None:
        if values is None and self.guesses:
            self.conflict = self.guesses[-1][2]
        return super().search(values)

    def next_square(self, values: dict[int, str]) -> int:
        if self.conflict >= 0 and len(values[self.conflict]) > 1:
            return self.conflict
        return super().next_square(values)


@few_or_many
def test_with_singles_the_guesses_are_those_of_the_definition(count: int) -> None:
    """For puzzles with few givens, and for a rearranged hard one, where the priority matters."""
    hard = (rearranged(FIFTY_MINUTES, random.Random(seed)) for seed in range(8))
    different = 0
    for puzzle in (
        *many_puzzles(count // 4, (18, 24)),
        *(Puzzle(tuple(values)) for values in hard),
    ):
        program = NorvigWithLastConflict(puzzle)
        assert guesses_of(puzzle, "mrv+singles+last-conflict") == program.guesses
        different += program.guesses != guesses_of(puzzle, "mrv+singles")
    assert different > 3


class CoverWithLastConflict(ExactCover):
    """Algorithm X, with the item of the last choice before a dead end before all others."""

    conflict: Item | None = None

    def next_item(self) -> Item:
        item = super().next_item()
        if self.conflict in self.options:
            item = self.conflict
        if not self.options[item] and self.chosen:
            self.conflict = self.chosen[-1]
        return item


@few_or_many
def test_an_exact_cover_shows_its_first_item_a_cell_or_a_value_in_a_unit(
    count: int,
) -> None:
    different = 0
    for puzzle in many_puzzles(count, (22, 26)):
        program = CoverWithLastConflict(puzzle, exhaustive=False, most=MAX_NODES)
        events = events_of(puzzle, "exact-cover+last-conflict")
        assert events == program.events
        different += events != events_of(puzzle, "exact-cover")
    assert different > count // 30


def test_the_priority_can_help_and_harm_as_documented() -> None:
    def nodes(puzzle: str) -> list[int]:
        specs = ("mrv", "mrv+last-conflict", "mrv+singles", "mrv+singles+last-conflict")
        return [search(puzzle, spec).tally().nodes for spec in specs]

    assert nodes(FIFTY_MINUTES) == [1_242_258, 373_227, 54, 33]
    assert nodes(EXTREME.grid) == [140, 193, 3, 3]


def test_the_priority_is_a_part_of_the_text() -> None:
    strategy = Strategy.parse("MRV + last-conflict+cbj+singles")
    assert str(strategy) == "mrv+singles+last-conflict+cbj"
    assert Strategy.parse(str(strategy)) == strategy
    assert strategy.plain_name.endswith("digits, last failure first, jumps back to the cause")
    assert "again, before all others" in strategy.sentence


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mrv+last-conflict@root", ["last-conflict@root", "a priority", "+last-conflict"]),
        ("mrv+last-conflict+lds", ["last-conflict learns", "mrv+lds"]),
        ("mrv+last-conflit", ["did you mean last-conflict?"]),
        ("last-conflict", ["'last-conflict'"]),
    ],
)
def test_contradictory_options_are_refused_in_one_sentence(spec: str, words: list[str]) -> None:
    with pytest.raises(StrategyError) as caught:
        Strategy.parse(spec)
    for word in words:
        assert word in str(caught.value)
