"""The speed of the clock of a story, or of a film with cues, in words."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.timeline import Timeline
from undoku.texts import story_texts
from undoku.texts import wording as say

__all__ = ["speed_texts", "speed_turns"]

_WHOLE = Fraction(3, 2)
"""From this number of steps per second on, the speed is stated as an integer."""


def speed_texts(timeline: Timeline, frame: int, *, pencils: bool = False) -> list[str]:
    """The speed of the common clock on a frame of the film, the fullest text first; before the
    first step an explanation of steps, at the first step of the small digits where boards have
    `pencils`, and a space while the clock is stopped."""
    speed, beat = timeline.speed_at(frame), timeline.beat_at(frame)
    if beat and beat.kind in (BeatKind.OPENING, BeatKind.RULES):
        return [story_texts.A_STEP(), story_texts.A_STEP_BRIEFLY(), " "]
    if beat and beat.kind is BeatKind.FIRST_STEP:
        return [*([story_texts.SMALL_DIGITS()] if pencils else []), say.STEP_NUMBER(step=1)]
    if not speed:
        return [" "]
    text = say.RATE_SECOND(count=round(speed) if speed >= _WHOLE else speed)
    done = timeline.steps_at(frame - timeline.intro)
    running = sum(total > step for total, step in zip(timeline.totals, done, strict=True))
    if len(timeline.totals) < 2 or running < 2:
        return [text]
    boards = say.ON_BOTH_BOARDS if len(timeline.totals) == 2 else say.ON_ALL_BOARDS
    return [boards(speed=text), text]


def speed_turns(timeline: Timeline) -> Iterator[int]:
    """The frames on which the stated speed may change."""
    if timeline.shows_speed:
        yield from (timeline.intro + part.start for part in timeline.stretches)
        yield timeline.intro + timeline.race
