"""Which steps fall on which frame: integer arithmetic, no pixels.

A film has phases: an intro that shows the givens, the race, a hold of the last state,
and an end card. During the race a position runs from 0 to 1; the steps of each search are the
position times its scale, which the clock determines.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import NamedTuple

from undoku.errors import SettingsError
from undoku.render.timeline.beats import ANSWERING, Beat
from undoku.render.timeline.pace import Clock, Cue, PaceKind
from undoku.render.timeline.stretches import Stretch, stretch_at


class Phase(StrEnum):
    """The part of a film to which a picture belongs."""

    INTRO = "intro"
    RACE = "race"
    HOLD = "hold"
    CARD = "card"
    STILL = "still"
    """A single picture outside a film."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The speed of the race: `steps_per_frame` (> 0), or a `duration` of the whole film in seconds
    (> 0). With `ramp` it begins and ends slowly enough to follow. A story has neither a rate nor a
    ramp, and shows all steps.

    The race begins after step `first` of the longest search and ends after step `last`; None means
    its end. `cues` determine when steps are shown, and sentences; what they leave open follows from
    the rate or the duration.
    """

    steps_per_frame: Fraction | None = None
    duration: Fraction | None = None
    ramp: bool = False
    first: int = 0
    last: int | None = None
    kind: PaceKind = PaceKind.EVEN
    cues: tuple[Cue, ...] = ()

    @property
    def story(self) -> bool:
        """Whether the film follows a storyboard."""
        return self.kind is not PaceKind.EVEN


class Shot(NamedTuple):
    """A picture of the film: its phase, its first frame, the number of frames for which it is shown
    (>= 1), and the number of steps done by each search."""

    phase: Phase
    start: int
    ticks: int
    steps: tuple[int, ...]


_MAX_SECONDS = 24 * 3600  # seconds: a film of more than a day is a typing error

EYE = 8
"""Viewers can follow about this many steps per second."""


@dataclass(frozen=True)
class Timeline:
    """The timing of a whole film. `totals` are the numbers of steps of the searches; `fps` is the
    number of frames per second; `intro`, `race`, `hold` and `card` are numbers of frames.

    The race shows steps `first` to `last` of the longest search, in `stretches` that cover its
    frames without a gap: frame j of the race (from 0) shows the state after `steps_at(j + 1)`.
    `seconds` are the durations of the searches, for the clock `time`.
    """

    fps: Fraction
    totals: tuple[int, ...]
    intro: int
    race: int
    hold: int
    card: int
    clock: Clock = Clock.STEPS
    first: int = 0
    last: int = 0
    seconds: tuple[Fraction, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    beats: tuple[Beat, ...] = ()
    """The passages of a story; they cover the frames of the film without a gap."""
    waits: tuple[int, ...] = ()
    """Search n does nothing during the first `waits[n]` frames of the race."""
    answer: Timeline | None = None
    """The timeline of the first frames of a story, in which the whole race is shown in a fast clock
    of its own, before the searches begin again: its frames are the first ones of the intro."""

    @property
    def frames(self) -> int:
        return self.intro + self.race + self.hold + self.card

    @property
    def duration(self) -> Fraction:
        """The length of the film in seconds."""
        return self.frames / self.fps

    @property
    def shows_speed(self) -> bool:
        """Whether the picture shows the current speed of the common clock."""
        return len(self.stretches) > 1 and self.clock is Clock.STEPS

    def check_length(self) -> None:
        """Raise SettingsError if the film would last longer than a day."""
        if self.duration > _MAX_SECONDS:
            raise SettingsError(
                f"at {float(self.mean_rate):.4g} steps per frame the film would have "
                f"{self.frames:,} frames, which take {float(self.duration) / 3600:,.0f} hours",
                remedy="take more steps per frame, or a duration",
            )

    @property
    def longest(self) -> int:
        """The steps of the longest search."""
        return max(self.totals, default=0)

    @property
    def span(self) -> int:
        """The number of steps of the longest search that the race covers."""
        return self.last - self.first

    @property
    def mean_rate(self) -> Fraction:
        """The mean number of steps per frame of the longest search during the race."""
        if len(self.stretches) == 1:
            return self.stretches[0].pace
        return Fraction(self.span, self.race) if self.race else Fraction(0)

    @cached_property
    def scales(self) -> tuple[Fraction, ...]:
        """The steps that each search does, until it ends, for each step of the longest one."""
        longest = max(1, self.longest)
        if self.clock is Clock.STEPS:
            return (Fraction(1),) * len(self.totals)
        if self.clock is Clock.FINISH:
            return tuple(Fraction(total, longest) for total in self.totals)
        slowest = max(self.seconds)
        return tuple(
            total * slowest / (seconds * longest) if seconds else Fraction(total)
            for total, seconds in zip(self.totals, self.seconds, strict=True)
        )

    def even_until(self, elapsed: int) -> int:
        """The frame of the race before which the steps of all searches rise evenly from `elapsed`
        on; `elapsed` outside the race."""
        if not 0 <= elapsed < self.race:
            return elapsed
        part = stretch_at(self.stretches, elapsed)
        end = min(self.race, part.start + part.frames)
        return min([end, *(wait + 1 for wait in self.waits if elapsed <= wait < end)])

    def _reached(self, elapsed: int) -> tuple[int, int]:
        """The steps of the longest search after `elapsed` frames of the race, not rounded, as
        (numerator, denominator). They are not reduced, because they are needed often."""
        if not 0 < elapsed < self.race:
            return (self.last if elapsed > 0 else self.first), 1
        part = stretch_at(self.stretches, elapsed)
        over = part.frames * part.steps.denominator
        return part.step * over + (elapsed - part.start) * part.steps.numerator, over

    def steps_at(self, elapsed: int) -> tuple[int, ...]:
        """The number of steps done by each search after `elapsed` frames of the race."""
        done, over = self._reached(elapsed)
        steps = [
            min(total, done * scale.numerator // (over * scale.denominator))
            for total, scale in zip(self.totals, self.scales, strict=True)
        ]
        for search, wait in enumerate(self.waits):
            if elapsed <= wait:
                steps[search] = 0
        return tuple(steps)

    def frame_of(self, search: int, step: int) -> int:
        """The first frame of the race that shows a search after `step` steps or more."""
        elapsed = bisect_left(
            range(self.race), step, key=lambda elapsed: self.steps_at(elapsed)[search]
        )
        return self.intro + max(0, elapsed - 1)

    def shots(self, first: int = 0) -> Iterator[Shot]:
        """All pictures of the film in order, from the one on frame `first` on. Frames that show the
        same picture are one shot of several ticks."""
        while first < self.frames:
            shot = self.shot_at(first)
            yield shot
            first = shot.start + shot.ticks

    def shot_at(self, frame: int) -> Shot:
        """The picture shown on `frame`. Raises IndexError outside 0..frames - 1."""
        if not 0 <= frame < self.frames:
            raise IndexError(f"frame {frame} of {self.frames}")
        if self.answer and frame < self.answer.frames:
            return self.answer.shot_at(frame)
        phase, start, end, moving = next(each for each in self._phases if frame < each[2])
        if moving:
            start, end = frame, frame + 1
        return Shot(phase, start, end - start, self.steps_at(frame - self.intro + 1))

    @cached_property
    def _phases(self) -> list[tuple[Phase, int, int, bool]]:
        """The phases in order, some in parts: the first frame, the one after the last, and whether
        each frame has a picture of its own."""
        hold = self.intro + self.race
        card = hold + self.hold
        grown = card + self.growth
        intro = [beat for beat in self.beats if beat.start < self.intro]
        return [
            *((Phase.INTRO, one.start, one.end, one.kind not in ANSWERING) for one in intro),
            (Phase.INTRO, 0, self.intro, False),
            (Phase.RACE, self.intro, hold, True),
            (Phase.HOLD, hold, card, False),
            (Phase.CARD, card, grown, True),
            (Phase.CARD, grown, self.frames, False),
        ]

    def beat_at(self, frame: int) -> Beat | None:
        """The beat of a frame of the film; None if the film has no beats."""
        number = bisect_right(self.beats, frame, key=lambda beat: beat.start) - 1
        return self.beats[max(0, number)] if self.beats else None

    def pace_at(self, elapsed: int) -> Fraction:
        """The steps of the longest search, not rounded, on the frame of the race after `elapsed`
        others."""
        before, after = (Fraction(*self._reached(each)) for each in (elapsed, elapsed + 1))
        return after - before

    def speed_at(self, frame: int) -> Fraction:
        """Steps per second of the longest search on a frame of the film, 0 while the clock is
        stopped."""
        if self.answer and frame < self.answer.frames:
            return self.answer.speed_at(frame)
        elapsed = frame - self.intro
        if not 0 <= elapsed < self.race:
            return Fraction(0)
        return stretch_at(self.stretches, elapsed).pace * self.fps

    @cached_property
    def growth(self) -> int:
        """The number of frames, at the beginning of the end card, during which its bars grow: at
        most 0.6 seconds, and such that the card does not change for two seconds afterwards."""
        return max(0, min(round(self.fps * 3 / 5), self.card - ceil(2 * self.fps)))

    def grown(self, shot: Shot) -> Fraction:
        """The length of the longest bar of the end card in `shot`, 0..1 of its final length."""
        begun = shot.start - (self.frames - self.card) + 1
        return min(Fraction(1), Fraction(begun, self.growth)) if self.growth else Fraction(1)
