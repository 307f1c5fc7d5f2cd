"""A limit for input that goes on and says nothing, such as blank lines without end on a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import AnyStr

from solver.errors import InputError, Place

__all__ = ["MOST_BLANK", "bounded", "refuse"]

MOST_BLANK = 1 << 20
"""Characters (of text) or bytes (of a trace) that may follow each other and say nothing: white
space, and in a puzzle's text comments. What has content starts the count again."""


def bounded(
    pieces: Iterator[AnyStr], source: str, kind: type[InputError], comments: str = ""
) -> Iterator[AnyStr]:
    """The same pieces. Raises `kind` of error as soon as more than MOST_BLANK of them in a row hold
    nothing but white space, or begin with one of the marks in `comments`."""
    silent = 0
    for piece in pieces:
        if piece.isspace() or (isinstance(piece, str) and piece.lstrip()[:1] in tuple(comments)):
            silent += len(piece)
            if silent > MOST_BLANK:
                raise refuse(
                    source, kind, "blank lines and comments" if comments else "blank lines"
                )
        else:
            silent = 0
        yield piece


def refuse(source: str, kind: type[InputError], what: str) -> InputError:
    """The error of input with too much of nothing."""
    return kind(
        f"there is more than 1 MiB of {what} on end",
        place=Place(source),
        remedy="end the input after its last line",
    )
