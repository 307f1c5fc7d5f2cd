"""HoDoKu library lines: `:technique:candidates:cells:deleted:eliminations:comment`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from undoku.errors import PuzzleError
from undoku.solver.problem.cell_marks import placed, size_of, usual_geometry, values_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard
from undoku.solver.problem.text import SourceLine, first_line, numbered, one_line

__all__ = ["HODOKU"]

_CELLS, _COMMENT = 3, 6  # the fields between colons, from 0


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    for line in numbered(pieces, source):
        text = line.text.strip()
        if text and text[0] not in "#;":
            yield partial(_read_line, line)


def _read_line(line: SourceLine) -> Puzzle:
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


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    for puzzle in puzzles:
        cells = require_standard(puzzle, "hodoku")
        # A colon would end the comment.
        yield f":0000:x:{cells}:::{one_line(puzzle.title).replace(':', ';')}\n"


HODOKU = PuzzleFormat(
    name="hodoku",
    suffixes=(".hodoku",),
    sentence="library lines such as :0000:x:53..7…:::, without the values placed later (+)",
    source="HoDoKu 2.2, library format",
    fits=lambda text: re.match(r"\s*:[0-9a-z-]*:[^:]*:", first_line(text)) is not None,
    read=_read,
    write=_write,
    several=True,
)
