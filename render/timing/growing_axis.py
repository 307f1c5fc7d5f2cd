"""An axis of steps that grows with the race: ×2 whenever the longest search reaches its end."""

from __future__ import annotations

from fractions import Fraction
from math import exp2

import numpy as np
from numpy.typing import NDArray

from render.timing.easing import drawn_frame, eased, frames_each
from render.timing.timeline import Timeline

__all__ = ["FIRST_END", "GrowingAxis", "settled_end"]

FIRST_END = 32
"""Steps that the axis has room for at first."""

_EASE = Fraction(3, 10)
"""Seconds that a doubling takes."""

_MOST_KEPT = 4096
"""Frames whose steps are kept: looking them up is all that an axis takes time for."""


def settled_end(steps: int) -> int:
    """Where the axis ends when the longest search has done so many steps and nothing moves: always
    beyond them."""
    return FIRST_END << _doublings(steps)


def _doublings(steps: int) -> int:
    return (steps // FIRST_END).bit_length()


class GrowingAxis:
    """The end of the axis, in steps, on any frame of a film. It depends on the timeline and on the
    frame alone, so that a still, a film and a part of it agree."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._frames = max(1, round(timeline.fps * _EASE))
        self._each = frames_each(timeline.fps)
        self._known: dict[int, int] = {}

    def end_at(self, elapsed: int) -> float:
        """The end after `elapsed` frames of the race, which may also lie before it or after it.

        Each doubling begins on the frame on which the longest search reaches the end, and takes
        0.3 s, those that overlap together; each picture of it stands as long as in all that moves
        (render.timing.easing). Where a race is faster than that, the end is where the
        longest search is. After the race nothing moves any more.
        """
        elapsed = min(elapsed, self._timeline.race)
        begun = elapsed - self._frames
        settled = _doublings(self._steps(begun))
        moving, now = 0.0, self._steps(elapsed)
        if _doublings(now) > settled:
            before = settled
            for frame in range(begun + 1, elapsed + 1):
                here = _doublings(self._steps(frame))
                # All that move at once have their pictures on the same frames.
                done = drawn_frame(elapsed, self._each) - frame // self._each * self._each
                moving += (here - before) * eased(min(1, done / self._frames))
                before = here
        return max(float(now), FIRST_END * exp2(settled + moving))

    def ends_after(self, elapsed: int, steps: NDArray[np.int64]) -> NDArray[np.float64]:
        """`end_at` after `elapsed` frames of the race and each of those that follow; `steps` (n,)
        are those of the longest search."""
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        self._known.update(zip(range(elapsed, elapsed + len(steps)), steps.tolist(), strict=True))
        # The exponent of a whole number is its length in bits.
        doublings = np.frexp((steps // FIRST_END).astype(np.float64))[1].astype(np.int64)
        late = max(0, len(steps) - self._frames)
        early = [_doublings(self._steps(elapsed + at - self._frames))
                 for at in range(len(steps) - late)]  # fmt: skip
        settled = doublings == np.concatenate([np.array(early, np.int64), doublings[:late]])
        ends = FIRST_END * np.exp2(doublings.astype(np.float64))
        for at in np.flatnonzero(~settled).tolist():
            ends[at] = self.end_at(elapsed + at)
        return ends

    def _steps(self, elapsed: int) -> int:
        """The steps of the longest search."""
        elapsed = min(max(0, elapsed), self._timeline.race)
        if elapsed not in self._known:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            self._known[elapsed] = max(self._timeline.steps_at(elapsed), default=0)
        return self._known[elapsed]
