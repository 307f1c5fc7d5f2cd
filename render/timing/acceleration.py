"""A clock that runs faster and faster, in parts of one speed each."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp, log

__all__ = ["accelerating"]

_INTERVAL = Fraction(1, 2)
"""Seconds for which an accelerating clock keeps its speed, so that it can be read."""


def accelerating(steps: int, frames: int, fps: Fraction, begin: Fraction) -> list[tuple[int, int]]:
    """(frames, steps) of consecutive parts, each of one speed, that lead over `steps` steps in
    `frames` frames. The speed begins at `begin` steps a second where that is slower than the mean,
    and grows by one factor from each part to the next; else it is the mean throughout."""
    if frames <= 0 or steps <= 0:
        return [(frames, steps)] if frames > 0 else []
    each = max(1, round(_INTERVAL * fps))
    count = max(1, round(Fraction(frames, each)))
    bounds = [*(each * number for number in range(count)), frames]
    # Position after part n: (g^n - 1) / (g^count - 1) of the steps, with the factor g > 1 for
    # which the first part has the speed asked for.
    first = float(begin * each / fps)
    growth = _growth(first, count, steps)
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
    """The logarithm of the factor, >= 0, by which parts grow: `first` steps in the first of
    `count`, `steps` in all. Found by bisection: the sum grows with it."""
    if first * count >= steps or count < 2:
        return 0.0
    low, high = 0.0, log(steps / first) / (count - 1) + 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if first * sum(exp(middle * number) for number in range(count)) < steps:
            low = middle
        else:
            high = middle
    return low
