"""A kind of problem: rooks, one in each row, none of which attacks another."""

from __future__ import annotations

from undoku import Puzzle, PuzzleError
from undoku.solver.problem.appearance import Appearance, Form, Variable
from undoku.solver.problem.problem import Problem, Unit
from undoku.solver.problem.problem_kinds import ProblemKind

__all__ = ["KINDS", "rooks"]

KINDS = (
    ProblemKind(
        "rooks",
        "rooks:ROWS",
        "Rooks that do not attack each other, one in each row.",
        "rooks_problem:rooks",
    ),
)


def rooks(text: str) -> Puzzle:
    """The empty board that "8" describes. Raises PuzzleError."""
    if not text.isdecimal() or not 1 <= int(text) <= 25:
        raise PuzzleError(f"{text!r} is not a number of rows", remedy="write rooks:8, 1 to 25")
    rows = tuple(range(int(text)))
    variables = tuple(
        Variable(f"row {row + 1}", (row, 0), tuple((row, column) for column in rows))
        for row in rows
    )
    look = Appearance(Form.FIELDS, "row", "rook")
    columns = (Unit("column", 0, rows),)
    problem = Problem(len(rows), columns, variables=variables, appearance=look)
    return Puzzle((0,) * len(rows), problem, f"{len(rows)} rooks")
