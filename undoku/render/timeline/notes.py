"""The record of a timed sentence: what a film says, and when."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

FILM = -1
"""The search of a note about the film, or about several searches."""


class NoteKind(StrEnum):
    """The kinds of notes; of those that editors mark, the most important first."""

    END = "end"
    """The end of a search."""
    HIGHLIGHT = "highlight"
    """A turning point of a search (`undoku.render.story.highlights`)."""
    CALLOUT = "callout"
    """Another sentence about a search or the film."""
    MISTAKE = "mistake"
    """A callout about a mistake."""
    CHAPTER = "chapter"
    """The title of a part of the film."""
    CAPTION = "caption"
    """A subtitle."""


@dataclass(frozen=True, slots=True)
class Note:
    """A text of one line or more about search number `search` (from 0; FILM for the film), shown on
    the film's frames `start` to `end` - 1.

    Before frame `rings_end` its cells have rings: `placed`, the cell whose value it mentions, -1
    for none, and `shown`, the cells that prove it. `lit` are the cells of a unit that it mentions,
    or those whose values exclude all but one; they light up one after the other. `wanted` is the
    value that all cells `shown` need, 0 for none, which is drawn in them; those that are `narrowed`
    lost the option `value` with the cell `placed`. `options` are the values that fit the cell
    `placed`, ascending, shown as doors, of which `value` is taken.
    """

    start: int
    end: int
    search: int
    kind: NoteKind
    text: str
    rings_end: int = 0
    placed: int = -1
    shown: tuple[int, ...] = ()
    lit: tuple[int, ...] = ()
    wanted: int = 0
    narrowed: tuple[int, ...] = ()
    options: tuple[int, ...] = ()
    value: int = 0

    @property
    def frames(self) -> int:
        """The number of frames for which it is shown."""
        return self.end - self.start

    @property
    def lines(self) -> list[str]:
        """Its lines."""
        return self.text.split("\n")

    @property
    def one_line(self) -> str:
        """All of its text on one line."""
        return on_one_line(self.lines)

    @property
    def wrong(self) -> bool:
        """Whether it is about a mistake."""
        return self.kind is NoteKind.MISTAKE

    @property
    def result(self) -> bool:
        """Whether it is about the end of a search."""
        return self.kind is NoteKind.END

    def line_at(self, frame: int) -> str:
        """The line for a frame on which it is shown, if its lines follow one another."""
        return self.lines[len(self.lines) * (frame - self.start) // self.frames]

    @property
    def line_starts(self) -> list[int]:
        """The frames on which the line may change: its beginning, that of each further line, and
        its end."""
        count = len(self.lines)
        return [*(self.start - -line * self.frames // count for line in range(count)), self.end]


def on_one_line(texts: Sequence[str]) -> str:
    """Texts one after the other, with semicolons between those that are not sentences."""
    return re.sub(r"(?<=[.!?]);", "", "; ".join(texts))


def note_on(notes: Sequence[Note], frame: int) -> Note | None:
    """The one of `notes`, by frame and without overlap, that is shown on a frame."""
    number = bisect_right(notes, frame, key=lambda note: note.start) - 1
    return notes[number] if number >= 0 and frame < notes[number].end else None
