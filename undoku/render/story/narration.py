"""The sentences of the claims that a film makes, and the frames on which they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from math import ceil

from undoku.render.playback.reading_time import (
    MIN_SHOWN,
    reading_time,
    reading_time_beside_boards,
)
from undoku.render.story.claims import (
    ABOUT_MISTAKES,
    Claim,
    ClaimKind,
    ClaimNote,
)
from undoku.render.story.film_claims import FilmClaims
from undoku.render.story.readable_notes import readable
from undoku.render.timeline.beats import Beat, BeatKind, first_beat
from undoku.render.timeline.solo_sequence import SoloSpan, solo_spans
from undoku.render.timeline.timeline import Timeline

_MIN_SECONDS = Fraction(1, 2)
"""The minimum time in seconds for which a sentence is shown before the next one replaces it."""

_STANDING = (
    ClaimKind.STUCK,
    ClaimKind.VAIN_SO_FAR,
    ClaimKind.VAIN,
    ClaimKind.LAST_FIRST,
    ClaimKind.GOES,
)
"""Claims that are true only while the first wrong value is on the board."""

_UNTIL_RETURN = (ClaimKind.SINGLES, ClaimKind.FORCED, ClaimKind.ONLY_PLACE)
"""Claims in favour of the first steps, which are not made after one of them is taken back."""

_LONGER = {ClaimKind.FOUND: 2, ClaimKind.SINGLES: 2, ClaimKind.FORCED: 2}
"""The factors for the time of sentences that cannot be read in less."""

_MIN_READ = Fraction(2)
"""The seconds for which a sentence is shown, unless another one follows."""


class Narration(FilmClaims):
    """The sentences of the claims about searches."""

    def callouts(
        self, timeline: Timeline, *, solo: bool = False, short: bool = False
    ) -> tuple[ClaimNote, ...]:
        """The callouts of the film, by search and frame: each sentence is shown until the next one
        of its search, or to the end of its passage. If two searches are shown `solo`, they are
        about the large board alone. In turns and in a `short` story all can be read one after the
        other; for some there is only time for their first sentences, or none."""
        made = self.claims(timeline, short=short, solo=solo)
        if solo:
            claims = in_solo(made, timeline)
        else:
            claims = [
                replace(each, end=_end_of_board(timeline, each.claim, short=short)) for each in made
            ]
        claims.sort(key=lambda each: (each.search, each.start))
        claims = _lasting(claims, _MIN_SECONDS * timeline.fps)
        slowly = solo or short
        shown = self._shown(claims, timeline, slowly=slowly)
        texts = [each.text for each in shown]
        while slowly:
            texts = _readable(shown, timeline)
            unread = [at for at, text in enumerate(texts) if not text]
            if not unread:
                break
            # Without it the sentence before it may be shown for longer.
            last = max(unread, key=lambda at: shown[at].start)
            if self._hidden_by_previous(last, shown, timeline):
                last -= 1
            claims = [each for each in claims if each.claim is not shown[last].claim]
            shown = self._shown(claims, timeline, slowly=slowly)
        return tuple(map(_callout, shown, texts))

    def _shown(
        self, claims: Sequence[ClaimNote], timeline: Timeline, *, slowly: bool
    ) -> list[ClaimNote]:
        """Those of `claims`, by search and frame, that are shown for long enough, each with its
        end; `slowly` if each has the time for reading all of it."""
        found = []
        for timed, following in zip_longest(claims, claims[1:]):
            start, claim, after = timed.start, timed.claim, timed.end
            if following and following.search == claim.search:
                after = min(after, following.start)
            wrong = self.moves[claim.search].wrong
            returned = self.moves[claim.search].first_return
            if claim.kind in _UNTIL_RETURN and returned:
                after = min(after, timeline.frame_of(claim.search, returned.number))
            if claim.kind in _STANDING and wrong and wrong.until:
                after = min(after, timeline.frame_of(claim.search, wrong.until))
            if after - start >= timeline.fps * MIN_SHOWN:
                read = reading_time_beside_boards if slowly else reading_time
                stands_until = _stands_until(timeline, timed, read(timed.text))
                found.append(replace(timed, end=min(after, stands_until)))
        return found

    def _hidden_by_previous(
        self, number: int, shown: Sequence[ClaimNote], timeline: Timeline
    ) -> bool:
        """Whether claim number `number` of those shown, by search and frame, is the end of a search
        and could be read if its search's previous claim, which is less important, were not made."""
        if not number or not shown[number].result:
            return False
        others = [*shown[: number - 1], *shown[number:]]
        same = shown[number - 1].search == shown[number].search
        return same and bool(_readable(others, timeline)[number - 1])


def _readable(notes: Sequence[ClaimNote], timeline: Timeline) -> list[str]:
    """The wording of each note that there is time to read. What is wrong, and what the numbers on a
    board mean, is read first."""
    first = [each.claim.kind in ABOUT_MISTAKES or bool(each.claim.brief) for each in notes]
    return readable(notes, [not each for each in first], timeline.fps)


def _callout(note: ClaimNote, text: str) -> ClaimNote:
    """The note of a claim as it is shown, with a wording that can be read."""
    rings_end = min(note.end, note.rings_end)
    if rings_end and note.claim.kind in (ClaimKind.WRONG, ClaimKind.ONLY_PLACE):
        rings_end = note.end  # its digit stands on, also after the clock continues
    return replace(note, text=text, rings_end=rings_end)


def _end_of_board(timeline: Timeline, claim: Claim, *, short: bool) -> int:
    """The frame after the last one on which the board of a claim has sentences: in a `short` story
    a search that has ended has none beside one that continues alone."""
    spotlight = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
    if short and spotlight and timeline.totals[claim.search] < timeline.longest:
        return spotlight.start
    return timeline.frames


def _lasting(claims: Sequence[ClaimNote], frames: Fraction) -> list[ClaimNote]:
    """The claims, by search and frame, without those that the next one of their search would
    replace in less than `frames` frames; ends of searches always remain."""
    return [
        timed
        for timed, following in zip_longest(claims, claims[1:])
        if timed.result
        or following is None
        or following.search != timed.search
        or following.start - timed.start >= frames * _LONGER.get(timed.claim.kind, 1)
    ]


_PASSAGES = {
    ClaimKind.RULE: (BeatKind.RULES,),
    ClaimKind.VAIN: (BeatKind.ACCELERATION,),
    ClaimKind.LAST_FIRST: (BeatKind.ACCELERATION,),
    ClaimKind.GOES: (BeatKind.ACCELERATION,),
    ClaimKind.STUCK: (BeatKind.FINISH, BeatKind.OTHERS, BeatKind.SPOTLIGHT),
    ClaimKind.DEAD_ENDS: (BeatKind.FINISH,),
    ClaimKind.VAIN_SO_FAR: (BeatKind.FINISH,),
    ClaimKind.COST: (BeatKind.REMAINDER, BeatKind.LAST_STEPS, BeatKind.END),
}
"""The beats during which a claim is shown; other claims are shown until they can be read."""


def _stands_until(timeline: Timeline, timed: ClaimNote, seconds: Fraction) -> int:
    """The frame after the last one on which a claim may be shown, whose sentence is read in so many
    seconds."""
    beats, kind = timeline.beats, timed.claim.kind
    if timed.result or kind is ClaimKind.FOUND:
        return timeline.frames - timeline.card
    if kind in _PASSAGES:
        return max(beat.end for beat in beats if beat.kind in _PASSAGES[kind])
    return max(timed.rings_end, timed.start + ceil(max(_MIN_READ, seconds) * timeline.fps))


_WAIT = {
    ClaimKind.RULE: BeatKind.RULES,
    ClaimKind.STUCK: BeatKind.FINISH,
    ClaimKind.DEAD_ENDS: BeatKind.FINISH,
    ClaimKind.VAIN_SO_FAR: BeatKind.FINISH,
}
"""The beat for which a claim waits until its board is large: in it the clock stands as before, or
the claim is about the whole search. A claim about the first step waits for that beat."""


def in_solo(claims: Iterable[ClaimNote], timeline: Timeline) -> list[ClaimNote]:
    """Those of `claims` that can be made while the board of their search is large, until it is
    not."""
    spans = solo_spans(timeline)
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
    timed: ClaimNote, spans: Sequence[SoloSpan], beats: Sequence[Beat]
) -> Iterator[ClaimNote]:
    """The claim, in the first of the later spans of its search, if it can wait."""
    waits = BeatKind.FIRST_STEP if timed.claim.step == 1 else _WAIT.get(timed.claim.kind)
    for span in spans:
        for beat in beats:
            if beat.kind is waits and timed.start < span.start <= beat.start < span.end:
                rings_end = beat.end if timed.rings_end else 0
                yield replace(timed, start=beat.start, rings_end=rings_end, end=span.end)
                return
