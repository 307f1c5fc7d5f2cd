"""A film's timeline as a plain object for a page."""

from __future__ import annotations

from typing import Any

from undoku.render.film.film import Film
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.timeline import Timeline

__all__ = ["timeline_content"]

_PIECES = 240
"""The number of linear pieces that approximate a ramp, whose speed changes on every frame."""


def timeline_content(film: Film) -> dict[str, Any]:
    """The timeline: the frames of its phases, its `stretches` as [first frame of the race, frames,
    first step, steps, frames for these steps], its `beats` as [kind, first frame, frames, first
    step, steps], and for each search the ratio of its steps to those of the longest one, as a
    fraction of two integers in decimal digits, which may be too large for a floating-point number.
    """
    timeline = film.timeline
    longest = max(1, timeline.longest)
    spot = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    return {
        "fps": [timeline.fps.numerator, timeline.fps.denominator],
        "frames": timeline.frames,
        "intro": timeline.intro,
        "race": timeline.race,
        "card": timeline.card,
        "growth": timeline.growth,
        "first": timeline.first,
        "last": timeline.last,
        "totals": list(timeline.totals),
        "stretches": _stretches(timeline),
        "beats": [
            [beat.kind.value, beat.start, beat.frames, beat.step, beat.steps]
            for beat in timeline.beats
        ],
        "scales": [
            [str((scale / longest).numerator), str((scale / longest).denominator)]
            for scale in timeline.scales
        ],
        "spotlight": [spot.start, timeline.totals.index(timeline.longest)] if spot else None,
    }


def _stretches(timeline: Timeline) -> list[list[int]]:
    if timeline.stretches:
        return [[s.start, s.frames, s.step, s.steps, s.frames] for s in timeline.stretches]
    if not timeline.race:
        return []
    if timeline.rate is not None:
        rate = timeline.rate
        return [[0, timeline.race, timeline.first, rate.numerator, rate.denominator]]
    if not timeline.ramp:
        return [[0, timeline.race, timeline.first, timeline.span, timeline.race]]
    ends = sorted({timeline.race * piece // _PIECES for piece in range(_PIECES + 1)})
    steps = [int(timeline.first + timeline.position(end) * timeline.span) for end in ends]
    return [
        [start, end - start, before, after - before, end - start]
        for start, end, before, after in zip(ends, ends[1:], steps, steps[1:], strict=False)
    ]
