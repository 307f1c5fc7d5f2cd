"""The clock of a comparison, and the kinds of pace."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Clock", "PaceKind"]


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
