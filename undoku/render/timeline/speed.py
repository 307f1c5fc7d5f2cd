"""The steps of many frames at once, and the exact speed of a search on a frame."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from undoku.render.timeline.beats import EXPLAINING
from undoku.render.timeline.timeline import Timeline

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
            if timeline.waits and at <= timeline.waits[panel]:
                found[rows, panel] = 0
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


class SpeedClasses:
    """The speed of search `number` of a film, in classes: `bounds` (ascending, > 0) are steps per
    second, and class k includes speeds up to and including bounds[k]; the last class has all higher
    speeds."""

    def __init__(self, timeline: Timeline, number: int, bounds: Sequence[int]) -> None:
        self._timeline = timeline
        longest = max(1, timeline.longest)
        whole = timeline.span * timeline.fps * timeline.scales[number] / longest
        # As a share of the race per frame: a search at this speed is exactly at the bound.
        self._shares = [Fraction(bound) / whole if whole else Fraction(1) for bound in bounds]
        self._known = range(0)
        self._found = 0

    def of_frame(self, at: int) -> int:
        """The class on frame `at` of the film; before and after the race that of its nearest frame;
        0 if the search does nothing."""
        if at not in self._known:
            self._look(at)
        return self._found

    def until(self, at: int, most: int) -> int:
        """The first frame after `at` with another class, or `most` if there is none before it."""
        found, frame = self.of_frame(at), at
        while frame < most and self.of_frame(frame) == found:
            frame = min(most, self._known.stop)
        return frame

    def _look(self, at: int) -> None:
        """Find the class of frame `at`, and until which frame it does not change."""
        timeline = self._timeline
        elapsed = max(1, min(at - timeline.intro + 1, timeline.race))
        self._known, self._found = range(at, at + 1), 0
        beat = timeline.beat_at(at)
        if not timeline.race or (beat and beat.kind in EXPLAINING):
            return  # few steps, which are shown for longer
        share = timeline.position(elapsed) - timeline.position(elapsed - 1)
        self._found = sum(share > bound for bound in self._shares)
        # The position must grow evenly between both ends of the frame.
        end = timeline.intro - 1 + timeline.even_until(elapsed - 1)
        self._known = range(at, max(at + 1, end))
