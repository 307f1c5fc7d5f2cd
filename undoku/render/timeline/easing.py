"""Eased movements, how often they are drawn, and an axis of steps that grows with the race: its end
doubles whenever the longest search reaches it, and is the last step when the race is over."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undoku.render.timeline.speed import steps_through
from undoku.render.timeline.timeline import Timeline

_PICTURES = 30
"""Pictures per second of movements: more are hardly visible, and each is completely new."""


def frames_each(fps: Fraction) -> int:
    """The number of frames for which each picture of a movement is shown."""
    return max(1, round(fps / _PICTURES))


Frames = TypeVar("Frames", int, NDArray[np.int64])


def drawn_frame(frame: Frames, each: int) -> Frames:
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


def settled_end(steps: int) -> int:
    """The end of the axis, without movement, when the longest search has done `steps` steps: always
    greater than these."""
    return FIRST_END << (steps // FIRST_END).bit_length()


def _doublings(steps: NDArray[np.int64]) -> NDArray[np.int64]:
    # The exponent of an integer as a float is its length in bits.
    _, exponents = np.frexp((steps // FIRST_END).astype(np.float64))
    return exponents.astype(np.int64)


class GrowingAxis:
    """The end of the axis, in steps, on any frame of a film. It depends only on the timeline and on
    the frame, so that a single picture, a film and a part of it agree."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._frames = max(1, round(timeline.fps * _EASE))
        self._each = frames_each(timeline.fps)
        longest = self._frames + 2 * self._each
        self._shares = np.array([eased(min(1, n / self._frames)) for n in range(longest)])
        """How far a doubling is after each number of frames."""

    def end_at(self, elapsed: int) -> float:
        """The end after `elapsed` frames of the race, which may also be before or after the race.

        Each doubling begins on the frame on which the longest search reaches the end, and takes
        0.2 s; overlapping doublings are combined. Pictures of it last as long as those of all
        movements (undoku.render.timeline.easing). If the race is faster than the axis, the end is
        the step of the longest search on the last frame of the picture. From the frame on which the
        last step is done, the end moves back to it, as fast, so that the curves fill the axis.
        After the race the axis does not move.
        """
        return float(self.ends_after(elapsed, 1)[0])

    def ends_after(self, elapsed: int, count: int) -> NDArray[np.float64]:
        """(count,): `end_at` after `elapsed` frames of the race and after each further frame."""
        race, each = self._timeline.race, self._each
        at = np.minimum(np.arange(elapsed, elapsed + count), race)
        first, last = np.clip((at[0] - self._frames, at[-1] + each), 0, race).tolist()
        table = steps_through(self._timeline, first, last - first + 1).max(axis=1)

        def steps(frames: NDArray[np.int64]) -> NDArray[np.int64]:
            found: NDArray[np.int64] = table[np.clip(frames, first, last) - first]
            return found

        now, drawn = steps(at), drawn_frame(at, each)
        reached, settled = _doublings(now), _doublings(steps(at - self._frames))
        moving = np.zeros(count)
        for frame in (at - back for back in reversed(range(self._frames))):
            # Simultaneous doublings change their pictures on the same frames.
            share = self._shares[drawn - drawn_frame(frame, each) + each]
            moving += (_doublings(steps(frame)) - _doublings(steps(frame - 1))) * share
        most = np.where(reached > settled, np.minimum(steps(drawn), FIRST_END << reached), now)
        ends: NDArray[np.float64] = np.maximum(most, FIRST_END * np.exp2(settled + moving))
        final, complete = self._end_of_race
        back_frames = min(self._frames, race - complete)
        for number in np.flatnonzero(at >= complete).tolist():
            done = drawn_frame(int(at[number]) - complete, each)
            share = eased(min(1, done / back_frames)) if back_frames else 1.0
            grown = float(ends[number])
            ends[number] = final if share == 1 else grown * (final / grown) ** share
        return ends

    @cached_property
    def _end_of_race(self) -> tuple[int, int]:
        """The last step of the race, at least 1, and the first frame after which there are no more
        steps."""
        timeline = self._timeline
        last = max(timeline.steps_at(timeline.race))
        complete = bisect_left(
            range(timeline.race), last, key=lambda elapsed: max(timeline.steps_at(elapsed))
        )
        return max(1, last), complete
