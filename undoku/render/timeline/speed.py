"""The steps of many frames at once, and the speed of a search on a frame."""

from __future__ import annotations

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
    speeds."""

    def __init__(self, timeline: Timeline, number: int, bounds: Sequence[int]) -> None:
        self._timeline, self._bounds = timeline, bounds
        self._scale = timeline.scales[number] * timeline.fps
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
        self._known, self._found = range(at, at + 1), 0
        beat = timeline.beat_at(at)
        if not timeline.race or (beat and beat.kind in EXPLAINING):
            return  # few steps, which are shown for longer
        elapsed = max(0, min(at - timeline.intro, timeline.race - 1))
        speed = timeline.pace_at(elapsed) * self._scale
        self._found = sum(speed > bound for bound in self._bounds)
        # The last frame of a race may have fewer steps.
        end = timeline.intro - 1 + timeline.even_until(elapsed)
        self._known = range(at, max(at + 1, end))
