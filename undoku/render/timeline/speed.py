"""The exact speed of a search on a frame, so that an even pace has one speed although the number of
steps per frame varies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.timeline import Timeline

__all__ = ["SpeedClasses"]


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
        if not timeline.race or (beat and beat.kind is BeatKind.FIRST_STEP):
            return  # one step, which is shown for longer
        share = timeline.position(elapsed) - timeline.position(elapsed - 1)
        self._found = sum(share > bound for bound in self._shares)
        # The position must grow evenly between both ends of the frame.
        end = timeline.intro - 1 + timeline.even_until(elapsed - 1)
        self._known = range(at, max(at + 1, end))
