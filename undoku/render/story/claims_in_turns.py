"""The claims of a story in which two searches take turns: those about the large board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from undoku.render.story.claims import ClaimKind, ClaimNote
from undoku.render.timeline.beats import Beat, BeatKind
from undoku.render.timeline.timeline import Timeline
from undoku.render.timeline.turn_order import TurnSpan, turn_spans

__all__ = ["in_turns"]

_WAIT = {
    ClaimKind.RULE: BeatKind.RULES,
    ClaimKind.STUCK: BeatKind.FINISH,
    ClaimKind.DEAD_ENDS: BeatKind.FINISH,
    ClaimKind.VAIN_SO_FAR: BeatKind.FINISH,
}
"""The beat for which a claim waits until its board is large: in it the clock stands as before, or
the claim is about the whole search. A claim about the first step waits for that beat."""


def in_turns(claims: Iterable[ClaimNote], timeline: Timeline) -> list[ClaimNote]:
    """Those of `claims` that can be made while the board of their search is large, until it is
    not."""
    spans = turn_spans(timeline)
    found: list[ClaimNote] = []
    for timed in claims:
        own = [span for span in spans if span.search == timed.search]
        span = next((span for span in own if span.start <= timed.start < span.end), None)
        if span:
            found.append(replace(timed, rings_end=min(timed.rings_end, span.end), end=span.end))
        else:
            found += _waiting(timed, own, timeline.beats)
    return found


def _waiting(
    timed: ClaimNote, spans: Sequence[TurnSpan], beats: Sequence[Beat]
) -> Iterator[ClaimNote]:
    """The claim, in the first of the later spans of its search, if it can wait."""
    waits = BeatKind.FIRST_STEP if timed.claim.step == 1 else _WAIT.get(timed.claim.kind)
    for span in spans:
        for beat in beats:
            if beat.kind is waits and timed.start < span.start <= beat.start < span.end:
                rings_end = beat.end if timed.rings_end else 0
                yield replace(timed, start=beat.start, rings_end=rings_end, end=span.end)
                return
