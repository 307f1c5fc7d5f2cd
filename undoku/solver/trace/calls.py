"""Records the calls of a Python function as the steps of a search."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from undoku.errors import SettingsError, TraceError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.board_recording import Marks, Recording

Function = TypeVar("Function", bound=Callable[..., Any])

_PARAMETERS = {
    "cell": ("cell",),
    "row": ("row", "r"),
    "column": ("column", "col", "c"),
    "value": ("value", "digit", "number", "num"),
}
"""The names of the parameters that `calls` looks for."""


def calls(
    puzzle: Puzzle | str | Sequence[object], *, title: str = ""
) -> Callable[[Function], Function]:
    """A decorator for a function whose calls are the steps of a search on `puzzle`: a call is a
    place, and the return of a false value, such as False or None, is its undo. While it returns
    another value, or raises an exception, the place remains.

    The function has a parameter `cell`, which is a number or a pair of row and column, or two,
    `row` and `column` (also `col`, or `r` and `c`), all from 0; and one called `value`, `digit`,
    `number` or `num`, from 1. Others, such as `self`, do not matter. `undoku.film` and all
    functions that take traces accept the decorated function.

    Raises SettingsError for a function without these parameters; its call raises TraceError if
    there is no such cell, or if it is a given with another value.

    >>> import undoku
    >>> @undoku.calls("1.....3..4.....2")
    ... def attempt(cell, value):
    ...     return cell < 2 and attempt(cell + 1, 2)
    >>> attempt(1, 3)
    False
    >>> undoku.trace(attempt).tally().undos
    2
    """
    if inspect.isroutine(puzzle):
        raise SettingsError(
            "undoku.calls needs the puzzle", remedy="write @undoku.calls(puzzle) above the function"
        )
    given = as_puzzle(puzzle)
    recording = Recording(given, Marks(None, given.size), title)
    board = list(recording.values)

    def decorate(function: Function) -> Function:
        if not callable(function):
            raise SettingsError(f"{function!r} is not a function", remedy="decorate one")
        signature = inspect.signature(function)
        found = {
            role: name
            for role, names in _PARAMETERS.items()
            for name in signature.parameters
            if name in names
        }
        if "value" not in found or not ("cell" in found or {"row", "column"} <= found.keys()):
            raise SettingsError(
                f"{function.__name__}{signature} does not say which cell and value it tries",
                remedy="call its parameters cell and value, or row, column and value",
            )

        @wraps(function)
        def recorded(*arguments: Any, **named: Any) -> Any:
            bound = signature.bind(*arguments, **named)
            bound.apply_defaults()
            part = {role: bound.arguments[name] for role, name in found.items()}
            cell = part["cell"] if "cell" in part else (part["row"], part["column"])
            if isinstance(cell, tuple):
                cell = cell[0] * recording.puzzle.size + cell[1]
            if cell not in range(len(board)):
                raise TraceError(f"there is no cell {cell}", remedy="count rows and columns from 0")
            before = board[cell]
            board[cell] = recording.marks.read([part["value"]])[0]
            recording.write(list(board), [cell])
            result = function(*arguments, **named)
            if not result:
                board[cell] = before
                recording.write(list(board), [cell])
            return result

        recorded.recording = recording  # type: ignore[attr-defined]
        return cast(Function, recorded)

    return decorate
