"""What sets the speed of a film: its pace, the clock of a comparison, and cues."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from undoku.errors import Place


class Clock(StrEnum):
    """What the searches of a comparison have in common."""

    STEPS = "steps"
    """The same number of steps per frame: a fair race."""
    FINISH = "finish"
    """All searches end on the same frame, each at its own speed."""
    TIME = "time"
    """The measured time: each search runs at its own measured speed."""


class PaceKind(StrEnum):
    """The origin of the speed of the race."""

    EVEN = "even"
    """Even, or according to the other settings of the pace."""
    STORY = "story"
    """A storyboard made from the searches (`undoku.render.timeline.storyboard`)."""
    SHORT = "short"
    """A shorter storyboard, for looping pictures."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue at `step` of the common clock, the steps of the longest search; None is its last.

    `at` is the time in the film, in seconds, at which that step is first shown; `pause` is the time
    in seconds (>= 0) for which the clock then stops; `speed` is the number of steps per second
    afterwards, 0 for the speed that follows from the times. `say` is a sentence, shown below the
    board of `search` (the number of a search, from 1, or its name), or below all boards if that is
    "". `place` is where the cue was read.
    """

    step: int | None
    at: Fraction | None = None
    pause: Fraction = Fraction(0)
    speed: Fraction | None = None
    say: str = ""
    search: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)
