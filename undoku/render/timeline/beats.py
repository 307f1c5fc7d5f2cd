"""The beats of a story: passages, each with its own purpose and speed; and their usual lengths."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

NOBODY = -1
"""The subject of a beat about all searches."""


class BeatKind(StrEnum):
    """What a beat is for."""

    QUESTION = "question"
    """The boards with their givens."""
    ANSWER = "answer"
    """The whole race, in a fast clock of its own."""
    RATIO = "ratio"
    """How many steps the searches needed."""
    REWIND = "rewind"
    """The boards are emptied, the last cell first. Then the searches begin again."""
    FIRST = "first"
    """The options of the first cell of the slow search; it takes one."""
    SECOND = "second"
    """The same of another search, if possible the one with the fewest steps."""
    MISTAKE = "mistake"
    """Why the first wrong value is wrong, or how many guesses the slow search takes back."""
    FASTEST = "fastest"
    """What the first wrong value of the fastest search costs, or how many guesses that takes
    back."""
    RACE = "race"
    """Acceleration until the first search ends."""
    FINISH = "finish"
    """The clock stops when the first search has ended."""
    OTHERS = "others"
    """The race goes on until one search is left, or none."""
    LAPS = "laps"
    """The longest search goes on alone."""
    END = "end"
    """The clock stops; all searches have ended."""
    CARD = "card"
    """The end card."""


ANSWERING = (BeatKind.QUESTION, BeatKind.ANSWER, BeatKind.RATIO)
"""The beats of the first pass over the searches; all others belong to the second one."""

EXPLAINING = (BeatKind.FIRST, BeatKind.SECOND, BeatKind.MISTAKE, BeatKind.FASTEST)
"""The beats about single steps of one search."""


class Beat(NamedTuple):
    """The frames `start` to `start` + `frames` - 1 of the film (`frames` >= 1). They begin after
    step `step` of the longest search and show its next `steps` steps. `subject` is the number of
    the search that it is about, NOBODY for all."""

    kind: BeatKind
    start: int
    frames: int
    step: int
    steps: int = 0
    subject: int = NOBODY

    @property
    def end(self) -> int:
        """The first frame after it."""
        return self.start + self.frames


def first_beat(beats: Sequence[Beat], kind: BeatKind) -> Beat | None:
    """The first beat of a kind, or None."""
    return next((beat for beat in beats if beat.kind is kind), None)


_UNBOUND = 10**6
"""Seconds: more than any film has."""


class BeatLength(NamedTuple):
    """The length of a beat in a usual film without the time for reading its sentences, its least
    useful length, and its greatest length in longer films, all in seconds."""

    usual: Fraction
    least: Fraction
    most: Fraction


def _length(usual: float, least: float, most: float) -> BeatLength:
    return BeatLength(*(Fraction(round(20 * seconds), 20) for seconds in (usual, least, most)))


LENGTHS = {
    BeatKind.QUESTION: _length(0.6, 0.3, 2),
    BeatKind.ANSWER: _length(1.7, 0.8, 4),
    BeatKind.RATIO: _length(0, 0.9, 6),
    BeatKind.REWIND: _length(0.5, 0.3, 0.8),
    BeatKind.FIRST: _length(0.3, 1.2, 5),
    BeatKind.SECOND: _length(0.2, 0.9, 4),
    BeatKind.MISTAKE: _length(0.2, 1.2, 6),
    BeatKind.FASTEST: _length(0.4, 0.9, 4),
    BeatKind.RACE: _length(3.9, 0.8, _UNBOUND),
    BeatKind.FINISH: _length(1.3, 0.8, 4),
    BeatKind.OTHERS: _length(3, 1.25, _UNBOUND),
    BeatKind.LAPS: _length(5.2, 0.6, _UNBOUND),
    BeatKind.END: _length(0.5, 0.3, 4),
    BeatKind.CARD: _length(3.8, 1.8, 6),
}
"""The lengths of the beats of a usual story."""

SHORT_LENGTHS = {
    BeatKind.QUESTION: _length(0.5, 0.3, 2),
    BeatKind.ANSWER: _length(1, 0.8, 4),
    BeatKind.RATIO: _length(0.2, 0.8, 6),
    BeatKind.REWIND: _length(0.3, 0.2, 0.8),
    BeatKind.FIRST: _length(0.2, 1, 5),
    BeatKind.SECOND: _length(0.4, 0.8, 4),
    BeatKind.MISTAKE: _length(0.2, 1, 1.4),
    BeatKind.FASTEST: _length(0, 0.6, 4),
    BeatKind.RACE: _length(0.7, 0.5, _UNBOUND),
    BeatKind.FINISH: _length(0.2, 0.6, 4),
    BeatKind.OTHERS: _length(0.6, 0.4, _UNBOUND),
    BeatKind.END: _length(0.2, 0.1, 4),
    BeatKind.CARD: _length(1.8, 1.6, 6),
}
"""The lengths of the beats of a short story."""
