"""The timeline of a film with a given speed or duration, or with cues, exact to the frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from undoku.errors import SettingsError
from undoku.render.timeline.pace import Clock, Cue
from undoku.render.timeline.stretches import Stretch, accelerating, stretches_of
from undoku.render.timeline.timeline import EYE, Pace, Timeline

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
) -> Timeline:
    """The timeline of searches of `totals` steps, which took `seconds` seconds. `intro`, `hold`
    and `card` are seconds of the film; None means the usual length.

    A film with a given duration has exactly that many frames (rounded to the nearest). All parts
    except the race then take at most two fifths of it. Raises SettingsError for a frame rate of 0
    or less and negative lengths, if the race would begin or end outside the longest search, if the
    clock requires times that are not known, and, with the cue's place, for cues that contradict
    each other, the length of the searches or the duration.

    >>> undoku.plan([100, 20], Fraction(30), undoku.Pace(), intro=Fraction(0)).frames
    220
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
    if not (fps > 0 and min(lengths) >= 0):
        raise SettingsError(
            f"a film can't have {float(fps):g} frames per second and parts of "
            f"{', '.join(f'{float(part):g}' for part in lengths)} seconds",
            remedy="give a frame rate above 0, and no part less than 0 seconds",
        )
    still = [round(part * fps) for part in lengths]
    steps: int | Fraction = span
    if pace.duration is not None:
        frames = max(1, round(pace.duration * fps))
        most = frames * 2 // 5 if span else frames
        still = _shared(still, most, fill=not span)
        race = frames - sum(still) if span else 0
        if not span:
            still[0] += frames - sum(still)
    else:
        rate = pace.steps_per_frame or Fraction(1)
        race = -int(-span // rate)
        steps = rate * race
        if not race and not sum(still):
            still[1] = 1
    parts = _ramp(span, race, fps) if pace.ramp and race else [(race, steps)]
    base = Timeline(
        fps,
        tuple(totals),
        still[0],
        race,
        still[1],
        still[2],
        clock,
        pace.first,
        last,
        tuple(seconds),
        stretches_of(parts, pace.first),
    )
    return _cued(base, pace) if pace.cues else base


def _ramp(steps: int, frames: int, fps: Fraction) -> Sequence[tuple[int, int]]:
    """The parts, as (frames, steps), of a race that is slow at both ends."""
    first = accelerating(steps // 2, frames // 2, fps, Fraction(EYE))
    second = accelerating(steps - steps // 2, frames - frames // 2, fps, Fraction(EYE))
    return [*first, *reversed(second)]


def _shared(parts: list[int], frames: int, *, fill: bool) -> list[int]:
    """`parts` in frames, reduced in proportion if their sum exceeds `frames`, and enlarged, too, if
    they must `fill` them."""
    whole = sum(parts)
    return [part * frames // (whole or 1) for part in parts] if whole > frames or fill else parts


_USUAL = 15
"""The seconds for the race if cues, rate and duration leave its speed open."""


class _Passage(NamedTuple):
    """The `steps` steps after step `step`, from a cue (None: from the beginning) to the next. The
    clock first stops for `pause` frames. `rate` is the requested number of steps per frame."""

    cue: Cue | None
    step: int
    steps: int
    pause: int
    rate: Fraction | None

    @property
    def taken(self) -> int:
        """The frames that the requests determine."""
        return self.pause + (ceil(self.steps / self.rate) if self.rate else 0)

    @property
    def free(self) -> int:
        """The steps whose speed is not requested."""
        return 0 if self.rate else self.steps


def _cued(base: Timeline, pace: Pace) -> Timeline:
    """The timeline `base` with the cues of `pace`, which may be in any order; what they leave open
    follows from its rate or duration.

    The film is divided into sections, each of which ends at a cue with a time, or with the race. In
    a section the clock stops for the pauses and runs at the given speeds; the remaining time of a
    section is divided among its other steps, at one speed.
    """
    cues = _ordered(pace.cues, base)
    passages = _passages(cues, base)
    stretches: list[Stretch] = []
    section: list[_Passage] = []
    elapsed = 0
    for passage, end in zip(passages, [*cues, None], strict=True):
        section.append(passage)
        if end and end.at is None:
            continue
        room = None
        if end or pace.duration is not None:
            room = (_elapsed_at(end, base) if end else base.race) - elapsed
        stretches += _section(section, elapsed, room, end, base, pace)
        elapsed = sum(stretch.frames for stretch in stretches)
        section = []
    return replace(base, race=elapsed, stretches=tuple(stretches))


def _ordered(cues: Sequence[Cue], base: Timeline) -> list[Cue]:
    """The cues in the order of their steps, which must exist and differ. Raises SettingsError."""
    known = [replace(cue, step=base.last if cue.step is None else cue.step) for cue in cues]
    known.sort(key=lambda cue: cue.step or 0)
    for number, cue in enumerate(known):
        step = cue.step or 0
        if not base.first <= step <= base.last:
            raise SettingsError(
                f"there is no step {step:,} in the film",
                place=cue.place,
                remedy=f"take {base.first:,} to {base.last:,}",
            )
        if number and known[number - 1].step == step:
            raise SettingsError(
                f"there are two cues at step {step:,}", place=cue.place, remedy="merge them"
            )
    return known


def _passages(cues: Sequence[Cue], base: Timeline) -> list[_Passage]:
    """The passages from the beginning to the first cue, from each cue to the next, and to the
    end."""
    found = []
    rate: Fraction | None = None
    steps = [base.first, *(cue.step or 0 for cue in cues), base.last]
    for cue, step, after in zip([None, *cues], steps, steps[1:], strict=False):
        pause = round(cue.pause * base.fps) if cue else 0
        if cue and (cue.speed is not None or cue.at is not None):
            # A speed holds until the next cue with a speed or a time.
            rate = cue.speed / base.fps if cue.speed else None
        found.append(_Passage(cue, step, after - step, pause, rate))
    return found


def _elapsed_at(cue: Cue, base: Timeline) -> int:
    """The number of frames of the race after which the step of a cue with a time is reached."""
    assert cue.at is not None
    frame = round(cue.at * base.fps)
    # The first frame of the race shows its steps; the intro shows the state before them.
    elapsed = frame - base.intro + (cue.step != base.first)
    if elapsed < 0:
        raise SettingsError(
            f"step {cue.step:,} can't be at {float(cue.at):g} s: the race begins at "
            f"{float(base.intro / base.fps):g} s",
            place=cue.place,
            remedy="take a later time, or a shorter --intro",
        )
    return elapsed


def _section(
    passages: Sequence[_Passage],
    start: int,
    room: int | None,
    end: Cue | None,
    base: Timeline,
    pace: Pace,
) -> Iterator[Stretch]:
    """The stretches of a section that begins after `start` frames of the race and has `room`
    frames; None if its length is open. `end` is the cue at its end."""
    taken = sum(passage.taken for passage in passages)
    free = sum(passage.free for passage in passages)
    if not any(one.steps for one in passages):
        # There are no steps before the first cue: the clock waits.
        passages = [passages[0]._replace(pause=max(passages[0].pause, room or 0))]
        taken = passages[0].pause
    if room is None:
        usual = pace.steps_per_frame or Fraction(max(1, free)) / (_USUAL * base.fps)
        passages = [one._replace(rate=one.rate or usual) for one in passages]
    else:
        earliest = taken + sum(bool(one.free) for one in passages)
        if room < earliest or (room > taken and not free):
            if end is None:
                last = passages[0].cue
                raise SettingsError(
                    f"the steps after step {passages[0].step:,} don't fit into the duration",
                    place=last.place if last else None,
                    remedy="take another duration, or leave it out",
                )
            raise _mismatch(end, start + earliest, base, least=bool(free))
    done = 0
    for one in passages:
        frames = one.taken - one.pause
        if not one.rate and one.steps and room is not None:
            open_frames = room - taken
            frames = (done + one.steps) * open_frames // free - done * open_frames // free
            done += one.steps
        moving = one.rate * frames if one.rate else one.steps
        for count, steps in ((one.pause, 0), (frames, moving)):
            if count:
                yield Stretch(start, count, one.step, steps)
                start += count


def _mismatch(cue: Cue, elapsed: int, base: Timeline, *, least: bool) -> SettingsError:
    """The error for a cue that is reached after `elapsed` frames of the race, not at its time."""
    seconds = float(Fraction(base.intro + elapsed - 1) / base.fps)
    when = f"at {seconds:g} s at the earliest" if least else f"at {seconds:g} s"
    assert cue.at is not None
    return SettingsError(
        f"step {cue.step:,} can't be at {float(cue.at):g} s: by the cues before it comes {when}",
        place=cue.place,
        remedy="change its time, or the pauses and speeds before",
    )
