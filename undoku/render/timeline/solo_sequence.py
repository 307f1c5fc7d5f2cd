"""Which of two searches is shown large, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from undoku.render.timeline.beat_lengths import has_spotlight
from undoku.render.timeline.beats import Beat, BeatKind, first_beat
from undoku.render.timeline.timeline import Timeline


@dataclass(frozen=True, slots=True)
class SoloSpan:
    """Search number `search` is large on the frames `start` to `end` - 1 of the film. The span
    begins with the beat `beat`."""

    search: int
    start: int
    end: int
    beat: Beat


def first_solo(totals: Sequence[int]) -> int:
    """The number of the search, of two of `totals` steps, that is large first. The longest one is
    large at the end. With two turns, the other one is therefore large first; if the longest one is
    then shown alone, there are three, and it is large first, too."""
    longest = totals.index(max(totals))
    return longest if has_spotlight(totals) else 1 - longest


def solo_spans(timeline: Timeline) -> tuple[SoloSpan, ...]:
    """The spans of a story of two searches, from frame 0 on and without a gap. A film without time
    for a turn has only that of the longest search."""
    longest = timeline.totals.index(timeline.longest)
    turn = first_beat(timeline.beats, BeatKind.TURN)
    alone = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    first = first_solo(timeline.totals)
    found = [(first if turn else longest, timeline.beats[0])]
    if turn:
        found.append((1 - first, turn))
    if alone:
        found.append((longest, alone))
    ends = [*(beat.start for _, beat in found[1:]), timeline.frames]
    return tuple(
        SoloSpan(search, beat.start, end, beat)
        for (search, beat), end in zip(found, ends, strict=True)
    )
