"""Puzzle texts: detect the layout, read it, name what is wrong and where."""

from __future__ import annotations

import sys
from pathlib import Path

from solver.errors import Place, PuzzleError, ReadError
from solver.formats.grids import parse_grid
from solver.puzzle import Puzzle

__all__ = ["parse", "read"]

_LARGEST = 1 << 20  # bytes: no puzzle is longer, and a film given by mistake is not read whole
_LITERAL = 40  # characters: a shorter argument without line breaks is taken for a file's name


def parse(text: str, *, source: str = "the puzzle") -> Puzzle:
    """Read one puzzle from `text`; `source` names it in errors.

    Raises PuzzleError with the place and the remedy.
    """
    if not text.strip():
        raise PuzzleError(
            "it is empty", place=Place(source), remedy="give 81 cells, such as 53..7...."
        )
    return parse_grid(text, source)


def read(argument: str) -> Puzzle:
    """Read the puzzle that a command-line argument means: `-` is standard input, a name of an
    existing file is that file, anything else is the puzzle itself.

    Raises ReadError when a file can't be read, PuzzleError when its text is no puzzle.
    """
    if argument == "-":
        return parse(
            _decode(sys.stdin.buffer.read(_LARGEST), "standard input"), source="standard input"
        )
    if _is_literal(argument):
        return parse(argument, source="the puzzle argument")
    path = Path(argument)
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST)
    except FileNotFoundError:
        raise ReadError(
            f"there is no file {argument!r}", remedy="give an existing file, 81 cells, or -"
        ) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ReadError(f"{argument!r} can't be read: {reason}") from None
    return parse(_decode(raw, argument), source=argument)


def _is_literal(argument: str) -> bool:
    if "\n" in argument:
        return True
    return len(argument) >= _LITERAL and "/" not in argument and not Path(argument).suffix.isalpha()


def _decode(raw: bytes, source: str) -> str:
    binary = raw.find(b"\0")
    if binary < 0:
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            binary = error.start
    raise PuzzleError(
        f"byte {raw[binary]:#04x} at offset {binary} is not text",
        place=Place(source),
        remedy="give a text file with 81 cells",
    )
