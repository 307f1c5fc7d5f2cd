"""Boards pasted from programs: Python and JSON lists, nested or flat, and rows with commas."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.puzzles import EASY, puzzles
from undoku.errors import PuzzleError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.problem.sources import as_puzzle, detect, parse_puzzle, read, write
from undoku.solver.trace.search_trace import search

GIVENS = parse_puzzle(EASY.grid).givens
ROWS = [list(GIVENS[row * 9 : row * 9 + 9]) for row in range(9)]
MARKS = [[str(value) if value else "." for value in row] for row in ROWS]


def lines(rows: list[str], end: str = "") -> str:
    return "\n".join(rows) + end


TEXTS = {
    "flat": str(list(GIVENS)),
    "flat in rows": "[" + lines([", ".join(map(str, row)) + "," for row in ROWS], "]"),
    "flat, wrapped anywhere": str(list(GIVENS)).replace(" ", "\n", 20),
    "nested": str(ROWS),
    "nested, printed": lines([f"    {row}," for row in ROWS]).join(["[\n", "\n]\n"]),
    "nested, assigned": f"board = {ROWS}",
    "nested, with a type": f"board: list[list[int]] = {ROWS};",
    "a tuple": str(tuple(map(tuple, ROWS))),
    "rows without the outer list": lines([f"{row}," for row in ROWS]),
    "rows of numbers": lines([", ".join(map(str, row)) + "," for row in ROWS]),
    "rows of numbers, no last comma": lines([",".join(map(str, row)) for row in ROWS]),
    "all numbers on a line": ", ".join(map(str, GIVENS)),
    "None": str([[value or None for value in row] for row in ROWS]),
    "null": json.dumps([[value or None for value in row] for row in ROWS]),
    "texts": str(MARKS),
    "JSON texts": json.dumps(MARKS, indent=1),
    "empty texts": str([["" if mark == "." else mark for mark in row] for row in MARKS]),
    "blanks": str([[" " if mark == "." else mark for mark in row] for row in MARKS]),
    "rows of texts without a list": lines([str(row)[1:-1] + "," for row in MARKS]),
    "a text for each row": str(["".join(row) for row in MARKS]),
    "numpy": f"np.array({ROWS}, dtype=np.int8)",
    "numpy, printed": str(np.array(ROWS)),
    "numpy, its repr": repr(np.array(ROWS)),
    "numpy of floats": repr(np.array(ROWS, float)),
    "an underscore": str(ROWS).replace("0", "_"),
    "comments": "# from a post\n\n"
    + lines([f"{row},  # a row" for row in ROWS]).join(["[\n", "\n]"]),
    "a call": f"solve({ROWS})",
    "a part of it, without its end": str(ROWS)[:-1],
    "a list of one board": str([ROWS]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_board_pasted_from_a_program_is_read(name: str) -> None:
    assert parse_puzzle(TEXTS[name]).givens == GIVENS


@pytest.mark.parametrize("name", ["flat", "nested", "texts", "rows of numbers", "JSON texts"])
def test_a_list_may_be_the_argument_of_a_command(name: str) -> None:
    assert read(TEXTS[name]).givens == GIVENS


@pytest.mark.parametrize(
    "board",
    [
        list(GIVENS), ROWS, tuple(map(tuple, ROWS)), MARKS, np.array(ROWS), np.array(GIVENS),
        [[value or None for value in row] for row in ROWS], ["".join(row) for row in MARKS],
    ],
)  # fmt: skip
def test_a_board_may_be_given_as_a_list_itself(board: list[object]) -> None:
    assert as_puzzle(board).givens == GIVENS
    assert search(as_puzzle(board)).tally().nodes == EASY.calls


def test_boards_of_other_sizes_have_numbers_above_nine() -> None:
    dice = random.Random(3)
    cells = [0] * 256
    cells[dice.randrange(256)] = 16
    text = str([cells[row * 16 : row * 16 + 16] for row in range(16)])
    assert parse_puzzle(text) == Puzzle(tuple(cells), standard_geometry(16))
    assert parse_puzzle("[1,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,2]").size == 4
    assert parse_puzzle("[[1,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]").size == 4


@given(puzzles(st.sampled_from([4, 6, 9, 12, 16]).map(standard_geometry)))
def test_a_written_list_is_read_by_python(puzzle: Puzzle) -> None:
    text = write(puzzle, "list")
    rows = eval(text)
    assert tuple(value for row in rows for value in row) == puzzle.givens
    assert parse_puzzle(text) == puzzle
    assert detect(text).name == "list"


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        (str(ROWS).replace("5", "x", 1), "'x' is neither a value", 1, 3),
        (str(ROWS).replace("5", "True", 1), "'True' is neither a value", 1, 3),
        (str(ROWS).replace("5", "-5", 1), "'-' is neither a value", 1, 3),
        (str(ROWS).replace("5", "1.5", 1), "'1.5' is neither a value", 1, 3),
        (str(MARKS).replace("'5'", "'55555x'", 1), "'55555x'|\"'55555x'\"", 1, 3),
        (str(ROWS).replace("5", "10", 1), "10 is out of range", 1, 3),
        (str(ROWS).replace("[5, 0", "[5, 5", 1), "both hold 5", 1, 6),
        (str(ROWS).replace("5, ", "", 1), "8 cells in this row where 9 are needed", 1, 0),
        (str(ROWS[:8]), "8 rows of 9 cells", 1, 0),
        (str([*ROWS, ROWS[0]]), "10 rows of 9 cells", 1, 0),
        (f"{ROWS}\n{ROWS}", "18 rows of 9 cells", 2, 0),
        (str([5, *ROWS]), "1 cells in this row where 9 are needed", 1, 2),
        ("[]", "holds no cells", 0, 0),
        ("[[], []]", "the list holds no cells", 0, 0),
        (str([1] * 80), "80 cells where 81 are needed", 1, 0),
        (lines([", ".join(map(str, row)) for row in ROWS[:8]] + ["1, 2"]), "2 cells", 9, 4),
        ("[" + lines([f"{str(row)[1:-1]}," for row in ROWS[:4]] + ["0, 0,"], "]"), "2 cells", 5, 4),
    ],
)
def test_a_list_that_is_not_a_board_is_refused_at_its_place(
    text: str, message: str, line: int, column: int
) -> None:
    with pytest.raises(PuzzleError, match=message) as caught:
        parse_puzzle(text, source="sample")
    sentence = str(caught.value)
    assert sentence.startswith("sample") and "\n" not in sentence and len(sentence) < 400
    place = caught.value.place
    assert place and place.line == line
    assert column in (0, place.column)


@pytest.mark.parametrize(
    "board",
    [[0.5] * 81, [[[5]]], [object()], ROWS[:8], [True, "x"], [b"53"], [{}], [], range(10_000)],
)
def test_a_list_that_is_not_a_board_is_refused_in_a_sentence(board: list[object]) -> None:
    with pytest.raises(PuzzleError) as caught:
        as_puzzle(board)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
