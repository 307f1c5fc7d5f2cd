"""The beats of a story and their lengths, determined by the steps of the searches and the available
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from undoku.render.timeline.beats import BeatKind, BeatLength, lengths_of

STORY_SECONDS = 24
"""The length of the whole storyboard without stops; a film without some of its beats is shorter."""
SHORT_SECONDS = Fraction(21, 2)
"""The length of the whole storyboard of a short story."""

SLOW_FROM, SLOW_TO = 2, 6
"""Steps per second at the beginning and at the end of the slow passage."""

_SLOW_MEAN = (SLOW_FROM + SLOW_TO) // 2
_FEW = 10
"""So few remaining steps before the first search ends do not become a passage of their own."""

LAST = 24
"""Steps of the longest search that are shown slowly at its end."""

_MIN_REMAINDER = Fraction(3, 2)
"""The longest search is shown alone at the end if it takes at least this many times the steps of
the second longest."""


_DROPPED = (
    BeatKind.TURN,
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
"""The order in which beats are dropped if there is not enough time."""

_RACING = (
    BeatKind.SLOW,
    BeatKind.ACCELERATION,
    BeatKind.OTHERS,
    BeatKind.REMAINDER,
)
"""The beats in which the clock runs for a long time."""

_STEPPING = (*_RACING, BeatKind.FIRST_STEP)
"""The beats that show steps; a film has at least one of them. With a search of one step it has only
the first one."""

MAX_FIXED = Fraction(3, 5)
"""The largest share of a film's duration for beats of a fixed length."""

_LEG = Fraction(5, 4)
"""Seconds from the end of a search to the next one, where there are many."""

_MANY = 4
"""The minimum number of searches whose rules are told one after the other."""

_THIRD_RULE = Fraction(6, 5)
"""The additional seconds for reading the rule of the last one of three searches."""

_APART = Fraction(5, 4)
"""The ratio of steps from which two ends are seen one after the other."""

STOP = Fraction(11, 10)
"""Seconds for which the clock stops in the slow passage for a sentence."""

FOUND_STOP = Fraction(3, 2)
"""Seconds for which it stops where a search for all solutions finds its first one."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The steps of the longest search at which beats begin and end, and the usual length in seconds
    of each possible beat. The clock may stop after each of `stops` in the slow passage."""

    lengths: dict[BeatKind, Fraction]
    stops: tuple[int, ...]
    first_end: int
    second_end: int
    last: int
    ends: tuple[int, ...]
    """Where searches end, ascending, each some way after the one before: their ends are seen one
    after the other."""

    def slow_end(self, seconds: Fraction) -> int:
        """The last step of a slow passage of `seconds` seconds. It is the end of the first search
        if few steps would remain before that."""
        end = min(self.first_end, 1 + max(2, round(_SLOW_MEAN * seconds)))
        return self.first_end if self.first_end - end < _FEW else end


def has_spotlight(totals: Sequence[int]) -> bool:
    """Whether the longest of these searches, of `totals` steps, is shown alone at the end."""
    ends = sorted(total for total in totals if total)
    if len(ends) < 2:
        return False
    return ends[-2] * _MIN_REMAINDER <= ends[-1] and ends[-1] - ends[-2] > 2 * LAST


def marks_of(
    totals: Sequence[int],
    stops: Sequence[int],
    found: Sequence[int] = (),
    *,
    solo: bool = False,
    last_steps: bool = True,
) -> Marks:
    """The marks of searches of `totals` steps, which may be shown `solo`, one after the other. With
    `last_steps` those of
    the longest one may be shown slowly; otherwise its end is shown for longer. The clock stops
    after the steps in `stops` if the slow passage reaches them, and after those in `found` in the
    acceleration and in the remainder."""
    # A search without steps has ended before the race begins.
    ends = sorted(total for total in totals if total)
    longest, alone = ends[-1], len(ends) == 1
    first_end, second_end = (longest, longest) if alone else (ends[0], ends[-2])
    lengths = {kind: length.usual for kind, length in lengths_of(solo=solo).items()}
    slow_end = min(first_end, 1 + round(_SLOW_MEAN * lengths[BeatKind.SLOW]))
    if first_end - slow_end < _FEW:
        slow_end = first_end
    # If the slow passage ends with the first search, the clock stops there anyway.
    stops = tuple(sorted({step for step in stops if 1 < step <= slow_end and step < first_end}))
    slow = min(lengths[BeatKind.SLOW], Fraction(slow_end - 1, SLOW_FROM))
    lengths[BeatKind.SLOW] = slow + STOP * len(stops)
    spotlight = has_spotlight(totals)
    # The acceleration is not slower than the end of the slow passage.
    usual = lengths[BeatKind.ACCELERATION] if first_end < longest else 9  # no later beat is long
    lengths[BeatKind.ACCELERATION] = min(
        Fraction(usual + (not spotlight)), Fraction(first_end - slow_end, SLOW_TO)
    )
    if not last_steps:
        lengths[BeatKind.END] *= 2
    if len(ends) >= _MANY:
        lengths[BeatKind.RULES] *= 2
    elif len(ends) == _MANY - 1:
        lengths[BeatKind.RULES] += _THIRD_RULE
    if not spotlight:
        lengths[BeatKind.REMAINDER] = Fraction(3, 2)
        if solo:
            lengths[BeatKind.FINISH] /= 2  # the same board is large before and after it
    until = second_end if spotlight else longest
    legs = [end for end in _apart(ends) if first_end < end <= until]
    lengths[BeatKind.OTHERS] = max(lengths[BeatKind.OTHERS], len(legs) * _LEG)
    for kind, start, end in (
        (BeatKind.ACCELERATION, slow_end, first_end),
        (BeatKind.REMAINDER, second_end, longest),
    ):
        lengths[kind] += FOUND_STOP * sum(start < step < end for step in found)
    has = {
        BeatKind.SLOW: slow_end > 1,
        BeatKind.ACCELERATION: first_end > slow_end,
        BeatKind.SPOTLIGHT: spotlight,
        BeatKind.LAST_STEPS: last_steps and (spotlight or alone) and longest > 4 * LAST,
        BeatKind.TURN: solo,
        BeatKind.FINISH: first_end < longest,
        BeatKind.OTHERS: second_end > first_end,
        # Otherwise the other beats cover the steps up to the end.
        BeatKind.REMAINDER: second_end < longest and (spotlight or second_end == first_end),
    }
    lengths = {kind: seconds for kind, seconds in lengths.items() if has.get(kind, True)}
    return Marks(lengths, stops, first_end, second_end, longest, _apart(ends))


def _apart(ends: Sequence[int]) -> tuple[int, ...]:
    """Of several ends close to each other, ascending, the last."""
    found: list[int] = []
    for end in ends:
        if found and end < found[-1] * _APART:
            found.pop()
        found.append(end)
    return tuple(found)


def shared(
    wanted: dict[BeatKind, Fraction],
    duration: Fraction | None,
    taken: Fraction,
    stopped: Fraction,
    *,
    short: bool,
    solo: bool,
) -> dict[BeatKind, Fraction]:
    """The seconds of each beat: as `wanted`, or scaled so that they fill `duration` together with
    the seconds `taken`, within the bounds of each beat. Beats for which there is no time are
    omitted. Stops of `stopped` seconds, part of the wanted ones, make no short story longer."""
    bounds = {**lengths_of(solo=solo, short=short)}
    if short and BeatKind.SLOW in wanted and BeatKind.ACCELERATION not in wanted:
        # It leads to the end of the first search, so it is as long as in other stories.
        slow = lengths_of()[BeatKind.SLOW]
        bounds[BeatKind.SLOW] = replace(slow, least=slow.usual)
    if short and BeatKind.RULES in wanted:
        # The rules of three or more searches take longer.
        rules = bounds[BeatKind.RULES]
        more = max(Fraction(0), wanted[BeatKind.RULES] - rules.usual)
        bounds[BeatKind.RULES] = replace(rules, least=rules.least + more)
    natural = sum(wanted.values(), Fraction(0))
    if duration is None:
        if not short:
            return wanted
        # Without a requested duration there is time for every beat in which something is read.
        least = sum(
            min(bounds[kind].least, usual)
            for kind, usual in wanted.items()
            if kind not in (BeatKind.TURN, BeatKind.LAST_STEPS)
        )
        duration = max((natural - stopped) * SHORT_SECONDS / STORY_SECONDS, Fraction(least)) + taken
    room = max(Fraction(0), duration - taken)
    left = dict(wanted)
    for kind in _DROPPED:
        if sum(min(bounds[each].least, usual) for each, usual in left.items()) <= room:
            break
        if any(other in _STEPPING for other in left.keys() - {kind}):
            left.pop(kind, None)
    return _scaled(left, bounds, room)


def _scaled(
    wanted: dict[BeatKind, Fraction], bounds: Mapping[BeatKind, BeatLength], room: Fraction
) -> dict[BeatKind, Fraction]:
    """The lengths scaled so that their sum is `room`, each within its `bounds` if possible."""
    found: dict[BeatKind, Fraction] = {}
    free = dict(wanted)
    while free:
        rest = room - sum(found.values(), Fraction(0))
        scale = max(Fraction(0), rest) / sum(free.values())
        outside = {}
        for kind, usual in free.items():
            least = min(bounds[kind].least, usual)
            bound = max(least, min(usual * scale, bounds[kind].most))
            if bound != usual * scale:
                outside[kind] = bound
        if not outside or len(outside) == len(free):
            return found | {kind: usual * scale for kind, usual in free.items()}
        # Some lengths are out of bounds: fix first those on the side on which the total is wrong.
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


def frames_of(
    seconds: dict[BeatKind, Fraction], fps: Fraction, duration: Fraction | None
) -> dict[BeatKind, int]:
    """The frames of each beat, at least one; together exactly those of the `duration`. A difference
    is added to the longest part of the race or taken from it; if that is not enough, beats of one
    frame are omitted."""
    frames = {kind: max(1, round(length * fps)) for kind, length in seconds.items()}
    if duration is None or not frames:
        return frames
    whole = max(1, round(duration * fps))
    for kind in _DROPPED:
        if whole >= len(frames) or len(frames) == 1:
            break
        if kind in frames and any(other in _STEPPING for other in frames.keys() - {kind}):
            del frames[kind]
    racing = [kind for kind in frames if kind in _RACING]
    kind = max(racing or frames, key=lambda kind: frames[kind])
    frames[kind] += whole - sum(frames.values())
    while frames[kind] < 1:
        other = max(frames, key=lambda other: frames[other])
        frames[kind] += 1
        frames[other] -= 1
    return frames
