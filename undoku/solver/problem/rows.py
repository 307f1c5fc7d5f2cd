"""Cells in rows, with or without frames between the boxes: the common part of all grid formats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isqrt

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.cell_marks import VALUES, foreign, placed, size_of, usual_geometry
from undoku.solver.problem.puzzle import SMALLEST, Geometry, Puzzle
from undoku.solver.problem.text import SourceLine

__all__ = ["content", "is_rule", "puzzle_of_rows"]

_FRAME = "|!¦│┃║"
_RULE = set("-+=─━═┼╋╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╪╫* |")
_DASHES = set("-=─━═")


@dataclass(frozen=True, slots=True)
class _PuzzleRow:
    """The cells of one line: their values and their columns (from 1)."""

    line: SourceLine
    values: tuple[int, ...]
    columns: tuple[int, ...]


def is_rule(content: str) -> bool:
    """Whether a line has no cells: it is empty, or a frame such as ---+---+---."""
    marks = set(content)
    return not content.strip() or (marks <= _RULE and bool(marks & _DASHES))


def puzzle_of_rows(
    lines: Sequence[SourceLine],
    source: str,
    board: Callable[[int], Geometry] | None = None,
    size: int = 0,
    title: str = "",
) -> Puzzle:
    """The puzzle whose cells are in `lines`, all on one line or one row on each. Cells are marks (1
    to 9, then letters), or numbers with white space between them. Spaces, frames and comments (`#`
    or `;` to the end of the line) are skipped. `board` returns the geometry of a size, by default
    the standard one; `size` is the expected size, 0 for any. Raises PuzzleError with the line and
    column of the first mistake.
    """
    lines = [line for line in lines if not is_rule(content(line))]
    read = _read_numbers if _are_numbers(lines) else _read_marks
    rows = [row for line in lines if (row := read(line)).values]
    if not rows:
        raise PuzzleError(
            "it holds no cells", place=Place(source), remedy="give 81 cells, such as 53..7...."
        )
    if len(rows) > 1:
        size = _check_rows(rows, size)
    end = rows[-1].line.place(rows[-1].columns[-1])
    size = size_of(sum(len(row.values) for row in rows), end, size)
    geometry = board(size) if board else usual_geometry(size, end)
    cells = [row.line.place(column) for row in rows for column in row.columns]
    values = tuple(value for row in rows for value in row.values)
    return placed(values, geometry, cells.__getitem__, title)


def _check_rows(rows: list[_PuzzleRow], size: int) -> int:
    """The size of a grid: its number of lines, which equals the number of cells in each. The first
    line of another length is the mistake."""
    if not size:
        usual, _ = Counter(len(row.values) for row in rows).most_common(1)[0]
        size = usual if usual > 1 else len(rows)
    remedy = f"write all {size * size} cells on one line, or {_word(size)} lines of {_word(size)}"
    for row in rows:
        if len(row.values) != size:
            raise PuzzleError(
                f"{len(row.values)} cells in this line where {size} are needed",
                place=row.line.place(row.columns[-1]),
                remedy=remedy,
            )
    if len(rows) != size:
        last = rows[min(len(rows), size + 1) - 1]
        raise PuzzleError(
            f"{len(rows)} lines of cells where {size} are needed",
            place=last.line.place(last.columns[0]),
            remedy=remedy,
        )
    return size


def _word(count: int) -> str:
    return {4: "four", 6: "six", 8: "eight", 9: "nine", 10: "ten", 12: "twelve"}.get(
        count, str(count)
    )


def content(line: SourceLine) -> str:
    """A line without its comment."""
    return line.text.split("#", 1)[0].split(";", 1)[0]


def _tokens(line: SourceLine) -> list[re.Match[str]]:
    return list(re.finditer(rf"[^\s{_FRAME}]+", content(line)))


def _are_numbers(lines: Sequence[SourceLine]) -> bool:
    """Whether cells are numbers with white space between them, rather than single marks.

    A grid has as many lines as cells in each, so the interpretation that is closer to this is
    chosen. On a single line, short words are numbers if they are the cells of a whole board.
    """
    words = [[token[0] for token in _tokens(line)] for line in lines]
    longest = max((len(word) for row in words for word in row), default=0)
    if longest != 2:
        return False
    by_words, _ = Counter(map(len, words)).most_common(1)[0]
    by_marks, _ = Counter(sum(map(len, row)) for row in words).most_common(1)[0]
    if len(lines) == 1:
        return by_words >= SMALLEST**2 and isqrt(by_words) ** 2 == by_words
    return abs(by_words - len(lines)) <= abs(by_marks - len(lines))


def _read_marks(line: SourceLine) -> _PuzzleRow:
    values: list[int] = []
    columns: list[int] = []
    for column, mark in enumerate(content(line), 1):
        if mark.isspace() or mark in _FRAME:
            continue
        if mark not in VALUES:
            raise _foreign(foreign(mark), line, column)
        values.append(VALUES[mark])
        columns.append(column)
    return _PuzzleRow(line, tuple(values), tuple(columns))


def _read_numbers(line: SourceLine) -> _PuzzleRow:
    values: list[int] = []
    columns: list[int] = []
    for token in _tokens(line):
        word, column = token[0], token.start() + 1
        if word in VALUES:
            values.append(VALUES[word])
        elif word.isascii() and word.isdecimal():
            values.append(int(word))
        else:
            raise _foreign(f"{word!r} is neither a value nor an empty cell", line, column)
        columns.append(column)
    return _PuzzleRow(line, tuple(values), tuple(columns))


def _foreign(message: str, line: SourceLine, column: int) -> PuzzleError:
    return PuzzleError(
        message,
        place=line.place(column),
        remedy="use 1 to 9 (then A, B, …) for givens and . or 0 for empty cells",
    )
