"""What the charts show, and the solutions that are kept, against plain computations of the same
events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, observe, walks
from tests.support.puzzles import EASY, MEDIUM, OPEN
from undoku import Limits, Op, Puzzle, search
from undoku.render.playback.history import Depths, History
from undoku.render.playback.solution_recorder import Solutions, parts_by_solution
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.state import State
from undoku.solver.trace.steps import fold, steps_of

EMPTY = parse_puzzle("." * 81)


def slow_computation(
    events: Sequence[Event], columns: int, total: int
) -> tuple[list[int], list[int], list[int], list[int]]:
    """(low, high, nodes per depth, tries per cell), step by step."""
    depth, step = 0, 0
    nodes, tries = [1] + [0] * 81, [0] * 81
    kinds: dict[int, int] = {}
    stood: list[set[int]] = [set() for _ in range(columns)]
    for op, _, cell in events:
        if op > Op.UNDO:
            continue
        before = depth
        if op == Op.UNDO:
            depth -= kinds.pop(cell) == Op.GUESS
        else:
            kinds[cell] = op
            tries[cell] += 1
            if op == Op.GUESS:
                depth += 1
                nodes[depth] += 1
        first = step * columns // total
        stood[first] |= {before, depth}
        step += 1
        for column in range(first + 1, min(columns, step * columns // total)):
            stood[column].add(depth)
    return (
        [min(found, default=-1) for found in stood],
        [max(found, default=-1) for found in stood],
        nodes,
        tries,
    )


@given(walks(), st.integers(1, 200), st.integers(0, 50), st.lists(st.integers(0, 80), max_size=5))
def test_history_is_what_a_slow_computation_says_however_the_events_are_cut(
    events: list[Event], columns: int, more: int, cuts: list[int]
) -> None:
    """More columns than steps and fewer, complete searches and incomplete ones."""
    total = max(1, sum(op <= Op.UNDO for op, _, _ in events) + more)
    low, high, nodes, tries = slow_computation(events, columns, total)
    history, depths = History(EMPTY), Depths(EMPTY, columns, total)
    for observer in (history, depths):
        observe(observer, EMPTY, events, cuts)
    assert history.tries.tolist() == tries
    assert depths.nodes.tolist() == nodes
    reached = next((n for n, depth in enumerate(high) if depth < 0), columns)
    assert depths.reached == reached
    assert depths.low[:reached].tolist() == low[:reached]
    assert depths.high.tolist() == high


@given(walks(), st.integers(1, 90), st.lists(st.integers(0, 80), max_size=5), st.integers(0, 80))
def test_a_column_is_marked_if_the_search_restarted_in_it(
    events: list[Event], columns: int, cuts: list[int], restart: int
) -> None:
    events.insert(restart, (Op.RESTART, 0, 0))
    steps = [op <= Op.UNDO for op, _, _ in events]
    depths = Depths(EMPTY, columns, sum(steps))
    observe(depths, EMPTY, events, cuts)
    before = sum(steps[:restart])
    marked = [before * columns // sum(steps)] if before < sum(steps) else []
    assert np.flatnonzero(depths.restarts).tolist() == marked


@given(walks(), st.integers(1, 90), st.integers(0, 50))
def test_a_complete_column_does_not_change_any_more(
    events: list[Event], columns: int, more: int
) -> None:
    steps = sum(op <= Op.UNDO for op, _, _ in events)
    total = max(1, steps + more)
    whole, half = Depths(EMPTY, columns, total), Depths(EMPTY, columns, total)
    observe(whole, EMPTY, events, [])
    observe(half, EMPTY, events[: len(events) // 2], [])
    complete = half.shown(np.array(half.steps))
    assert half.low[:complete].tolist() == whole.low[:complete].tolist()
    assert half.high[:complete].tolist() == whole.high[:complete].tolist()


def test_memory_does_not_grow_with_the_search() -> None:
    trace = search(OPEN, "row-major", Limits(max_nodes=2_000_000))
    depths = Depths(trace.header.puzzle, 600, 4_000_000)
    before = depths.low, depths.high, depths.restarts, depths.nodes
    fold(trace, [depths])
    assert depths.steps == trace.tally().steps
    assert depths.high.max() == trace.tally().max_depth
    after = depths.low, depths.high, depths.restarts, depths.nodes
    assert all(a is b for a, b in zip(before, after, strict=True))


FOUR = Puzzle((1, 2, 3, 4) + (0,) * 12, standard_geometry(4))
MANY = MEDIUM.grid[:-2] + "00"


def plain(puzzle: Puzzle, events: list[tuple[int, int, int]]) -> list[tuple[int, list[int]]]:
    """(steps, board) of each full board without a conflict."""
    board, steps, found = list(puzzle.givens), 0, []
    for op, value, cell in events:
        if op > Op.UNDO:
            continue
        steps += 1
        board[cell] = 0 if op == Op.UNDO else value
        units = puzzle.problem.units
        if (
            op != Op.UNDO
            and 0 not in board
            and all(len({board[c] for c in unit.cells}) == len(unit.cells) for unit in units)
        ):
            found.append((steps, board[:]))
    return found


@pytest.mark.parametrize("puzzle", [FOUR, parse_puzzle(MANY), parse_puzzle(EASY.grid)])
@pytest.mark.parametrize("strategy", ["row-major", "mrv", "mrv+singles"])
@pytest.mark.parametrize("part", [7, 100, 1 << 18])
def test_each_solution_is_kept_with_its_step_however_the_events_are_cut(
    puzzle: Puzzle, strategy: str, part: int
) -> None:
    trace = search(puzzle, strategy, Limits(exhaustive=True))
    events = trace.read()
    expected = plain(puzzle, events.tolist())
    solutions = Solutions(puzzle)
    observe(solutions, puzzle, events.tolist(), range(part, len(events), part))
    assert solutions.count == len(expected) == trace.tally().solutions
    assert [one.board.tolist() for one in solutions.first] == [
        board for _, board in expected[: len(solutions.first)]
    ]
    assert solutions.last is not None
    assert solutions.last.board.tolist() == expected[-1][1]
    assert solutions.last_step == expected[-1][0]


def test_the_steps_of_a_search_are_divided_after_its_solutions() -> None:
    puzzle = parse_puzzle(MANY)
    trace = search(puzzle, "mrv", Limits(exhaustive=True))
    state, found, at = State(puzzle), [], 0
    for steps in steps_of(trace):
        for start, stop, solved in parts_by_solution(state, steps, 0, len(steps.cells)):
            assert start == at < stop
            at = stop
            found += [(state.steps, state.board.tolist())] if solved else []
    assert at == trace.tally().steps
    assert found == plain(puzzle, trace.read().tolist())


def test_a_full_board_with_a_conflict_is_not_a_solution() -> None:
    """Other solvers may place a digit before they check it."""
    puzzle = Puzzle((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0), standard_geometry(4))
    solutions = Solutions(puzzle)
    wrong = [(Op.GUESS, 3, 15), (Op.UNDO, 3, 15)]
    right = [(Op.GUESS, 1, 15), (Op.ELIMINATE, 2, 3), (Op.UNDO, 1, 15)]
    observe(solutions, puzzle, [*wrong, *right], [len(wrong)])
    assert (solutions.count, solutions.last_step) == (1, 3)
