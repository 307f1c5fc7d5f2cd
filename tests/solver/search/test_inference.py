"""Rules of inference, compared with brute force on random boards."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.seeded_puzzles import GEOMETRIES, full_board
from undoku.solver.problem.problem import tables_of
from undoku.solver.problem.puzzle import Geometry
from undoku.solver.search.part_registry import loaded, parts
from undoku.solver.search.strategy_part import PartKind
from undoku.solver.trace.trace import Op

RULES = {part.name: part for part in parts(PartKind.INFERENCE) if part.function}

State = tuple[
    np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.uint8]]
]
Find = tuple[int, int, int]


def run(name: str, geometry: Geometry, state: State) -> list[Find] | None:
    """What a rule finds, as (op, value, cell); None for a contradiction."""
    candidates, board = state
    size, units = geometry.size, len(geometry.units)
    found = np.zeros((geometry.cells * size * 4, 2), np.int64)
    stale = np.ones(units, np.int64)
    scratch = np.zeros(5 * size + size**3 // 3, np.int64)
    before = candidates.copy(), board.copy()
    rule = loaded(RULES[name])
    finds: set[Find] = set()
    # A rule may stop after the first unit with a find; it is asked again with those applied.
    working = candidates.copy()
    while count := rule(tables_of(geometry), working, board, stale, 1, scratch, found):
        if count < 0:
            return None
        fresh = {(e & 0xFF, e >> 8 & 0xFF, e >> 16) for e in found[:count, 0].tolist()}
        if fresh <= finds:
            break
        finds |= fresh
        for op, value, cell in fresh:
            if op == Op.ELIMINATE:
                working[cell] &= ~(1 << (value - 1))
        stale[:] = 1
    assert np.array_equal(before[0], candidates) and np.array_equal(before[1], board)
    return sorted(finds)


@st.composite
def states(draw: st.DrawFn) -> tuple[Geometry, tuple[int, ...], State]:
    """A board with some values of a solution, and candidates that allow that solution."""
    geometry = GEOMETRIES[draw(st.sampled_from([name for name in GEOMETRIES if "9" not in name]))]
    dice = random.Random(draw(st.integers(0, 2**32)))
    solution = full_board(geometry, draw(st.integers(0, 20)))
    filled, wide = draw(st.floats(0, 0.7)), draw(st.floats(0.2, 1))
    board = np.array([v if dice.random() < filled else 0 for v in solution], np.uint8)
    candidates = np.zeros(geometry.cells, np.int64)
    for cell, value in enumerate(solution):
        candidates[cell] = 1 << (value - 1)
        if not board[cell]:
            for other in range(1, geometry.size + 1):
                if dice.random() < wide and other not in board[list(geometry.peers[cell])]:
                    candidates[cell] |= 1 << (other - 1)
    return geometry, solution, (candidates, board)


@pytest.mark.parametrize("name", RULES)
@given(states())
def test_a_rule_never_takes_the_value_of_a_solution(
    name: str, drawn: tuple[Geometry, tuple[int, ...], State]
) -> None:
    """Whatever it removes is wrong, and whatever it places is right."""
    geometry, solution, state = drawn
    finds = run(name, geometry, state)
    assert finds is not None
    for op, value, cell in finds:
        if op == Op.FORCED:
            assert solution[cell] == value
            assert state[1][cell] == 0
        else:
            assert op == Op.ELIMINATE
            assert solution[cell] != value
            assert int(state[0][cell]) >> (value - 1) & 1


def fillings(geometry: Geometry, unit: int, state: State) -> list[tuple[int, ...]]:
    """Every way to give each cell of a unit one of its candidates, all different."""
    ways: list[tuple[int, ...]] = [()]
    for cell in sorted(geometry.units[unit].cells):
        mask = int(state[0][cell])
        ways = [
            (*way, value)
            for way in ways
            for value in range(1, geometry.size + 1)
            if mask >> (value - 1) & 1 and value not in way
        ]
    return ways


@given(states())
def test_alldiff_leaves_exactly_the_candidates_of_some_filling(
    drawn: tuple[Geometry, tuple[int, ...], State],
) -> None:
    """Unit by unit until nothing changes, compared with all fillings written out."""
    geometry, _, (candidates, board) = drawn
    finds = run("alldiff", geometry, (candidates, board))
    assert finds is not None
    left = candidates.copy()
    for _, value, cell in finds:
        left[cell] &= ~(1 << (value - 1))
    for unit in range(len(geometry.units)):
        ways = fillings(geometry, unit, (left, board))
        for at, cell in enumerate(sorted(geometry.units[unit].cells)):
            used = {way[at] for way in ways}
            assert sum(1 << (value - 1) for value in used) == left[cell]


def open_board(geometry: Geometry) -> State:
    full = (1 << geometry.size) - 1
    return np.full(geometry.cells, full, np.int64), np.zeros(geometry.cells, np.uint8)


def without(state: State, value: int, cells: set[int]) -> None:
    for cell in cells:
        state[0][cell] &= ~(1 << (value - 1))


@pytest.mark.parametrize("name", ["hidden-singles", "alldiff"])
def test_a_unit_that_cannot_be_filled_is_a_contradiction(name: str) -> None:
    """No cell of row 1 takes a 2."""
    geometry = GEOMETRIES["9"]
    state = open_board(geometry)
    without(state, 2, set(range(9)))
    assert run(name, geometry, state) is None
