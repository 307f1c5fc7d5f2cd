"""A race in stretches, each with its own speed, also of a clock that accelerates."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, log
from typing import NamedTuple


class Stretch(NamedTuple):
    """A part of the race with constant speed: the frames `start` to `start` + `frames` - 1 of the
    race (`frames` >= 1) show `steps` steps of the longest search after step `step`, in equal
    shares. The last frame of a race may have fewer."""

    start: int
    frames: int
    step: int
    steps: int | Fraction

    @property
    def pace(self) -> Fraction:
        """Steps per frame."""
        return Fraction(self.steps) / self.frames


def stretches_of(
    parts: Iterable[tuple[int, int | Fraction]], step: int, start: int = 0
) -> tuple[Stretch, ...]:
    """Consecutive parts, each as (frames, steps), from the step `step` and the frame `start` of the
    race on. Parts without frames have no steps, and are left out."""
    found = []
    for frames, steps in parts:
        if frames:
            found.append(Stretch(start, frames, step, steps))
            start, step = start + frames, step + int(steps)
    return tuple(found)


def stretch_at(stretches: Sequence[Stretch], elapsed: int) -> Stretch:
    """The stretch of the race after `elapsed` frames."""
    return stretches[bisect_right(stretches, elapsed, key=lambda part: part.start) - 1]


_INTERVALS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 10), Fraction(1, 30))
"""Possible durations, in seconds, of the parts of constant speed. The first one with which the
speed grows slowly enough is used, because a speed that is shown longer can be read."""

_GENTLY = log(3)
"""The logarithm of the largest desired factor between the speeds of two consecutive parts."""


def accelerating(steps: int, frames: int, fps: Fraction, begin: Fraction) -> list[tuple[int, int]]:
    """(frames, steps) of consecutive parts of constant speed, which together have `frames` frames
    and `steps` steps. The speed begins at `begin` steps per second and grows by the same factor
    from each part to the next; if the mean speed is not faster than `begin`, it is used
    throughout."""
    if frames <= 0 or steps <= 0:
        return [(frames, steps)] if frames > 0 else []
    # Position after part n: (g^n - 1) / (g^count - 1) of the steps, with the factor g > 1 for
    # which the first part has the requested speed.
    for interval in _INTERVALS:
        count = max(1, frames // max(1, round(interval * fps)))
        growth = _growth(float(begin * frames / count / fps), count, steps)
        mean = Fraction(steps, frames) * fps
        if growth <= _GENTLY and (count > 1 or log(max(1.0, float(mean / begin))) <= _GENTLY):
            break
    bounds = [frames * number // count for number in range(count + 1)]
    weights = [exp(growth * number) for number in range(count)]
    whole = sum(weights)
    reached, done = [0], 0.0
    for weight in weights:
        done += weight
        reached.append(min(steps, round(steps * done / whole)))
    reached[-1] = steps
    return [
        (end - start, after - before)
        for (start, end), (before, after) in zip(pairwise(bounds), pairwise(reached), strict=True)
    ]


def _growth(first: float, count: int, steps: int) -> float:
    """The logarithm (>= 0) of the factor by which parts grow if the first of `count` parts has
    `first` steps and all together have `steps`. Found by bisection, since the sum grows with it."""
    if first * count >= steps or count < 2:
        return 0.0
    # With the highest growth the last part alone has all steps.
    low, high = 0.0, log(steps / first) / (count - 1)
    for _ in range(60):
        middle = (low + high) / 2
        if first * sum(exp(middle * number) for number in range(count)) < steps:
            low = middle
        else:
            high = middle
    return low
