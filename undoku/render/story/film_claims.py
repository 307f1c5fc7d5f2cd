"""The claims that a film makes, and the frames from which on they hold.

The steps on which the clock stops for them are chosen before the film's timeline is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from undoku.render.playback.search_texts import described
from undoku.render.story.claims import CALLED_WRONG, Claim, ClaimKind, ClaimNote, claim_note
from undoku.render.story.derived_claims import (
    MAX_FORCED,
    first_claim,
    forced_claim,
    only_place_claim,
    placed_claim,
    returned_claim,
    singles_claim,
    weighed_claim,
    wrong_claim_of,
)
from undoku.render.story.first_moves import FirstMoves
from undoku.render.story.race_claims import RaceClaims, with_end
from undoku.render.story.rule_texts import RuleText, rule_texts
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.timeline import Timeline
from undoku.solver.trace.trace import Trace

_MAX_STOPS, _MAX_STOPS_OF_MANY = 2, 3
"""The maximum number of stops of the clock in the slow passage: of one or two searches, of more."""

_STOPPING = (*CALLED_WRONG, ClaimKind.RETURNED, ClaimKind.ONLY_PLACE)
"""Claims about the board while the clock is stopped."""

_NOT_ONLY_SLOW = (ClaimKind.WEIGHED, ClaimKind.SINGLES, ClaimKind.FORCED)
"""Claims for which the clock does not stop: they may be made after the slow passage."""

_EXPLAINED = (*_STOPPING, ClaimKind.SINGLES, ClaimKind.FORCED)
"""Claims of which there is only the first one about a search in turns."""

_MIN_EACH = Fraction(3, 2)
"""The minimum time in seconds for each of two sentences about the first step."""

_MAX_WITH_GUESS = 3
"""The maximum number of searches with two sentences about the first step; with more of them, all
sentences take turns."""

_GUESS_SHARE = Fraction(2, 5)
"""The share of the time of the first step for the first of two sentences about it."""


@dataclass(frozen=True)
class FilmClaims:
    """The claims about searches that begin with `moves`."""

    traces: Sequence[Trace]
    moves: Sequence[FirstMoves]

    @property
    def describes(self) -> bool:
        """Whether there are sentences about the steps of a search."""
        return any(described(trace.header) for trace in self.traces)

    def stops(self, large: int | None = None) -> tuple[int, ...]:
        """The steps, ascending, after which the clock stops in the slow passage, if it reaches
        them: those with a sentence about a board. If searches take turns, search number `large` is
        the large one in that passage, and there is at most one stop: for the first claim about
        it."""
        if large is not None:
            claim = self._explained(large)
            return (claim.step,) if claim and claim.kind in _STOPPING else ()
        found = {
            claim.step
            for number in range(len(self.traces))
            for claim in self._slow_claims(number)
            if claim.kind in _STOPPING
        }
        most = _MAX_STOPS if len(self.traces) <= 2 else _MAX_STOPS_OF_MANY
        return tuple(sorted(found)[:most])

    def _explained(self, number: int) -> Claim | None:
        """The only claim about the first steps of a search in turns, the first one."""
        claims = [claim for claim in self._slow_claims(number) if claim.kind in _EXPLAINED]
        return min(claims, key=lambda claim: claim.step, default=None)

    @property
    def found(self) -> tuple[int, ...]:
        """The steps with which the search that ends first and the longest one, if they look for all
        solutions, find their first ones."""
        totals = [trace.tally().steps for trace in self.traces]
        first = min(range(len(totals)), key=lambda number: totals[number] or max(totals))
        longest = totals.index(max(totals))
        return tuple(filter(None, (self.moves[number].found for number in {first, longest})))

    def _slow_claims(self, number: int) -> Iterator[Claim]:
        """The possible claims about the first steps of a search, without step 1."""
        moves, puzzle = self.moves[number], self.traces[number].header.puzzle
        placed = only_place_claim(number, moves, puzzle)
        for claim in (
            wrong_claim_of(number, moves, puzzle),
            returned_claim(number, moves, puzzle),
            singles_claim(number, moves),
            placed,
            forced_claim(number, moves) if placed and placed.step > MAX_FORCED else None,
            forced_claim(number, moves, placed.step if placed else 0),
            weighed_claim(number, moves, self.traces[number].header),
        ):
            if claim is None or claim.step == 1:
                continue
            if claim.kind is not ClaimKind.WRONG or claim.count > 1:
                yield claim

    def claims(
        self, timeline: Timeline, *, short: bool = False, solo: bool = False
    ) -> list[ClaimNote]:
        """All claims of the film, by search and frame. In a `short` story and in `solo` there is
        one about the first step of each search. A short story makes no claims about the moment at
        which the first search ends, which passes too soon."""
        found: list[ClaimNote] = []
        race = RaceClaims(self.traces, self.moves, timeline)
        rules = rule_texts([trace.header for trace in self.traces])
        for number, rule in enumerate(rules):
            found += self._beginning(timeline, number, rule, brief=short or solo, solo=solo)
            found += race.claims(number, short=short)
        return found

    def _beginning(
        self, timeline: Timeline, number: int, rule: RuleText, *, brief: bool, solo: bool
    ) -> Iterator[ClaimNote]:
        """The claims up to the slow passage, the `rule` first. If they must be `brief`, the rule is
        shown from the opening on, and there is one claim about the first step; in `solo` there is
        one about the slow passage."""
        header, moves = self.traces[number].header, self.moves[number]
        rules = first_beat(timeline.beats, BeatKind.RULES)
        if rules and rule.sentence:
            told = Claim(ClaimKind.RULE, number, 0, text=rule.sentence, brief=rule.brief)
            yield claim_note(self.traces, timeline.beats[0].start if brief else rules.start, told)
        first = first_beat(timeline.beats, BeatKind.FIRST_STEP)
        slow = [beat for beat in timeline.beats if beat.kind is BeatKind.SLOW]
        judges = not self._winner_begins_wrong(timeline)
        claim = first_claim(number, moves, header.puzzle, judges=judges)
        if first and claim and brief:
            yield claim_note(self.traces, first.start, _whole(claim, moves), first.end)
        elif first and claim:
            start = first.start
            long = first.frames >= 2 * _MIN_EACH * timeline.fps
            if long and claim.kind in CALLED_WRONG and len(self.traces) <= _MAX_WITH_GUESS:
                guess = placed_claim(number, moves.steps[0], header.puzzle, unique=False)
                if guess.kind is ClaimKind.OPTIONS:
                    start += round(first.frames * _GUESS_SHARE)
                    yield claim_note(self.traces, first.start, guess, start)
            yield claim_note(
                self.traces, start, with_end(claim, moves.wrong, timeline, header), first.end
            )
        if slow:
            slow_end = slow[-1].step + slow[-1].steps
            explained = self._explained(number) if solo else None
            for claim in self._slow_claims(number):
                if explained and claim.kind in _EXPLAINED and claim != explained:
                    continue
                if claim.step > slow_end and claim.kind not in _NOT_ONLY_SLOW:
                    continue
                if claim.kind is ClaimKind.FORCED and claim.step - MAX_FORCED > slow_end:
                    continue  # there was no time for the step that it would follow
                frame = timeline.frame_of(number, claim.step)
                if claim.kind is ClaimKind.SINGLES:
                    frame = timeline.frame_of(number, 2)  # viewers watch how it comes true
                if claim.kind not in _STOPPING:
                    yield claim_note(self.traces, frame, claim)
                elif (end := _stop_end(timeline, frame)) > frame + 1:
                    yield claim_note(
                        self.traces, frame, with_end(claim, moves.wrong, timeline, header), end
                    )

    def _winner_begins_wrong(self, timeline: Timeline) -> bool:
        """Whether a search that needs the fewest steps begins with a wrong value. Then no first
        value is called wrong, because viewers would consider the winner the worse one."""
        fewest = min(filter(None, timeline.totals), default=0)
        return len(self.moves) > 1 and any(
            total == fewest and moves.wrong is not None and moves.wrong.step == 1
            for total, moves in zip(timeline.totals, self.moves, strict=True)
        )


def _whole(claim: Claim, moves: FirstMoves) -> Claim:
    """The claim about the first step that alone states how many values fit, the guess, and whether
    it is wrong; the claim itself if no other value fits."""
    count = len(moves.steps[0].options)
    if claim.kind in CALLED_WRONG and count > 1:
        cells = claim.cells[:1]
        return Claim(ClaimKind.WRONG_GUESS, claim.search, 1, cells, claim.value, count=count)
    return replace(claim, kind=ClaimKind.OPTIONS) if claim.kind is ClaimKind.ONE_RIGHT else claim


def _stop_end(timeline: Timeline, frame: int) -> int:
    """The frame on which the clock continues after it stopped on `frame` or on the next frame."""
    at = frame + 1
    while at < timeline.intro + timeline.race and not timeline.speed_at(at):
        at += 1
    return at
