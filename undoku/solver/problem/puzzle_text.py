"""Puzzles as text: lines with their places, cells as marks, limits for hostile input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from math import isqrt
from typing import AnyStr, NamedTuple

from undoku.errors import InputError, Place, PuzzleError
from undoku.solver.problem.appearance import SYMBOLS
from undoku.solver.problem.puzzle import (
    LARGEST,
    SMALLEST,
    Geometry,
    Puzzle,
    standard_geometry,
)

_MAX_TEXT = 1 << 17  # characters: no single puzzle is longer, drawings included
_MAX_TITLE = 5000  # characters
_MAX_LINE = 1 << 14  # characters: no puzzle on one line is longer
_ENDLESS_LINE = 1 << 24  # characters: a longer line is treated as endless


class SourceLine(NamedTuple):
    """A line of a source, without its line break; its number counts from 1."""

    source: str
    number: int
    text: str

    def place(self, column: int = 0) -> Place:
        """The place of a column (from 1; 0 names the line as a whole)."""
        return Place(self.source, self.number, column, self.text)


class Cell(NamedTuple):
    """A cell of a text: its value, 0 if it is empty, and its place; `row` is a number that is equal
    for cells of the same row, as far as the text divides them into rows."""

    value: int
    line: SourceLine
    column: int
    row: int

    @property
    def place(self) -> Place:
        return self.line.place(self.column)


@contextmanager
def placed_at(place: Callable[..., Place], *at: str | int) -> Iterator[None]:
    """Give the errors that puzzles raise within this block the place `place(*at)` in the text."""
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(error.message, place=place(*at), remedy=error.remedy) from None


def numbered(pieces: Iterable[str], source: str) -> Iterator[SourceLine]:
    """The lines of a text. A line of more than 16,384 characters is cut there, and is invalid; a
    line of more than 16 MiB is treated as endless and raises PuzzleError."""
    number, kept, length = 1, "", 0
    for piece in pieces:
        kept += piece if len(kept) <= _MAX_LINE else ""
        length += len(piece)
        if length > _ENDLESS_LINE:
            raise PuzzleError(
                f"the line is over {_ENDLESS_LINE:,} characters long",
                place=Place(source, number),
                remedy="write a puzzle on each line",
            )
        if piece.endswith("\n"):
            yield SourceLine(source, number, kept.rstrip("\r\n")[: _MAX_LINE + 1])
            number, kept, length = number + 1, "", 0
    if kept:
        yield SourceLine(source, number, kept[: _MAX_LINE + 1])


def first_line(text: str) -> str:
    """The first line that is neither empty nor a comment (`#`, `;`), or ""."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and line[0] not in "#;"), "")


def single_puzzle(
    parse: Callable[[str, str], Puzzle],
) -> Callable[[Iterable[str], str], Iterator[Callable[[], Puzzle]]]:
    """The reader of a format for single puzzles, from a function that parses a whole text, with the
    name of its source. It raises PuzzleError if the text is too long."""

    def read(pieces: Iterable[str], source: str) -> Iterator[Callable[[], Puzzle]]:
        kept, length = [], 0
        for piece in pieces:
            kept.append(piece)
            length += len(piece)
            if length > _MAX_TEXT:
                raise PuzzleError(
                    f"it is over {_MAX_TEXT:,} characters long, more than a single puzzle can be",
                    place=Place(source),
                    remedy="give a text with one puzzle",
                )
        yield lambda: parse("".join(kept), source)

    return read


def lines_of(text: str, source: str) -> list[SourceLine]:
    """The lines of a whole text."""
    return list(numbered(StringIO(text), source))


def one_line(title: str) -> str:
    """A title on one line: printable, with white space reduced to single blanks, and not longer
    than a film can show."""
    return " ".join("".join(map(_printable, title[:_MAX_TITLE])).split())


def _printable(mark: str) -> str:
    if "\udc80" <= mark <= "\udcff":  # a byte that is not UTF-8, as older Windows programs write
        return bytes([ord(mark) - 0xDC00]).decode("cp1252", "replace")
    return mark if mark.isprintable() else " "


_EMPTY = ".0*_"
VALUES = {symbol: value for value, symbol in enumerate(SYMBOLS, 1)}
VALUES |= {symbol.lower(): value for symbol, value in VALUES.items()}
VALUES |= dict.fromkeys(_EMPTY, 0)

_USUAL = (4, 6, 8, 9, 10, 12, 15, 16, 25)  # the sizes that people print


def values_of(cells: str, line: SourceLine, offset: int = 0) -> tuple[int, ...]:
    """The values of the marks in `cells`, which begin `offset` characters into `line`.

    Raises PuzzleError for a mark that is neither a value nor an empty cell.
    """
    try:
        return tuple([VALUES[mark] for mark in cells])
    except KeyError:
        column = next(k for k, mark in enumerate(cells) if mark not in VALUES)
        raise PuzzleError(
            foreign(cells[column]),
            place=line.place(offset + column + 1),
            remedy="use 1 to 9 (then A, B, …) for givens and . or 0 for empty cells",
        ) from None


def foreign(mark: str) -> str:
    """The error for a mark that does not represent a cell."""
    if "\udc80" <= mark <= "\udcff":  # how undecodable bytes are carried through
        return f"byte {ord(mark) - 0xDC00:#04x} is not text"
    shown = repr(mark) if mark.isprintable() else f"U+{ord(mark):04X}"
    return f"{shown} is neither a value nor an empty cell"


def size_of(count: int, place: Place, size: int = 0) -> int:
    """The number of values of a board with `count` cells; `size` is the expected number, 0 for any.
    Raises PuzzleError, which states how many cells the nearest board has.
    """
    found = isqrt(count)
    if found * found == count and SMALLEST <= found <= LARGEST and found == (size or found):
        return found
    size = size or min(_USUAL, key=lambda usual: abs(usual * usual - count))
    raise PuzzleError(
        f"{count} cells where {size * size} are needed",
        place=place,
        remedy="add the missing cells (. is an empty one)"
        if count < size * size
        else "remove the extra cells",
    )


def usual_geometry(size: int, place: Place) -> Geometry:
    """Rows, columns and the usual boxes. Raises PuzzleError for a size that has none."""
    with placed_at(lambda: place):
        return standard_geometry(size)


def puzzle_of_cells(
    cells: Sequence[Cell],
    board: Callable[[int], Geometry] | None = None,
    size: int = 0,
    title: str = "",
) -> Puzzle:
    """The puzzle with these cells. `board` returns the geometry of a size, by default the standard
    one; `size` is the expected size, 0 for any. Raises PuzzleError with the place of the first
    mistake."""
    end = cells[-1].place
    size = size_of(len(cells), end, size)
    geometry = board(size) if board else usual_geometry(size, end)
    values = tuple(cell.value for cell in cells)
    return placed(values, geometry, lambda cell: cells[cell].place, title)


def check_rows(cells: Sequence[Cell], what: str, size: int = 0) -> int:
    """The size of a board whose rows are different "line"s of a text, or "row"s of a list: the
    number of rows, which equals the number of cells in each. Raises PuzzleError at the first row of
    another length."""
    numbers: dict[int, list[Cell]] = {}
    for cell in cells:
        numbers.setdefault(cell.row, []).append(cell)
    rows = list(numbers.values())
    if not size:
        usual, _ = Counter(map(len, rows)).most_common(1)[0]
        size = usual if usual > 1 else len(rows)
    remedy = f"write {size} {what}s of {size} cells, or all {size * size} in one"
    for row in rows:
        if len(row) != size:
            raise PuzzleError(
                f"{len(row)} cells in this {what} where {size} are needed",
                place=row[-1].place,
                remedy=remedy,
            )
    if len(rows) != size:
        raise PuzzleError(
            f"{len(rows)} {what}s of {size} cells",
            place=rows[min(len(rows), size + 1) - 1][-1].place,
            remedy=remedy,
        )
    return size


def placed(
    values: tuple[int, ...], geometry: Geometry, place: Callable[[int], Place], title: str = ""
) -> Puzzle:
    """The puzzle with these values. `place` returns the position of a cell in the text, which is
    shown for a value out of range and for the second of two equal givens. Raises PuzzleError."""
    try:
        return Puzzle(values, geometry, title)
    except PuzzleError as error:
        size = geometry.size
        if len(values) != geometry.cells:
            raise PuzzleError(error.message, place=place(len(values) - 1)) from None
        large = next((cell for cell, value in enumerate(values) if value > size), None)
        if large is not None:
            value, where = values[large], place(large)
            as_number = where.text[where.column - 1 : where.column].isdecimal()
            shown = str(value) if as_number or value > LARGEST else repr(SYMBOLS[value - 1])
            last = f"{size}" + f" ({SYMBOLS[size - 1]})" * (size > 9)
            raise PuzzleError(
                f"{shown} is out of range: a {size}×{size} puzzle has the values 1 to {last}",
                place=where,
                remedy=f"use 1 to {last} for givens and . or 0 for empty cells",
            ) from None
        clash = geometry.clash(values)
        where = place(clash[2]) if clash else place(0)
        raise PuzzleError(error.message, place=where, remedy=error.remedy) from None


MAX_BLANK = 1 << 20
"""The maximum number of consecutive characters (of text) or bytes (of a trace) without content:
white space and, in the text of a puzzle, comments. Content resets the count."""


def bounded(
    pieces: Iterator[AnyStr], source: str, kind: type[InputError], comments: str = ""
) -> Iterator[AnyStr]:
    """Yield the pieces unchanged. Raises an error of type `kind` as soon as more than MAX_BLANK
    consecutive characters are white space, or belong to lines that begin with one of the marks in
    `comments`."""
    silent = 0
    for piece in pieces:
        if piece.isspace() or (isinstance(piece, str) and piece.lstrip()[:1] in tuple(comments)):
            silent += len(piece)
            if silent > MAX_BLANK:
                raise refuse(
                    source, kind, "blank lines and comments" if comments else "blank lines"
                )
        else:
            silent = 0
        yield piece


def refuse(source: str, kind: type[InputError], what: str) -> InputError:
    """The error for too much input without content."""
    return kind(
        f"there is more than 1 MiB of {what} on end",
        place=Place(source),
        remedy="end the input after its last line",
    )
