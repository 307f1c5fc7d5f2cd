"""A race with several speeds: stretches, each with its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Stretch", "position_in", "stretch_at"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the race with constant speed: the frames `start` to `start` + `frames` - 1 of the
    race (`frames` >= 1) show `steps` steps of the longest search after step `step`. `rate` is the
    number of steps per frame; the last frame may have fewer. None if the frames share the steps
    evenly."""

    start: int
    frames: int
    step: int
    steps: int
    rate: Fraction | None = None

    @property
    def pace(self) -> Fraction:
        """Steps per frame."""
        return Fraction(self.steps, self.frames) if self.rate is None else self.rate


def stretch_at(stretches: Sequence[Stretch], elapsed: int) -> Stretch:
    """The stretch of the race after `elapsed` frames."""
    return stretches[bisect_right(stretches, elapsed, key=lambda part: part.start) - 1]


def position_in(
    stretches: Sequence[Stretch], elapsed: int, first: int, span: int
) -> tuple[int, int]:
    """The position, 0..1, of a race of `span` steps from step `first` on, after `elapsed` frames,
    as (numerator, denominator). `stretches` cover its frames in order and without a gap."""
    part = stretch_at(stretches, elapsed)
    steps, frames = part.steps, part.frames
    if part.rate is not None:
        steps, frames = part.rate.numerator, part.rate.denominator
    done = (part.step - first) * frames + (elapsed - part.start) * steps
    return done, span * frames
