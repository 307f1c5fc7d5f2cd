"""The CSV layouts of the two large puzzle collections on Kaggle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from undoku.errors import PuzzleError
from undoku.solver.problem.line_collections import read_cells
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_format import Entry, PuzzleFormat, require_standard
from undoku.solver.problem.text import SourceLine, first_line, numbered

__all__ = ["KAGGLE", "KAGGLE_RATED"]

_COLUMNS = ("quizzes", "puzzle")  # the name of the column of puzzles in each layout


def _read(pieces: Iterable[str], source: str) -> Iterator[Entry]:
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
        yield partial(_read_line, line, column)


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


def _read_line(line: SourceLine, column: int) -> Puzzle:
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


def _write(
    header: str, row: Callable[[int, Puzzle], str], puzzles: Iterable[Puzzle]
) -> Iterator[str]:
    yield header + "\n"
    for number, puzzle in enumerate(puzzles, 1):
        yield row(number, require_standard(puzzle, "kaggle")) + "\n"


def _rated_row(number: int, puzzle: Puzzle) -> str:
    clues = sum(value > 0 for value in puzzle.givens)
    return f"{number},{puzzle},,{clues},"


def _plain_row(number: int, puzzle: Puzzle) -> str:
    return str(puzzle).replace(".", "0") + ","


KAGGLE = PuzzleFormat(
    name="kaggle",
    suffixes=(".csv",),
    sentence="CSV with quizzes,solutions; solutions are ignored, and left empty in written files",
    source="Kaggle, 1 million Sudoku games",
    fits=lambda text: "quizzes" in first_line(text).lower().split(","),
    read=_read,
    write=partial(_write, "quizzes,solutions", _plain_row),
    several=True,
)
KAGGLE_RATED = PuzzleFormat(
    name="kaggle-rated",
    suffixes=(),
    sentence="CSV with id,puzzle,solution,clues,difficulty; solution and difficulty likewise",
    source="Kaggle, 3 million Sudoku puzzles with ratings",
    fits=lambda text: "puzzle" in first_line(text).lower().split(","),
    read=_read,
    write=partial(_write, "id,puzzle,solution,clues,difficulty", _rated_row),
    several=True,
)
