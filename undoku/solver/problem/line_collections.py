"""One puzzle on each line: 81 marks, then an optional comment (`.sdm` and plain lists)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from undoku.solver.problem.cell_marks import VALUES, placed, size_of, usual_geometry, values_of
from undoku.solver.problem.puzzle import LARGEST, SMALLEST, Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard
from undoku.solver.problem.text import SourceLine, numbered, one_line

__all__ = ["LINES", "read_cells"]

_BREAK = re.compile(r"[\s,;#]")
_BOARDS = frozenset(size * size for size in range(SMALLEST, LARGEST + 1))


def read_cells(cells: str, line: SourceLine, offset: int, title: str = "") -> Puzzle:
    """The puzzle whose cells begin `offset` characters into `line`. Raises PuzzleError."""
    values = values_of(cells, line, offset)
    end = line.place(offset + len(cells))
    geometry = usual_geometry(size_of(len(values), end), end)
    return placed(values, geometry, lambda cell: line.place(offset + cell + 1), title)


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    for line in numbered(pieces, source):
        text = line.text.lstrip()
        if text and text[0] not in "#;":
            yield partial(_read_line, line)


def _read_line(line: SourceLine) -> Puzzle:
    text = line.text.strip()
    cells = _BREAK.split(text, maxsplit=1)[0]
    comment = text[len(cells) :].lstrip(" \t,;#")
    # A number after the cells is a rating, and as many marks again are a solution, not a title.
    alike = len(comment) == len(cells) or not any(mark.isalpha() for mark in comment)
    offset = line.text.index(cells)
    return read_cells(cells, line, offset, "" if alike else one_line(comment))


def _fits(text: str) -> bool:
    """Whether one of the first lines begins with the marks of a whole board, and the lines do not
    form a square grid."""
    rows = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] not in "#;"]
    for row in rows[:9]:
        if ":" in row:
            return False  # options for a board, which a grid has
        first = _BREAK.split(row.strip(), maxsplit=1)[0]
        if len(first) in _BOARDS and set(first) <= VALUES.keys():
            return not (
                len(first) == len(rows) and all(len(line.split()[0]) == len(rows) for line in rows)
            )
    return False


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    for puzzle in puzzles:
        require_standard(puzzle, "a line", range(SMALLEST, LARGEST + 1))
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
    read=_read,
    write=_write,
    several=True,
)
