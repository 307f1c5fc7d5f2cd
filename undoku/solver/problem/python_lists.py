"""Boards pasted from programs: Python or JSON lists, nested or flat, and rows with commas.

    board = [[5, 3, 0, …], [6, 0, 0, …], …]     [["5", "3", "."], …]     [5, 3, 0, 0, 7, …]
    0, 0, 6, 0, …                               ["53..7....", …]         np.array([[5, 3, …]])

An empty cell is 0, None, null or a mark such as "."; each mark of a text of four or more marks is a
cell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from math import isqrt
from operator import index

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.puzzle import LARGEST, SMALLEST, Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard, single
from undoku.solver.problem.puzzle_text import (
    VALUES,
    SourceLine,
    first_line,
    numbered,
    placed,
    size_of,
    usual_geometry,
    whole,
)

__all__ = ["PYTHON_LIST", "values_of_lists"]

_CELL = r"(?:\d{1,2}|None|null|[._*]|'[^'\n]{0,2}'|\"[^\"\n]{0,2}\")"
_BARE = re.compile(rf"{_CELL}(?:\s*,\s*{_CELL}){{2}}")
_PREFIX = re.compile(
    r"(?:[A-Za-z_][\w.]{0,60}\s*(?::[^=\n]{0,80})?=\s*)?(?:[A-Za-z_][\w.]{0,60}\()?"
)
_BRACKET = re.compile(r"[\[(]\s*(?:$|[\[(\])\d'\"._*]|None\b|null\b)")
_TOKEN = re.compile(
    r"(?P<space>[\s,]+)|(?P<open>[\[(])|(?P<close>[\])])|(?P<quoted>'[^']*'|\"[^\"]*\")"
    r"|(?P<word>[\w.*]+)|(?P<comment>(?:#|//).*)|(?P<other>.)"
)
_NUMBER = re.compile(r"(\d{1,6})(?:\.0*)?", re.ASCII)
_EMPTY = ("", "None", "null")
_MIN_ROW = SMALLEST
_REMEDY = "write 0, None or '.' for an empty cell, and 1 to 9 (then 10, 11, …) for givens"
_SHAPE = "give one board: a list of its rows, or a flat list of its cells"


@dataclass
class _CellGroup:
    """The cells directly between two brackets, or on one line."""

    depth: int
    values: list[int] = field(default_factory=list)
    places: list[tuple[SourceLine, int]] = field(default_factory=list)

    @property
    def end(self) -> Place:
        line, column = self.places[-1]
        return line.place(column)


def _fits(text: str) -> bool:
    first = first_line(text)
    prefix = _PREFIX.match(first)
    rest = first[prefix.end() :] if prefix else first
    return bool(_BRACKET.match(rest) or _BARE.match(first))


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _read_lines(lines, source)


def _read_lines(lines: list[SourceLine], source: str) -> Puzzle:
    lines = [line for line in lines if line.text.strip() and line.text.strip()[0] not in "#;"]
    bare = not lines or bool(_BARE.match(lines[0].text.strip()))
    groups = _bare_groups(lines) if bare else _bracketed_groups(lines)
    groups = [group for group in groups if group.values]
    if not groups:
        raise PuzzleError("the list holds no cells", place=Place(source), remedy=_SHAPE)
    deepest = max(group.depth for group in groups)
    beside = next((group for group in groups if group.depth < deepest), None)
    if beside:
        raise PuzzleError("there are cells beside the rows", place=beside.end, remedy=_SHAPE)
    values = tuple(value for group in groups for value in group.values)
    places = [place for group in groups for place in group.places]
    # Flat cells may be wrapped anywhere; lines matter only if the cells are not a whole board.
    if len(groups) == 1 and isqrt(len(values)) ** 2 != len(values):
        groups = _by_line(groups[0])
    if len(groups) > 1 and not (bare and isqrt(len(values)) ** 2 == len(values)):
        _check_rows(groups)
    end = groups[-1].end
    geometry = usual_geometry(size_of(len(values), end), end)

    def place(cell: int) -> Place:
        line, column = places[cell]
        return line.place(column)

    return placed(values, geometry, place)


def _check_rows(groups: list[_CellGroup]) -> None:
    """Raise PuzzleError for the first row whose length differs from the others."""
    size, _ = Counter(len(group.values) for group in groups).most_common(1)[0]
    for group in groups:
        if len(group.values) != size:
            raise PuzzleError(
                f"{len(group.values)} cells in this row where {size} are needed",
                place=group.end,
                remedy=f"write {size} rows of {size} cells",
            )
    if len(groups) != size:
        raise PuzzleError(
            f"{len(groups)} rows of {size} cells",
            place=groups[min(len(groups), size + 1) - 1].end,
            remedy=f"write {size} rows of {size} cells",
        )


def _by_line(group: _CellGroup) -> list[_CellGroup]:
    rows: dict[int, _CellGroup] = {}
    for value, place in zip(group.values, group.places, strict=True):
        row = rows.setdefault(place[0].number, _CellGroup(group.depth))
        row.values.append(value)
        row.places.append(place)
    return list(rows.values())


def _bare_groups(lines: list[SourceLine]) -> list[_CellGroup]:
    groups = []
    for line in lines:
        groups.append(_CellGroup(0))
        for token in _TOKEN.finditer(line.text):
            _take(token, line, groups[-1])
    return groups


def _bracketed_groups(lines: list[SourceLine]) -> list[_CellGroup]:
    """The cells within each pair of brackets, in the order in which the pairs close."""
    open_groups: list[tuple[_CellGroup, str, Place]] = []
    groups: list[_CellGroup] = []
    prefix = _PREFIX.match(lines[0].text, len(lines[0].text) - len(lines[0].text.lstrip()))
    begin = prefix.end() if prefix else 0
    nested = False
    for line in lines:
        for token in _TOKEN.finditer(line.text, begin):
            where = line.place(token.start() + 1)
            if token["open"]:
                if nested and not open_groups:
                    raise PuzzleError("it holds more than one board", place=where, remedy=_SHAPE)
                if len(open_groups) == 2:
                    raise PuzzleError(
                        "its brackets are more than two deep", place=where, remedy=_SHAPE
                    )
                open_groups.append((_CellGroup(len(open_groups) + 1), token["open"], where))
                nested = nested or len(open_groups) == 2
            elif token["close"] and open_groups:
                group, opened, _ = open_groups.pop()
                if opened + token["close"] not in ("[]", "()"):
                    raise PuzzleError(
                        f"{token['close']!r} closes {opened!r}", place=where, remedy=_SHAPE
                    )
                groups.append(group)
            elif open_groups:
                _take(token, line, open_groups[-1][0])
        begin = 0
    if open_groups:
        raise PuzzleError(
            f"the bracket {open_groups[-1][1]!r} is not closed",
            place=open_groups[-1][2],
            remedy="paste the list as a whole",
        )
    return groups


def _take(token: re.Match[str], line: SourceLine, group: _CellGroup) -> None:
    """Add the cells of a token to `group`. Raises PuzzleError for other tokens."""
    if token["space"] or token["comment"]:
        return
    column = token.start() + 1
    try:
        values = _cells_of(token[0][1:-1] if token["quoted"] else token[0], bool(token["quoted"]))
    except ValueError:
        raise PuzzleError(
            f"{token[0][:40]!r} is neither a value nor an empty cell",
            place=line.place(column),
            remedy=_REMEDY,
        ) from None
    first = column + bool(token["quoted"])
    group.values += values
    group.places += [(line, first + number * (len(values) > 1)) for number in range(len(values))]


def _cells_of(text: str, quoted: bool) -> list[int]:
    """The cells that a word of a list represents. Raises ValueError for another word."""
    text = text.strip()
    number = _NUMBER.fullmatch(text)
    if quoted and len(text) >= _MIN_ROW and set(text) <= VALUES.keys():
        return [VALUES[mark] for mark in text]
    if number:
        return [int(number[1])]
    if text in _EMPTY:
        return [0]
    if len(text) == 1 and text in VALUES and (quoted or not text.isalpha()):
        return [VALUES[text]]
    raise ValueError(text)


def values_of_lists(board: Iterable[object]) -> tuple[int, ...]:
    """The values of a board given as rows of cells or as cells, each an integer, None or a text as
    above. Raises PuzzleError for anything else.
    """
    values: list[int] = []
    for number, row in enumerate(board, 1):
        cells = row if isinstance(row, Iterable) and not isinstance(row, str | bytes) else (row,)
        for cell in cells:
            try:
                values += _cells_of(cell, True) if isinstance(cell, str) else [_value_of(cell)]
            except (ValueError, TypeError):
                raise PuzzleError(
                    f"{repr(cell)[:40]} in row or cell {number} is not a value", remedy=_REMEDY
                ) from None
            if len(values) > LARGEST**2:
                raise PuzzleError(f"it has more than {LARGEST**2} cells", remedy=_SHAPE)
    return tuple(values)


def _value_of(cell: object) -> int:
    return 0 if cell is None else index(cell)  # type: ignore[arg-type]


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    puzzle = require_standard(single(puzzles, "a list"), "a list", range(SMALLEST, LARGEST + 1))
    size = puzzle.size
    wide = len(str(size))
    yield "[\n"
    for row in range(size):
        cells = puzzle.givens[row * size : row * size + size]
        yield "    [" + ", ".join(f"{value:{wide}}" for value in cells) + "],\n"
    yield "]\n"


PYTHON_LIST = PuzzleFormat(
    name="list",
    suffixes=(),
    sentence="a Python or JSON list of rows or of cells, or rows of numbers with commas; 0, None "
    'or "." is an empty cell',
    source="Python",
    fits=_fits,
    read=_read,
    write=_write,
)
