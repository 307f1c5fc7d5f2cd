"""Queens, a map, a graph and problems from files, searched and counted by the loops that search
sudokus."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from tests.support.paths import ROOT
from tests.support.seeded_puzzles import SPECS, solutions
from undoku.errors import PuzzleError
from undoku.solver.problem.appearance import Variable
from undoku.solver.problem.problem import Problem, Unit
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.queens import queens_problem
from undoku.solver.problem.sources import parse_puzzle, read
from undoku.solver.trace.search_trace import Limits, search


def one_diagonal(size: int) -> Problem:
    """Queens that attack along the columns and along the diagonals of equal row + column."""
    problem = queens_problem(size)
    return Problem(size, problem.units[:2], variables=problem.variables)


def queens(size: int, *, one: bool = False) -> set[tuple[int, ...]]:
    """All boards of queens; with `one` those on which they attack along one kind of diagonal."""
    boards = set()
    for board in permutations(range(1, size + 1)):
        sums = {value + row for row, value in enumerate(board)}
        differences = {value - row for row, value in enumerate(board)}
        if len(sums) == size and (one or len(differences) == size):
            boards.add(board)
    return boards


def separate(values: int, names: str, pairs: str) -> set[tuple[int, ...]]:
    """All assignments to variables named by one letter in which the two of each pair differ."""
    at = [(names.index(pair[0]), names.index(pair[1])) for pair in pairs.split()]
    boards = product(range(1, values + 1), repeat=len(names))
    return {board for board in boards if all(board[one] != board[other] for one, other in at)}


BORDERS = "wn ws ns nq sq sh sv qh hv"
"""Of Western Australia, Northern Territory, South Australia, Queensland, Victoria, New South Wales
(h) and Tasmania."""

FILES = ROOT / "examples" / "problems"

AUSTRALIA = parse_puzzle("map:australia")
STATES = {"WA": "w", "NT": "n", "SA": "s", "Q": "q", "NSW": "h", "V": "v", "T": "t"}
ORDER = "".join(STATES[variable.name] for variable in AUSTRALIA.problem.variables)
PROBLEMS: dict[str, tuple[Puzzle, set[tuple[int, ...]]]] = {
    "one diagonal": (Puzzle((0,) * 5, one_diagonal(5)), queens(5, one=True)),
    "8 queens": (parse_puzzle("queens:8"), queens(8)),
    "6 queens": (parse_puzzle("queens:6"), queens(6)),
    "map": (AUSTRALIA, separate(3, ORDER, BORDERS)),
    "graph": (
        parse_puzzle(f"graph:{FILES / 'house.col'}:3"),
        separate(3, "12345", "12 23 34 45 51 13"),
    ),
    "file with differences": (
        read(str(FILES / "masts.json")),
        {
            board
            for board in separate(6, "neswm", "ne es sw wn")
            if board[4] <= 3 and all(abs(value - board[4]) > 1 for value in board[:4])
        },
    ),
    "file of a riddle": (
        read(str(FILES / "zebra.toml")),
        {(3, 4, 5, 2, 1, 3, 5, 4, 1, 2, 4, 3, 1, 2, 5, 5, 2, 3, 4, 1, 1, 3, 4, 2, 5)},
    ),
}
"""Each with its solutions, by trying everything; that of the riddle is known."""


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_strategy_finds_all_solutions_and_each_once(name: str, spec: str) -> None:
    puzzle, expected = PROBLEMS[name]
    trace = search(puzzle, spec, Limits(exhaustive=True))
    assert solutions(trace) == sorted(expected)
    assert trace.tally().solutions == len(expected)


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
