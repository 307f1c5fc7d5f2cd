"""Solvers of others are watched without changes: their searches come out event by event."""

from __future__ import annotations

import copy
import doctest
import pickle
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import undoku.solver.trace.watch
from tests.support.foreign_solvers import (
    OTHERS,
    ROW_MAJOR,
    all_solutions,
    forced_then_guess,
    rows_of,
)
from tests.support.puzzles import EASY
from undoku.errors import PuzzleError, SettingsError, TraceError
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.calls import calls
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.subjects import traces_of
from undoku.solver.trace.trace import Op, Outcome, Trace
from undoku.solver.trace.watch import watch

Steps = list[tuple[bool, int, int]]


def trace_of(watched: Any) -> Trace:
    (trace,) = traces_of([watched])
    return trace


def steps_of(trace: Trace) -> Steps:
    """(undone, value, cell) of each step."""
    check(trace)
    return [(op == Op.UNDO, value, cell) for op, value, cell in trace.read().tolist()]


@pytest.mark.parametrize("name", ROW_MAJOR)
def test_an_unmodified_solver_gives_the_trace_of_the_same_search(name: str) -> None:
    """On a board that behaves like the original."""
    made, solve = ROW_MAJOR[name]
    original = made(EASY.grid)
    board = watch(original)
    assert isinstance(board, type(original))
    for twin in (board, copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert np.array_equal(np.array(twin), np.array(original))
    assert repr(board) == repr(original) or isinstance(board, np.ndarray)
    solve(board)
    trace = trace_of(board)
    assert steps_of(trace) == steps_of(search(EASY.grid, "row-major"))
    assert trace.header.puzzle == parse_puzzle(EASY.grid)


@pytest.mark.parametrize("name", OTHERS)
def test_solvers_of_other_kinds_are_described_up_to_their_solution(name: str) -> None:
    made, solve = OTHERS[name]
    board = watch(made(EASY.grid))
    solve(board)
    tally = trace_of(board).tally()
    assert tally.outcome is Outcome.SOLVED
    assert tally.solution == search(EASY.grid).tally().solution
    check(trace_of(board))


def test_a_solver_that_goes_on_after_a_solution_is_exhausted() -> None:
    board = watch(rows_of(EASY.grid))
    all_solutions(board)
    expected = search(EASY.grid, "row-major", Limits(exhaustive=True))
    assert steps_of(trace_of(board)) == steps_of(expected)
    assert trace_of(board).tally().outcome is Outcome.EXHAUSTED


def test_cells_that_are_cleared_in_another_order_are_taken_back_from_the_latest_on() -> None:
    """Only what stays while something before it goes is placed again, as forced."""
    board = watch([0] * 81)
    for cell, value in ((0, 1), (1, 2), (2, 3), (0, 0), (1, 0), (2, 0), (0, 4)):
        board[cell] = value
    board[1] = 5
    board[0] = 0
    board[2] = 6
    events = [(op, value, cell) for op, value, cell in trace_of(board).read().tolist()]
    place, forced, undo = Op.GUESS, Op.FORCED, Op.UNDO
    assert events == [
        (place, 1, 0), (place, 2, 1), (place, 3, 2), (undo, 3, 2), (undo, 2, 1), (undo, 1, 0),
        (place, 4, 0), (place, 5, 1), (undo, 5, 1), (undo, 4, 0), (forced, 5, 1), (place, 6, 2),
    ]  # fmt: skip


def test_parts_of_a_flat_board_in_another_order_are_no_board() -> None:
    board = watch([1, *[0] * 15])
    board[1] = 2
    turned = board[0::4] + board[1::4] + board[2::4] + board[3::4]
    assert turned == [1, 0, 0, 0, 2, *[0] * 11] and board[::-1][14] == 2
    assert board[4:] + board[:4] == [*[0] * 12, 1, 2, 0, 0]
    board[2] = 3
    assert [step[1:] for step in steps_of(trace_of(board))] == [(2, 1), (3, 2)]


def test_an_unusual_mark_is_named_and_another_board_is_the_puzzles() -> None:
    jigsaw = parse_puzzle("1...............")
    board = watch([["1", *"xxx"], *([*"xxxx"] for _ in range(3))], jigsaw, empty="x")
    board[0][1] = "2"
    board[0][1] = "x"
    board[0][2] = "3"
    assert [step[1:] for step in steps_of(trace_of(board))] == [(2, 1), (2, 1), (3, 2)]


def queens(board: Any, row: int = 0) -> bool:
    for column in range(len(board)) if row < len(board) else ():
        if all(board[r] not in (column, column + row - r, column - row + r) for r in range(row)):
            board[row] = column
            if queens(board, row + 1):
                return True
            board[row] = -1
    return row == len(board)


def coloured(colours: dict[str, str], borders: dict[str, set[str]]) -> bool:
    region = next((name for name in borders if not colours[name]), "")
    for colour in ("red", "green", "blue") if region else ():
        if colour not in {colours[other] for other in borders[region]}:
            colours[region] = colour
            if coloured(colours, borders):
                return True
            colours[region] = ""
    return not region


def test_solvers_of_other_problems_are_watched_with_their_own_values() -> None:
    board = watch([-1] * 8, "queens:8", empty=-1, values=range(8))
    queens(board)
    assert steps_of(trace_of(board)) == steps_of(search("queens:8"))
    with pytest.raises(TraceError, match=r"holds 0, which is neither.*, as in values=range\(8\)"):
        queens(watch([-1] * 8, "queens:8"))
    australia = parse_puzzle("map:australia").problem
    names = [australia.cell_name(cell) for cell in range(australia.cells)]
    borders = {
        name: {names[peer] for peer in australia.peers[cell]} for cell, name in enumerate(names)
    }
    colours = watch(
        dict.fromkeys(sorted(names), ""), "map:australia", values=["red", "green", "blue"]
    )
    coloured(colours, borders)
    trace = trace_of(colours)
    assert steps_of(trace) == steps_of(search("map:australia"))
    assert trace.header.puzzle.problem.appearance.names == ("red", "green", "blue")


def on_chessboard(board: Any, row: int = 0) -> bool:
    size = len(board)
    for column in range(size) if row < size else ():
        if not any(
            board[r][c] not in (0, ".")
            for r in range(row)
            for c in {column, column + row - r, column - row + r} & {*range(size)}
        ):
            board[row][column] = 1 if board[row][column] == 0 else "Q"
            if on_chessboard(board, row + 1):
                return True
            board[row][column] = 0 if board[row][column] == 1 else "."
    return row == size


def appended(
    queens: list[int],
    grow: Callable[[list[int], int], Any] = lambda queens, column: queens.append(column),
    shrink: Callable[[list[int], int], Any] = lambda queens, column: queens.pop(),
) -> bool:
    row = len(queens)
    for column in range(8) if row < 8 else ():
        if all(column not in (q, q + row - r, q - row + r) for r, q in enumerate(queens)):
            grow(queens, column)
            if appended(queens, grow, shrink):
                return True
            shrink(queens, column)
    return row == 8


def joined(queens: list[int]) -> bool:
    """Each call has a new list."""
    row = len(queens)
    return row == 8 or any(
        joined(queens + [column])  # noqa: RUF005 (a new list by *queens is not followed)
        for column in range(8)
        if all(column not in (q, q + row - r, q - row + r) for r, q in enumerate(queens))
    )


@pytest.mark.parametrize(
    ("made", "solve"),
    [
        (lambda: [[0] * 8 for _ in range(8)], on_chessboard),
        (lambda: [["."] * 8 for _ in range(8)], on_chessboard),
        (lambda: np.zeros((8, 8), int), on_chessboard),
        (list, appended),
        (list, partial(appended, grow=lambda queens, column: queens.extend([column]))),
        (list, partial(appended, grow=lambda queens, column: queens.__iadd__([column]))),
        (list, partial(appended, shrink=lambda queens, column: queens.remove(column))),
        (list, partial(appended, grow=lambda queens, column: queens.insert(9, column))),
        (list, joined),
    ],
)
def test_queens_may_stand_on_a_chessboard_or_be_appended_to_a_list(
    made: Callable[[], Any], solve: Callable[[Any], bool]
) -> None:
    board = watch(made(), "queens:8", values=() if solve is on_chessboard else range(8))
    assert solve(board)
    assert steps_of(trace_of(board)) == steps_of(search("queens:8"))
    again = copy.copy(board)
    assert isinstance(again, np.ndarray) or again == board


def test_a_dict_may_begin_empty_and_lose_the_keys_of_what_is_taken_back() -> None:
    colours = watch({}, "map:australia", values=["red", "green"])

    def attempt(region: int) -> None:
        names = [variable.name for variable in parse_puzzle("map:australia").problem.variables]
        for colour in ("red", "green"):
            if all(
                colours.get(names[other]) != colour
                for other in parse_puzzle("map:australia").problem.peers[region]
            ):
                if region % 2:
                    colours[names[region]] = colour
                else:
                    colours.setdefault(names[region], colour)
                attempt(region + 1)
                if colour == "red":
                    del colours[names[region]]
                elif region % 2:
                    colours.pop(names[region])
                else:
                    colours.popitem()

    attempt(0)
    assert colours == {}
    expected = search("map:australia:2", "row-major")
    assert steps_of(trace_of(colours)) == steps_of(expected)
    assert trace_of(colours).tally().outcome is Outcome.EXHAUSTED


def test_a_board_is_cleared_as_a_whole() -> None:
    colours, queens = watch({}, "map:australia", values=["red"]), watch([], "queens:4")
    colours["T"] = "red"
    colours.clear()
    queens.append(1)
    queens.clear()
    for board in (colours, queens):
        assert not board and trace_of(board).tally().outcome is Outcome.EXHAUSTED


def test_a_key_that_is_no_cell_is_refused_with_the_names_of_the_cells() -> None:
    colours = watch({}, "map:australia", values=["red"])
    with pytest.raises(TraceError, match=r"'Tasmania' is no cell of .* puzzle's names: 'WA', 'NT'"):
        colours["Tasmania"] = "red"
    with pytest.raises(TraceError, match="'Victoria' is no cell"):
        watch({"Victoria": ""}, "map:australia", values=["red"])


def test_other_marks_on_a_chessboard_are_no_queens_if_the_queens_are_named() -> None:
    board = watch([["."] * 4 for _ in range(4)], "queens:4", values="Q")
    board[0][1] = "Q"
    board[1][1] = "x"
    board[1][3] = "Q"
    assert steps_of(trace_of(board)) == [(False, 2, 0), (False, 4, 1)]


KNIGHT = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]


def tour(board: list[list[int]], row: int, column: int, number: int) -> bool:
    if not (0 <= row < 3 and 0 <= column < 4) or board[row][column] >= 0:
        return False
    board[row][column] = number
    onward = (tour(board, row + down, column + right, number + 1) for down, right in KNIGHT)
    if number == 11 or any(onward):
        return True
    board[row][column] = -1
    return False


def test_on_a_board_without_rules_what_stands_at_the_end_is_the_result() -> None:
    rules = '{"rows": 3, "columns": 4, "values": 12, "value": "move"}'
    board = watch([[-1] * 4 for _ in range(3)], rules, empty=-1, values=range(12))
    assert tour(board, 0, 0, 0)
    tally = trace_of(board).tally()
    assert tally.outcome is Outcome.SOLVED and tally.places == 12
    way = watch([[False] * 4 for _ in range(3)], rules)
    way[0][0] = way[1][0] = True
    assert trace_of(way).tally().outcome is Outcome.SOLVED
    maze = watch([[*"S.#"], [*"..E"]], '{"rows": 2, "columns": 3, "values": ["*", "#", "S", "E"]}')
    maze[0][1] = maze[1][1] = "*"
    assert trace_of(maze).tally().solution == (3, 1, 2, 0, 1, 4)


def test_equal_values_on_the_last_board_are_told_with_how_to_name_other_rules() -> None:
    maze = watch([[0] * 4 for _ in range(4)])
    maze[0][0] = maze[0][1] = 1
    with pytest.warns(RuntimeWarning, match="r1c1 and r1c2 both hold 1, .* give puzzle=, such as"):
        assert trace_of(maze).tally().outcome is Outcome.CAPPED


def placed(board: Any) -> bool:
    board[0][0] = 5
    return True


@pytest.mark.parametrize(
    ("grid", "write", "says"),
    [
        (rows_of(EASY.grid), lambda grid: placed([list(row) for row in grid]), "copies are foll"),
        (rows_of(EASY.grid), lambda grid: None, "nothing was written into the watched grid; run"),
        ([[1, 0, 0, 0]] + [[0] * 4] * 3, placed, "r1c1 is a given of the watched grid, but holds"),
        ([[0] * 4] * 4, lambda grid: grid[0].append(0) or placed(grid), "17 cells now, and had 16"),
        ([[0] * 4] * 4, lambda grid: grid[0].__setitem__(0, {1, 2}), "holds a list or a set"),
        ([[0] * 4] * 4, lambda grid: grid[0].__setitem__(0, "?"), r"holds '\?', which is neither"),
        ("." * 81, placed, "str can't be watched; give a list, a dict or an array"),
        ([[1, 2], [3]], placed, "holds a list or a set"),
        ([["x"] * 4] * 4, placed, "watch\\(grid, empty='x'\\)"),
    ],
)
def test_what_cannot_be_described_is_refused_with_a_reason(
    grid: Any, write: Callable[[Any], object], says: str
) -> None:
    with pytest.raises(TraceError, match=says):
        board = watch(copy.deepcopy(grid))
        write(board)
        trace_of(board)


def test_a_board_of_no_puzzle_is_refused() -> None:
    for cells in ([0] * 80, [[0] * 5] * 5):  # a board of 5 has no boxes
        with pytest.raises(PuzzleError, match="if it is no standard board, give puzzle=, such as"):
            watch(cells)
    assert watch([[0] * 5] * 5, puzzle="box: none\n" + 5 * ".....\n")


def searched_elsewhere(board: Any) -> None:
    numbers = [list(map(int, row)) for row in board]
    forced_then_guess(numbers)
    board[:] = numbers


def only_searched(board: Any) -> None:
    forced_then_guess(board)


@pytest.mark.parametrize(("solve", "doubts"), [(searched_elsewhere, 1), (only_searched, 0)])
def test_a_result_without_any_undo_is_doubted_unless_inference_explains_it(
    solve: Callable[[Any], None], doubts: int
) -> None:
    """The puzzle needs no guess, so that a solver with inference takes nothing back."""
    board = watch(rows_of(EASY.grid))
    solve(board)
    with warnings.catch_warnings(record=True, action="always") as caught:
        assert trace_of(board).tally().undos == 0
    says = "none was taken back: if the solver searched on a copy of the watched grid, only its"
    assert sum(says in str(warning.message) for warning in caught) == len(caught) == doubts


def test_calls_are_places_and_false_returns_are_undos() -> None:
    board = rows_of(EASY.grid)

    class Solver:
        @calls(EASY.grid, title="by calls")
        def attempt(self, row: int, col: int, *, digit: int, depth: int = 0) -> bool:
            board[row][col] = digit
            solved = self.solve()
            board[row][col] = board[row][col] if solved else 0
            return solved

        def solve(self) -> bool:
            for cell in range(81):
                row, col = divmod(cell, 9)
                if not board[row][col]:
                    corner = row // 3 * 3, col // 3 * 3
                    seen = {board[corner[0] + k // 3][corner[1] + k % 3] for k in range(9)}
                    seen |= {*board[row], *(line[col] for line in board)}
                    fitting = (digit for digit in range(1, 10) if digit not in seen)
                    return any(self.attempt(row, col, digit=digit) for digit in fitting)
            return True

    Solver().solve()
    trace = trace_of(Solver.attempt)
    assert steps_of(trace) == steps_of(search(EASY.grid, "row-major"))
    assert trace.header.label == "by calls"


def test_calls_names_what_it_needs() -> None:
    def attempt(where: int, what: int) -> bool:
        return True

    with pytest.raises(SettingsError, match=r"attempt\(where.* name|call its parameters cell and"):
        calls(EASY.grid)(attempt)
    with pytest.raises(SettingsError, match=r"write @undoku.calls\(puzzle\)"):
        calls(attempt)  # type: ignore[arg-type]

    @calls(EASY.grid)
    def numbered(cell: int, value: int) -> bool:
        return True

    with pytest.raises(TraceError, match="there is no cell 81"):
        numbered(81, 1)


def test_the_example_in_the_documentation_runs() -> None:
    assert doctest.testmod(undoku.solver.trace.watch).failed == 0
