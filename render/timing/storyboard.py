"""Plans the beats of a film that tells a story: which passages it has, how long each lasts, and
how fast the common clock runs in it. Pure arithmetic over the searches' steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp, log

from render.timing.beats import Beat, BeatKind
from render.timing.speed_segments import Stretch

__all__ = ["SHORT_SECONDS", "STORY_SECONDS", "Storyboard", "plan_storyboard"]

STORY_SECONDS = 26
"""The length of the whole storyboard; a film without some of its beats is shorter."""
SHORT_SECONDS = 10
"""The length of the whole storyboard where it is told in short."""

_SLOW_FROM, _SLOW_TO = 2, 6
"""Steps a second at the beginning and at the end of the slow passage."""

_SLOW_MEAN = (_SLOW_FROM + _SLOW_TO) // 2
_FEW = 10
"""Steps before the first search ends that are worth no passage of their own."""

_LAST = 24
"""Steps of the longest search that are shown slowly at its end."""

_LEAST_REMAINDER = Fraction(3, 2)
"""The longest search must take so many times the steps of the one before it to be shown alone."""

_INTERVAL = Fraction(1, 2)
"""Seconds for which an accelerating clock keeps its speed, so that it can be read."""


@dataclass(frozen=True, slots=True)
class _Length:
    """How long a beat lasts in a film of STORY_SECONDS, the least that is worth having, and the
    most that a longer film gives it; all in seconds."""

    usual: Fraction
    least: Fraction
    most: Fraction


def _length(usual: float, least: float, most: float) -> _Length:
    return _Length(*(Fraction(round(20 * seconds), 20) for seconds in (usual, least, most)))


_LENGTHS = {
    BeatKind.OPENING: _length(1.5, 0.8, 2.5),
    BeatKind.RULES: _length(2.4, 1.5, 4),
    BeatKind.FIRST_STEP: _length(1.9, 1.2, 3),
    BeatKind.SLOW: _length(3, 1.2, 6),
    BeatKind.ACCELERATION: _length(4.5, 1, 600),
    BeatKind.FINISH: _length(1.6, 0.8, 3),
    BeatKind.OTHERS: _length(3, 1, 600),
    BeatKind.SPOTLIGHT: _length(0.6, 0.4, 0.8),
    BeatKind.REMAINDER: _length(4.7, 1.2, 600),
    BeatKind.LAST_STEPS: _length(1, 0.8, 3),
    BeatKind.END: _length(0.8, 0.4, 1.5),
    BeatKind.CARD: _length(3.5, 2, 6),
}

_DROPPED = (
    BeatKind.LAST_STEPS,
    BeatKind.RULES,
    BeatKind.SPOTLIGHT,
    BeatKind.FIRST_STEP,
    BeatKind.SLOW,
    BeatKind.FINISH,
    BeatKind.OTHERS,
    BeatKind.REMAINDER,
    BeatKind.END,
    BeatKind.OPENING,
    BeatKind.CARD,
)
"""The order in which beats are given up where there is no time for all."""

_RACING = (
    BeatKind.SLOW,
    BeatKind.ACCELERATION,
    BeatKind.OTHERS,
    BeatKind.REMAINDER,
)
"""The beats in which the clock runs for long; a film has at least one of them."""

_MOST_FIXED = Fraction(3, 5)
"""The share of a film's duration that beats of a fixed length may have."""

_STOP = Fraction(3, 2)
"""Seconds for which the clock stops in the slow passage where something is said."""


@dataclass(frozen=True, slots=True)
class Storyboard:
    """Beats without a gap from frame 0 on, and the stretches of the race, whose frames are counted
    from the first beat that is no part of the intro."""

    beats: tuple[Beat, ...]
    stretches: tuple[Stretch, ...]

    def frames_of(self, *kinds: BeatKind) -> int:
        """How many frames the beats of these kinds have."""
        return sum(beat.frames for beat in self.beats if beat.kind in kinds)


def plan_storyboard(
    totals: Sequence[int],
    fps: Fraction,
    duration: Fraction | None = None,
    *,
    rules: bool = True,
    stops: Sequence[int] = (),
    opening: Fraction | None = None,
    hold: Fraction | None = None,
    card: Fraction | None = None,
    short: bool = False,
) -> Storyboard:
    """The storyboard of searches of `totals` steps each (one or more searches, at least one of
    which has steps), at `fps` frames per second.

    `duration` seconds is the length of the whole film, by default what suits it (`short`: in a
    shorter film). `rules` says that at least one strategy has a rule that can be shown. After each
    of the steps in `stops` the clock stops in the slow passage. `opening`, `hold` (the last beat
    before the card) and `card` are the seconds of these beats where somebody asked for them; 0
    leaves them out.
    """
    marks = _marks(totals, stops)
    wanted = dict(marks.lengths)
    if not rules:
        wanted.pop(BeatKind.RULES)
    fixed: dict[BeatKind, Fraction] = {}
    asked = ((BeatKind.OPENING, opening), (BeatKind.END, hold), (BeatKind.CARD, card))
    for kind, seconds in asked:
        if seconds is not None:
            wanted.pop(kind, None)
            fixed[kind] = seconds
    taken = sum(fixed.values(), Fraction(0))
    if duration is not None and taken > duration * _MOST_FIXED:
        fixed = {kind: length * duration * _MOST_FIXED / taken for kind, length in fixed.items()}
        taken = duration * _MOST_FIXED
    lengths = _shared(wanted, duration, short, taken)
    lengths |= {kind: length for kind, length in fixed.items() if length}
    return _laid_out(marks, lengths, fps, duration)


@dataclass(frozen=True, slots=True)
class _Marks:
    """The steps of the longest search between which the beats run, and the usual seconds of each
    beat that there may be. The slow passage may stop after each of `stops`."""

    lengths: dict[BeatKind, Fraction]
    stops: tuple[int, ...]
    first_end: int
    second_end: int
    last: int

    def slow_end(self, seconds: Fraction) -> int:
        """The step that a slow passage of so many seconds ends with; all that is left before the
        first search ends where that is little more."""
        end = min(self.first_end, 1 + max(2, round(_SLOW_MEAN * seconds)))
        return self.first_end if self.first_end - end < _FEW else end


def _marks(totals: Sequence[int], stops: Sequence[int]) -> _Marks:
    ends = sorted(totals)
    longest, alone = ends[-1], len(ends) == 1
    first_end, second_end = (longest, longest) if alone else (ends[0], ends[-2])
    lengths = {kind: length.usual for kind, length in _LENGTHS.items()}
    slow_end = min(first_end, 1 + round(_SLOW_MEAN * lengths[BeatKind.SLOW]))
    if first_end - slow_end < _FEW:
        slow_end = first_end
    stops = tuple(sorted({step for step in stops if 1 < step < slow_end}))
    slow = min(lengths[BeatKind.SLOW], Fraction(slow_end - 1, _SLOW_FROM))
    lengths[BeatKind.SLOW] = slow + _STOP * len(stops)
    if slow_end <= 1:
        del lengths[BeatKind.SLOW]
    if first_end <= slow_end:
        del lengths[BeatKind.ACCELERATION]
    elif first_end == longest:
        lengths[BeatKind.ACCELERATION] = Fraction(9)  # nothing follows that takes its time
    rest = longest - second_end
    spotlight = second_end * _LEAST_REMAINDER <= longest and rest > 2 * _LAST
    if not spotlight:
        del lengths[BeatKind.SPOTLIGHT]
    if not (spotlight or alone) or longest <= 4 * _LAST:
        del lengths[BeatKind.LAST_STEPS]
    if first_end == longest:
        del lengths[BeatKind.FINISH]
    if second_end == first_end:
        del lengths[BeatKind.OTHERS]
    if not rest or (not spotlight and second_end > first_end):
        del lengths[BeatKind.REMAINDER]  # the others lead up to the end
    elif not spotlight:
        lengths[BeatKind.REMAINDER] = Fraction(3, 2)
    return _Marks(lengths, stops, first_end, second_end, longest)


def _shared(
    wanted: dict[BeatKind, Fraction], duration: Fraction | None, short: bool, taken: Fraction
) -> dict[BeatKind, Fraction]:
    """The seconds of each beat: as wanted, or scaled to what `duration` leaves beside the seconds
    `taken`, within each beat's bounds; those for which there is no time are left out."""
    natural = sum(wanted.values(), Fraction(0))
    if duration is None:
        if not short:
            return wanted
        duration = natural * SHORT_SECONDS / STORY_SECONDS + taken
    room = max(Fraction(0), duration - taken)
    left = dict(wanted)
    dropped = iter(_DROPPED)
    while (
        sum((min(_LENGTHS[kind].least, usual) for kind, usual in left.items()), Fraction(0)) > room
    ):
        kind = next((kind for kind in dropped if kind in left), None)
        if kind is None:
            break
        del left[kind]
    return _scaled(left, room)


def _scaled(wanted: dict[BeatKind, Fraction], room: Fraction) -> dict[BeatKind, Fraction]:
    """The lengths scaled so that their sum is `room`, each within its bounds where that can be."""
    found: dict[BeatKind, Fraction] = {}
    free = dict(wanted)
    while free:
        rest = room - sum(found.values(), Fraction(0))
        scale = max(Fraction(0), rest) / sum(free.values())
        outside = {}
        for kind, usual in free.items():
            least = min(_LENGTHS[kind].least, usual)
            bound = max(least, min(usual * scale, _LENGTHS[kind].most))
            if bound != usual * scale:
                outside[kind] = bound
        if not outside or len(outside) == len(free):
            return found | {kind: usual * scale for kind, usual in free.items()}
        # Too short or too long for some: whichever way the total errs, those are settled first.
        excess = sum(bound - free[kind] * scale for kind, bound in outside.items())
        settled = {
            kind: bound
            for kind, bound in outside.items()
            if (bound > free[kind] * scale) == (excess >= 0)
        }
        found |= settled
        for kind in settled:
            del free[kind]
    return found


class _Plan:
    """Lays beats one after the other."""

    def __init__(self, fps: Fraction) -> None:
        self.fps = fps
        self.beats: list[Beat] = []
        self.stretches: list[Stretch] = []
        self.at = 0
        self.elapsed = 0
        self.step = 0

    def add(self, kind: BeatKind, frames: int) -> None:
        """A beat in which the race has not begun or has ended."""
        if frames:
            self.beats.append(Beat(kind, self.at, frames, self.step))
            self.at += frames

    def race(self, kind: BeatKind, parts: Sequence[tuple[int, int]]) -> None:
        """A beat of the race: stretches as (frames, steps)."""
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


def _laid_out(
    marks: _Marks, seconds: dict[BeatKind, Fraction], fps: Fraction, duration: Fraction | None
) -> Storyboard:
    frames = _frames_of(seconds, fps, duration)

    def length(kind: BeatKind) -> int:
        return frames.get(kind, 0)

    plan = _Plan(fps)
    plan.add(BeatKind.OPENING, length(BeatKind.OPENING))
    plan.add(BeatKind.RULES, length(BeatKind.RULES))
    if BeatKind.FIRST_STEP in frames and marks.last:
        plan.race(BeatKind.FIRST_STEP, [(1, 1), (length(BeatKind.FIRST_STEP) - 1, 0)])
    speed = Fraction(_SLOW_FROM)
    if BeatKind.SLOW in frames:
        plan.race(BeatKind.SLOW, _slow_parts(plan, marks, length(BeatKind.SLOW)))
        speed = Fraction(_SLOW_TO)
    # Each further passage leads to the step that the next beat needs.
    nearly = marks.last - (_LAST if BeatKind.LAST_STEPS in frames else 0)
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
    for number, (kind, wanted) in enumerate(present):
        if kind in stopped:
            plan.race(kind, [(length(kind), 0)])
            continue
        # What no later beat leads to, the last one does.
        end = wanted if any(other not in stopped for other, _ in present[number + 1 :]) else nearly
        if kind is BeatKind.LAST_STEPS:
            end = marks.last
        if kind is BeatKind.LAST_STEPS:
            parts = [(length(kind), end - plan.step)]
        else:
            parts = _accelerating(end - plan.step, length(kind), fps, speed)
        plan.race(kind, parts)
        if parts and parts[-1][0] and parts[-1][1]:
            speed = Fraction(parts[-1][1]) / parts[-1][0] * fps
    if plan.step < marks.last:
        # No time for a race: all steps fall on one frame.
        plan.race(BeatKind.ACCELERATION, [(1, marks.last - plan.step)])
    if BeatKind.END in frames:
        plan.race(BeatKind.END, [(length(BeatKind.END), 0)])
    plan.add(BeatKind.CARD, length(BeatKind.CARD))
    return Storyboard(tuple(plan.beats), tuple(plan.stretches))


def _frames_of(
    seconds: dict[BeatKind, Fraction], fps: Fraction, duration: Fraction | None
) -> dict[BeatKind, int]:
    """The frames of each beat, at least one; together exactly those of the `duration`. What there
    is too much or too little goes to the longest part of the race; where that is not enough, beats
    of one frame are given up."""
    frames = {kind: max(1, round(length * fps)) for kind, length in seconds.items()}
    if duration is None or not frames:
        return frames
    whole = max(1, round(duration * fps))
    for kind in _DROPPED:
        if whole >= len(frames) or len(frames) == 1:
            break
        if kind in frames and any(other in _RACING for other in frames.keys() - {kind}):
            del frames[kind]
    racing = [kind for kind in frames if kind in _RACING]
    kind = max(racing or frames, key=lambda kind: frames[kind])
    frames[kind] += whole - sum(frames.values())
    while frames[kind] < 1:
        other = max(frames, key=lambda other: frames[other])
        frames[kind] += 1
        frames[other] -= 1
    return frames


def _slow_parts(plan: _Plan, marks: _Marks, frames: int) -> list[tuple[int, int]]:
    """The slow passage: from its first speed to its last, with a stop after each of its marks."""
    stop = min(round(_STOP * plan.fps), frames // (2 * len(marks.stops) + 2))
    end = marks.slow_end((frames - stop * len(marks.stops)) / plan.fps)
    stops = [step for step in marks.stops if plan.step < step < end]
    moving = frames - stop * len(stops)
    parts: list[tuple[int, int]] = []
    pieces = _accelerating(end - plan.step, moving, plan.fps, Fraction(_SLOW_FROM))
    # Cut the pieces where the clock stops.
    at, cuts = plan.step, iter(stops)
    cut = next(cuts, None)
    for piece in pieces:
        count, own = piece
        while cut is not None and own and at < cut < at + own:
            share = max(1, count * (cut - at) // own)
            if share >= count:
                break
            parts += [(share, cut - at), (stop, 0)]
            count, own, at = count - share, own - (cut - at), cut
            cut = next(cuts, None)
        parts.append((count, own))
        at += own
        if cut is not None and at >= cut:
            parts.append((stop, 0))
            cut = next(cuts, None)
    return parts


def _accelerating(steps: int, frames: int, fps: Fraction, begin: Fraction) -> list[tuple[int, int]]:
    """(frames, steps) of consecutive parts, each of one speed, that lead over `steps` steps in
    `frames` frames. The speed begins at `begin` steps a second where that is slower than the mean,
    and grows by one factor from each part to the next; else it is the mean throughout."""
    if frames <= 0 or steps <= 0:
        return [(frames, steps)] if frames > 0 else []
    each = max(1, round(_INTERVAL * fps))
    count = max(1, round(Fraction(frames, each)))
    bounds = [*(each * number for number in range(count)), frames]
    # Position after part n: (g^n - 1) / (g^count - 1) of the steps, with the factor g > 1 for
    # which the first part has the speed asked for.
    first = float(begin * each / fps)
    growth = _growth(first, count, steps)
    weights = [exp(growth * number) for number in range(count)]
    whole = sum(weights)
    reached, done = [0], 0.0
    for weight in weights:
        done += weight
        reached.append(min(steps, round(steps * done / whole)))
    reached[-1] = steps
    return [
        (end - start, after - before)
        for (start, end), (before, after) in zip(pairwise(bounds), pairwise(reached), strict=True)
    ]


def _growth(first: float, count: int, steps: int) -> float:
    """The logarithm of the factor, >= 0, by which parts grow: `first` steps in the first of
    `count`, `steps` in all. Found by bisection: the sum grows with it."""
    if first * count >= steps or count < 2:
        return 0.0
    low, high = 0.0, log(steps / first) / (count - 1) + 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if first * sum(exp(middle * number) for number in range(count)) < steps:
            low = middle
        else:
            high = middle
    return low
