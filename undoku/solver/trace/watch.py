"""Watches any Python solver, without changes to it, and records its search as a trace.

>>> from undoku import trace, watch
>>> grid = watch([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
>>> def solve():
...     for row in range(4):
...         for column in range(4):
...             if grid[row][column] == 0:
...                 for value in range(1, 5):
...                     seen = grid[row] + [line[column] for line in grid]
...                     top, left = row // 2 * 2, column // 2 * 2
...                     seen += grid[top][left : left + 2] + grid[top + 1][left : left + 2]
...                     if value not in seen:
...                         grid[row][column] = value
...                         if solve():
...                             return True
...                         grid[row][column] = 0
...                 return False
...     return True
>>> solve()
True
>>> trace(grid).tally().outcome
<Outcome.SOLVED: 'solved'>

A watched grid behaves like the original. Whatever is written into it or into its copies is compared
with what has been recorded: a value is a place; a cell that is empty again is an undo, which is
recorded when a value is placed next, so that a solver may clear cells in any order, or only to
look. The trace has the board that was written last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, starmap, zip_longest
from operator import ne
from typing import Any, TypeVar, cast

import numpy as np

from undoku.errors import PuzzleError, TraceError
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.board_recording import OTHER_RULES, Marks, Recording, board_values

Grid = TypeVar("Grid", list[Any], dict[Any, Any], np.ndarray[Any, Any])
Watched = TypeVar("Watched", bound="_Watched")


class _Board:
    """A watched board, or a copy of one: `read` returns the values of its cells."""

    def __init__(self, recording: Recording, read: Callable[[], list[int]]) -> None:
        self.recording, self._read = recording, read
        self._values = self._now()

    def _now(self) -> list[int]:
        values = self._read()
        if len(values) != len(self.recording.values):
            raise TraceError(
                f"the watched grid has {len(values)} cells now, and had "
                f"{len(self.recording.values)}",
                remedy="write into its cells, and 0 or None into an empty one",
            )
        return values

    def written(self) -> None:
        """Record what was changed. A solver that works on copies may finally write its solution
        into the first board: what has been recorded already is no change."""
        before, now, recording = self._values, self._now(), self.recording
        self._values = now
        changed = [cell for cell, old in enumerate(before) if now[cell] != old]
        if recording.board is self or any(now[c] != recording.values[c] for c in changed):
            recording.board = self
            recording.write(now, changed)


class _Rows(_Board):
    """A board of lists: its rows, or one list of all cells. The rows of a copy are those of the
    original until they have been copied, too, one after the other: `[row[:] for row in grid]`."""

    def __init__(self, recording: Recording, rows: list[Any]) -> None:
        self.rows = rows
        self._copy = self
        self._next_row = 0
        super().__init__(recording, lambda: recording.read(rows))

    def row_copied(self, row: _Cells) -> None:
        """Let the copy of a row, or a new one, belong to a copy of the board."""
        if row.number == 0 or row.number != self._next_row:
            self._copy = _Rows(self.recording, list(self.rows))
        self._next_row = row.number + 1
        row.board = self._copy
        row.board.rows[row.number] = row
        row.board.written()


class _Watched:
    """What is watched: it belongs to a board."""

    board: Any
    copy: Callable[..., Any]

    @property
    def recording(self) -> Recording:
        recording: Recording = self.board.recording
        return recording

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, _: object) -> Any:
        return self.copy()

    def written(self) -> None:
        self.board.written()


def _followed(change: Callable[..., Any]) -> Any:
    """A method of lists or dicts that changes them; then their board is compared with what is
    recorded."""

    def changed(watched: Any, *arguments: Any, **named: Any) -> Any:
        result = change(watched, *arguments, **named)
        watched.written()
        return result

    return changed


def _following(*names: str) -> Callable[[type[Watched]], type[Watched]]:
    """A decorator for a class of lists or dicts whose methods with these names are `_followed`."""

    def following(watched: type[Watched]) -> type[Watched]:
        for name in ("__setitem__", "__delitem__", "clear", "pop", *names):
            setattr(watched, name, _followed(getattr(watched, name)))
        return watched

    return following


@_following("__iadd__", "append", "extend", "insert", "remove")
class _Cells(_Watched, list[Any]):
    """A row of a watched grid, or a flat grid, or a part of one of them. A part is not watched,
    unless parts are joined to a flat grid with one change: `cells[:n] + [value] + cells[n + 1 :]`,
    or `cells + [value]` where cells at the end are missing.
    """

    def __init__(self, cells: Iterable[object], board: _Rows, number: int) -> None:
        super().__init__(cells)
        self.board, self.number = board, number

    def _part(self, cells: list[Any], *, joined: bool = False) -> _Cells:
        part, rows = _Cells(cells, self.board, self.number), self.board.rows
        whole = rows[self.number]
        step = joined and len(rows) == 1 and len(part) <= self.recording.fields
        if part == whole or (step and sum(starmap(ne, zip_longest(part, whole))) == 1):
            self.board.row_copied(part)
        return part

    def written(self) -> None:
        if self.board.rows[self.number] is self:
            self.board.written()

    def __getitem__(self, where: Any) -> Any:
        found = list.__getitem__(
            self, where
        )  # faster than super(): solvers read more than they write
        return self._part(found) if isinstance(where, slice) else found

    def __add__(self, more: Any) -> _Cells:
        return self._part(super().__add__(more), joined=True)

    def __radd__(self, before: Any) -> _Cells:
        return self._part([*before, *self], joined=True)

    def copy(self) -> _Cells:
        return self._part(self)

    def __reduce__(self) -> Any:
        return list, (list(self),)


class _Grid(_Watched, list[Any]):
    """A watched list of rows."""

    def __init__(self, rows: Iterable[object], recording: Recording) -> None:
        super().__init__(rows)
        self.board = _Rows(recording, self)
        self._watch_rows()

    def _watch_rows(self) -> None:
        for number, row in enumerate(self):
            if isinstance(row, list) and getattr(row, "board", None) is not self.board:
                super().__setitem__(number, _Cells(row, self.board, number))

    def __setitem__(self, where: Any, content: Any) -> None:
        super().__setitem__(where, content)
        self._watch_rows()
        self.board.written()

    def __deepcopy__(self, _: object) -> _Grid:
        return _Grid(self, self.recording)

    def __reduce__(self) -> Any:
        return list, (list(self),)


@_following("__ior__", "popitem", "setdefault", "update")
class _Table(_Watched, dict[Any, Any]):
    """A watched dict; `keys_in_order` are the cells."""

    def __init__(
        self, cells: dict[Any, Any], recording: Recording, keys_in_order: Sequence[Any]
    ) -> None:
        super().__init__(cells)
        self._keys = keys = keys_in_order

        def read() -> list[int]:
            for stray in self.keys() - keys:
                raise _no_cell(stray, keys)
            return recording.read([[self.get(key) for key in keys]])

        self.board = _Board(recording, read)

    def copy(self) -> _Table:
        return _Table(self, self.recording, self._keys)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


def _no_cell(key: object, keys: Sequence[object]) -> TraceError:
    known = ", ".join(map(repr, keys[:8])) + ", …" * (len(keys) > 8)
    return TraceError(
        f"{key!r} is no cell of the watched dict", remedy=f"use the puzzle's names: {known}"
    )


def _keys_in_order(cells: dict[Any, Any], given: Puzzle | None) -> list[Any]:
    """The keys of a dict: names of the puzzle's cells in its order, also of missing ones, or keys
    such as (0, 3), "A4", "r1c4" or 3 by rows, then by columns."""
    if given:
        names = [variable.name for variable in given.problem.variables]
        if cells.keys() <= set(names):
            return names
        if given.problem.appearance.form is not Form.GRID:
            for stray in cells.keys() - names:
                if isinstance(stray, str):
                    raise _no_cell(stray, names)

    def parts(key: object) -> list[tuple[bool, int, str]]:
        words = re.findall(r"\d+|\D+", str(key))
        return [(word.isdigit(), int(word) if word.isdigit() else 0, word) for word in words]

    return sorted(cells, key=parts)


class _Array(_Watched, np.ndarray[Any, np.dtype[Any]]):
    """A watched array, or a view of one, which writes into the same memory."""

    def __array_finalize__(self, source: object) -> None:
        self.board = None
        if isinstance(source, _Array) and np.may_share_memory(self, source):
            self.board = source.board

    def __setitem__(self, where: Any, content: Any) -> None:
        super().__setitem__(where, content)
        if self.board:
            self.board.written()

    def copy(self, order: Any = "C") -> _Array:
        made: _Array = super().copy(order)
        if self.board and self.size == self.recording.fields:
            made.board = _Board(self.recording, lambda: _read(made, self.recording))
        return made

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.copy:
            return args[0].copy()
        return super().__array_function__(function, types, args, kwargs)


def _read(array: np.ndarray[Any, Any], recording: Recording) -> list[int]:
    return recording.read(array.reshape(recording.rows, -1).tolist())


def watch(
    grid: Grid,
    puzzle: Puzzle | str | None = None,
    *,
    empty: Hashable = None,
    values: Sequence[Hashable] = (),
    title: str = "",
) -> Grid:
    """A grid that behaves like `grid` and records what a solver writes into it and its copies.
    `undoku.film` and all functions that take traces accept it; `undoku.trace` returns its trace.

    `grid` is a list of rows, a list of all cells, a dict whose sorted keys are the cells, or a
    numpy array. It holds the givens; `puzzle` is one of the same kind if the board is not a
    standard one, such as "queens:8", for which it may also be a chessboard. Then cells at the end
    of a list may be missing while they are empty, and names among the keys of a dict. An empty cell
    is 0, None, "" or ".", or else `empty`. The values are numbers from 1 and the names that
    `puzzle` has for them, or else `values` in their order, such as range(8) or colours, which films
    call by their names if these are letters only. `title` is the solver's name in the film.

    Copies are followed if they are made by `copy`, `deepcopy` or a slice, not by `list(grid)`.

    Raises PuzzleError if `grid` is no board. A write raises TraceError if a given changes.

    >>> import undoku
    >>> grid = undoku.watch([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    >>> grid[0][1] = 3
    >>> undoku.trace(grid).tally().places
    1
    """
    kind = None if puzzle is None else as_puzzle(puzzle)
    names = tuple(map(str, values))
    coloured = kind and kind.problem.appearance.coloured and len(names) == kind.size
    if kind and coloured and "".join(names).isalpha():
        look = replace(kind.problem.appearance, names=names)
        kind = replace(kind, problem=replace(kind.problem, appearance=look))
    nested = False
    if isinstance(grid, np.ndarray):
        rows = grid.reshape(-1, max((1, *grid.shape[-1:]))).tolist()  # also without cells
        nested = len(rows) > 1
    elif isinstance(grid, dict):
        keys = _keys_in_order(grid, kind)
        rows = [[grid.get(key) for key in keys]]
    elif isinstance(grid, list):
        nested = bool(grid) and all(isinstance(row, Sequence) and len(row) > 1 for row in grid)
        rows = grid if nested else [grid]
    else:
        raise TraceError(
            f"{type(grid).__name__} can't be watched", remedy="give a list, a dict or an array"
        )
    marks = Marks(empty, values=values)
    marks.update(
        (name, value)
        for value, name in enumerate(kind.problem.appearance.names if kind else (), 1)
        if not values
    )
    in_fields = (
        nested
        and kind is not None
        and kind.problem.appearance.form is Form.FIELDS
        and all(len(row) == kind.size for row in rows)
    )
    cells = kind.problem.cells if kind else 0
    givens = board_values(rows, marks, cells, in_fields=in_fields)
    try:
        given = Puzzle(tuple(givens), kind.problem) if kind else as_puzzle(givens)
    except PuzzleError as error:
        raise PuzzleError(error.message, remedy=error.remedy if kind else OTHER_RULES) from None
    marks.size = min(marks.size, given.size)
    unusual = not (isinstance(given.problem, Geometry) or in_fields or values)
    if unusual and empty is None and 0 not in chain.from_iterable(rows):
        del marks[0]  # a solver whose values begin at 0 is told so
    recording = Recording(given, marks, title, in_fields=in_fields)
    watched: Any
    if isinstance(grid, np.ndarray):
        watched = np.array(grid).view(_Array)
        watched.board = _Board(recording, lambda: _read(watched, recording))
    elif isinstance(grid, dict):
        watched = _Table(grid, recording, keys)
    elif nested:
        watched = _Grid(grid, recording)
    else:
        rows[0] = watched = _Cells(grid, _Rows(recording, rows), 0)
    return cast(Grid, watched)
