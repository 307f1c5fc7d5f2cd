"""The input of the writers of marks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from undoku.render.timeline.notes import Note, NoteKind
from undoku.texts.text_lines import encodable

__all__ = ["COLOURS", "MARK_ORDER", "MarkedFilm", "one_line"]

COLOURS = {NoteKind.END: "Green", NoteKind.HIGHLIGHT: "Yellow", NoteKind.CALLOUT: "Blue"}
"""The colours of marks in editors, by kind."""

MARK_ORDER = tuple(COLOURS)
"""The most important kind first."""


@dataclass(frozen=True, slots=True)
class MarkedFilm:
    """A film of `frames` frames, `fps` a second, `width` × `height` pixels, in the `file` of that
    name, a relative path; its marks by frame. The title is never empty."""

    title: str
    file: str
    width: int
    height: int
    fps: Fraction
    frames: int
    marks: tuple[Note, ...]
    first_number: int = 1
    """The number of the first picture, if each picture is a separate file."""
    sound: bool = False

    @property
    def markers(self) -> list[Note]:
        """The marks with at most one on each frame, as editors require: several are joined to one
        of the most important kind, with all of their texts."""
        found = []
        for _, group in groupby(self.marks, lambda mark: mark.start):
            same = list(group)
            first = min(same, key=lambda mark: MARK_ORDER.index(mark.kind))
            text = "; ".join(one_line(mark.text) for mark in same)
            found.append(replace(first, text=text, end=max(mark.end for mark in same)))
        return found


def one_line(text: str) -> str:
    """A text without line breaks and other control characters."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", encodable(text)).split())
