"""The steps of many frames at once, the same as `Timeline.steps_at` gives one by one."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from render.timing.speed_segments import stretch_at
from render.timing.timeline import Timeline

__all__ = ["steps_through"]

_MOST = 1 << 62


def steps_through(timeline: Timeline, elapsed: int, frames: int) -> NDArray[np.int64]:
    """(frames, panels) int64: for each panel, the steps done after `elapsed`, elapsed + 1, … frames
    of the race; `elapsed` and `frames` >= 0."""
    found = np.empty((frames, len(timeline.totals)), np.int64)
    at, stop = elapsed, elapsed + frames
    while at < stop:
        end, pace = _straight(timeline, at)
        if end == at:
            found[at - elapsed] = timeline.steps_at(at)
            at += 1
            continue
        rows = slice(at - elapsed, min(end, stop) - elapsed)
        begun = timeline.first + timeline.position(at) * timeline.span
        for panel, (total, scale) in enumerate(zip(timeline.totals, timeline.scales, strict=True)):
            share = scale / timeline.longest
            found[rows, panel] = _on_line(
                begun * share, pace * timeline.span * share, rows.stop - rows.start, total
            )
        at = rows.stop + elapsed
    return found


def _straight(timeline: Timeline, elapsed: int) -> tuple[int, Fraction]:
    """(end, pace): from `elapsed` up to the frame before `end` the position rises by `pace` a
    frame; `end` is `elapsed` where that isn't so."""
    race = timeline.race
    if not 0 < elapsed < race:
        return elapsed, Fraction(0)
    if timeline.stretches:
        part = stretch_at(timeline.stretches, elapsed)
        return min(race, part.start + part.frames), Fraction(
            part.steps, timeline.span * part.frames
        )
    if timeline.rate is not None:
        return race, timeline.rate / timeline.span
    return (elapsed, Fraction(0)) if timeline.ramp else (race, Fraction(1, race))


def _on_line(begun: Fraction, pace: Fraction, count: int, most: int) -> NDArray[np.int64]:
    """min(most, begun + n * pace), cut to whole numbers, for n from 0 to count - 1."""
    over = lcm(begun.denominator, pace.denominator)
    whole, rest = divmod(int(begun * over), over)
    each, part = divmod(int(pace * over), over)
    if max(over * (count + 1), whole + (each + 1) * count) >= _MOST:
        exact = [min(most, whole + n * each + (rest + n * part) // over) for n in range(count)]
        return np.array(exact, np.int64)
    number = np.arange(count, dtype=np.int64)
    found: NDArray[np.int64] = whole + each * number + (rest + part * number) // over
    return np.minimum(found, most)
