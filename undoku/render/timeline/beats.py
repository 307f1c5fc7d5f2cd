"""The beats of a story: passages, each with its own purpose and speed; and their usual lengths."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class BeatKind(StrEnum):
    """What a beat is for."""

    OPENING = "opening"
    """The boards with their givens: the first picture."""
    RULES = "rules"
    """The rule of each strategy is shown on its board."""
    FIRST_STEP = "first step"
    """The clock stops after the first step."""
    SLOW = "slow"
    """A few steps, slow enough to follow each; the clock stops for sentences."""
    ACCELERATION = "acceleration"
    """Acceleration until the first search ends."""
    FINISH = "finish"
    """The clock stops when the first search has ended."""
    TURN = "turn"
    """The clock stops; of two searches that take turns, the board of the other one grows."""
    OTHERS = "others"
    """The race continues until one search is left."""
    SPOTLIGHT = "spotlight"
    """The clock stops; finished boards shrink, the last one grows."""
    REMAINDER = "remainder"
    """The search that takes longest, alone."""
    LAST_STEPS = "last steps"
    """The last steps, slowly."""
    END = "end"
    """The clock stops; all searches have ended."""
    CARD = "card"
    """The end card."""


@dataclass(frozen=True, slots=True)
class Beat:
    """The frames `start` to `start` + `frames` - 1 of the film (`frames` >= 1). They begin after
    step `step` of the longest search and show its next `steps` steps."""

    kind: BeatKind
    start: int
    frames: int
    step: int
    steps: int = 0

    @property
    def end(self) -> int:
        """The first frame after it."""
        return self.start + self.frames


def beat_at(beats: Sequence[Beat], frame: int) -> Beat | None:
    """The beat of a frame of the film; None in a film without beats."""
    if not beats:
        return None
    return beats[max(0, bisect_right(beats, frame, key=lambda beat: beat.start) - 1)]


def first_beat(beats: Sequence[Beat], kind: BeatKind) -> Beat | None:
    """The first beat of a kind, or None."""
    return next((beat for beat in beats if beat.kind is kind), None)


@dataclass(frozen=True, slots=True)
class BeatLength:
    """The length of a beat in a usual film, its least useful length, and its greatest
    length in longer films, all in seconds."""

    usual: Fraction
    least: Fraction
    most: Fraction


def _length(usual: float, least: float, most: float) -> BeatLength:
    return BeatLength(*(Fraction(round(20 * seconds), 20) for seconds in (usual, least, most)))


_LENGTHS = {
    BeatKind.OPENING: _length(1, 0.5, 2.5),
    BeatKind.RULES: _length(2.7, 1.4, 4.5),
    BeatKind.FIRST_STEP: _length(4, 1.65, 5),
    BeatKind.SLOW: _length(2, 0.9, 6),
    BeatKind.ACCELERATION: _length(3.5, 1, 600),
    BeatKind.FINISH: _length(2, 0.75, 3),
    BeatKind.OTHERS: _length(3, 1, 600),
    BeatKind.TURN: _length(0.6, 0.4, 0.8),
    BeatKind.SPOTLIGHT: _length(0.6, 0.4, 0.8),
    BeatKind.REMAINDER: _length(3.8, 0.85, 600),
    BeatKind.LAST_STEPS: _length(0.8, 0.8, 3),
    BeatKind.END: _length(0.8, 0.3, 1.5),
    BeatKind.CARD: _length(3, 2, 6),
}

_SHORT_LENGTHS = {
    BeatKind.OPENING: _length(1, 0.3, 2.5),
    BeatKind.RULES: _length(2.7, 2.15, 4.5),
    BeatKind.FIRST_STEP: _length(4, 2.9, 5),
    BeatKind.SLOW: _length(2, 0.1, 6),
    BeatKind.ACCELERATION: _length(3.5, 0.8, 600),
    BeatKind.FINISH: _length(2, 1, 3),
    BeatKind.SPOTLIGHT: _length(0.6, 0.3, 0.8),
    BeatKind.REMAINDER: _length(3.8, 0.8, 600),
    BeatKind.END: _length(0.8, 0.2, 1.5),
}
"""The lengths of some beats in a short story, whose sentences need their time: the beats in which
nothing is read are shorter."""

_SOLO_LENGTHS = {
    BeatKind.OPENING: _length(0.5, 0.3, 2.5),
    BeatKind.RULES: _length(4.65, 2.8, 9),
    BeatKind.FIRST_STEP: _length(4.3, 3.3, 10),
    BeatKind.TURN: _length(0.5, 0.4, 0.8),
    BeatKind.SLOW: _length(1.6, 0.9, 6),
    BeatKind.ACCELERATION: _length(2.8, 1, 600),
    BeatKind.FINISH: _length(5.05, 1.6, 6),
    BeatKind.REMAINDER: _length(2.8, 0.85, 600),
    BeatKind.LAST_STEPS: _length(0.6, 0.6, 3),
    BeatKind.END: _length(1.55, 0.3, 1.6),
    BeatKind.CARD: _length(2.8, 2, 6),
}
"""The lengths of some beats if two searches take turns. The rules, the first step and the finish
have a part for each search, so that its board is large while its sentence is read."""


def lengths_of(*, solo: bool = False, short: bool = False) -> dict[BeatKind, BeatLength]:
    """The lengths of all beats in a film with `solo`, or in a `short` one."""
    lengths = _LENGTHS | (_SHORT_LENGTHS if short else {})
    return lengths | (_SOLO_LENGTHS if solo else {})
