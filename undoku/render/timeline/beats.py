"""The beats of a story: passages, each with its own purpose and speed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Beat", "BeatKind", "beat_at", "first_beat"]


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
