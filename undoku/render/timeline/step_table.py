"""The steps of many frames at once, equal to those of `Timeline.steps_at` for each frame."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from undoku.render.timeline.timeline import Timeline

__all__ = ["steps_through"]

_INT64_BOUND = 1 << 62


def steps_through(timeline: Timeline, elapsed: int, frames: int) -> NDArray[np.int64]:
    """(frames, panels) int64: for each panel, the steps done after `elapsed`, elapsed + 1, … frames
    of the race; `elapsed` and `frames` >= 0."""
    found = np.empty((frames, len(timeline.totals)), np.int64)
    at, stop = elapsed, elapsed + frames
    while at < stop:
        end = min(stop, timeline.even_until(at))
        if end == at:
            found[at - elapsed] = timeline.steps_at(at)
            at += 1
            continue
        rows = slice(at - elapsed, end - elapsed)
        begun = timeline.position(at)
        pace = timeline.position(at + 1) - begun if end - at > 1 else Fraction(0)
        done = timeline.first + begun * timeline.span
        for panel, (total, scale) in enumerate(zip(timeline.totals, timeline.scales, strict=True)):
            share = scale / timeline.longest
            found[rows, panel] = _on_line(
                done * share, pace * timeline.span * share, end - at, total
            )
        at = end
    return found


def _on_line(begun: Fraction, pace: Fraction, count: int, most: int) -> NDArray[np.int64]:
    """min(most, begun + n * pace), rounded down, for n from 0 to count - 1."""
    over = lcm(begun.denominator, pace.denominator)
    whole, rest = divmod(int(begun * over), over)
    each, part = divmod(int(pace * over), over)
    if max(over * (count + 1), whole + (each + 1) * count) >= _INT64_BOUND:
        exact = [min(most, whole + n * each + (rest + n * part) // over) for n in range(count)]
        return np.array(exact, np.int64)
    number = np.arange(count, dtype=np.int64)
    found: NDArray[np.int64] = whole + each * number + (rest + part * number) // over
    return np.minimum(found, most)
