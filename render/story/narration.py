"""The sentences of the claims that a film makes, and the frames on which they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest

from render.panels.contract import Callout
from render.playback.step_reasons import reading_time
from render.story.claims import Claim, ClaimKind, sentence_of
from render.story.film_claims import FilmClaims
from render.timing.beats import BeatKind
from render.timing.timeline import Timeline

__all__ = ["Narration"]

_MIN_SECONDS = Fraction(1, 2)
"""The minimum time in seconds for which a sentence is shown before the next one replaces it."""

_STANDING = (ClaimKind.STUCK, ClaimKind.VAIN_SO_FAR, ClaimKind.VAIN)
"""Claims that are true only while the first wrong value is on the board."""

_UNTIL_RETURN = (ClaimKind.SINGLES, ClaimKind.FORCED)
"""Claims in favour of the first steps, which are not made after one of them is taken back."""

_LONGER = {ClaimKind.FOUND: 3, ClaimKind.SINGLES: 2, ClaimKind.FORCED: 2}
"""The factors for the time of sentences that cannot be read in less."""

_MIN_READ = Fraction(2)
"""The seconds for which a sentence is shown, unless another one follows."""

_MIN_SHOWN = Fraction(1, 2)
"""A sentence that could not be shown for this many seconds is omitted."""

_ENDS = (ClaimKind.FINISHED, ClaimKind.EXHAUSTED, ClaimKind.STOPPED)

_WRONG = (
    ClaimKind.WRONG,
    ClaimKind.WRONG_PAIR,
    ClaimKind.WRONG_CELL,
    ClaimKind.WRONG_UNIT,
    ClaimKind.RETURNED,
    ClaimKind.STUCK,
    ClaimKind.VAIN_SO_FAR,
    ClaimKind.VAIN,
    ClaimKind.COST,
)


class Narration(FilmClaims):
    """The sentences of the claims about searches."""

    def callouts(self, timeline: Timeline) -> tuple[Callout, ...]:
        """The callouts of the film, by search and frame: each sentence is shown until the next one
        of its search, or to the end of its passage."""
        found: list[Callout] = []
        claims = sorted(self.claims(timeline), key=lambda claim: (claim[2].search, claim[0]))
        claims = _lasting(claims, _MIN_SECONDS * timeline.fps)
        for at, (start, rings_end, claim) in enumerate(claims):
            following = claims[at + 1] if at + 1 < len(claims) else None
            after = timeline.frames
            if following and following[2].search == claim.search:
                after = following[0]
            wrong = self.moves[claim.search].wrong
            returned = self.moves[claim.search].first_return
            if claim.kind in _UNTIL_RETURN and returned:
                after = min(after, timeline.frame_of(claim.search, returned.number))
            if claim.kind in _STANDING and wrong and wrong.until:
                after = min(after, timeline.frame_of(claim.search, wrong.until))
            if after - start >= timeline.fps * _MIN_SHOWN:
                end = min(
                    after, _stands_until(timeline, start, rings_end, claim, self._sentence(claim))
                )
                found.append(self._callout(claim, start, end, rings_end))
        return tuple(found)

    def _sentence(self, claim: Claim) -> str:
        return sentence_of(claim, self.traces[claim.search].header.puzzle)

    def _callout(self, claim: Claim, start: int, end: int, rings_end: int) -> Callout:
        geometry = self.traces[claim.search].header.puzzle.geometry
        placed, *shown = claim.cells or (-1,)
        lit = geometry.units[claim.unit].cells if claim.unit >= 0 else ()
        if claim.kind is ClaimKind.ONLY:
            shown, lit = [], tuple(shown)
        return Callout(
            claim.search,
            start,
            end,
            self._sentence(claim),
            min(end, rings_end),
            placed,
            tuple(shown),
            lit,
            claim.kind in _WRONG or (claim.kind is ClaimKind.FREED and claim.wanted > 0),
            claim.kind in _ENDS,
            claim.mistakes,
            claim.wanted if claim.kind is ClaimKind.WRONG_PAIR else 0,
        )


def _lasting(
    claims: Sequence[tuple[int, int, Claim]], frames: Fraction
) -> list[tuple[int, int, Claim]]:
    """The claims, by search and frame, without those that the next one of their search would
    replace in less than `frames` frames; ends of searches always remain."""
    return [
        claim
        for claim, following in zip_longest(claims, claims[1:])
        if claim[2].kind in _ENDS
        or following is None
        or following[2].search != claim[2].search
        or following[0] - claim[0] >= frames * _LONGER.get(claim[2].kind, 1)
    ]


_PASSAGES = {
    ClaimKind.RULE: (BeatKind.RULES,),
    ClaimKind.VAIN: (BeatKind.ACCELERATION,),
    ClaimKind.STUCK: (BeatKind.FINISH, BeatKind.OTHERS, BeatKind.SPOTLIGHT),
    ClaimKind.DEAD_ENDS: (BeatKind.FINISH,),
    ClaimKind.VAIN_SO_FAR: (BeatKind.FINISH,),
    ClaimKind.COST: (BeatKind.REMAINDER, BeatKind.LAST_STEPS, BeatKind.END),
}
"""The beats during which a claim is shown; other claims are shown until they can be read."""


def _stands_until(
    timeline: Timeline, start: int, rings_end: int, claim: Claim, sentence: str
) -> int:
    """The frame after the last one on which a claim may be shown."""
    beats = timeline.beats
    if claim.kind in _ENDS:
        return timeline.frames - timeline.card
    if claim.kind in _PASSAGES:
        return max(beat.end for beat in beats if beat.kind in _PASSAGES[claim.kind])
    return max(rings_end, start + round(max(_MIN_READ, reading_time(sentence)) * timeline.fps))
