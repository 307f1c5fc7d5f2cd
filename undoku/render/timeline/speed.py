"""The steps of many frames at once, and the speed of a search on a frame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.render.timeline.beats import EXPLAINING
from undoku.render.timeline.stretches import stretch_at
from undoku.render.timeline.timeline import Timeline

_INT64_BOUND = 1 << 62


def steps_through(timeline: Timeline, elapsed: int, frames: int) -> NDArray[np.int64]:
    """(frames, panels) int64: for each panel, the steps done after `elapsed`, elapsed + 1, … frames
    of the race; `elapsed` and `frames` >= 0."""
    found = np.empty((frames, len(timeline.totals)), np.int64)
    at, stop = elapsed, max(elapsed, min(elapsed + frames, timeline.race))
    found[stop - elapsed :] = timeline.steps_at(timeline.race)
    while at < stop:
        part = stretch_at(timeline.stretches, at)
        end = min(stop, part.start + part.frames)
        over = part.frames * part.steps.denominator
        begun = part.step * over + (at - part.start) * part.steps.numerator
        for panel, (total, scale) in enumerate(zip(timeline.totals, timeline.scales, strict=True)):
            first, each = begun * scale.numerator, part.steps.numerator * scale.numerator
            steps = _on_line(first, each, over * scale.denominator, end - at)
            found[at - elapsed : end - elapsed, panel] = np.minimum(steps, total)
        at = end
    for panel, wait in enumerate(timeline.waits):
        found[: max(0, wait + 1 - elapsed), panel] = 0
    return found


def _on_line(first: int, each: int, over: int, count: int) -> NDArray[np.int64]:
    """(first + n * each) / over, rounded down, for n from 0 to count - 1; numbers beyond int64 are
    reduced to its bound."""
    (whole, rest), (step, part) = divmod(first, over), divmod(each, over)
    if max(over * (count + 1), whole + (step + 1) * count) >= _INT64_BOUND:
        exact = [min(_INT64_BOUND, (first + n * each) // over) for n in range(count)]
        return np.array(exact, np.int64)
    number = np.arange(count, dtype=np.int64)
    found: NDArray[np.int64] = whole + step * number + (rest + part * number) // over
    return found


class SpeedClasses:
    """The speed of search `number` of a film, in classes: `bounds` (ascending, > 0) are steps per
    second, and class k includes speeds up to and including bounds[k]; the last class has all higher
    speeds. The few steps of beats that explain them are in class 0: they are shown for longer."""

    def __init__(self, timeline: Timeline, number: int, bounds: Sequence[int]) -> None:
        scale = timeline.scales[number] * timeline.fps
        # The last frame of a race may have fewer steps than the others of its stretch.
        begun = [*(part.start for part in timeline.stretches), max(0, timeline.race - 1)]
        self._starts: list[int] = []
        self._classes: list[int] = []
        for elapsed in dict.fromkeys(begun):
            beat = timeline.beat_at(timeline.intro + elapsed)
            speed = timeline.pace_at(elapsed) * scale
            explains = beat is not None and beat.kind in EXPLAINING
            found = 0 if explains else sum(speed > bound for bound in bounds)
            if found not in self._classes[-1:]:
                self._starts.append(timeline.intro + elapsed)
                self._classes.append(found)

    def of_frame(self, at: int) -> int:
        """The class on frame `at` of the film; before and after the race that of its nearest
        frame."""
        return self._classes[max(0, bisect_right(self._starts, at) - 1)]

    def until(self, at: int, most: int) -> int:
        """The first frame after `at` with another class, or `most` if there is none before it."""
        later = bisect_right(self._starts, max(at, self._starts[0]))
        return min([most, *self._starts[later : later + 1]])
