"""Texts of puzzles as other programs write them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from undoku.solver.problem.puzzle import Puzzle

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]

SDK_PLAIN = "#ARuud\n#DA random puzzle\n#CJust start\n#B03-08-2006\n#LEasy\n" + "\n".join(ROWS)
SIMPLE = " *-----------*\n"
for number, row in enumerate(ROWS):
    SIMPLE += " |---+---+---|\n" if number in (3, 6) else ""
    SIMPLE += f" |{row[:3]}|{row[3:6]}|{row[6:]}|\n"
SIMPLE += " *-----------*\n Simple Sudoku\n  Version 4.2n\n"

PAIRS = "5NlQ19j9mGca3OIN1bWGk2m41TjS79"
"""A puzzle in SudokuPad's newer code: a mark for each cell and the empty cells after it."""

# A published link: an X-Sudoku, made with f-puzzles itself.
X_LINK = (
    "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSQA3AQwBsBXOeAdlTQgpgDsEAXD"
    "BkmSGDBlWgwQBmVuy69+MUdXqMArDI7d4fAQF1khMSoQAODXO0KRpa8PLKJSc1p2KbN/YSXjGAJmfyAu6gDowAbAGWQSE+"
    "CCzosi5WwbZEnnYZ3sbw0gmagW4x2ep5Fq5ZjhGlSdFpBpnBRo4AjJHlKY2hUm1W6bZNfj219rHwZtUFqSPZACxDhXVeHU"
    "Ut8xWMKBNRC52jJWz52yJ9y+sI+4mTywNxax71Uw0ZN/BzW+W6+iDYEFRoAPacWgAagKqB+f0BtAAtJMgA==="
)

_COLLECTIONS = {
    "sdm": ("", "{0}\n", ""),
    "hodoku": ("", ":0000:x:{0}:::{1}\n", ""),
    "kaggle": ("id,puzzle,solution,clues,difficulty\n", "1,{0},,30,\n", ""),
    "opensudoku": (
        '<opensudoku version="2">\n<folder name="f">\n',
        '<game data="{0}" note="{1}"/>\n',
        "</folder>\n</opensudoku>\n",
    ),
}
"""For each format of collections its beginning, a puzzle (its cells, its title), and its end."""


def collection_text(puzzles: Iterable[Puzzle], name: str) -> str:
    """A collection of puzzles of 9×9 cells in the format with this name."""
    begin, entry, end = _COLLECTIONS[name]
    entries = (entry.format(puzzle, escape(puzzle.title)) for puzzle in puzzles)
    return begin + "".join(entries) + end
