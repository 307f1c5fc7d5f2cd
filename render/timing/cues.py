"""Cues: the requested behaviour of a film's clock at certain steps, and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from solver.errors import Place

__all__ = ["Cue"]


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue at `step` of the common clock, the steps of the longest search; None is its last.

    `at` are seconds of the film at which that step is first seen, `pause` seconds (>= 0) for which
    the clock then stands still, `speed` steps a second from there on, 0 for whatever the times
    leave. `say` is a sentence; `search`, the number from 1 or the name of a search, says below
    which board it stands, "" for the line below the film. `place` is where the cue was read.
    """

    step: int | None
    at: Fraction | None = None
    pause: Fraction = Fraction(0)
    speed: Fraction | None = None
    say: str = ""
    search: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)
