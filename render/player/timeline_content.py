"""A film's timeline and what it says, as plain objects for a page."""

from __future__ import annotations

from typing import Any

from render.film import Film
from render.panels.contract import Rule
from render.story.highlight_timing import seen
from render.story.highlights import Highlight
from render.timing.beats import BeatKind, first_beat
from render.timing.timeline import Timeline

__all__ = ["callouts_content", "highlights_content", "rules_content", "timeline_content"]

_PIECES = 240
"""Straight pieces that a ramp is cut into, whose speed changes on every frame."""


def timeline_content(film: Film) -> dict[str, Any]:
    """The timeline: the frames of its phases, its `stretches` as [first frame of the race, frames,
    first step, steps, in so many frames], its `beats` as [kind, first frame, frames, first step,
    steps], and for each search how much of the longest one's steps it does, as a fraction of two
    whole numbers in decimal digits, which may be too large for a floating-point number."""
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


def callouts_content(film: Film) -> list[dict[str, Any]]:
    """What a story says, by search and frame."""
    return [
        {
            "search": one.search,
            "start": one.start,
            "end": one.end,
            "sentence": one.sentence,
            "rings": one.rings_end,
            "placed": one.placed,
            "shown": list(one.shown),
            "lit": list(one.lit),
            "tone": "wrong" if one.wrong else "result" if one.result else "",
        }
        for one in film.callouts
    ]


def highlights_content(film: Film, highlights: tuple[Highlight, ...]) -> list[dict[str, Any]]:
    """The moments that a reader can go to, by their steps on the common clock: the highlights of
    the searches, and where a story speaks of single steps."""
    timeline = film.timeline
    found = {}
    for frame, highlight in seen(timeline, highlights):
        found[highlight.search, highlight.step] = {
            "search": highlight.search,
            "step": highlight.step,
            "frame": frame,
            "sentence": highlight.sentence,
        }
    return sorted(found.values(), key=lambda one: (one["frame"], one["search"]))


def rules_content(film: Film) -> list[dict[str, Any] | None]:
    """What each search goes by, as its board shows it before the first step."""
    return [_rule(rule) if rule else None for rule in film.rules]


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "order": list(rule.order),
        "options": [list(pair) for pair in rule.options],
        "best": list(rule.best),
    }
