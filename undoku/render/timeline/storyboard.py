"""Plans a story: its beats, their lengths, the speed of the common clock in each, and its timeline.
Pure arithmetic over the steps of the searches.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from undoku.render.timeline.beats import (
    ANSWERING,
    EXPLAINING,
    LENGTHS,
    NOBODY,
    SHORT_LENGTHS,
    Beat,
    BeatKind,
    BeatLength,
)
from undoku.render.timeline.pace import PaceKind
from undoku.render.timeline.stretches import Stretch, accelerating, stretches_of
from undoku.render.timeline.timeline import EYE, Pace, Timeline

_LETTERS_PER_SECOND, _SHORT_LETTERS_PER_SECOND = 17, 25
"""The letters of its sentences for which a beat is a second longer; in a short story, which is seen
again and again."""

_BEGINNING = 10
"""Seconds in which at most _LETTERS_PER_SECOND appear of all texts, except in a short story."""

_STEPS_PER_SECOND = 20
"""The steps per second with which a passage of few steps is shorter."""

_FIRST_SPEED = Fraction(2)
"""Steps per second with which the race begins."""

_APPROACH = Fraction(4)
"""Steps per second up to the first wrong value, if that is not the first step."""

_STEP_AT = Fraction(3, 5)
"""The share of the beat about a step after which that step is done."""

MOVING = Fraction(1, 2)
"""Seconds for which the clock stops while boards move to their places for the laps."""

_MAX_FIXED = Fraction(3, 5)
"""The largest share of a film's duration for beats whose lengths are requested."""

FOUND_STOP = Fraction(3, 2)
"""Seconds for which the clock stops where a search for all solutions finds its first one."""

_MAX_STOPPED = Fraction(2, 3)
"""The maximum share of a passage in which the clock stops for solutions."""

_MIN_LEG = Fraction(1)
"""The minimum time in seconds from the end of a search, or a stop for a solution, to the next one,
if there is time."""

_MIN_LAPS = Fraction(3, 2)
"""The longest search is shown alone if it takes at least this many times the steps of the second
longest."""

_MIN_LAPS_STEPS = 48
"""It must also have more additional steps than this."""

_APART = Fraction(5, 4)
"""The ratio of steps from which two ends are seen one after the other."""

_DROPPED = (
    (BeatKind.REWIND,),
    (BeatKind.END,),
    (BeatKind.FASTEST,),
    (BeatKind.MISTAKE,),
    (BeatKind.SECOND,),
    (BeatKind.FIRST,),
    (BeatKind.FINISH,),
    (BeatKind.QUESTION,),
    (BeatKind.RATIO, BeatKind.ANSWER),
    (BeatKind.OTHERS,),
    (BeatKind.LAPS,),
    (BeatKind.CARD,),
)
"""The order in which beats are dropped if there is not enough time."""

_RACING = (BeatKind.RACE, BeatKind.OTHERS, BeatKind.LAPS)
"""The beats in which the clock runs for a long time; a film has at least one of them."""

_OUTSIDE = (*ANSWERING, BeatKind.REWIND, BeatKind.CARD)
"""The beats before and after the race."""


class Told(NamedTuple):
    """What a beat tells: it is about search number `search` (NOBODY for all), up to its step
    `step`, in sentences of `letters` letters. At its beginning `first` letters appear, of the first
    sentence or of other texts."""

    search: int = NOBODY
    step: int = 0
    letters: int = 0
    first: int = 0


def story_timeline(
    totals: Sequence[int],
    fps: Fraction,
    pace: Pace,
    *,
    told: Mapping[BeatKind, Told],
    found: Collection[int] = (),
    requested: Mapping[BeatKind, Fraction] = {},
) -> Timeline:
    """The timeline of a story of searches of `totals` steps, one or more, at `fps` frames per
    second, in the duration of the `pace`, or by default what suits them.

    Beats about single steps are those in `told`. After each of the steps in `found` the clock stops
    while it runs fast. `requested` are the seconds of some of the question, the end and the card; 0
    omits one."""
    ends = sorted(total for total in totals if total)
    short = pace.kind is PaceKind.SHORT
    lengths = SHORT_LENGTHS if short else LENGTHS
    wanted = _wanted(ends, told, lengths, short=short)
    if ends and found:
        *_, last_moving = [kind for kind in _RACING if kind in wanted]
        wanted[last_moving] += FOUND_STOP * len({*found})
    frames = _frames(wanted, lengths, requested, fps, pace.duration)
    beats: list[Beat] = []
    parts: list[tuple[int, int]] = []
    waits = [0] * len(totals)
    at = step = 0
    speed = _FIRST_SPEED
    for kind in sorted(frames, key=[*BeatKind].index):
        count, own = frames[kind], told.get(kind, Told())
        made = [(count, 0)]
        if kind in (BeatKind.FIRST, BeatKind.SECOND) and own.step:
            lead = own.step - 1 - step
            pause = max(0, min(count - 4, round(MOVING * fps))) if lead > 0 else 0
            moving = max(1, min((count - pause) // 2, round(lead / EYE * fps))) if lead > 0 else 0
            left = count - pause - moving
            before = int(left * _STEP_AT)
            if lead < 0:
                waits[own.search] = sum(each for each, _ in parts) + before
            else:
                made = [(pause, 0), (moving, lead), (before, 0), (1, 1), (left - before - 1, 0)]
        elif kind is BeatKind.MISTAKE:
            steps = max(0, own.step - step)
            moving = min(count // 2, round(steps / _APPROACH * fps))
            pause = min(count // 3, round(MOVING * fps))  # boards that move show no steps
            made = [(pause, 0), (moving, steps), (count - pause - moving, 0)]
            made = made if moving else [(count, steps)]
        elif kind in _RACING:
            made = _raced(kind, frames, ends, step, {*found}, fps, speed)
            speed = Fraction(made[-1][1]) / made[-1][0] * fps or speed
        if kind is BeatKind.LAPS:
            own = Told(totals.index(ends[-1]))
        steps = sum(steps for _, steps in made)
        beats.append(Beat(kind, at, count, step, steps, own.search))
        at, step = at + count, step + steps
        if ends and kind not in _OUTSIDE:
            parts += made
    race = sum(count for count, _ in parts)
    card = frames.get(BeatKind.CARD, 0)
    intro = at - race - card
    first_pass = tuple(beat for beat in beats if beat.kind in ANSWERING)
    opening, answer, ratio = (frames.get(kind, 0) for kind in ANSWERING)
    longest = max(totals)

    def timeline(**more: Any) -> Timeline:
        return Timeline(fps, tuple(totals), hold=0, last=longest, **more)

    return timeline(
        intro=intro,
        race=race,
        card=card,
        stretches=stretches_of(parts, 0),
        beats=tuple(beats),
        waits=tuple(waits),
        answer=timeline(
            intro=opening,
            race=answer,
            card=ratio,
            stretches=(Stretch(0, answer, 0, longest),),
            beats=first_pass,
        )
        if answer
        else None,
    )


def _wanted(
    ends: Sequence[int],
    told: Mapping[BeatKind, Told],
    lengths: Mapping[BeatKind, BeatLength],
    *,
    short: bool,
) -> dict[BeatKind, Fraction]:
    """The seconds of the beats of a film with enough time; `ends` are the steps of the searches
    that have any, ascending."""
    rate = _SHORT_LETTERS_PER_SECOND if short else _LETTERS_PER_SECOND
    wanted = {}
    for kind in _present(ends, told, short=short):
        usual, least, most = lengths[kind]
        reading = Fraction(told[kind].letters if kind in told else 0, rate)
        wanted[kind] = min(most, max(least, usual + reading))
    if not ends:
        return wanted
    few = {
        BeatKind.ANSWER: (Fraction(4, 5), ends[-1]),
        BeatKind.RACE: (Fraction(6, 5), ends[0]),
        BeatKind.OTHERS: (Fraction(4, 5), ends[-1] - ends[0]),
        BeatKind.LAPS: (Fraction(2), ends[-1] - ends[0]),
    }
    for kind, (least, steps) in few.items():
        if kind in wanted:
            wanted[kind] = min(wanted[kind], least + Fraction(steps, _STEPS_PER_SECOND))
    legs = sum(ends[0] < end for end in _apart(ends))
    if BeatKind.OTHERS in wanted and legs > 1:
        wanted[BeatKind.OTHERS] = max(
            wanted[BeatKind.OTHERS], legs * lengths[BeatKind.OTHERS].least
        )
    step = 0
    for kind in (each for each in (BeatKind.FIRST, BeatKind.SECOND) if each in wanted):
        lead, step = told[kind].step - 1 - step, max(1, told[kind].step)
        if lead > 0:  # the steps before it are taken from the race
            more = MOVING + Fraction(lead, EYE)
            wanted[kind] += more
            wanted[BeatKind.RACE] = max(lengths[BeatKind.RACE].least, wanted[BeatKind.RACE] - more)
    if BeatKind.MISTAKE in wanted:
        wanted[BeatKind.MISTAKE] += max(0, told[BeatKind.MISTAKE].step - step) / _APPROACH
    if not short:
        _read_in_time(wanted, told)
    return wanted


def _read_in_time(wanted: dict[BeatKind, Fraction], told: Mapping[BeatKind, Told]) -> None:
    """Make beats about single steps, of these seconds, so long that all that appears in the first
    ones of the film can be read: the sentence with which there would be too many letters begins
    after these seconds."""
    most, at, seen, before = _BEGINNING * _LETTERS_PER_SECOND, Fraction(), 0, BeatKind.QUESTION
    for kind in [*wanted]:
        own, left = told.get(kind, Told()), max(Fraction(), _BEGINNING - at)
        if before in EXPLAINING and seen + own.first > most:
            wanted[before] += left
            break
        seen += max(own.first, own.letters)
        if kind in EXPLAINING and seen > most:  # half of it has passed when the second one begins
            wanted[kind] = max(wanted[kind], 2 * left)
        at, before = at + wanted[kind], kind


def _present(ends: Sequence[int], told: Mapping[BeatKind, Told], *, short: bool) -> list[BeatKind]:
    """The beats of a film with enough time, in order. A short story has no laps."""
    if not ends:
        return [BeatKind.QUESTION, *told, BeatKind.CARD]
    first, last = ends[0], ends[-1]
    laps = _has_laps(ends) and not short
    until = ends[-2] if laps else last
    explains = BeatKind.MISTAKE in told and told[BeatKind.MISTAKE].step < first
    has = {
        BeatKind.FIRST: BeatKind.FIRST in told,
        BeatKind.SECOND: BeatKind.SECOND in told,
        BeatKind.MISTAKE: explains,
        BeatKind.FASTEST: explains and BeatKind.FASTEST in told,
        BeatKind.FINISH: first < last,
        BeatKind.OTHERS: until > first,
        BeatKind.LAPS: laps,
    }
    return [kind for kind in BeatKind if has.get(kind, True)]


def _has_laps(ends: Sequence[int]) -> bool:
    """Whether the longest of searches of so many steps, ascending, is shown alone at the end."""
    if len(ends) < 2:
        return False
    return ends[-2] * _MIN_LAPS <= ends[-1] and ends[-1] - ends[-2] > _MIN_LAPS_STEPS


def _apart(ends: Sequence[int]) -> list[int]:
    """Of several ends close to each other, ascending, the last."""
    chosen: list[int] = []
    for end in ends:
        if chosen and end < chosen[-1] * _APART:
            chosen.pop()
        chosen.append(end)
    return chosen


def _frames(
    wanted: Mapping[BeatKind, Fraction],
    lengths: Mapping[BeatKind, BeatLength],
    requested: Mapping[BeatKind, Fraction],
    fps: Fraction,
    duration: Fraction | None,
) -> dict[BeatKind, int]:
    """The frames of each beat, one or more: as long as `requested`, others as `wanted`. If there is
    a `duration`, others are scaled to fill it, within the bounds of each, and those for which there
    is no time are omitted."""
    fixed = {kind: round(seconds * fps) for kind, seconds in requested.items()}
    left = {kind: seconds * fps for kind, seconds in wanted.items() if kind not in fixed}
    frames, at = dict[BeatKind, int](), Fraction()
    for kind, usual in left.items():
        frames[kind], at = max(1, round(at + usual) - round(at)), at + usual
    if duration is not None:
        whole = max(1, round(duration * fps))
        taken, most = sum(fixed.values()), int(whole * _MAX_FIXED)
        if taken > most:
            fixed = {kind: count * most // taken for kind, count in fixed.items()}
        frames = _filling(left, lengths, fps, whole - sum(fixed.values()))
    return frames | {kind: count for kind, count in fixed.items() if count}


def _filling(
    wanted: Mapping[BeatKind, Fraction],
    lengths: Mapping[BeatKind, BeatLength],
    fps: Fraction,
    room: int,
) -> dict[BeatKind, int]:
    """The beats of `wanted` frames for which there is time, scaled to fill `room` frames."""
    least = {
        kind: max(1, round(min(lengths[kind].least * fps, usual))) for kind, usual in wanted.items()
    }
    for kinds in _DROPPED:
        if sum(least.values()) <= room:
            break
        if any(other in _RACING for other in least.keys() - {*kinds}):
            least = {kind: count for kind, count in least.items() if kind not in kinds}

    def scaled(thousandths: int) -> dict[BeatKind, int]:
        return {
            kind: max(few, round(min(wanted[kind] * thousandths / 1000, lengths[kind].most * fps)))
            for kind, few in least.items()
        }

    scale = bisect_right(range(10**9), room, key=lambda each: sum(scaled(each).values())) - 1
    frames = scaled(max(0, scale))
    rest = room - sum(frames.values())
    racing = [kind for kind in _RACING if kind in frames]
    frames[max(racing or frames, key=frames.__getitem__)] += rest
    return frames


def _raced(
    kind: BeatKind,
    frames: Mapping[BeatKind, int],
    ends: Sequence[int],
    step: int,
    found: Collection[int],
    fps: Fraction,
    speed: Fraction,
) -> list[tuple[int, int]]:
    """(frames, steps) of the parts of a beat in which the clock runs, from a step on, at first at
    `speed` steps per second, up to the step at which the next beat must begin. It leads to the end
    of each search, or to each solution, where the clock stops, in equal shares of the time, so that
    ends far apart in steps don't come at once; later shares are shorter, down to _MIN_LEG, if they
    have fewer steps."""
    later = [other for other in _RACING[_RACING.index(kind) + 1 :] if other in frames]
    until = {BeatKind.RACE: ends[0], BeatKind.OTHERS: ends[-2 if later else -1]}
    end = max(step, until.get(kind, ends[-1]) if later else ends[-1])
    within = _apart(ends) if kind is BeatKind.OTHERS else sorted(found)
    legs = [step, *(each for each in within if step < each < end), end]
    stops = len(legs) - 2
    stop = lead = 0
    if kind is not BeatKind.OTHERS and stops:
        stop = min(round(FOUND_STOP * fps), int(frames[kind] * _MAX_STOPPED) // stops)
    if kind is BeatKind.LAPS:
        lead = min(round(MOVING * fps), frames[kind] // 4)
        speed = max(speed, Fraction(ends[0]))  # the first lap takes a second at most
    moving, least = frames[kind] - lead - stop * stops, round(_MIN_LEG * fps)
    shares = [
        min(moving // (stops + 1), max(least, moving * (after - before) // (end - step)))
        for before, after in pairwise(legs[1:])
    ]
    parts = [(lead, 0)]
    for at, share in enumerate([moving - sum(shares), *shares]):
        leg = accelerating(legs[at + 1] - step, share, fps, speed)
        if at:
            parts.append((stop, 0))
        if leg:  # otherwise the next one leads there, too
            parts += leg
            step = legs[at + 1]
            speed = Fraction(leg[-1][1]) / leg[-1][0] * fps or speed
    return [part for part in parts if part[0]]
