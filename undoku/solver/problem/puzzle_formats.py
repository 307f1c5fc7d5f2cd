"""The table of all formats, and how to find a format by name, by suffix or by the content of a
text."""

from __future__ import annotations

from collections.abc import Mapping

from undoku.errors import SettingsError
from undoku.solver.problem.fpuzzles import FPUZZLES
from undoku.solver.problem.grids import GRID
from undoku.solver.problem.hodoku import HODOKU
from undoku.solver.problem.kaggle import KAGGLE, KAGGLE_RATED
from undoku.solver.problem.line_collections import LINES
from undoku.solver.problem.opensudoku import OPENSUDOKU, OPENSUDOKU_1, OPENSUDOKU_3
from undoku.solver.problem.puzzle_format import PuzzleFormat
from undoku.solver.problem.python_lists import PYTHON_LIST
from undoku.solver.problem.sdk import SDK
from undoku.solver.problem.simple_sudoku import SIMPLE_SUDOKU
from undoku.solver.problem.sudokupad import SUDOKUPAD

__all__ = ["FORMATS", "detect", "format_named"]

# Detection tries formats in this order: unmistakable ones come first, grids last.
FORMATS: Mapping[str, PuzzleFormat] = {
    known.name: known
    for known in (
        OPENSUDOKU,
        OPENSUDOKU_1,
        OPENSUDOKU_3,
        SUDOKUPAD,
        FPUZZLES,
        HODOKU,
        KAGGLE,
        KAGGLE_RATED,
        PYTHON_LIST,
        SIMPLE_SUDOKU,
        SDK,
        LINES,
        GRID,
    )
}
# These look alike, so the suffix of a file decides between them.
_PLAIN = (SDK, LINES)


def format_named(name: str) -> PuzzleFormat:
    """The format with a name ("sdm") or a suffix (".sdm", also at the end of a file name). Raises
    SettingsError, which lists all names.
    """
    if name in FORMATS:
        return FORMATS[name]
    for known in FORMATS.values():
        if name.lower().endswith(known.suffixes):
            return known
    raise SettingsError(
        f"there is no puzzle format {name!r}", remedy=f"choose one of {', '.join(FORMATS)}"
    )


def detect(head: str, name: str = "") -> PuzzleFormat:
    """The format of a text that begins with `head`, in a file called `name`."""
    for known in FORMATS.values():
        if known not in _PLAIN and known is not GRID and known.fits(head):
            return known
    for known in _PLAIN:
        if name.lower().endswith(known.suffixes):
            return known
    return next(known for known in (*_PLAIN, GRID) if known.fits(head))
