"""`.sdk`, a puzzle of SadMan Sudoku or SudoCue: rows of cells, with or without `[Puzzle]`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard, single
from undoku.solver.problem.rows import puzzle_of_rows
from undoku.solver.problem.text import SourceLine, numbered, one_line, whole

__all__ = ["SDK"]

_SECTION = re.compile(r"\s*\[(\w+)\]")
_REMARK = re.compile(r"^#[ADCBSLU]\S", re.MULTILINE)  # author, description, comment, date, …


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
    lines = list(numbered(StringIO(whole(pieces, source)), source))
    yield lambda: _read_puzzle(lines, source)


def _read_puzzle(lines: list[SourceLine], source: str) -> Puzzle:
    cells: list[SourceLine] = []
    title, section = "", "puzzle"
    for line in lines:
        if found := _SECTION.match(line.text):
            section = found[1].lower()
        elif line.text.startswith("#D"):
            title = title or one_line(line.text[2:])
        elif section == "puzzle":  # [State] and other sections contain the progress of a player
            cells.append(line)
    return puzzle_of_rows(cells, source, title=title)


def _write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    puzzle = require_standard(single(puzzles, "sdk"), "sdk")
    if title := one_line(puzzle.title):
        yield f"#D{title}\n"
    yield "[Puzzle]\n"
    cells = str(puzzle)
    for start in range(0, len(cells), puzzle.size):
        yield cells[start : start + puzzle.size] + "\n"


SDK = PuzzleFormat(
    name="sdk",
    suffixes=(".sdk",),
    sentence="nine rows, with or without [Puzzle], after remarks such as #D (description)",
    source="SadMan Sudoku; SudoCue, file formats",
    fits=lambda text: bool(
        re.search(r"^[ \t]*\[puzzle\]", text, re.IGNORECASE | re.MULTILINE) or _REMARK.match(text)
    ),
    read=_read,
    write=_write,
)
