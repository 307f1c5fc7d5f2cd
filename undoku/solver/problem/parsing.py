"""Reads and writes puzzles as texts, files, collections and links.

parse_puzzle(text)       one puzzle from a text in any format
as_puzzle(puzzle)        one puzzle from a puzzle, its text or its values
read(argument)           one puzzle from -, a file, file:17, a link, or the cells themselves
collection(path)         all puzzles of a file, one after the other
readings(path)           the same with the errors of invalid puzzles, which count in the numbering
is_literal(argument)     whether it is a puzzle itself, not the name of a file
write(puzzles, format)   the text in a format of the table FORMATS
"""

from __future__ import annotations

from collections.abc import Iterable

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.puzzle_format import PuzzleFormat
from undoku.solver.problem.puzzle_formats import FORMATS, format_named
from undoku.solver.problem.sources import (
    as_puzzle,
    collection,
    is_literal,
    parse_puzzle,
    read,
    readings,
)

__all__ = [
    "FORMATS",
    "PuzzleFormat",
    "as_puzzle",
    "collection",
    "format_named",
    "is_literal",
    "parse_puzzle",
    "read",
    "readings",
    "write",
]


def write(puzzles: Puzzle | Iterable[Puzzle], name: str) -> str:
    """The text of one or more puzzles in the format called `name` (a name or a suffix).

    For a collection too large for memory, iterate over `format_named(name).write(puzzles)`.

    Raises SettingsError for an unknown format, and PuzzleError for a puzzle that it can't
    represent.
    """
    several = [puzzles] if isinstance(puzzles, Puzzle) else puzzles
    return "".join(format_named(name).write(several))
