"""The claims about searches that a film makes from the fast passage on: about their first wrong
values, about their states when the first search ends, and about their ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from undoku.render.playback.search_texts import clearly_fewer
from undoku.render.story.claims import CALLED_WRONG, Claim, ClaimKind, ClaimNote, claim_note
from undoku.render.story.derived_claims import cost_claim, end_claim
from undoku.render.story.first_moves import FirstMoves, WrongValue
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.replay import state_at
from undoku.solver.trace.state import State
from undoku.solver.trace.trace import Header, Trace

_PAUSE = Fraction(1, 2)
"""The minimum time in seconds between the slow passage and the next sentence."""

_RINGS = Fraction(3, 2)
"""Seconds for which a cell has a ring while the clock runs."""


def with_end(claim: Claim, wrong: WrongValue | None, timeline: Timeline, header: Header) -> Claim:
    """The claim that the first wrong value of a search is wrong, with the step until which it
    stays if that is known and only happens while the clock runs fast, before the end. It is not
    said that a search notices a wrong value which it takes back without having failed."""
    fast = first_beat(timeline.beats, BeatKind.ACCELERATION)
    if claim.kind not in (*CALLED_WRONG, ClaimKind.VAIN) or wrong is None or fast is None:
        return claim
    if claim.kind in CALLED_WRONG and not _notices(header):
        return claim
    if fast.step < wrong.until < timeline.totals[claim.search]:
        return replace(claim, until=wrong.until)
    return claim


def _notices(header: Header) -> bool:
    """Whether a search takes back a value only because its values have failed, unlike one that is
    known to restart or to search in waves."""
    strategy = Strategy.known(header.strategy)
    return strategy is None or (strategy.back != "lds" and not strategy.restart)


def _takes_back_last(header: Header) -> bool:
    """Whether a search is known to take back its last guess first."""
    strategy = Strategy.known(header.strategy)
    return strategy is not None and strategy.back == "chronological" and not strategy.restart


@dataclass(frozen=True)
class RaceClaims:
    """The claims about searches that begin with `moves`, in a film with this timeline."""

    traces: Sequence[Trace]
    moves: Sequence[FirstMoves]
    timeline: Timeline

    def claims(self, number: int, *, short: bool) -> Iterator[ClaimNote]:
        """Those about one search, by kind. A `short` story makes no claims about the moment at
        which the first search ends, which passes too soon."""
        yield from self._wrong_value(number)
        yield from self._end(number)
        if number in self._states_at_finish:
            yield from self._at_finish(number, self._states_at_finish[number], short=short)
        yield from self._alone(number)

    @cached_property
    def _states_at_finish(self) -> dict[int, State]:
        """The states, when the first search ends, of those that go on, by number."""
        finish = first_beat(self.timeline.beats, BeatKind.FINISH)
        if not finish:
            return {}
        return {
            number: state_at(trace, finish.step)
            for number, trace in enumerate(self.traces)
            if self.timeline.totals[number] > finish.step
        }

    def _end(self, number: int) -> Iterator[ClaimNote]:
        """The claims about the end of a search, and about the first solution of one that looks for
        all of them."""
        trace, moves, total = self.traces[number], self.moves[number], self.timeline.totals[number]
        if 0 < moves.found < total:
            frame = self.timeline.frame_of(number, moves.found)
            yield claim_note(self.traces, frame, Claim(ClaimKind.FOUND, number, moves.found))
        if not total:
            return
        cost = self._cost(number)
        wrong = moves.wrong if _notices(trace.header) else None
        if self._states_at_finish and number not in self._states_at_finish:
            longest = self._states_at_finish[self.timeline.totals.index(self.timeline.longest)]
            if clearly_fewer(trace.tally().dead_ends, longest.dead_ends):
                wrong = None  # the dead ends of both are compared
        elif not wrong or 2 * wrong.cost < total or not self._ends_alone(number):
            wrong = None
        ended = self.timeline.frame_of(number, total)
        yield claim_note(self.traces, ended, end_claim(number, trace.tally(), cost, wrong))

    def _at_finish(self, number: int, state: State, *, short: bool) -> Iterator[ClaimNote]:
        """The claims about the state of a search when another one ends first."""
        finish = first_beat(self.timeline.beats, BeatKind.FINISH)
        if not finish:
            return
        step, wrong, moves = finish.step, self.moves[number].wrong, self.moves[number]
        if not wrong or wrong.step > step or 0 < wrong.until <= step:
            claim = Claim(ClaimKind.DEAD_ENDS, number, step, count=state.dead_ends)
            yield claim_note(self.traces, finish.start, claim)
            return
        first = self.traces[self.timeline.totals.index(step)].tally()
        more = clearly_fewer(first.dead_ends, state.dead_ends)
        stuck = Claim(ClaimKind.STUCK, number, step, (wrong.cell,), wrong.value)
        # A sentence about dead ends is not about the other wrong values.
        mistakes = () if more else _mistakes(state, moves, wrong.cell)
        if short:
            yield claim_note(
                self.traces, finish.start, replace(stuck, mistakes=mistakes), finish.end
            )
            return
        counted = replace(
            stuck,
            kind=ClaimKind.VAIN_SO_FAR,
            mistakes=mistakes,
            count=step - wrong.step + 1,
            dead_ends=state.dead_ends if more else 0,
        )
        yield claim_note(self.traces, finish.start, counted, finish.end)
        if first_beat(self.timeline.beats, BeatKind.OTHERS):
            yield claim_note(
                self.traces, finish.end, stuck
            )  # the clock goes on, and steps are not counted

    def _alone(self, number: int) -> Iterator[ClaimNote]:
        """The claim that a search continues alone, after several others."""
        alone = first_beat(self.timeline.beats, BeatKind.SPOTLIGHT)
        others = first_beat(self.timeline.beats, BeatKind.OTHERS)
        if alone and others and self._ends_alone(number):
            start = alone.end + round(_PAUSE * self.timeline.fps)
            yield claim_note(self.traces, start, Claim(ClaimKind.ALONE, number, alone.step))

    def _wrong_value(self, number: int) -> Iterator[ClaimNote]:
        """The claims about the first wrong value of a search while the clock runs fast: that work
        is in vain while it is on the board, and when it is undone. The first one is made about
        every search, also about the one that is done first, because viewers compare the boards."""
        wrong = self.moves[number].wrong
        fast = first_beat(self.timeline.beats, BeatKind.ACCELERATION)
        if wrong is None or fast is None:
            return
        start = fast.start + round(_PAUSE * self.timeline.fps)
        begun = self.timeline.steps_at(start - self.timeline.intro)[number]
        if wrong.step <= begun and not 0 < wrong.until <= begun:
            rings_end = start + round(_RINGS * self.timeline.fps)
            claim = Claim(ClaimKind.VAIN, number, begun, (wrong.cell,), wrong.value)
            header = self.traces[number].header
            claim = with_end(claim, wrong, self.timeline, header)
            ends_first = self.timeline.totals[number] < self.timeline.longest
            if claim.until and ends_first and _notices(header):
                # The same sentence about two boards would look like a tie.
                claim = replace(claim, kind=ClaimKind.GOES)
            elif claim.until and _takes_back_last(header):
                claim = replace(claim, kind=ClaimKind.LAST_FIRST)
            yield claim_note(self.traces, start, claim, rings_end)
        if fast.step < wrong.until < self.timeline.totals[number]:
            frame, following = self.timeline.frame_of(number, wrong.until), self._tried_next(number)
            claim = Claim(
                ClaimKind.FREED,
                number,
                wrong.until,
                (wrong.cell,),
                wrong.value,
                wanted=following.value if following else 0,
                count=wrong.until,
            )
            rings_end = frame + round(_RINGS * self.timeline.fps)
            if following and following.until:  # then the cell may hold the right digit
                rings_end = min(rings_end, self.timeline.frame_of(number, following.until))
            yield claim_note(self.traces, frame, claim, rings_end)
        cost = self._cost(number)
        if cost and cost.step > max(fast.step, wrong.until):
            # Its cells hold the right digits now, so they have no rings.
            yield claim_note(self.traces, self.timeline.frame_of(number, cost.step), cost)

    def _tried_next(self, number: int) -> WrongValue | None:
        """The wrong value that replaces the first one of a search in its cell."""
        first, *others = self.moves[number].wrong_values
        for second in others[:1]:
            follows = (second.step, second.cell) == (first.until + 1, first.cell)
            if follows and second.value != first.value:  # after a restart it may be the same
                return second
        return None

    def _cost(self, number: int) -> Claim | None:
        """The claim about the wrong values of the first cells, of a search that continues alone."""
        if not self._ends_alone(number):
            return None
        return cost_claim(number, self.moves[number], self.traces[number].tally())

    def _ends_alone(self, number: int) -> bool:
        """Whether a search continues alone after others."""
        alone = first_beat(self.timeline.beats, BeatKind.SPOTLIGHT)
        return alone is not None and self.timeline.totals[number] == self.timeline.longest


def _mistakes(state: State, moves: FirstMoves, first: int) -> tuple[int, ...]:
    """The cells, ascending, other than `first` that hold another value than in the solution."""
    if moves.solution is None:
        return ()
    wrong = (state.board != 0) & (state.board != np.array(moves.solution, np.uint8))
    return tuple(cell for cell in np.flatnonzero(wrong).tolist() if cell != first)
