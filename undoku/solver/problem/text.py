"""Lines of text with their places, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from undoku.errors import Place, PuzzleError

__all__ = ["SourceLine", "first_line", "numbered", "one_line", "whole"]

_MAX_TEXT = 1 << 17  # characters: no single puzzle is longer, drawings included
_MAX_LINE = 1 << 14  # characters: no puzzle on one line is longer
_ENDLESS_LINE = 1 << 24  # characters: a longer line is treated as endless


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a source, without its line break; its number counts from 1."""

    source: str
    number: int
    text: str

    def place(self, column: int = 0) -> Place:
        """The place of a column (from 1; 0 names the line as a whole)."""
        return Place(self.source, self.number, column, self.text)


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


def whole(pieces: Iterable[str], source: str) -> str:
    """The text of a format for single puzzles. Raises PuzzleError if it is too long."""
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
    return "".join(kept)


def one_line(title: str) -> str:
    """A title on one line: printable, with white space reduced to single blanks."""
    return " ".join("".join(map(_printable, title)).split())


def _printable(mark: str) -> str:
    if "\udc80" <= mark <= "\udcff":  # a byte that is not UTF-8, as older Windows programs write
        return bytes([ord(mark) - 0xDC00]).decode("cp1252", "replace")
    return mark if mark.isprintable() else " "
