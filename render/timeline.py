"""Which steps fall on which frame: integer arithmetic, no pixels.

A film is a run of phases: an intro that holds the givens, the race, a hold of the last state, a
card. In the race a position runs from 0 to 1; each panel multiplies it with its own scale, which
the clock determines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

__all__ = ["Clock", "Pace", "Phase", "Shot", "Timeline", "plan"]


class Phase(StrEnum):
    INTRO = "intro"
    RACE = "race"
    HOLD = "hold"
    CARD = "card"
    STILL = "still"
    """A single picture that is part of no film."""


class Clock(StrEnum):
    """What the panels of a comparison have in common."""

    STEPS = "steps"
    """The same steps per frame in every panel: an honest race."""
    FINISH = "finish"
    """All panels finish together, each at its own speed."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the race runs: `steps_per_frame` (> 0) or, with `duration` (seconds, > 0), so that
    the whole film lasts that long. `ramp` starts and ends at a speed the eye can follow."""

    steps_per_frame: Fraction | None = None
    duration: Fraction | None = None
    ramp: bool = False


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of the film: its phase, the frame it starts on, for how many frames it stands,
    and for each panel the steps done."""

    phase: Phase
    start: int
    ticks: int
    steps: tuple[int, ...]


# The speed a ramp starts with: a person follows about this many steps in a second.
_EYE = 8


@dataclass(frozen=True)
class Timeline:
    """The whole film's timing. `totals` are the panels' steps; frames are counted at `fps`.

    `race` frames run from the first step to the last: frame j of the race (from 0) shows the state
    after `steps_at(j + 1)`.
    """

    fps: Fraction
    totals: tuple[int, ...]
    intro: int
    race: int
    hold: int
    card: int
    clock: Clock = Clock.STEPS
    rate: Fraction | None = None
    """Steps per frame where that was asked for; else the race is fitted into its frames."""
    ramp: bool = False

    @property
    def frames(self) -> int:
        return self.intro + self.race + self.hold + self.card

    @property
    def duration(self) -> Fraction:
        """Seconds."""
        return self.frames / self.fps

    @property
    def longest(self) -> int:
        """The steps of the longest panel."""
        return max(self.totals, default=0)

    @property
    def mean_rate(self) -> Fraction:
        """Steps per frame of the longest panel, taken over the race."""
        if self.rate is not None:
            return self.rate
        return Fraction(self.longest, self.race) if self.race else Fraction(0)

    def position(self, elapsed: int) -> Fraction:
        """How far the race is, 0..1, after `elapsed` of its frames."""
        return Fraction(*self._position(elapsed))

    def _position(self, elapsed: int) -> tuple[int, int]:
        """The position as (numerator, denominator), not reduced: a long film asks it often."""
        if elapsed >= self.race:
            return 1, 1
        if elapsed <= 0:
            return 0, 1
        if self.rate is not None:
            done, whole = elapsed * self.rate.numerator, self.longest * self.rate.denominator
            return min(done, whole), whole
        if not self.ramp:
            return elapsed, self.race
        if 2 * elapsed <= self.race:
            return self._eased(elapsed)
        done, whole = self._eased(self.race - elapsed)
        return whole - done, whole

    def _eased(self, elapsed: int) -> tuple[int, int]:
        """The first half of a ramp: the integral of a speed that rises from the eye's to the top
        over the first quarter of the race, smoothly (3t² - 2t³), and then stays."""
        race = self.race
        slow, gain = self._ramp_speeds
        # slow * x + gain * (x³/q² - x⁴/2q³) up to the end q = race/4 of the rise, then straight on,
        # all over one denominator.
        if 4 * elapsed <= race:
            rise, over = 16 * elapsed**3 * race - 32 * elapsed**4, race**3
        else:
            rise, over = 8 * elapsed - race, 8
        return (
            slow.numerator * elapsed * gain.denominator * over
            + gain.numerator * rise * slow.denominator,
            slow.denominator * gain.denominator * over,
        )

    @cached_property
    def _ramp_speeds(self) -> tuple[Fraction, Fraction]:
        """Per frame, as shares of the race: the speed at the ends, and what the top adds to it."""
        slow = min(Fraction(_EYE) / self.fps / self.longest, Fraction(1, self.race))
        # The area under the speed is `slow` everywhere and the gain over all but two half quarters.
        return slow, (1 - slow * self.race) * 4 / (3 * self.race)

    def steps_at(self, elapsed: int) -> tuple[int, ...]:
        """For each panel, the steps done after `elapsed` frames of the race."""
        part, whole = self._position(elapsed)
        if self.clock is Clock.FINISH:
            return tuple(part * total // whole for total in self.totals)
        done = part * self.longest // whole
        return tuple(min(total, done) for total in self.totals)

    def shots(self) -> Iterator[Shot]:
        """All pictures of the film in order; those that stand still are one with many ticks."""
        start = 0
        steps = self.steps_at(0)
        if self.intro:
            yield Shot(Phase.INTRO, 0, self.intro, steps)
            start = self.intro
        for elapsed in range(1, self.race + 1):
            yield Shot(Phase.RACE, start, 1, self.steps_at(elapsed))
            start += 1
        if self.hold:
            yield Shot(Phase.HOLD, start, self.hold, self.totals)
            start += self.hold
        if self.card:
            yield Shot(Phase.CARD, start, self.card, self.totals)

    def shot_at(self, frame: int) -> Shot:
        """The picture shown on `frame`. Raises IndexError outside 0..frames - 1."""
        if not 0 <= frame < self.frames:
            raise IndexError(f"frame {frame} of {self.frames}")
        if frame < self.intro:
            return Shot(Phase.INTRO, 0, self.intro, self.steps_at(0))
        elapsed = frame - self.intro + 1
        if elapsed <= self.race:
            return Shot(Phase.RACE, frame, 1, self.steps_at(elapsed))
        after = self.intro + self.race
        if frame < after + self.hold:
            return Shot(Phase.HOLD, after, self.hold, self.totals)
        return Shot(Phase.CARD, after + self.hold, self.card, self.totals)


def plan(
    totals: Sequence[int],
    fps: Fraction,
    pace: Pace,
    *,
    clock: Clock = Clock.STEPS,
    intro: Fraction = Fraction(3, 2),
    hold: Fraction = Fraction(3, 2),
    card: Fraction = Fraction(5, 2),
) -> Timeline:
    """The timeline of panels with `totals` steps each; `intro`, `hold` and `card` are seconds.

    A film fitted to a duration has exactly that many frames (rounded to the next); intro, hold
    and card then share at most two fifths of it.
    """
    still = [round(seconds * fps) for seconds in (intro, hold, card)]
    longest = max(totals, default=0)
    rate = None
    if pace.duration is not None:
        frames = max(1, round(pace.duration * fps))
        room = frames * 2 // 5 if longest else frames
        if sum(still) > room or not longest:
            whole = sum(still) or 1
            still = [part * room // whole for part in still]
        race = frames - sum(still) if longest else 0
        if not longest:
            still[0] += frames - sum(still)
    else:
        rate = pace.steps_per_frame or Fraction(1)
        race = -int(-longest // rate)
        if not race and not sum(still):
            still[1] = 1
        if pace.ramp and race:
            rate = None
    return Timeline(fps, tuple(totals), still[0], race, still[1], still[2], clock, rate, pace.ramp)
