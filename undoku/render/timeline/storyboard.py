"""Plans the beats of a story: its passages, their lengths, the speed of the common clock in each,
and its timeline. Pure arithmetic over the steps of the searches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from undoku.render.timeline.beats import (
    ANSWERING,
    NOBODY,
    Beat,
    BeatKind,
    BeatLength,
    lengths_of,
)
from undoku.render.timeline.pace import PaceKind
from undoku.render.timeline.stretches import Stretch, accelerating
from undoku.render.timeline.timeline import Pace, Timeline

_STEPS_PER_SECOND = 20
"""The steps per second with which a passage of few steps is shorter."""

_FIRST_SPEED = Fraction(2)
"""Steps per second with which the race begins."""

_APPROACH = Fraction(4)
"""Steps per second up to the first wrong value, if that is not the first step."""

_STEP_AT = Fraction(3, 5)
"""The share of the beat about a first step after which that step is done."""

MOVING = Fraction(11, 20)
"""Seconds for which the clock stops while boards move to their places for the laps."""

_MAX_FIXED = Fraction(3, 5)
"""The largest share of a film's duration for beats whose lengths are requested."""

FOUND_STOP = Fraction(3, 2)
"""Seconds for which the clock stops where a search for all solutions finds its first one."""

_MAX_STOPPED = Fraction(2, 3)
"""The maximum share of a passage in which the clock stops for solutions."""

_MIN_AFTER_STOP = Fraction(1)
"""The minimum time in seconds from a stop for a solution to the next one, or to the end."""

_MIN_LAPS = Fraction(3, 2)
"""The longest search is shown alone if it takes at least this many times the steps of the second
longest."""

_MIN_LAPS_STEPS = 48
"""It must also have more additional steps than this."""

_LEG, _SHORT_LEG = Fraction(5, 4), Fraction(1, 2)
"""Seconds from the end of a search to the next one, where there are many; in a short story."""

_APART = Fraction(5, 4)
"""The ratio of steps from which two ends are seen one after the other."""

_DROPPED = (
    BeatKind.REWIND,
    BeatKind.END,
    BeatKind.MISTAKE,
    BeatKind.SECOND,
    BeatKind.FIRST,
    BeatKind.FINISH,
    BeatKind.QUESTION,
    BeatKind.RATIO,
    BeatKind.ANSWER,
    BeatKind.OTHERS,
    BeatKind.LAPS,
    BeatKind.CARD,
)
"""The order in which beats are dropped if there is not enough time."""

_RACING = (BeatKind.RACE, BeatKind.OTHERS, BeatKind.LAPS)
"""The beats in which the clock runs for a long time; a film has at least one of them."""


@dataclass(frozen=True, slots=True)
class Explained:
    """What a story explains before the race: the first steps of the searches `first` and `second`
    (numbers, NOBODY for none), and why the value of step `mistake` of search `wrong` is wrong
    (NOBODY for none)."""

    first: int = NOBODY
    second: int = NOBODY
    wrong: int = NOBODY
    mistake: int = 1


@dataclass(frozen=True, slots=True)
class Storyboard:
    """Beats without a gap from frame 0 on, and the stretches of the race, whose frames are counted
    from its first frame. Search n does nothing during the first `waits[n]` frames of the race."""

    beats: tuple[Beat, ...]
    stretches: tuple[Stretch, ...]
    waits: tuple[int, ...]

    def frames_of(self, *kinds: BeatKind) -> int:
        """The number of frames of the beats of these kinds."""
        return sum(beat.frames for beat in self.beats if beat.kind in kinds)


def has_laps(totals: Sequence[int]) -> bool:
    """Whether the longest of these searches, of `totals` steps, is shown alone at the end."""
    ends = sorted(total for total in totals if total)
    if len(ends) < 2:
        return False
    return ends[-2] * _MIN_LAPS <= ends[-1] and ends[-1] - ends[-2] > _MIN_LAPS_STEPS


def plan_storyboard(
    totals: Sequence[int],
    fps: Fraction,
    duration: Fraction | None = None,
    *,
    explained: Explained = Explained(),
    found: Sequence[int] = (),
    opening: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
    short: bool = False,
) -> Storyboard:
    """The storyboard of searches of `totals` steps each (one or more searches, at least one of
    which has steps), at `fps` frames per second.

    `duration` is the length of the whole film in seconds, by default what suits it (with `short`, a
    shorter length). After each of the steps in `found` the clock stops while it runs fast.
    `opening`, `hold` (the last beat before the card) and `card` are the requested seconds of these
    beats, None for the usual ones; 0 omits them."""
    bounds = lengths_of(short=short)
    ends = sorted(total for total in totals if total)
    wanted = {kind: bounds[kind].usual for kind in _present(ends, totals, explained)}
    for kind, (least, steps) in _of_steps(ends).items():
        if kind in wanted:
            wanted[kind] = min(wanted[kind], least + Fraction(steps, _STEPS_PER_SECOND))
    if BeatKind.OTHERS in wanted:
        legs = sum(ends[0] < end for end in _apart(ends))
        if legs > 1:
            leg = _SHORT_LEG if short else _LEG
            wanted[BeatKind.OTHERS] = max(wanted[BeatKind.OTHERS], legs * leg)
    if BeatKind.MISTAKE in wanted:
        wanted[BeatKind.MISTAKE] += (explained.mistake - 1) / _APPROACH
    running = [kind for kind in _RACING if kind in wanted]
    wanted[running[-1]] += FOUND_STOP * len({*found})
    fixed: dict[BeatKind, Fraction] = {}
    requested = (BeatKind.QUESTION, opening), (BeatKind.END, hold), (BeatKind.CARD, card)
    for kind, seconds in requested:
        if seconds is not None:
            wanted.pop(kind, None)
            fixed[kind] = seconds
    taken = sum(fixed.values(), Fraction(0))
    if duration is not None and taken > duration * _MAX_FIXED:
        fixed = {kind: length * duration * _MAX_FIXED / taken for kind, length in fixed.items()}
        taken = duration * _MAX_FIXED
    lengths = wanted
    if duration is not None:
        lengths = _shared(wanted, bounds, max(Fraction(0), duration - taken))
    lengths |= {kind: length for kind, length in fixed.items() if length}
    if BeatKind.RATIO not in lengths:
        lengths.pop(BeatKind.ANSWER, None)
    if BeatKind.ANSWER not in lengths:
        lengths.pop(BeatKind.REWIND, None)
    return _laid_out(totals, _frames_of(lengths, fps, duration), fps, explained, sorted({*found}))


def _present(ends: Sequence[int], totals: Sequence[int], explained: Explained) -> list[BeatKind]:
    """The beats of a film with enough time, in order; `ends` are the steps of the searches that
    have any, ascending."""
    first, last = ends[0], ends[-1]
    until = ends[-2] if has_laps(totals) else last
    has = {
        BeatKind.FIRST: explained.first != NOBODY,
        BeatKind.SECOND: explained.second != NOBODY,
        BeatKind.MISTAKE: explained.wrong != NOBODY and explained.mistake < first,
        BeatKind.FINISH: first < last,
        BeatKind.OTHERS: until > first,
        BeatKind.LAPS: has_laps(totals),
    }
    return [kind for kind in BeatKind if has.get(kind, True)]


def _of_steps(ends: Sequence[int]) -> dict[BeatKind, tuple[Fraction, int]]:
    """Beats that are shorter where they have few steps: their least seconds and their steps, for
    searches that end after `ends`, ascending."""
    return {
        BeatKind.ANSWER: (Fraction(4, 5), ends[-1]),
        BeatKind.RACE: (Fraction(6, 5), ends[0]),
        BeatKind.OTHERS: (Fraction(4, 5), ends[-1] - ends[0]),
        BeatKind.LAPS: (Fraction(2), ends[-1] - ends[0]),
    }


def _apart(ends: Sequence[int]) -> list[int]:
    """Of several ends close to each other, ascending, the last."""
    chosen: list[int] = []
    for end in ends:
        if chosen and end < chosen[-1] * _APART:
            chosen.pop()
        chosen.append(end)
    return chosen


def _shared(
    wanted: Mapping[BeatKind, Fraction], bounds: Mapping[BeatKind, BeatLength], room: Fraction
) -> dict[BeatKind, Fraction]:
    """The seconds of each beat: as `wanted`, scaled so that they fill `room`, within the bounds of
    each beat. Beats for which there is no time are omitted."""
    left = dict(wanted)
    for kind in _DROPPED:
        if sum(min(bounds[each].least, usual) for each, usual in left.items()) <= room:
            break
        if any(other in _RACING for other in left.keys() - {kind}):
            left.pop(kind, None)
    return _scaled(left, bounds, room)


def _scaled(
    wanted: dict[BeatKind, Fraction], bounds: Mapping[BeatKind, BeatLength], room: Fraction
) -> dict[BeatKind, Fraction]:
    """The lengths scaled so that their sum is `room`, each within its `bounds` if possible."""
    settled: dict[BeatKind, Fraction] = {}
    free = dict(wanted)
    while free:
        rest = room - sum(settled.values(), Fraction(0))
        scale = max(Fraction(0), rest) / sum(free.values())
        outside = {}
        for kind, usual in free.items():
            least = min(bounds[kind].least, usual)
            bound = max(least, min(usual * scale, bounds[kind].most))
            if bound != usual * scale:
                outside[kind] = bound
        if not outside or len(outside) == len(free):
            return settled | {kind: usual * scale for kind, usual in free.items()}
        # Some lengths are out of bounds: fix first those on the side on which the total is wrong.
        excess = sum(bound - free[kind] * scale for kind, bound in outside.items())
        fixed = {
            kind: bound
            for kind, bound in outside.items()
            if (bound > free[kind] * scale) == (excess >= 0)
        }
        settled |= fixed
        for kind in fixed:
            del free[kind]
    return settled


def _frames_of(
    seconds: Mapping[BeatKind, Fraction], fps: Fraction, duration: Fraction | None
) -> dict[BeatKind, int]:
    """The frames of each beat, at least one; together exactly those of the `duration`. A difference
    is added to the longest part of the race or taken from it; if that is not enough, beats of one
    frame are omitted."""
    frames = {kind: max(1, round(length * fps)) for kind, length in seconds.items()}
    if duration is None:
        return frames
    whole = max(1, round(duration * fps))
    for kind in _DROPPED:
        if whole >= len(frames) or len(frames) == 1:
            break
        if kind in frames and any(other in _RACING for other in frames.keys() - {kind}):
            del frames[kind]
    kind = max((kind for kind in frames if kind in _RACING), key=lambda kind: frames[kind])
    frames[kind] += whole - sum(frames.values())
    while frames[kind] < 1:
        other = max(frames, key=lambda other: frames[other])
        frames[kind] += 1
        frames[other] -= 1
    return frames


class _Plan:
    """Adds beats one after the other."""

    def __init__(self) -> None:
        self.beats: list[Beat] = []
        self.stretches: list[Stretch] = []
        self.at = self.elapsed = self.step = 0

    def add(self, kind: BeatKind, frames: int) -> None:
        """Add a beat before or after the race."""
        if frames:
            self.beats.append(Beat(kind, self.at, frames, self.step))
            self.at += frames

    def race(self, kind: BeatKind, parts: Sequence[tuple[int, int]], subject: int = NOBODY) -> None:
        """Add a beat of the race; `parts` are its stretches as (frames, steps)."""
        parts = [part for part in parts if part[0]]
        frames, steps = sum(part[0] for part in parts), sum(part[1] for part in parts)
        if not frames:
            return
        self.beats.append(Beat(kind, self.at, frames, self.step, steps, subject))
        for count, own in parts:
            self.stretches.append(Stretch(self.elapsed, count, self.step, own))
            self.elapsed += count
            self.step += own
        self.at += frames


def _laid_out(
    totals: Sequence[int],
    frames: Mapping[BeatKind, int],
    fps: Fraction,
    explained: Explained,
    found: Sequence[int],
) -> Storyboard:
    plan, waits = _Plan(), [0] * len(totals)
    for kind in (*ANSWERING, BeatKind.REWIND):
        plan.add(kind, frames.get(kind, 0))
    for kind, subject in (
        (BeatKind.FIRST, explained.first),
        (BeatKind.SECOND, explained.second),
    ):
        if kind not in frames:
            continue
        before = int(frames[kind] * _STEP_AT)
        if plan.step:
            waits[subject] = plan.elapsed + before
            plan.race(kind, [(frames[kind], 0)], subject)
        else:
            plan.race(kind, [(before, 0), (1, 1), (frames[kind] - before - 1, 0)], subject)
    if BeatKind.MISTAKE in frames:
        steps = max(0, explained.mistake - plan.step)
        moving = min(frames[BeatKind.MISTAKE] // 2, round(steps / _APPROACH * fps))
        parts = [(moving, steps)] if moving else []
        rest = (frames[BeatKind.MISTAKE] - moving, 0 if moving else steps)
        plan.race(BeatKind.MISTAKE, [*parts, rest], explained.wrong)
    # Each of the other beats ends at the step at which the next one must begin.
    ends = sorted(total for total in totals if total)
    until = {
        BeatKind.RACE: ends[0],
        BeatKind.FINISH: ends[0],
        BeatKind.OTHERS: ends[-2] if BeatKind.LAPS in frames else ends[-1],
        BeatKind.LAPS: ends[-1],
    }
    present = [kind for kind in until if kind in frames]
    *_, last_moving = [kind for kind in present if kind in _RACING]
    speed = _FIRST_SPEED
    for kind in present:
        end = ends[-1] if kind is last_moving else until[kind]
        if kind is BeatKind.FINISH:
            plan.race(kind, [(frames[kind], 0)])
            continue
        within = _apart(ends) if kind is BeatKind.OTHERS else found
        legs = [*(each for each in within if plan.step < each < end), end]
        stop = 0
        if kind is not BeatKind.OTHERS and len(legs) > 1:
            most = int(frames[kind] * _MAX_STOPPED) // (len(legs) - 1)
            stop = min(round(FOUND_STOP * fps), most)
        lead = min(round(MOVING * fps), frames[kind] // 4) if kind is BeatKind.LAPS else 0
        parts = _legs(plan.step, legs, frames[kind] - lead, fps, speed, stop)
        subject = totals.index(ends[-1]) if kind is BeatKind.LAPS else NOBODY
        plan.race(kind, [(lead, 0), *parts], subject)
        if parts[-1][1]:
            speed = Fraction(parts[-1][1]) / parts[-1][0] * fps
    plan.race(BeatKind.END, [(frames.get(BeatKind.END, 0), 0)])
    plan.add(BeatKind.CARD, frames.get(BeatKind.CARD, 0))
    return Storyboard(tuple(plan.beats), tuple(plan.stretches), tuple(waits))


def _legs(
    start: int, ends: Sequence[int], frames: int, fps: Fraction, speed: Fraction, stop: int
) -> list[tuple[int, int]]:
    """(frames, steps) of the parts that lead from the step `start` to each of `ends` in turn, in
    equal shares of `frames`, so that searches that end far apart in steps don't end at once. The
    clock stops for `stop` frames after each but the last; the parts after a stop are shorter, down
    to _MIN_AFTER_STOP, if they have fewer steps."""
    parts: list[tuple[int, int]] = []
    moving, count = frames - stop * (len(ends) - 1), len(ends)
    shares = [moving * (at + 1) // count - moving * at // count for at in range(count)]
    if stop:
        for at in range(1, count):
            part = moving * (ends[at] - ends[at - 1]) // (ends[-1] - start)
            shares[at] = min(shares[at], max(round(_MIN_AFTER_STOP * fps), part))
        shares[0] = moving - sum(shares[1:])
    for at, (end, share) in enumerate(zip(ends, shares, strict=True)):
        if at and stop:
            parts.append((stop, 0))
        leg = accelerating(end - start, share, fps, speed)
        if not leg:
            continue  # the next leg leads there, too
        parts += leg
        start = end
        if leg[-1][1]:
            speed = Fraction(leg[-1][1]) / leg[-1][0] * fps
    return parts


def story_timeline(
    totals: Sequence[int],
    fps: Fraction,
    pace: Pace,
    *,
    explained: Explained,
    found: Sequence[int] = (),
    opening: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
) -> Timeline:
    """The timeline of a storyboard for searches of `totals` steps, at least one of which has steps.
    `plan_storyboard` describes the other arguments."""
    board = plan_storyboard(
        totals,
        fps,
        pace.duration,
        explained=explained,
        found=found,
        opening=opening,
        hold=hold,
        card=card,
        short=pace.kind is PaceKind.SHORT,
    )
    main = Timeline(
        fps,
        tuple(totals),
        intro=board.frames_of(*ANSWERING, BeatKind.REWIND),
        race=sum(stretch.frames for stretch in board.stretches),
        hold=0,
        card=board.frames_of(BeatKind.CARD),
        last=max(totals),
        stretches=board.stretches,
        beats=board.beats,
        waits=board.waits,
    )
    answer = Timeline(
        fps,
        tuple(totals),
        intro=board.frames_of(BeatKind.QUESTION),
        race=board.frames_of(BeatKind.ANSWER),
        hold=0,
        card=board.frames_of(BeatKind.RATIO),
        last=max(totals),
        beats=tuple(beat for beat in board.beats if beat.kind in ANSWERING),
    )
    return replace(main, answer=answer) if answer.race else main
