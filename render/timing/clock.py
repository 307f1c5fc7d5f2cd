"""What the searches of a comparison have in common, and who decides how fast they run."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Clock", "PaceKind"]


class Clock(StrEnum):
    """What the panels of a comparison have in common."""

    STEPS = "steps"
    """The same steps per frame in every panel: an honest race."""
    FINISH = "finish"
    """All panels finish together, each at its own speed."""
    TIME = "time"
    """Each at the speed that its search was measured to have."""


class PaceKind(StrEnum):
    """Who decides how fast the race runs."""

    EVEN = "even"
    """It runs evenly, or as the other settings of the pace say."""
    STORY = "story"
    """A storyboard made from the searches (`render.timing.storyboard`)."""
    SHORT = "short"
    """The same in less time, for pictures that play again and again."""
