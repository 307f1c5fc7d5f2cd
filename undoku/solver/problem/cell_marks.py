"""Cells written as marks: from text to values, and from values to a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

from undoku.errors import Place, PuzzleError
from undoku.solver.problem.puzzle import (
    LARGEST,
    SMALLEST,
    SYMBOLS,
    Geometry,
    Puzzle,
    find_clash,
    standard_geometry,
)
from undoku.solver.problem.text import SourceLine

__all__ = ["VALUES", "foreign", "placed", "size_of", "usual_geometry", "values_of"]

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
    try:
        return standard_geometry(size)
    except PuzzleError as error:
        raise PuzzleError(
            error.message,
            place=place,
            remedy='say "box: none" for a Latin square, or give "regions:"',
        ) from None


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
        clash = find_clash(values, geometry)
        where = place(clash[2]) if clash else place(0)
        raise PuzzleError(error.message, place=where, remedy=error.remedy) from None
