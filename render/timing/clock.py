"""The clock of a comparison, and the kinds of pace."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Clock", "PaceKind"]


class Clock(StrEnum):
    """The quantity that the panels of a comparison share."""

    STEPS = "steps"
    """The same steps per frame in every panel: an honest race."""
    FINISH = "finish"
    """All panels finish together, each at its own speed."""
    TIME = "time"
    """Each at the speed that its search was measured to have."""


class PaceKind(StrEnum):
    """The origin of the speed of the race."""

    EVEN = "even"
    """An even speed, or the other settings of the pace."""
    STORY = "story"
    """A storyboard made from the searches (`render.timing.storyboard`)."""
    SHORT = "short"
    """A shorter storyboard, for looping pictures."""
