"""Lines of 81 cells, and grids of nine lines with or without `|` and `---` between the boxes."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import Place, PuzzleError
from solver.puzzle import Puzzle, find_clash, standard_geometry

__all__ = ["parse_grid"]

_EMPTY = ".0*_"
_FRAME = "|!¦│┃║"
_RULE = set("-+=─━═┼╋╬┌┐└┘├┤┬┴╔╗╚╝╠╣╦╩╪╫ |")
_SIZE = 9
_CELLS = _SIZE * _SIZE


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of text that holds cells: its number, its text, its values and their columns."""

    line: int
    text: str
    values: tuple[int, ...]
    columns: tuple[int, ...]


def parse_grid(text: str, source: str) -> Puzzle:
    """Read a 9×9 puzzle written on one line or on nine.

    An empty cell is `.`, `0`, `*` or `_`; spaces, frames (`|`, `---+---`), empty lines and
    comments (`#` or `;` to the end of the line) are passed over.

    Raises PuzzleError with the line and column of the first thing that doesn't fit.
    """
    rows = [
        row
        for number, line in enumerate(text.splitlines(), 1)
        if (row := _read_row(line, number, source)) is not None
    ]
    if not rows:
        raise PuzzleError(
            "it holds no cells", place=Place(source), remedy="give 81 cells, such as 53..7...."
        )
    if len(rows) > 1:
        _check_rows(rows, source)
    count = sum(len(row.values) for row in rows)
    if count != _CELLS:
        last = rows[-1]
        raise PuzzleError(
            f"{count} cells where {_CELLS} are needed",
            place=Place(source, last.line, last.columns[-1], last.text),
            remedy="add the missing cells (. is an empty one)"
            if count < _CELLS
            else "remove the extra cells",
        )
    values = tuple(value for row in rows for value in row.values)
    try:
        return Puzzle(values)
    except PuzzleError as error:
        clash = find_clash(values, standard_geometry())
        place = _place_of(clash[2], rows, source) if clash else Place(source)
        raise PuzzleError(error.message, place=place, remedy=error.remedy) from None


def _place_of(cell: int, rows: list[_Row], source: str) -> Place:
    """Where in the text a cell stands."""
    for row in rows:
        if cell < len(row.columns):
            return Place(source, row.line, row.columns[cell], row.text)
        cell -= len(row.columns)
    return Place(source)


def _check_rows(rows: list[_Row], source: str) -> None:
    """A grid has nine lines of nine; the first other one is the mistake to name."""
    for row in rows:
        if len(row.values) != _SIZE:
            raise PuzzleError(
                f"{len(row.values)} cells in this line where {_SIZE} are needed",
                place=Place(source, row.line, row.columns[-1], row.text),
                remedy="write all 81 cells on one line, or nine lines of nine",
            )
    if len(rows) != _SIZE:
        last = rows[min(len(rows), _SIZE + 1) - 1]
        raise PuzzleError(
            f"{len(rows)} lines of cells where {_SIZE} are needed",
            place=Place(source, last.line, last.columns[0], last.text),
            remedy="write all 81 cells on one line, or nine lines of nine",
        )


def _read_row(line: str, number: int, source: str) -> _Row | None:
    """The cells of one line, or None where it has none (empty, a rule, a comment)."""
    content = line.split("#", 1)[0].split(";", 1)[0]
    if not content.strip() or (set(content) <= _RULE | {"*"} and set(content) & set("-=─━═")):
        return None
    values: list[int] = []
    columns: list[int] = []
    for column, mark in enumerate(content, 1):
        if mark.isspace() or mark in _FRAME:
            continue
        if mark in _EMPTY:
            values.append(0)
        elif mark in "123456789":
            values.append(int(mark))
        else:
            raise PuzzleError(
                _foreign(mark),
                place=Place(source, number, column, line),
                remedy="use 1 to 9 for givens and . or 0 for empty cells",
            )
        columns.append(column)
    return _Row(number, line, tuple(values), tuple(columns)) if values else None


def _foreign(mark: str) -> str:
    if mark.isalnum() and mark.isascii() and mark.upper() <= "P":
        return f"{mark!r} is out of range: a 9×9 puzzle has the values 1 to 9"
    shown = repr(mark) if mark.isprintable() else f"U+{ord(mark):04X}"
    return f"{shown} is no value and no empty cell"
