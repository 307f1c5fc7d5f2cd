"""The sentences of the claims that a film makes, and the frames on which they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from math import ceil

from render.panels.contract import Callout
from render.playback.step_reasons import reading_time
from render.story.claims import Claim, ClaimKind, sentence_of
from render.story.claims_in_turns import in_turns
from render.story.film_claims import FilmClaims
from render.story.reading_time import TimedText, readable, reading_seconds
from render.timing.beats import BeatKind, first_beat
from render.timing.timeline import Timeline

__all__ = ["Narration"]

_MIN_SECONDS = Fraction(1, 2)
"""The minimum time in seconds for which a sentence is shown before the next one replaces it."""

_STANDING = (ClaimKind.STUCK, ClaimKind.VAIN_SO_FAR, ClaimKind.VAIN)
"""Claims that are true only while the first wrong value is on the board."""

_UNTIL_RETURN = (ClaimKind.SINGLES, ClaimKind.FORCED)
"""Claims in favour of the first steps, which are not made after one of them is taken back."""

_LONGER = {ClaimKind.FOUND: 2, ClaimKind.SINGLES: 2, ClaimKind.FORCED: 2}
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

    def callouts(
        self, timeline: Timeline, *, turns: bool = False, short: bool = False
    ) -> tuple[Callout, ...]:
        """The callouts of the film, by search and frame: each sentence is shown until the next one
        of its search, or to the end of its passage. If two searches take `turns`, they are about
        the large board alone. In turns and in a `short` story all can be read one after the
        other; for some there is only time for their first sentences, or none."""
        made = self.claims(timeline, short=short)
        if turns:
            claims = in_turns(made, timeline)
        else:
            claims = [
                (start, rings_end, _end_of_board(timeline, claim, short=short), claim)
                for start, rings_end, claim in made
            ]
        claims.sort(key=lambda claim: (claim[3].search, claim[0]))
        claims = _lasting(claims, _MIN_SECONDS * timeline.fps)
        slowly = turns or short
        shown = self._shown(claims, timeline, slowly=slowly)
        texts = [self._sentence(claim) for *_, claim in shown]
        while slowly:
            texts = self._readable(shown, timeline)
            unread = [at for at, text in enumerate(texts) if not text]
            if not unread:
                break
            # Without it the sentence before it may be shown for longer.
            last = max(unread, key=lambda at: shown[at][0])
            claims = [claim for claim in claims if claim[3] is not shown[last][3]]
            shown = self._shown(claims, timeline, slowly=slowly)
        return tuple(
            self._callout(claim, text, start, end, rings_end)
            for (start, rings_end, end, claim), text in zip(shown, texts, strict=True)
        )

    def _shown(
        self, claims: Sequence[tuple[int, int, int, Claim]], timeline: Timeline, *, slowly: bool
    ) -> list[tuple[int, int, int, Claim]]:
        """Claims, by search and frame and each with the last frame on which it may be shown, that
        are shown for long enough, each with its end; `slowly` if each has the time for reading
        all of it."""
        found = []
        for at, (start, rings_end, limit, claim) in enumerate(claims):
            following = claims[at + 1] if at + 1 < len(claims) else None
            text = self._sentence(claim)
            after = limit
            if following and following[3].search == claim.search:
                after = min(after, following[0])
            wrong = self.moves[claim.search].wrong
            returned = self.moves[claim.search].first_return
            if claim.kind in _UNTIL_RETURN and returned:
                after = min(after, timeline.frame_of(claim.search, returned.number))
            if claim.kind in _STANDING and wrong and wrong.until:
                after = min(after, timeline.frame_of(claim.search, wrong.until))
            if after - start >= timeline.fps * _MIN_SHOWN:
                seconds = reading_seconds(text) if slowly else reading_time(text)
                end = min(after, _stands_until(timeline, start, rings_end, claim, seconds))
                found.append((start, rings_end, end, claim))
        return found

    def _readable(
        self, shown: Sequence[tuple[int, int, int, Claim]], timeline: Timeline
    ) -> list[str]:
        """The wording of each claim that there is time to read. What is wrong, and what the numbers
        on a board mean, is read first."""
        texts = [
            TimedText(
                start,
                end,
                0 if claim.kind in _WRONG or claim.brief else 1,
                (self._sentence(claim), *([claim.brief] if claim.brief else [])),
            )
            for start, _, end, claim in shown
        ]
        return readable(texts, timeline.fps)

    def _sentence(self, claim: Claim) -> str:
        return sentence_of(claim, self.traces[claim.search].header.puzzle)

    def _callout(self, claim: Claim, text: str, start: int, end: int, rings_end: int) -> Callout:
        geometry = self.traces[claim.search].header.puzzle.geometry
        placed, *shown = claim.cells or (-1,)
        lit = geometry.units[claim.unit].cells if claim.unit >= 0 else ()
        if claim.kind is ClaimKind.ONLY:
            shown, lit = [], tuple(shown)
        if rings_end and claim.kind is ClaimKind.WRONG:
            rings_end = end  # its digit stands on, also after the clock continues
        return Callout(
            claim.search,
            start,
            end,
            text,
            min(end, rings_end),
            placed,
            tuple(shown),
            lit,
            claim.kind in _WRONG or (claim.kind is ClaimKind.FREED and claim.wanted > 0),
            claim.kind in _ENDS,
            claim.mistakes,
            claim.wanted if claim.kind is ClaimKind.WRONG_PAIR else 0,
        )


def _end_of_board(timeline: Timeline, claim: Claim, *, short: bool) -> int:
    """The frame after the last one on which the board of a claim has sentences: in a `short` story
    a search that has ended has none beside one that continues alone."""
    spotlight = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    if short and spotlight and timeline.totals[claim.search] < timeline.longest:
        return spotlight.start
    return timeline.frames


def _lasting(
    claims: Sequence[tuple[int, int, int, Claim]], frames: Fraction
) -> list[tuple[int, int, int, Claim]]:
    """The claims, by search and frame, without those that the next one of their search would
    replace in less than `frames` frames; ends of searches always remain."""
    return [
        claim
        for claim, following in zip_longest(claims, claims[1:])
        if claim[3].kind in _ENDS
        or following is None
        or following[3].search != claim[3].search
        or following[0] - claim[0] >= frames * _LONGER.get(claim[3].kind, 1)
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
    timeline: Timeline, start: int, rings_end: int, claim: Claim, seconds: Fraction
) -> int:
    """The frame after the last one on which a claim may be shown, whose sentence is read in so many
    seconds."""
    beats = timeline.beats
    if claim.kind in (*_ENDS, ClaimKind.FOUND):
        return timeline.frames - timeline.card
    if claim.kind in _PASSAGES:
        return max(beat.end for beat in beats if beat.kind in _PASSAGES[claim.kind])
    return max(rings_end, start + ceil(max(_MIN_READ, seconds) * timeline.fps))
