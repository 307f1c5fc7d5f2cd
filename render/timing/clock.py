"""What the searches of a comparison have in common."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Clock"]


class Clock(StrEnum):
    """What the panels of a comparison have in common."""

    STEPS = "steps"
    """The same steps per frame in every panel: an honest race."""
    FINISH = "finish"
    """All panels finish together, each at its own speed."""
    TIME = "time"
    """Each at the speed that its search was measured to have."""
