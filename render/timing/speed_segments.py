"""A race with several speeds: stretches, each with its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Stretch", "position_in", "stretch_at"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the race with a speed of its own: from its frame `start` on, `frames` >= 1 frames
    lead over `steps` steps of the longest search, beginning after `step`. `rate` is steps a frame
    where these frames are as many as the steps need at that rate, and the last is not full; None
    where they share the steps evenly."""

    start: int
    frames: int
    step: int
    steps: int
    rate: Fraction | None = None

    @property
    def pace(self) -> Fraction:
        """Steps a frame."""
        return Fraction(self.steps, self.frames) if self.rate is None else self.rate


def stretch_at(stretches: Sequence[Stretch], elapsed: int) -> Stretch:
    """The one that a race is in after `elapsed` frames."""
    return stretches[bisect_right(stretches, elapsed, key=lambda part: part.start) - 1]


def position_in(
    stretches: Sequence[Stretch], elapsed: int, first: int, span: int
) -> tuple[int, int]:
    """How far a race of `span` steps from step `first` on is after `elapsed` frames, as
    (numerator, denominator). `stretches` cover its frames, in order and without a gap."""
    part = stretch_at(stretches, elapsed)
    steps, frames = part.steps, part.frames
    if part.rate is not None:
        steps, frames = part.rate.numerator, part.rate.denominator
    done = (part.step - first) * frames + (elapsed - part.start) * steps
    return done, span * frames
