"""The claims of a story in which two searches take turns: those about the large board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from render.story.claims import Claim, ClaimKind
from render.timing.beats import Beat, BeatKind
from render.timing.timeline import Timeline
from render.timing.turn_order import TurnSpan, turn_spans

__all__ = ["in_turns"]

_WAIT = {
    ClaimKind.RULE: BeatKind.RULES,
    ClaimKind.STUCK: BeatKind.FINISH,
    ClaimKind.DEAD_ENDS: BeatKind.FINISH,
    ClaimKind.VAIN_SO_FAR: BeatKind.FINISH,
}
"""The beat for which a claim waits until its board is large: in it the clock stands as before, or
the claim is about the whole search."""


def in_turns(
    claims: Iterable[tuple[int, int, Claim]], timeline: Timeline
) -> list[tuple[int, int, int, Claim]]:
    """(first frame, end of the rings, end of the turn, claim) of those of `claims`, given with the
    same two first frames, that can be made while the board of their search is large."""
    spans = turn_spans(timeline)
    found: list[tuple[int, int, int, Claim]] = []
    for start, rings_end, claim in claims:
        own = [span for span in spans if span.search == claim.search]
        span = next((span for span in own if span.start <= start < span.end), None)
        if span:
            found.append((start, min(rings_end, span.end), span.end, claim))
        else:
            found += _waiting(claim, rings_end, start, own, timeline.beats)
    return found


def _waiting(
    claim: Claim, rings_end: int, start: int, spans: Sequence[TurnSpan], beats: Sequence[Beat]
) -> Iterator[tuple[int, int, int, Claim]]:
    """The claim, in the first of the later spans of its search, if it can wait."""
    for span in spans:
        for beat in beats:
            if beat.kind is _WAIT.get(claim.kind) and start < span.start <= beat.start < span.end:
                yield beat.start, beat.end if rings_end else 0, span.end, claim
                return
