"""Boards pasted from programs: Python or JSON lists, nested or flat, and rows with commas.

    board = [[5, 3, 0, …], [6, 0, 0, …], …]     [["5", "3", "."], …]     [5, 3, 0, 0, 7, …]
    0, 0, 6, 0, …                               ["53..7....", …]         np.array([[5, 3, …]])

An empty cell is 0, None, null or a mark such as "."; each mark of a text of four or more marks is a
cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isqrt
from operator import index

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.puzzle import LARGEST, SMALLEST, Puzzle
from undoku.solver.problem.puzzle_format import PuzzleFormat, require_standard, single
from undoku.solver.problem.puzzle_text import (
    VALUES,
    Cell,
    SourceLine,
    check_rows,
    first_line,
    lines_of,
    puzzle_of_cells,
    single_puzzle,
)

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
_REMEDY = "write 0, None or '.' for an empty cell, and 1 to 9 (then 10, 11, …) for givens"
_SHAPE = "give one board: a list of its rows, or a flat list of its cells"


def _fits(text: str) -> bool:
    first = first_line(text)
    prefix = _PREFIX.match(first)
    rest = first[prefix.end() :] if prefix else first
    return bool(_BRACKET.match(rest) or _BARE.match(first))


def _board_of(text: str, source: str) -> Puzzle:
    lines = [line for line in lines_of(text, source) if line.text.strip()[:1] not in ("", "#", ";")]
    cells = _cells(lines)
    if not cells:
        raise PuzzleError("the list holds no cells", place=Place(source), remedy=_SHAPE)
    whole_board = isqrt(len(cells)) ** 2 == len(cells)
    if len({cell.row for cell in cells}) == 1 and not whole_board:
        # Flat cells may be wrapped anywhere; lines matter only if they are not a whole board.
        cells = [cell._replace(row=cell.line.number) for cell in cells]
    if len({cell.row for cell in cells}) > 1:
        check_rows(cells, "row")
    return puzzle_of_cells(cells)


def _cells(lines: list[SourceLine]) -> list[Cell]:
    """The cells of a text: of its lists, each of which is a row, or of all its lines if it begins
    without a bracket. What is neither in a list nor at its beginning, such as `dtype=int)`, is
    skipped."""
    bare = not lines or bool(_BARE.match(lines[0].text.strip()))
    cells: list[Cell] = []
    depth = row = begin = 0
    if not bare and (prefix := _PREFIX.match(lines[0].text.lstrip())):
        begin = len(lines[0].text) - len(lines[0].text.lstrip()) + prefix.end()
    for line in lines:
        for token in _TOKEN.finditer(line.text, begin):
            if token["open"] and not bare:
                depth, row = depth + 1, row + 1
            elif token["close"] and depth:
                depth -= 1
            elif (depth or bare) and not (token["space"] or token["comment"]):
                cells += _cells_of_token(token, line, row)
        begin = 0
    return cells


def _cells_of_token(token: re.Match[str], line: SourceLine, row: int) -> list[Cell]:
    """The cells of a word or a quoted text. Raises PuzzleError for another token."""
    column = token.start() + 1
    quoted = bool(token["quoted"])
    try:
        values = _cells_of(token[0][1:-1] if quoted else token[0], quoted)
    except ValueError:
        raise PuzzleError(
            f"{token[0][:40]!r} is neither a value nor an empty cell",
            place=line.place(column),
            remedy=_REMEDY,
        ) from None
    several = len(values) > 1
    return [
        Cell(value, line, column + quoted + number * several, row)
        for number, value in enumerate(values)
    ]


def _cells_of(text: str, quoted: bool) -> list[int]:
    """The cells that a word of a list represents. Raises ValueError for another word."""
    text = text.strip()
    number = _NUMBER.fullmatch(text)
    if quoted and len(text) >= SMALLEST and set(text) <= VALUES.keys():
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
    puzzle = require_standard(single(puzzles, "a list"), "a list")
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
    read=single_puzzle(_board_of),
    write=_write,
)
