"""Queens and a map, searched and counted by the loops that search sudokus."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tests.support.seeded_puzzles import SPECS, run
from undoku.errors import PuzzleError
from undoku.solver.problem.appearance import Variable
from undoku.solver.problem.problem import Problem, Unit
from undoku.solver.problem.queens import queens_problem
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.search.engines import engine_for
from undoku.solver.search.many_searches import count_many
from undoku.solver.search.ops import OP_FORCED, OP_UNDO
from undoku.solver.search.plain_loops import plain_arrays
from undoku.solver.search.search_state import REGISTERS, SOLUTIONS, no_output
from undoku.solver.search.strategy import Strategy

BORDERS = ("WA NT", "WA SA", "NT SA", "NT Q", "SA Q", "SA NSW", "SA V", "Q NSW", "NSW V")


def one_diagonal(size: int) -> Problem:
    """Queens that attack along the columns and along the diagonals of equal row + column."""
    problem = queens_problem(size)
    return Problem(size, problem.units[:2], variables=problem.variables)


ONE_DIAGONAL = [
    board
    for board in permutations(range(1, 6))
    if len({value + row for row, value in enumerate(board)}) == 5
]
AUSTRALIA = parse_puzzle("map:australia").geometry
STATES = [variable.name for variable in AUSTRALIA.variables]
PROBLEMS = {
    "one diagonal": (one_diagonal(5), len(ONE_DIAGONAL)),
    "8 queens": (queens_problem(8), 92),
    "6 queens": (queens_problem(6), 4),
    "map": (AUSTRALIA, 18),
}


def is_allowed(name: str, board: list[int]) -> bool:
    """By the rules of the problem, without its units."""
    if name == "map":
        return all(
            board[STATES.index(one)] != board[STATES.index(other)]
            for one, other in map(str.split, BORDERS)
        )
    if name == "one diagonal":
        return tuple(board) in ONE_DIAGONAL
    pairs = [(row, board[row]) for row in range(len(board))]
    return all(a == c or (b != d and abs(a - c) != abs(b - d)) for a, b in pairs for c, d in pairs)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_strategy_finds_all_solutions_and_each_once(name: str, spec: str) -> None:
    problem, solutions = PROBLEMS[name]
    board = np.zeros(problem.cells, np.uint8)
    engine = engine_for(problem, board, Strategy.parse(spec), True)
    full = []
    for event in run(engine, 0).tolist():
        op, value, cell = event & 0xFF, event >> 8 & 0xFF, event >> 16
        if op <= OP_UNDO:
            board[cell] = value if op <= OP_FORCED else 0
            if board.all() and op != OP_UNDO:
                full.append(board.tolist())
    assert len(full) == int(engine.registers[SOLUTIONS]) == solutions
    assert len(set(map(tuple, full))) == solutions
    assert all(is_allowed(name, each) for each in full)


@pytest.mark.parametrize("fewest", [False, True])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_loops_that_count_many_boards_count_them(name: str, fewest: bool) -> None:
    problem, solutions = PROBLEMS[name]
    boards = np.zeros((2, problem.cells), np.uint8)
    boards[1, 0] = 2
    counts = np.zeros((2, REGISTERS), np.int64)
    arrays = plain_arrays(problem, fewest=fewest)
    count_many(fewest, True, 0, boards, arrays, no_output(problem), counts)
    second = sum(board[0] == 2 for board in ONE_DIAGONAL)
    with_first = {"one diagonal": second, "8 queens": 8, "6 queens": 1, "map": 6}[name]
    assert counts[:, SOLUTIONS].tolist() == [solutions, with_first]


def test_candidates_and_clashes_follow_from_the_units() -> None:
    problem = queens_problem(4)
    assert problem.candidates([2, 0, 0, 0]) == [0b0010, 0b1000, 0b0101, 0b1101]
    assert problem.peers[0] == (1, 2, 3)
    assert one_diagonal(4).candidates([2, 0, 0, 0]) == [0b0010, 0b1100, 0b1101, 0b1101]
    clash = problem.clash([1, 3, 0, 2])
    assert clash is None
    for board, unit in (([1, 0, 0, 1], 0), ([0, 3, 2, 0], 1), ([1, 0, 3, 0], 2)):
        clash = problem.clash(board)
        assert clash is not None
        assert clash[0] == problem.units[unit]
        assert [board[cell] > 0 for cell in clash[1:]] == [True, True]


@pytest.mark.parametrize(
    ("units", "words"),
    [
        ([Unit("a", 1, (0, 1), (1, 0)), Unit("b", 1, (0, 1))], "must follow"),
        ([Unit("a", 1, (0, 1), (1,))], "a 1 needs a shift"),
        ([Unit("a", 1, (0, 1), (-1, 0))], "a 1 needs a shift"),
        ([Unit("a", 1, (0, 1), (62, 0))], "a 1 needs a shift"),
        ([Unit("a", 1, (0,))], "cell 1 is in no unit"),
        ([Unit("a", 1, (0, 2)), Unit("a", 2, (1,))], "no cell 2"),
    ],
)
def test_wrong_units_are_refused(units: list[Unit], words: str) -> None:
    variables = (Variable("one", (0, 0)), Variable("two", (0, 1)))
    with pytest.raises(PuzzleError, match=words):
        Problem(3, tuple(units), variables=variables)
