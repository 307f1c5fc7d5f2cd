"""The claims that a film makes, and the frames from which on they hold.

The steps on which the clock stops for them are chosen before the film's timeline is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from render.panels.title_card import described
from render.panels.verdict_reason import clearly_fewer
from render.playback.player import Player, Snapshot
from render.story.claims import CALLED_WRONG, Claim, ClaimKind, TimedClaim
from render.story.derived_claims import (
    cost_claim,
    end_claim,
    first_claim,
    forced_claim,
    only_place_claim,
    placed_claim,
    returned_claim,
    singles_claim,
    wrong_claim_of,
)
from render.story.failure_weights import weighed_claim
from render.story.first_moves import FirstMoves, WrongValue
from render.texts import story_texts as say
from render.timing.beats import BeatKind, first_beat
from render.timing.timeline import Timeline
from solver.strategies.strategy import Strategy
from solver.trace import Header, Trace

__all__ = ["FilmClaims"]

_MAX_STOPS, _MAX_STOPS_OF_MANY = 2, 3
"""The maximum number of stops of the clock in the slow passage, of two searches and of more."""

_STOPPING = (*CALLED_WRONG, ClaimKind.RETURNED, ClaimKind.ONLY_PLACE)
"""Claims about the board while the clock is stopped."""

_EXPLAINED = (*_STOPPING, ClaimKind.SINGLES, ClaimKind.FORCED)
"""Claims of which there is only the first one about a search in turns."""

_MIN_EACH = Fraction(3, 2)
"""The minimum time in seconds for each of two sentences about the first step."""

_MAX_WITH_GUESS = 3
"""The maximum number of searches with two sentences about the first step; with more of them, all
sentences take turns."""

_GUESS_SHARE = Fraction(2, 5)
"""The share of the time of the first step for the first of two sentences about it."""
_PAUSE = Fraction(1, 2)
"""The minimum time in seconds between the slow passage and the next sentence."""

_RINGS = Fraction(3, 2)
"""Seconds for which a cell has a ring while the clock runs."""


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
        them: those with a sentence about a board; if searches take turns, the first one about that
        of number `large`, the second one, which is large then."""
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
            forced_claim(number, moves, placed.step if placed else 0),
            weighed_claim(number, moves, self.traces[number].header),
        ):
            if claim is None or claim.step == 1:
                continue
            if claim.kind is not ClaimKind.WRONG or claim.count > 1:
                yield claim

    def claims(
        self, timeline: Timeline, *, short: bool = False, turns: bool = False
    ) -> list[TimedClaim]:
        """All claims of the film, by search and frame. In a `short` story and in `turns` there is
        one about the first step of each search. A short story makes no claims about the moment at
        which the first search ends, which passes too soon."""
        found: list[TimedClaim] = []
        states = self._states_at_finish(timeline)
        for number in range(len(self.traces)):
            found += self._beginning(timeline, number, brief=short or turns, turns=turns)
            found += self._wrong_value(timeline, number)
            found += self._end(timeline, number, states)
            if number in states:
                found += self._at_finish(timeline, number, states[number], short=short)
            found += self._alone(timeline, number)
        return found

    def _beginning(
        self, timeline: Timeline, number: int, *, brief: bool, turns: bool
    ) -> Iterator[TimedClaim]:
        """The claims up to the slow passage. If they must be `brief`, the rule is shown from the
        opening on, and there is one claim about the first step; in `turns` there is one about the
        slow passage."""
        header, moves = self.traces[number].header, self.moves[number]
        rules = first_beat(timeline.beats, BeatKind.RULES)
        rule = described(header)
        if rules and rule:
            text, shorter = say.RULE(rule=rule), ""
            if not header.description:
                if header.strategy == "mrv":
                    text, shorter = say.FEWEST_FIT(), say.FEWEST_BRIEFLY()
                elif header.strategy == "row-major":
                    shorter = say.IN_READING_ORDER()
                elif header.strategy == "dom-wdeg":
                    # Its description has no room below one of three boards.
                    text = say.FEWEST_PER_FAILURE()
            told = Claim(ClaimKind.RULE, number, 0, text=text, brief=shorter)
            yield TimedClaim(timeline.beats[0].start if brief else rules.start, told)
        first = first_beat(timeline.beats, BeatKind.FIRST_STEP)
        slow = [beat for beat in timeline.beats if beat.kind is BeatKind.SLOW]
        judges = not self._winner_begins_wrong(timeline)
        claim = first_claim(number, moves, header.puzzle, judges=judges)
        if first and claim and brief:
            yield TimedClaim(first.start, _whole(claim, moves), first.end)
        elif first and claim:
            start = first.start
            long = first.frames >= 2 * _MIN_EACH * timeline.fps
            if long and claim.kind in CALLED_WRONG and len(self.traces) <= _MAX_WITH_GUESS:
                guess = placed_claim(number, moves.steps[0], header.puzzle, unique=False)
                if guess.kind is ClaimKind.OPTIONS:
                    start += round(first.frames * _GUESS_SHARE)
                    yield TimedClaim(first.start, guess, start)
            yield TimedClaim(start, _with_end(claim, moves.wrong, timeline), first.end)
        if slow:
            explained = self._explained(number) if turns else None
            for claim in self._slow_claims(number):
                if explained and claim.kind in _EXPLAINED and claim != explained:
                    continue
                if (
                    claim.step > slow[-1].step + slow[-1].steps
                    and claim.kind is not ClaimKind.WEIGHED
                ):
                    continue
                frame = timeline.frame_of(number, claim.step)
                if claim.kind is ClaimKind.SINGLES:
                    frame = timeline.frame_of(number, 2)  # viewers watch how it comes true
                if claim.kind not in _STOPPING:
                    yield TimedClaim(frame, claim)
                elif (end := _stop_end(timeline, frame)) > frame + 1:
                    yield TimedClaim(frame, _with_end(claim, moves.wrong, timeline), end)

    def _winner_begins_wrong(self, timeline: Timeline) -> bool:
        """Whether a search that needs the fewest steps begins with a wrong value. Then no first
        value is called wrong, because viewers would consider the winner the worse one."""
        fewest = min(filter(None, timeline.totals), default=0)
        return len(self.moves) > 1 and any(
            total == fewest and moves.wrong is not None and moves.wrong.step == 1
            for total, moves in zip(timeline.totals, self.moves, strict=True)
        )

    def _states_at_finish(self, timeline: Timeline) -> dict[int, Snapshot]:
        """The states, when the first search ends, of those that go on, by number."""
        finish = first_beat(timeline.beats, BeatKind.FINISH)
        if not finish:
            return {}
        return {
            number: Player(trace).advance(finish.step)
            for number, trace in enumerate(self.traces)
            if timeline.totals[number] > finish.step
        }

    def _end(
        self, timeline: Timeline, number: int, states: Mapping[int, Snapshot]
    ) -> Iterator[TimedClaim]:
        """The claims about the end of a search, and about the first solution of one that looks for
        all of them."""
        trace, moves, total = self.traces[number], self.moves[number], timeline.totals[number]
        if 0 < moves.found < total:
            frame = timeline.frame_of(number, moves.found)
            yield TimedClaim(frame, Claim(ClaimKind.FOUND, number, moves.found))
        if not total:
            return
        cost, wrong = self._cost(timeline, number), moves.wrong
        if states and number not in states:
            longest = states[timeline.totals.index(timeline.longest)]
            if clearly_fewer(trace.tally().dead_ends, longest.dead_ends):
                wrong = None  # the dead ends of both are compared
        elif not wrong or 2 * wrong.cost < total or not self._ends_alone(timeline, number):
            wrong = None
        ended = timeline.frame_of(number, total)
        yield TimedClaim(ended, end_claim(number, trace.tally(), cost, wrong))

    def _at_finish(
        self, timeline: Timeline, number: int, state: Snapshot, *, short: bool
    ) -> Iterator[TimedClaim]:
        """The claims about the state of a search when another one ends first."""
        finish = first_beat(timeline.beats, BeatKind.FINISH)
        if not finish:
            return
        step, wrong, moves = finish.step, self.moves[number].wrong, self.moves[number]
        if not wrong or wrong.step > step or 0 < wrong.until <= step:
            claim = Claim(ClaimKind.DEAD_ENDS, number, step, count=state.dead_ends)
            yield TimedClaim(finish.start, claim)
            return
        first = self.traces[timeline.totals.index(step)].tally()
        more = clearly_fewer(first.dead_ends, state.dead_ends)
        stuck = Claim(ClaimKind.STUCK, number, step, (wrong.cell,), wrong.value)
        # A sentence about dead ends is not about the other wrong values.
        mistakes = () if more else _mistakes(state, moves, wrong.cell)
        if short:
            yield TimedClaim(finish.start, replace(stuck, mistakes=mistakes), finish.end)
            return
        counted = replace(
            stuck,
            kind=ClaimKind.VAIN_SO_FAR,
            mistakes=mistakes,
            count=step - wrong.step + 1,
            dead_ends=state.dead_ends if more else 0,
        )
        yield TimedClaim(finish.start, counted, finish.end)
        if first_beat(timeline.beats, BeatKind.OTHERS):
            yield TimedClaim(finish.end, stuck)  # the clock goes on, and steps are not counted

    def _alone(self, timeline: Timeline, number: int) -> Iterator[TimedClaim]:
        """The claim that a search continues alone, after several others."""
        alone = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
        others = first_beat(timeline.beats, BeatKind.OTHERS)
        if alone and others and self._ends_alone(timeline, number):
            start = alone.end + round(_PAUSE * timeline.fps)
            yield TimedClaim(start, Claim(ClaimKind.ALONE, number, alone.step))

    def _wrong_value(self, timeline: Timeline, number: int) -> Iterator[TimedClaim]:
        """The claims about the first wrong value of a search while the clock runs fast: that work
        is in vain while it is on the board, and when it is undone. The first one is made about
        every search, also about the one that is done first, because viewers compare the boards."""
        wrong = self.moves[number].wrong
        fast = first_beat(timeline.beats, BeatKind.ACCELERATION)
        if wrong is None or fast is None:
            return
        start = fast.start + round(_PAUSE * timeline.fps)
        begun = timeline.steps_at(start - timeline.intro)[number]
        if wrong.step <= begun and not 0 < wrong.until <= begun:
            rings_end = start + round(_RINGS * timeline.fps)
            claim = Claim(ClaimKind.VAIN, number, begun, (wrong.cell,), wrong.value)
            claim = _with_end(claim, wrong, timeline)
            if claim.until and timeline.totals[number] < timeline.longest:
                # The same sentence about two boards would look like a tie.
                claim = replace(claim, kind=ClaimKind.GOES)
            elif claim.until and _takes_back_last(self.traces[number].header):
                claim = replace(claim, kind=ClaimKind.LAST_FIRST)
            yield TimedClaim(start, claim, rings_end)
        if fast.step < wrong.until < timeline.totals[number]:
            frame, following = timeline.frame_of(number, wrong.until), self._tried_next(number)
            claim = Claim(
                ClaimKind.FREED,
                number,
                wrong.until,
                (wrong.cell,),
                wrong.value,
                wanted=following.value if following else 0,
                count=wrong.until,
            )
            rings_end = frame + round(_RINGS * timeline.fps)
            if following and following.until:  # then the cell may hold the right digit
                rings_end = min(rings_end, timeline.frame_of(number, following.until))
            yield TimedClaim(frame, claim, rings_end)
        cost = self._cost(timeline, number)
        if cost and cost.step > max(fast.step, wrong.until):
            # Its cells hold the right digits now, so they have no rings.
            yield TimedClaim(timeline.frame_of(number, cost.step), cost)

    def _tried_next(self, number: int) -> WrongValue | None:
        """The wrong value that replaces the first one of a search in its cell."""
        first, *others = self.moves[number].wrong_values
        for second in others[:1]:
            if (second.step, second.cell) == (first.until + 1, first.cell):
                return second
        return None

    def _cost(self, timeline: Timeline, number: int) -> Claim | None:
        """The claim about the wrong values of the first cells, of a search that continues alone."""
        if not self._ends_alone(timeline, number):
            return None
        return cost_claim(number, self.moves[number], self.traces[number].tally())

    def _ends_alone(self, timeline: Timeline, number: int) -> bool:
        """Whether a search continues alone after others."""
        alone = first_beat(timeline.beats, BeatKind.SPOTLIGHT)
        return alone is not None and timeline.totals[number] == timeline.longest


def _takes_back_last(header: Header) -> bool:
    """Whether a search is known to take back its last guess first."""
    strategy = Strategy.known(header.strategy)
    return strategy is not None and strategy.back == "chronological" and not strategy.restart


def _with_end(claim: Claim, wrong: WrongValue | None, timeline: Timeline) -> Claim:
    """The claim that the first wrong value of a search is wrong, with the step until which it
    stays if that is known and only happens while the clock runs fast, before the end."""
    fast = first_beat(timeline.beats, BeatKind.ACCELERATION)
    if claim.kind not in (*CALLED_WRONG, ClaimKind.VAIN) or wrong is None or fast is None:
        return claim
    if fast.step < wrong.until < timeline.totals[claim.search]:
        return replace(claim, until=wrong.until)
    return claim


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


def _mistakes(state: Snapshot, moves: FirstMoves, first: int) -> tuple[int, ...]:
    """The cells, ascending, other than `first` that hold another value than in the solution."""
    if moves.solution is None:
        return ()
    wrong = (state.board != 0) & (state.board != np.array(moves.solution, np.uint8))
    return tuple(cell for cell in np.flatnonzero(wrong).tolist() if cell != first)
