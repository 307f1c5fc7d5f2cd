"""The time for reading a text of a film, and notes that are shown until they can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from undoku.render.timeline.notes import Note, NoteKind

_MIN_SECONDS, LETTERS_PER_SECOND = Fraction(4, 5), 25
"""The minimum time for a line in seconds, and the letters that are read in a second."""


def reading_time(text: str) -> Fraction:
    """How long a line must be shown to be read, in seconds, by a viewer who follows one search."""
    return max(_MIN_SECONDS, Fraction(len(text), LETTERS_PER_SECOND))


_MIN_ALONE = Fraction(2)
"""The minimum time in seconds for which a sentence is shown, unless another one follows."""


def notes_until_read(
    timed: Sequence[tuple[int, str, Fraction]],
    last: int,
    fps: Fraction,
    search: int,
    kind: NoteKind,
) -> tuple[Note, ...]:
    """Notes of texts, each with its first frame, in order, and the seconds for which it is shown at
    least: until it can be read, or the next one begins, or frame `last`."""
    found = []
    for (start, text, least), (after, *_) in pairwise([*timed, (last, "", Fraction(0))]):
        note = Note(start, after, search, kind, text)
        seconds = max(_MIN_ALONE, least, reading_time(note.one_line))
        end = min(start + round(seconds * fps), after)
        if end > start:
            found.append(replace(note, end=end))
    return tuple(found)
