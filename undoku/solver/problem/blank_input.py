"""A limit for input without content, such as endless blank lines on a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import AnyStr

from undoku.errors import InputError, Place

__all__ = ["MAX_BLANK", "bounded", "refuse"]

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
