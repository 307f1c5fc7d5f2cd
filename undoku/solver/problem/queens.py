"""Queens on a chessboard, none of which attacks another: a variable for each row."""

from __future__ import annotations

import re

from undoku.errors import PuzzleError
from undoku.solver.problem.appearance import Appearance, Form, Variable
from undoku.solver.problem.problem import MAX_VALUES, Problem, Unit
from undoku.solver.problem.puzzle import Puzzle

_COLUMNS = "abcdefghijklmnopqrstuvwxy"
_FIELD = re.compile(r"([a-y])(\d{1,2})", re.ASCII)


def queens(text: str) -> Puzzle:
    """The puzzle that "8" or "8:a1,c5" describes: the number of rows, and the fields of queens that
    are placed already. A field is its column, a letter, and its row, a number; a1 is the upper left
    one, as in a spreadsheet. Raises PuzzleError.
    """
    size, _, placed = text.partition(":")
    if not size.isdecimal() or not 1 <= int(size[:9]) <= MAX_VALUES:
        raise PuzzleError(
            f"{size!r} is not a number of queens",
            remedy=f"write queens:8, from 1 to {MAX_VALUES}, or queens:8:a1,c5",
        )
    problem = queens_problem(int(size))
    givens = [0] * problem.size
    for field in placed.lower().replace(" ", "").split(",") if placed else ():
        found = _FIELD.fullmatch(field)
        column = _COLUMNS.find(found[1]) + 1 if found else 0
        row = int(found[2]) if found else 0
        if not (1 <= row <= problem.size and 1 <= column <= problem.size):
            raise PuzzleError(
                f"there is no field {field!r} on a board of {problem.size} rows",
                remedy=f"name fields from a1 to {_COLUMNS[problem.size - 1]}{problem.size}",
            )
        if givens[row - 1]:
            raise PuzzleError(f"row {row} is given two queens", remedy="name one field of each row")
        givens[row - 1] = column
    return Puzzle(tuple(givens), problem, f"{problem.size} queens")


def queens_problem(size: int) -> Problem:
    """The board of `size` rows, 1 to 25: every column must have a queen, every diagonal may."""
    rows = tuple(range(size))
    return Problem(
        size,
        (
            Unit("column", 0, rows),
            Unit("diagonal", 1, rows, rows),
            Unit("diagonal", 2, rows, rows[::-1]),
        ),
        variables=tuple(
            Variable(f"row {row + 1}", (row, 0), tuple((row, column) for column in rows))
            for row in rows
        ),
        # Without any rule only a solver could say what is solved; see `graph_colouring`.
        domains=(1,) if size == 1 else (),
        appearance=Appearance(Form.FIELDS, "row", "queen", tuple(_COLUMNS[:size])),
    )
