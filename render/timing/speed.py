"""The exact speed of a search on a frame, so that an even pace has one speed although the number of
steps per frame varies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from render.timing.beats import BeatKind
from render.timing.timeline import Timeline

__all__ = ["SpeedClasses"]


class SpeedClasses:
    """The speed of search `number` of a film, in classes: `bounds` (ascending, > 0) are steps a
    second, and class k is up to bounds[k], itself included; the last class is faster than all."""

    def __init__(self, timeline: Timeline, number: int, bounds: Sequence[int]) -> None:
        self._timeline = timeline
        longest = max(1, timeline.longest)
        whole = timeline.span * timeline.fps * timeline.scales[number] / longest
        # Of the race, in a frame: a search that goes through that share is at the bound.
        self._shares = [Fraction(bound) / whole if whole else Fraction(1) for bound in bounds]
        self._known = range(0)
        self._found = 0

    def of_frame(self, at: int) -> int:
        """The class of the film's frame `at`; outside the race that of its nearest frame, 0 where
        nothing is done."""
        if at not in self._known:
            self._look(at)
        return self._found

    def until(self, at: int, most: int) -> int:
        """The first frame after `at` that is of another class, or `most` if that is not later."""
        found, frame = self.of_frame(at), at
        while frame < most and self.of_frame(frame) == found:
            frame = min(most, self._known.stop)
        return frame

    def _look(self, at: int) -> None:
        """Find the class of frame `at`, and on which frames after it nothing differs."""
        timeline = self._timeline
        elapsed = max(1, min(at - timeline.intro + 1, timeline.race))
        self._known, self._found = range(at, at + 1), 0
        beat = timeline.beat_at(at)
        if not timeline.race or (beat and beat.kind is BeatKind.FIRST_STEP):
            return  # one step, and time to look at it
        share = timeline.position(elapsed) - timeline.position(elapsed - 1)
        self._found = sum(share > bound for bound in self._shares)
        # Both ends of a frame must lie on one line.
        end = timeline.intro - 1 + timeline.even_until(elapsed - 1)
        self._known = range(at, max(at + 1, end))
