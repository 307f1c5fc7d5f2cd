"""The timeline of a film with a given speed or duration."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.errors import SettingsError
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace, Timeline

__all__ = ["plan"]

INTRO, HOLD, CARD = Fraction(3, 2), Fraction(3, 2), Fraction(5, 2)
"""The usual seconds for the givens, the last boards and the end card."""


def plan(
    totals: Sequence[int],
    fps: Fraction,
    pace: Pace,
    *,
    clock: Clock = Clock.STEPS,
    seconds: Sequence[Fraction] = (),
    intro: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
    title: Fraction = Fraction(0),
) -> Timeline:
    """The timeline of searches of `totals` steps, which took `seconds` seconds. `intro`, `hold`,
    `card` and `title` (the title card before the intro) are seconds of the film; None means the
    usual length.

    A film with a given duration has exactly that many frames (rounded to the nearest). All parts
    except the race then take at most two fifths of it, and a title card that would be shorter than
    a second, which nobody could read, is omitted. Raises SettingsError if the race would begin or
    end outside the longest search, or if the clock requires times that are not known.
    """
    longest = max(totals, default=0)
    last = longest if pace.last is None else pace.last
    if not 0 <= pace.first <= last <= longest:
        raise SettingsError(
            f"a race can't go from step {pace.first:,} to step {last:,}",
            remedy=f"the longest search has the steps 0 to {longest:,}",
        )
    if clock is Clock.TIME and not all(seconds):
        raise SettingsError(
            "the clock time needs measured times, which a recorded trace lacks",
            remedy="use the clock steps or finish",
        )
    span = last - pace.first
    requested = zip((intro, hold, card), (INTRO, HOLD, CARD), strict=True)
    lengths = [usual if part is None else part for part, usual in requested]
    still = [round(part * fps) for part in (*lengths, title)]
    rate = None
    if pace.duration is not None:
        frames = max(1, round(pace.duration * fps))
        most = frames * 2 // 5 if span else frames
        wished, still = still, _shared(still, most, fill=not span)
        if still[3] < wished[3] and still[3] < fps:
            still = _shared([*wished[:3], 0], most, fill=not span)
        race = frames - sum(still) if span else 0
        if not span:
            still[0] += frames - sum(still)
    else:
        rate = pace.steps_per_frame or Fraction(1)
        race = -int(-span // rate)
        if not race and not sum(still):
            still[1] = 1
        if pace.ramp and race:
            rate = None
    return Timeline(
        fps,
        tuple(totals),
        still[3] + still[0],
        race,
        still[1],
        still[2],
        clock,
        rate,
        pace.ramp,
        pace.first,
        last,
        tuple(seconds),
        title=still[3],
    )


def _shared(parts: list[int], frames: int, *, fill: bool) -> list[int]:
    """`parts` in frames, reduced in proportion if their sum exceeds `frames`, and enlarged, too, if
    they must `fill` them."""
    whole = sum(parts)
    return [part * frames // (whole or 1) for part in parts] if whole > frames or fill else parts
