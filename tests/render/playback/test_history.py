"""What the charts show, and the solutions that are kept, against plain computations of the same
events."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, observe, walks
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, Op, Puzzle, search
from undoku.render.playback.history import Depths
from undoku.render.playback.solution_recorder import Solutions
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle

EMPTY = parse_puzzle("." * 81)


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


def test_a_full_board_with_a_conflict_is_not_a_solution() -> None:
    """Other solvers may place a digit before they check it."""
    puzzle = Puzzle((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0), standard_geometry(4))
    solutions = Solutions(puzzle)
    wrong = [(Op.GUESS, 3, 15), (Op.UNDO, 3, 15)]
    right = [(Op.GUESS, 1, 15), (Op.ELIMINATE, 2, 3), (Op.UNDO, 1, 15)]
    observe(solutions, puzzle, [*wrong, *right], [len(wrong)])
    assert (solutions.count, solutions.last_step) == (1, 3)
