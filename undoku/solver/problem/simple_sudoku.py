"""`.ss`, a puzzle as Simple Sudoku prints it: nine rows in a frame of `*`, `|` and `-`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard, single
from undoku.solver.problem.rows import puzzle_of_rows
from undoku.solver.problem.text import SourceLine, numbered, whole

__all__ = ["SIMPLE_SUDOKU"]

_EDGE = re.compile(r"^[ \t]*\*-+\*[ \t]*$", re.MULTILINE)


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _read_puzzle(lines, source)


def _read_puzzle(lines: list[SourceLine], source: str) -> Puzzle:
    edges = [k for k, line in enumerate(lines) if _EDGE.match(line.text)]
    # The program's name and version follow the frame; older files have neither.
    framed = lines[edges[0] + 1 : edges[1]] if len(edges) > 1 else lines
    return puzzle_of_rows(framed, source)


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    cells = str(require_standard(single(puzzles, "ss"), "ss"))
    yield " *-----------*\n"
    for start in range(0, 81, 9):
        if start in (27, 54):
            yield " |---+---+---|\n"
        yield " |" + "|".join(cells[start + bar : start + bar + 3] for bar in (0, 3, 6)) + "|\n"
    yield " *-----------*\n"


SIMPLE_SUDOKU = PuzzleFormat(
    name="ss",
    suffixes=(".ss",),
    sentence="nine rows in a frame of *, | and -",
    source="Simple Sudoku 4.2; Sudopedia, clipboard and file formats",
    fits=lambda text: _EDGE.search(text) is not None,
    read=_read,
    write=_write,
)
