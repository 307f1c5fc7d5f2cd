"""Plans the beats of a story: its passages, their lengths, the speed of the common clock in each,
and its timeline. Pure arithmetic over the steps of the searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from undoku.render.timeline.beat_lengths import (
    FOUND_STOP,
    LAST,
    MAX_FIXED,
    SLOW_FROM,
    SLOW_TO,
    STOP,
    Marks,
    frames_of,
    marks_of,
    shared,
)
from undoku.render.timeline.beats import Beat, BeatKind
from undoku.render.timeline.pace import PaceKind
from undoku.render.timeline.stretches import Stretch, accelerating
from undoku.render.timeline.timeline import Pace, Timeline

_MAX_STOPPED = Fraction(2, 3)
"""The maximum share of a fast passage in which the clock stops for solutions."""

_MIN_AFTER_STOP = Fraction(1)
"""The minimum time in seconds from a stop for a solution to the next one, or to the end."""

_LATER_FINISH = Fraction(58, 101)
"""The share of the finish that follows the spotlight in turns: the state of the last search takes
longer to read than that of the first one."""

_EARLIER_RULE, _EARLIER_STEP = Fraction(41, 93), Fraction(47, 86)
"""The shares of the rules and of the first step for the search that is large first. Its rule is
read from the opening on."""


@dataclass(frozen=True, slots=True)
class Storyboard:
    """Beats without a gap from frame 0 on, and the stretches of the race, whose frames are counted
    from the first frame after the intro."""

    beats: tuple[Beat, ...]
    stretches: tuple[Stretch, ...]

    def frames_of(self, *kinds: BeatKind) -> int:
        """The number of frames of the beats of these kinds."""
        return sum(beat.frames for beat in self.beats if beat.kind in kinds)

    @property
    def before(self) -> int:
        """The number of frames before the race."""
        race = sum(stretch.frames for stretch in self.stretches)
        return sum(beat.frames for beat in self.beats) - race - self.frames_of(BeatKind.CARD)


def plan_storyboard(
    totals: Sequence[int],
    fps: Fraction,
    duration: Fraction | None = None,
    *,
    rules: bool = True,
    stops: Sequence[int] = (),
    found: Sequence[int] = (),
    opening: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
    short: bool = False,
    solo: bool = False,
    last_steps: bool = True,
) -> Storyboard:
    """The storyboard of searches of `totals` steps each (one or more searches, at least one of
    which has steps), at `fps` frames per second.

    `duration` is the length of the whole film in seconds, by default what suits it (with `short`, a
    shorter length). `rules` states that at least one strategy has a rule that can be shown. After
    each of the steps in `stops` the clock stops in the slow passage, and after each of those in
    `found` in the acceleration and in the remainder. `opening`, `hold` (the last beat before the
    card) and `card` are the requested seconds of these beats, None for the usual ones; 0 omits
    them. With `solo` two searches are shown large one after the other, the first one until step 1.
    Only with `last_steps` are those of the longest search slow."""
    found = sorted({*found})
    marks = marks_of(totals, stops, found, solo=solo, last_steps=last_steps)
    wanted = dict(marks.lengths)
    if not rules:
        wanted.pop(BeatKind.RULES)
    fixed: dict[BeatKind, Fraction] = {}
    requested = ((BeatKind.OPENING, opening), (BeatKind.END, hold), (BeatKind.CARD, card))
    for kind, seconds in requested:
        if seconds is not None:
            wanted.pop(kind, None)
            fixed[kind] = seconds
    taken = sum(fixed.values(), Fraction(0))
    if duration is not None and taken > duration * MAX_FIXED:
        fixed = {kind: length * duration * MAX_FIXED / taken for kind, length in fixed.items()}
        taken = duration * MAX_FIXED
    stopped = STOP * len(marks.stops)
    lengths = shared(wanted, duration, taken, stopped, short=short, solo=solo)
    lengths |= {kind: length for kind, length in fixed.items() if length}
    return _laid_out(marks, lengths, fps, duration, found)


class _Plan:
    """Adds beats one after the other."""

    def __init__(self, fps: Fraction) -> None:
        self.fps = fps
        self.beats: list[Beat] = []
        self.stretches: list[Stretch] = []
        self.at = 0
        self.elapsed = 0
        self.step = 0

    def add(self, kind: BeatKind, frames: int) -> None:
        """Add a beat before or after the race."""
        if frames:
            self.beats.append(Beat(kind, self.at, frames, self.step))
            self.at += frames

    def race(self, kind: BeatKind, parts: Sequence[tuple[int, int]]) -> None:
        """Add a beat of the race; `parts` are its stretches as (frames, steps)."""
        parts = [part for part in parts if part[0]]
        frames, steps = sum(part[0] for part in parts), sum(part[1] for part in parts)
        if not frames:
            return
        self.beats.append(Beat(kind, self.at, frames, self.step, steps))
        for count, own in parts:
            self.stretches.append(Stretch(self.elapsed, count, self.step, own))
            self.elapsed += count
            self.step += own
        self.at += frames

    def hurry(self, steps: int, *, longer: bool) -> None:
        """Show `steps` further steps on one frame: an additional one if the film may get `longer`,
        otherwise the last one of the race."""
        if self.stretches and not longer:
            stretch, beat = self.stretches[-1], self.beats[-1]
            if stretch.frames == 1:
                self.stretches[-1] = replace(stretch, steps=stretch.steps + steps)
                self.beats[-1] = replace(beat, steps=beat.steps + steps)
                self.step += steps
                return
            self.stretches[-1] = replace(stretch, frames=stretch.frames - 1)
            self.beats[-1] = replace(beat, frames=beat.frames - 1)
            self.elapsed -= 1
            self.at -= 1
        self.race(BeatKind.ACCELERATION, [(1, steps)])


def _laid_out(
    marks: Marks,
    seconds: dict[BeatKind, Fraction],
    fps: Fraction,
    duration: Fraction | None,
    found: Sequence[int],
) -> Storyboard:
    frames = frames_of(seconds, fps, duration)

    def length(kind: BeatKind) -> int:
        return frames.get(kind, 0)

    solo = BeatKind.TURN in frames
    plan = _Plan(fps)
    plan.add(BeatKind.OPENING, length(BeatKind.OPENING))
    # In turns each search has its part of the rules and of the first step.
    rule, step = length(BeatKind.RULES), length(BeatKind.FIRST_STEP)
    if solo:
        rule, step = int(rule * _EARLIER_RULE), max(1, int(step * _EARLIER_STEP))
    plan.add(BeatKind.RULES, rule)
    if BeatKind.FIRST_STEP in frames and marks.last:
        plan.race(BeatKind.FIRST_STEP, [(1, 1), (step - 1, 0)])
    plan.race(BeatKind.TURN, [(length(BeatKind.TURN), 0)])
    plan.race(BeatKind.FIRST_STEP, [(length(BeatKind.FIRST_STEP) - step, 0)])
    plan.race(BeatKind.RULES, [(length(BeatKind.RULES) - rule, 0)])
    speed = Fraction(SLOW_FROM)
    leads = BeatKind.ACCELERATION not in frames
    plan.race(BeatKind.SLOW, _slow_parts(plan, marks, length(BeatKind.SLOW), leads=leads))
    if BeatKind.SLOW in frames:
        speed = Fraction(SLOW_TO)
    # Each of the other beats ends at the step at which the next one must begin.
    nearly = marks.last - (LAST if BeatKind.LAST_STEPS in frames else 0)
    ends = [
        (BeatKind.ACCELERATION, min(marks.first_end, nearly)),
        (BeatKind.FINISH, marks.first_end),
        (BeatKind.OTHERS, marks.second_end),
        (BeatKind.SPOTLIGHT, marks.second_end),
        (BeatKind.REMAINDER, nearly),
        (BeatKind.LAST_STEPS, marks.last),
    ]
    present = [(kind, end) for kind, end in ends if kind in frames]
    stopped = BeatKind.FINISH, BeatKind.SPOTLIGHT
    *_, last_moving = [None, *(kind for kind, _ in present if kind not in stopped)]
    # In turns the state of the last search is read when its board is large.
    halved = solo and BeatKind.SPOTLIGHT in frames
    later_finish = int(length(BeatKind.FINISH) * _LATER_FINISH) if halved else 0
    for kind, until in present:
        if kind is BeatKind.FINISH:
            plan.race(kind, [(length(kind) - later_finish, 0)])
            continue
        if kind is BeatKind.SPOTLIGHT:
            plan.race(kind, [(length(kind), 0)])
            plan.race(BeatKind.FINISH, [(later_finish, 0)])
            continue
        if kind is BeatKind.LAST_STEPS:
            parts = [(length(kind), until - plan.step)]
        else:
            # The last one covers the steps that no later beat covers.
            end = nearly if kind is last_moving else until
            within = marks.ends if kind is BeatKind.OTHERS else found
            legs = [*(each for each in within if plan.step < each < end), end]
            stop = 0
            if kind is not BeatKind.OTHERS and len(legs) > 1:
                most = int(length(kind) * _MAX_STOPPED) // (len(legs) - 1)
                stop = min(round(FOUND_STOP * fps), most)
            parts = _legs(plan.step, legs, length(kind), fps, speed, stop)
        plan.race(kind, parts)
        if parts and parts[-1][0] and parts[-1][1]:
            speed = Fraction(parts[-1][1]) / parts[-1][0] * fps
    if plan.step < marks.last:
        # There was no time for the race.
        plan.hurry(marks.last - plan.step, longer=duration is None)
    if BeatKind.END in frames:
        plan.race(BeatKind.END, [(length(BeatKind.END), 0)])
    plan.add(BeatKind.CARD, length(BeatKind.CARD))
    return Storyboard(tuple(plan.beats), tuple(plan.stretches))


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


def _slow_parts(plan: _Plan, marks: Marks, frames: int, *, leads: bool) -> list[tuple[int, int]]:
    """The parts (frames, steps) of the slow passage: it accelerates from SLOW_FROM to SLOW_TO, with
    a stop after each step in marks.stops. It may `lead` to the end of the first search, because no
    acceleration follows."""
    stop = frames // (2 * len(marks.stops) + 1)
    stop = min(round(STOP * plan.fps), stop)
    end = marks.first_end
    if not leads:
        end = marks.slow_end((frames - stop * len(marks.stops)) / plan.fps)
    stops = [step for step in marks.stops if plan.step < step <= end]
    moving = frames - stop * len(stops)
    parts: list[tuple[int, int]] = []
    pieces = accelerating(end - plan.step, moving, plan.fps, Fraction(SLOW_FROM))
    # Divide the pieces at the steps where the clock stops.
    at = plan.step
    for piece in pieces:
        count, own = piece
        while stops and at < stops[0] < at + own:
            share = max(1, count * (stops[0] - at) // own)
            if share >= count:
                break
            parts += [(share, stops[0] - at), (stop, 0)]
            count, own, at = count - share, own - (stops[0] - at), stops.pop(0)
        parts.append((count, own))
        at += own
        if stops and at >= stops[0]:
            parts.append((stop, 0))
            stops.pop(0)
    return parts


def story_timeline(
    totals: Sequence[int],
    fps: Fraction,
    pace: Pace,
    *,
    rules: bool,
    stops: Sequence[int],
    found: Sequence[int] = (),
    opening: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
    solo: bool = False,
    last_steps: bool = True,
) -> Timeline:
    """The timeline of a storyboard for searches of `totals` steps, at least one of which has steps.
    `undoku.render.timeline.storyboard.plan_storyboard` describes the other arguments."""
    board = plan_storyboard(
        totals,
        fps,
        pace.duration,
        rules=rules,
        stops=stops,
        found=found,
        opening=opening,
        hold=hold,
        card=card,
        short=pace.kind is PaceKind.SHORT,
        solo=solo,
        last_steps=last_steps,
    )
    return Timeline(
        fps,
        tuple(totals),
        board.before,
        sum(stretch.frames for stretch in board.stretches),
        0,
        board.frames_of(BeatKind.CARD),
        last=max(totals),
        stretches=board.stretches,
        beats=board.beats,
    )
