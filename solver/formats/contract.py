"""The contract of a format, and what all formats share: sources of text, cells, refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

from solver.errors import Place, PuzzleError
from solver.puzzle import (
    LARGEST,
    SMALLEST,
    SYMBOLS,
    Geometry,
    Puzzle,
    find_clash,
    standard_geometry,
)

__all__ = [
    "EMPTY",
    "VALUES",
    "Entry",
    "Format",
    "Line",
    "first_line",
    "foreign",
    "numbered",
    "one_line",
    "placed",
    "require_standard",
    "single",
    "size_of",
    "usual_geometry",
    "values_of",
    "whole",
]

# A puzzle found in a text: calling it reads it, or raises a PuzzleError that names its place.
# Passing over an entry costs next to nothing, so the 900,000th is reached quickly.
Entry = Callable[[], Puzzle]

EMPTY = ".0*_"
VALUES = {symbol: value for value, symbol in enumerate(SYMBOLS, 1)}
VALUES |= {symbol.lower(): value for symbol, value in VALUES.items()}
VALUES |= dict.fromkeys(EMPTY, 0)

_USUAL = (4, 6, 8, 9, 10, 12, 15, 16, 25)  # the sizes that people print
_LARGEST_TEXT = 1 << 20  # characters: no single puzzle is longer
_LONGEST_LINE = 1 << 14  # characters: no puzzle on one line is longer


@dataclass(frozen=True, slots=True)
class Format:
    """One way of writing puzzles down.

    `fits` tells from the beginning of a text whether it is in this format. `read` takes the lines
    of a text (each with its line break; a line may come in several pieces) and the source's name,
    and yields entries as it goes, so that a collection of any length needs flat memory; it raises
    PuzzleError where nothing further can be read. `write` yields text and raises PuzzleError for a
    puzzle that the format can't hold. `several` tells whether a text may hold more than one.
    """

    name: str
    suffixes: tuple[str, ...]
    sentence: str
    source: str
    fits: Callable[[str], bool]
    read: Callable[[Iterable[str], str], Iterator[Entry]]
    write: Callable[[Iterable[Puzzle]], Iterator[str]]
    several: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a source, without its line break; its number counts from 1."""

    source: str
    number: int
    text: str

    def place(self, column: int = 0) -> Place:
        """The place of a column (from 1; 0 names the line as a whole)."""
        return Place(self.source, self.number, column, self.text)


def numbered(pieces: Iterable[str], source: str) -> Iterator[Line]:
    """The lines of a text. One of over 16,384 characters is cut there, and reads as too long."""
    number, kept = 1, ""
    for piece in pieces:
        kept += piece if len(kept) <= _LONGEST_LINE else ""
        if piece.endswith("\n"):
            yield Line(source, number, kept.rstrip("\r\n")[: _LONGEST_LINE + 1])
            number, kept = number + 1, ""
    if kept:
        yield Line(source, number, kept[: _LONGEST_LINE + 1])


def first_line(text: str) -> str:
    """The first line that is neither empty nor a comment (`#`, `;`), or ""."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if line and line[0] not in "#;"), "")


def whole(pieces: Iterable[str], source: str) -> str:
    """The text of a format that holds one puzzle. Raises PuzzleError when it is too long."""
    kept, length = [], 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length > _LARGEST_TEXT:
            raise PuzzleError(
                "it is over a million characters long, which is no puzzle",
                place=Place(source),
                remedy="give a text with one puzzle",
            )
    return "".join(kept)


def values_of(cells: str, line: Line, offset: int = 0) -> tuple[int, ...]:
    """The values that `cells` spell, which stand `offset` characters into `line`.

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
    """What is wrong with a mark that spells no cell."""
    if "\udc80" <= mark <= "\udcff":  # how undecodable bytes are carried through
        return f"byte {ord(mark) - 0xDC00:#04x} is not text"
    shown = repr(mark) if mark.isprintable() else f"U+{ord(mark):04X}"
    return f"{shown} is no value and no empty cell"


def size_of(count: int, place: Place, size: int = 0) -> int:
    """How many values a board of `count` cells has; `size` is what is expected, 0 for any.

    Raises PuzzleError, which tells how many cells the nearest board needs.
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
    """The puzzle with these values. `place` tells where in the text a cell stands, so that a
    value out of range and the second of two equal givens are shown there. Raises PuzzleError."""
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
        where = place(max(clash[1:])) if clash else place(0)
        raise PuzzleError(error.message, place=where, remedy=error.remedy) from None


def require_standard(puzzle: Puzzle, name: str, sizes: Iterable[int] = (9,)) -> Puzzle:
    """The puzzle, if its board is the usual one of a size that the format `name` knows.

    Raises PuzzleError otherwise: a format must not drop a rule of the puzzle in silence.
    """
    size = puzzle.size
    sizes = tuple(sizes)
    if size not in sizes:
        held = f"{sizes[0]}×{sizes[0]}" if len(sizes) == 1 else "smaller"
        raise PuzzleError(
            f"{name} holds {held} boards, not {size}×{size}", remedy="write it as grid"
        )
    try:
        usual = standard_geometry(size)
    except PuzzleError:
        usual = None
    if puzzle.geometry != usual:
        raise PuzzleError(
            f"{name} can't hold this board: its units are not the usual rows, columns and boxes",
            remedy="write it as grid",
        )
    return puzzle


def single(puzzles: Iterable[Puzzle], name: str) -> Puzzle:
    """The one puzzle of a format that holds one. Raises PuzzleError for none and for more."""
    found = list(puzzles)
    if len(found) != 1:
        raise PuzzleError(f"{name} holds one puzzle, not {len(found)}", remedy="write them as sdm")
    return found[0]


def one_line(title: str) -> str:
    """A title as it stands on one line of text: printable, its white space single blanks."""
    return " ".join("".join(map(_printable, title)).split())


def _printable(mark: str) -> str:
    if "\udc80" <= mark <= "\udcff":  # a byte that was no UTF-8, as older Windows programs write
        return bytes([ord(mark) - 0xDC00]).decode("cp1252", "replace")
    return mark if mark.isprintable() else " "
