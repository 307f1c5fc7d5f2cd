"""The time for reading a text of a film."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["LETTERS_BESIDE_BOARDS", "MIN_SHOWN", "reading_time", "reading_time_beside_boards"]

_MIN_SECONDS, _LETTERS_PER_SECOND = Fraction(4, 5), 25
"""The minimum time for a line in seconds, and the letters that are read in a second."""

LETTERS_BESIDE_BOARDS = 17
"""The letters that a viewer reads in a second, who also looks at boards. Subtitles for adults have
15 to 20."""

MIN_SHOWN = Fraction(1, 2)
"""A sentence of a story that could not be shown for this many seconds is omitted."""


def reading_time(text: str) -> Fraction:
    """How long a line must be shown to be read, in seconds, by a viewer who follows one search."""
    return max(_MIN_SECONDS, Fraction(len(text), _LETTERS_PER_SECOND))


def reading_time_beside_boards(text: str) -> Fraction:
    """The seconds for reading a text by a viewer who looks at boards as well."""
    return Fraction(len(text), LETTERS_BESIDE_BOARDS)
