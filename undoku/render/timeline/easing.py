"""Eased movements, how often they are drawn, and an axis of steps that grows with the race: its end
doubles whenever the longest search reaches it, and is the last step when the race is over."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from math import exp2

import numpy as np
from numpy.typing import NDArray

from undoku.render.timeline.timeline import Timeline

__all__ = ["FIRST_END", "GrowingAxis", "drawn_frame", "eased", "frames_each", "settled_end"]

_PICTURES = 30
"""Pictures per second of movements: more are hardly visible, and each is completely new."""


def frames_each(fps: Fraction) -> int:
    """The number of frames for which each picture of a movement is shown."""
    return max(1, round(fps / _PICTURES))


def drawn_frame(frame: int, each: int) -> int:
    """The frame of a movement (from 0, its beginning) that is drawn on `frame` if each picture is
    shown for `each` frames: the last one of these."""
    return -(-frame // each) * each


def eased(share: float) -> float:
    """The part of a movement, 0..1, that is complete after `share` (0..1) of its time: a cubic that
    is slow at both ends."""
    return 4 * share**3 if share < 0.5 else 1 - 4 * (1 - share) ** 3


FIRST_END = 32
"""The first end of the axis, in steps."""

_EASE = Fraction(1, 5)
"""The seconds that a movement of the end takes. Each of its pictures is new as a whole: much of the
bytes of a film that is fitted to a length."""

_MAX_KEPT = 4096
"""The maximum number of frames whose steps are cached. Computing them takes nearly all of the time
of an axis."""


def settled_end(steps: int) -> int:
    """The end of the axis, without movement, when the longest search has done `steps` steps: always
    greater than these."""
    return FIRST_END << _doublings(steps)


def _doublings(steps: int) -> int:
    return (steps // FIRST_END).bit_length()


class GrowingAxis:
    """The end of the axis, in steps, on any frame of a film. It depends only on the timeline and on
    the frame, so that a single picture, a film and a part of it agree."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._frames = max(1, round(timeline.fps * _EASE))
        self._each = frames_each(timeline.fps)
        self._known: dict[int, int] = {}

    def end_at(self, elapsed: int) -> float:
        """The end after `elapsed` frames of the race, which may also be before or after the race.

        Each doubling begins on the frame on which the longest search reaches the end, and takes
        0.2 s; overlapping doublings are combined. Pictures of it last as long as those of all
        movements (undoku.render.timeline.easing). If the race is faster than the axis, the end is
        the step of the longest search on the last frame of the picture. From the frame on which the
        last step is done, the end moves back to it, as fast, so that the curves fill the axis.
        After the race the axis does not move.
        """
        elapsed = min(elapsed, self._timeline.race)
        grown, last = self._grown_at(elapsed), self._last
        if elapsed < self._complete:
            return grown
        frames = min(self._frames, self._timeline.race - self._complete)
        done = drawn_frame(elapsed - self._complete, self._each)
        share = eased(min(1, done / frames)) if frames else 1.0
        return float(last) if share == 1 else grown * (last / grown) ** share

    def _grown_at(self, elapsed: int) -> float:
        """The end after `elapsed` frames of the race, with all doublings."""
        begun = elapsed - self._frames
        settled = _doublings(self._steps(begun))
        moving, each, now = 0.0, self._each, self._steps(elapsed)
        most = now
        if _doublings(now) > settled:
            most = min(self._steps(drawn_frame(elapsed, each)), settled_end(now))
            before = settled
            for frame in range(begun + 1, elapsed + 1):
                here = _doublings(self._steps(frame))
                # Simultaneous doublings change their pictures on the same frames.
                done = drawn_frame(elapsed, each) - drawn_frame(frame, each) + each
                moving += (here - before) * eased(min(1, done / self._frames))
                before = here
        return max(float(most), FIRST_END * exp2(settled + moving))

    def ends_after(self, elapsed: int, steps: NDArray[np.int64]) -> NDArray[np.float64]:
        """`end_at` after `elapsed` frames of the race and after each further frame; `steps` (n,)
        are the steps of the longest search on these n frames."""
        if len(self._known) > _MAX_KEPT:
            self._known.clear()
        self._known.update(zip(range(elapsed, elapsed + len(steps)), steps.tolist(), strict=True))
        # The exponent of an integer as a float is its length in bits.
        doublings = np.frexp((steps // FIRST_END).astype(np.float64))[1].astype(np.int64)
        late = max(0, len(steps) - self._frames)
        early = [_doublings(self._steps(elapsed + at - self._frames))
                 for at in range(len(steps) - late)]  # fmt: skip
        settled = doublings == np.concatenate([np.array(early, np.int64), doublings[:late]])
        ends = FIRST_END * np.exp2(doublings.astype(np.float64))
        frames = np.arange(elapsed, elapsed + len(steps))
        ended = frames >= min(self._complete + self._frames, self._timeline.race)
        ends[ended] = self._last
        settled = ended | settled & (frames < self._complete)
        for at in np.flatnonzero(~settled).tolist():
            ends[at] = self.end_at(elapsed + at)
        return ends

    @cached_property
    def _last(self) -> int:
        """The last step of the race."""
        return max(1, self._steps(self._timeline.race))

    @cached_property
    def _complete(self) -> int:
        """The first frame of the race after which there are no more steps."""
        frames = range(self._timeline.race)
        return bisect_left(frames, self._steps(self._timeline.race), key=self._steps)

    def _steps(self, elapsed: int) -> int:
        """The steps of the longest search."""
        elapsed = min(max(0, elapsed), self._timeline.race)
        if elapsed not in self._known:
            if len(self._known) > _MAX_KEPT:
                self._known.clear()
            self._known[elapsed] = max(self._timeline.steps_at(elapsed), default=0)
        return self._known[elapsed]
