"""Collections with a puzzle on each line: `.sdm` and plain lists, HoDoKu's library, Kaggle's CSV.

.sdm      81 marks, then an optional comment
HoDoKu    :technique:candidates:cells:deleted:eliminations:comment
Kaggle    quizzes,solutions and id,puzzle,solution,clues,difficulty
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from undoku.errors import PuzzleError
from undoku.solver.problem.puzzle import LARGEST, SMALLEST, Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard
from undoku.solver.problem.puzzle_text import (
    VALUES,
    SourceLine,
    first_line,
    numbered,
    one_line,
    placed,
    size_of,
    usual_geometry,
    values_of,
)

_BREAK = re.compile(r"[\s,;#]")
_BOARDS = frozenset(size * size for size in range(SMALLEST, LARGEST + 1))


def read_cells(cells: str, line: SourceLine, offset: int, title: str = "") -> Puzzle:
    """The puzzle whose cells begin `offset` characters into `line`. Raises PuzzleError."""
    values = values_of(cells, line, offset)
    end = line.place(offset + len(cells))
    geometry = usual_geometry(size_of(len(values), end), end)
    return placed(values, geometry, lambda cell: line.place(offset + cell + 1), title)


def _each_line(
    parse: Callable[[SourceLine], Puzzle],
) -> Callable[[Iterable[str], str], Iterator[Entry]]:
    """The reader of a format with a puzzle on each line that is neither empty nor a comment."""

    def read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
        for line in numbered(pieces, source):
            if line.text.strip() and line.text.lstrip()[0] not in "#;":
                yield partial(parse, line)

    return read


def _puzzle_of_line(line: SourceLine) -> Puzzle:
    text = line.text.strip()
    cells = _BREAK.split(text, maxsplit=1)[0]
    comment = text[len(cells) :].lstrip(" \t,;#/")
    # A number after the cells is a rating, and as many marks again are a solution, not a title.
    alike = len(comment) == len(cells) or not any(mark.isalpha() for mark in comment)
    offset = line.text.index(cells)
    return read_cells(cells, line, offset, "" if alike else one_line(comment))


def _fits(text: str) -> bool:
    """Whether one of the first lines begins with the marks of a whole board, and the lines do not
    form a square grid."""
    rows = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] not in "#;"]
    for row in rows[:9]:
        first = _BREAK.split(row.strip(), maxsplit=1)[0]
        if len(first) in _BOARDS and set(first) <= VALUES.keys():
            return not (
                len(first) == len(rows) and all(len(line.split()[0]) == len(rows) for line in rows)
            )
        if ":" in row:
            return False  # options for a board, which a grid has
    return False


def _write_lines(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    for puzzle in puzzles:
        require_standard(puzzle, "a line")
        title = one_line(puzzle.title)
        # A title without a letter would read as a rating, one as long as the board as a solution.
        kept = any(mark.isalpha() for mark in title) and len(title) != len(puzzle.givens)
        yield f"{puzzle}  # {title}\n" if kept else f"{puzzle}\n"


LINES = PuzzleFormat(
    name="sdm",
    suffixes=(".sdm",),
    sentence="one puzzle a line, 81 marks and an optional comment; any number of lines",
    source="SudoCue, puzzle collection",
    fits=_fits,
    read=_each_line(_puzzle_of_line),
    write=_write_lines,
    several=True,
)


_CELLS, _COMMENT = 3, 6  # the fields between colons, from 0


def _puzzle_of_fields(line: SourceLine) -> Puzzle:
    fields = line.text.split(":", _COMMENT + 1)
    if len(fields) <= _CELLS or fields[0].strip():
        raise PuzzleError(
            "it is not a library line",
            place=line.place(1),
            remedy="write :0000:x: and the cells, then :::",
        )
    field = fields[_CELLS]
    offset = sum(len(other) + 1 for other in fields[:_CELLS])
    # A plus marks a value that was placed while solving; the puzzle is what was given.
    marks = list(re.finditer(r"\+?.", field))
    columns = [offset + mark.end() for mark in marks]
    values = tuple(
        value if len(mark[0]) == 1 else 0
        for mark, column in zip(marks, columns, strict=True)
        for value in values_of(mark[0][-1], line, column - 1)
    )
    end = line.place(offset + len(field))
    geometry = usual_geometry(size_of(len(values), end), end)
    title = one_line(fields[_COMMENT]) if len(fields) > _COMMENT else ""
    return placed(values, geometry, lambda cell: line.place(columns[cell]), title)


HODOKU = PuzzleFormat(
    name="hodoku",
    suffixes=(".hodoku",),
    sentence="library lines such as :0000:x:53..7…:::, without the values placed later (+)",
    source="HoDoKu 2.2, library format",
    fits=lambda text: re.match(r"\s*:[0-9a-z-]*:[^:]*:", first_line(text)) is not None,
    read=_each_line(_puzzle_of_fields),
    several=True,
)


_COLUMNS = ("quizzes", "puzzle")  # the name of the column of puzzles in each layout


def _read_kaggle(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = (line for line in numbered(pieces, source) if line.text.strip())
    header = next(lines, None)
    if header is None:
        return
    names = [name.strip().lower() for name in _fields(header)]
    column = next((names.index(name) for name in _COLUMNS if name in names), None)
    if column is None:
        raise PuzzleError(
            "its first line does not name a column of puzzles",
            place=header.place(1),
            remedy="begin with quizzes,solutions or id,puzzle,solution,clues,difficulty",
        )
    for line in lines:
        yield partial(_puzzle_of_row, line, column)


def _fields(line: SourceLine) -> list[str]:
    import csv

    try:
        return next(csv.reader([line.text]), [])
    except csv.Error as error:
        raise PuzzleError(
            f"it is not a line of comma-separated fields: {error}",
            place=line.place(1),
            remedy="write one puzzle a line, its fields separated by commas",
        ) from None


def _puzzle_of_row(line: SourceLine, column: int) -> Puzzle:
    fields = _fields(line)
    if column >= len(fields):
        raise PuzzleError(
            f"it has {len(fields)} fields, but the puzzle is in number {column + 1}",
            place=line.place(len(line.text)),
            remedy="write as many fields as the first line has",
        )
    cells = fields[column].strip()
    before = sum(len(field) + 1 for field in fields[:column])
    return read_cells(cells, line, max(line.text.find(cells, before), 0))


KAGGLE = PuzzleFormat(
    name="kaggle",
    suffixes=(".csv",),
    sentence="CSV with quizzes,solutions or id,puzzle,solution,clues,difficulty; only puzzles are "
    "read",
    source="Kaggle, 1 million Sudoku games; 3 million Sudoku puzzles with ratings",
    fits=lambda text: not {*_COLUMNS}.isdisjoint(first_line(text).lower().split(",")),
    read=_read_kaggle,
    several=True,
)
