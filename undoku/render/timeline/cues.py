"""Cues: the requested behaviour of a film's clock at certain steps, and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from undoku.errors import Place

__all__ = ["Cue"]


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
