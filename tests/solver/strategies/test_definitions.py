"""Parts of strategies against plain programs written from their definitions: every event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import pytest

from solver.backtracking import Limits, search
from solver.puzzle import Puzzle, standard_geometry
from solver.replay import check
from solver.strategies.random_choices import register_of
from solver.trace import Op
from tests.support.many_puzzles import many_puzzles
from tests.support.plain_search import (
    PlainSearch,
    XorShift,
    fewest,
    hidden_singles,
    lowest,
    luby_sequence,
    naked_singles,
    swordfish,
    x_wing,
    xy_wing,
)
from tests.support.puzzles import EXTREME, FIFTY_MINUTES, HARD
from tests.support.seeded_puzzles import dug, small_sample, spoilt

Chosen = Callable[[PlainSearch, list[int]], int]


def at_random(seed: int) -> Chosen:
    """One number is drawn for each choice."""
    dice = XorShift(register_of(seed))

    def choose(search: PlainSearch, empty: list[int]) -> int:
        least = min(len(search.candidates[cell]) for cell in empty)
        equals = [cell for cell in empty if len(search.candidates[cell]) == least]
        return equals[dice.below(len(equals))]

    return choose


def most_active(search: PlainSearch, empty: list[int]) -> int:
    for cell in empty:
        if not search.candidates[cell]:
            return cell
    best = empty[0]
    for cell in empty:
        # Products and not quotients: those of equal cells are equal to the last bit.
        ours = search.activity[cell] * len(search.candidates[best])
        if ours > search.activity[best] * len(search.candidates[cell]):
            best = cell
    return best


SINGLES = (naked_singles, hidden_singles)
PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "mrv-random:3": lambda: {"choose": at_random(3)},
    "mrv-random:5/shuffled:6+luby:2": lambda: {
        "choose": at_random(5), "values": XorShift(register_of(6)), "restart": 2,
    },
    "mrv-random:8/shuffled:9+singles+luby:1": lambda: {
        "choose": at_random(8), "values": XorShift(register_of(9)), "restart": 1, "rules": SINGLES,
    },
    "row-major/shuffled:2+luby:3": lambda: {
        "choose": lowest, "values": XorShift(register_of(2)), "restart": 3,
    },
    "activity": lambda: {"choose": most_active, "activity": True},
    "activity+forward": lambda: {"choose": most_active, "activity": True, "forward": True},
    "activity+singles+luby:2": lambda: {
        "choose": most_active, "activity": True, "rules": SINGLES, "restart": 2,
    },
    "row-major+cbj": lambda: {"choose": lowest, "backjumping": True},
    "mrv+singles+cbj": lambda: {"choose": fewest, "backjumping": True, "rules": SINGLES},
    "row-major+nogoods": lambda: {"choose": lowest, "learning": True},
    "mrv+nogoods": lambda: {"choose": fewest, "learning": True},
    "mrv+singles+nogoods": lambda: {"choose": fewest, "learning": True, "rules": SINGLES},
    "mrv-random:1/shuffled:1+forward+nogoods+luby:2": lambda: {
        "choose": at_random(1), "values": XorShift(register_of(1)), "restart": 2,
        "learning": True, "forward": True,
    },
    "row-major+sac": lambda: {"choose": lowest, "rules": (naked_singles,), "probing": True},
    "mrv+singles+sac": lambda: {"choose": fewest, "rules": SINGLES, "probing": True},
    "row-major+x-wing": lambda: {"choose": lowest, "rules": (x_wing,)},
    "row-major+swordfish": lambda: {"choose": lowest, "rules": (swordfish,)},
    "mrv+naked-singles+xy-wing": lambda: {"choose": fewest, "rules": (naked_singles, xy_wing)},
    "row-major+singles+x-wing+swordfish+xy-wing": lambda: {
        "choose": lowest, "rules": (*SINGLES, x_wing, swordfish, xy_wing),
    },
    "row-major+swordfish+xy-wing+nogoods": lambda: {
        "choose": lowest, "rules": (swordfish, xy_wing), "learning": True,
    },
}  # fmt: skip
"""By the spec: what the plain program is told."""

HARD_ONES = [Puzzle(tuple(map(int, p.grid))) for p in (HARD, EXTREME)]


def small_puzzles(count: int) -> Iterable[Puzzle]:
    """Of six values, every fourth with a wrong given."""
    geometry = standard_geometry(6)
    for seed in range(count):
        puzzle = dug(geometry, seed, (0.15, 0.25, 0.35)[seed % 3])
        yield spoilt(puzzle, seed) if seed % 4 == 3 else puzzle


def assert_equal(puzzle: Puzzle, spec: str, most: int, *, exhaustive: bool = False) -> None:
    limits = Limits(exhaustive=exhaustive, max_nodes=most)
    trace = search(puzzle, spec, limits)
    expected = PlainSearch(puzzle, most=most, exhaustive=exhaustive, **PARTS[spec]()).events
    assert [tuple(event) for event in trace.read().tolist()] == expected
    check(trace)


@pytest.mark.parametrize("spec", PARTS)
def test_every_event_is_that_of_the_definition(spec: str) -> None:
    """On generated puzzles, on small boards of all kinds for all solutions, and on hard puzzles."""
    slow = "sac" in spec
    for puzzle in small_puzzles(12):
        assert_equal(puzzle, spec, 10 if slow else 25)
    for puzzle in list(small_sample().values())[:8:2]:
        assert_equal(puzzle, spec, 10 if slow else 25, exhaustive=True)
    for puzzle in (*many_puzzles(1, (24, 30)), HARD_ONES[0]):
        assert_equal(puzzle, spec, 2 if slow else 25)


@pytest.mark.long
@pytest.mark.parametrize("spec", PARTS)
def test_every_event_is_that_of_the_definition_on_five_hundred_puzzles(spec: str) -> None:
    """And on the hardest up to 400 nodes, small boards of all kinds for all solutions."""
    slow = "sac" in spec
    for puzzle in small_puzzles(300):
        assert_equal(puzzle, spec, 30 if slow else 100)
    for puzzle in many_puzzles(200, (20, 30)):
        assert_equal(puzzle, spec, 3 if slow else 60)
    for puzzle in small_sample().values():
        assert_equal(puzzle, spec, 200, exhaustive=True)
    for puzzle in (*HARD_ONES, Puzzle(tuple(map(int, FIFTY_MINUTES)))):
        assert_equal(puzzle, spec, 20 if slow else 400)


def test_the_runs_of_a_search_are_those_of_luby_sinclair_and_zuckerman() -> None:
    """As printed in their paper; and each restart takes back all guesses."""
    paper = [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1]
    assert list(islice(luby_sequence(), 16)) == paper
    trace = search(FIFTY_MINUTES, "mrv-random:4/shuffled:4+luby:3", Limits(max_nodes=3000))
    runs, dead_ends, standing, last = [], 0, 0, Op.UNDO
    starting = False
    for op, _, _ in trace.read().tolist():
        if op == Op.RESTART:
            runs.append(dead_ends)
            dead_ends, starting = 0, True
        elif op == Op.GUESS:
            assert not (starting and standing)
            starting = False
            standing += 1
        elif op == Op.UNDO:
            standing -= 1
            dead_ends += last == Op.GUESS and not starting
        last = Op(op)
    assert runs[:16] == [3 * term for term in paper]
    assert trace.tally().restarts == len(runs)
