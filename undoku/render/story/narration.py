"""What a story says: the sentences of its beats, each on the frames on which it is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from undoku.render.story.claims import Claim, ClaimKind, ClaimNote, claim_note
from undoku.render.story.derived_claims import (
    cost_claim,
    end_claim,
    guessed_claim,
    placed_claim,
    wrong_claim_of,
)
from undoku.render.story.first_moves import FirstMoves
from undoku.render.timeline.beats import NOBODY, Beat, BeatKind, first_beat
from undoku.render.timeline.storyboard import FOUND_STOP, Explained
from undoku.render.timeline.timeline import Timeline
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.replay import state_at
from undoku.solver.trace.trace import Header, Outcome, Trace

_MAX_MISTAKE = 9
"""The last step whose wrong value is explained: before it all steps are shown one by one."""

_MIN_COST = 10
"""The least number of steps that a wrong value must cost to be explained."""

_SIDE_BY_SIDE = 3
"""So many searches at most have sentences at the same time."""

_MIN_SECONDS = Fraction(4, 5)
"""The minimum time in seconds for a sentence."""


@dataclass(frozen=True)
class Narration:
    """The sentences about searches that begin with `moves`."""

    traces: Sequence[Trace]
    moves: Sequence[FirstMoves]

    @property
    def slow(self) -> int:
        """The number of the search with the most steps."""
        totals = self._totals
        return totals.index(max(totals))

    @property
    def fast(self) -> int:
        """The number of the completed search with the fewest steps, or of any if none is complete;
        a search without steps does not count."""
        tallies = [trace.tally() for trace in self.traces]
        numbers = [number for number, tally in enumerate(tallies) if tally.steps]
        done = [n for n in numbers if tallies[n].outcome is not Outcome.CAPPED]
        return min(done or numbers, key=lambda number: tallies[number].steps)

    @property
    def _totals(self) -> list[int]:
        return [trace.tally().steps for trace in self.traces]

    @property
    def explained(self) -> Explained:
        """What the story explains before the race."""
        slow = self.slow
        others = [number for number in range(len(self.traces)) if number != slow]
        second = NOBODY
        if others and any(self._totals[number] for number in others):
            second = self.fast if self.fast != slow else others[0]
        if second != NOBODY and self.moves[second].steps:
            again = replace(self._first_claim(second), search=slow)
            if again == self._first_claim(slow):
                second = NOBODY  # it would say the same again
        wrong = self.moves[slow].wrong
        claim = self._mistake
        if claim is None or wrong is None:
            return Explained(slow, second)
        return Explained(slow, second, slow, wrong.step)

    def _first_claim(self, number: int) -> Claim:
        """The claim about the first step of a search."""
        return placed_claim(number, self.moves[number].steps[0], self.traces[number].header.puzzle)

    @property
    def _mistake(self) -> Claim | None:
        """The claim about the first wrong value of the slow search, if it is among the first, and
        costs so many steps that it matters."""
        moves = self.moves[self.slow]
        if not moves.wrong or moves.wrong.step > _MAX_MISTAKE:
            return None
        if moves.wrong.until and moves.wrong.cost < _MIN_COST:
            return None
        return wrong_claim_of(self.slow, moves, self.traces[self.slow].header.puzzle)

    @property
    def lost(self) -> tuple[int, ...]:
        """The steps of each search while wrong values stood in its first cells, if these are most
        of its steps; otherwise 0."""
        costs = [
            cost_claim(number, moves, trace.tally())
            for number, (moves, trace) in enumerate(zip(self.moves, self.traces, strict=True))
        ]
        return tuple(claim.cost if claim else 0 for claim in costs)

    @property
    def wrong_spans(self) -> tuple[tuple[int, int], ...]:
        """The steps, from and to, while wrong values stood in the first cells of the slow search:
        those that cost most of its steps, or else the first one."""
        moves, total = self.moves[self.slow], self._totals[self.slow]
        cost = cost_claim(self.slow, moves, self.traces[self.slow].tally())
        first = cost.first if cost else 1
        return tuple(
            (each.step, each.until or total) for each in moves.wrong_values if each.before < first
        )

    @property
    def found(self) -> tuple[int, ...]:
        """The steps with which the searches that the film follows, if they look for all solutions,
        find their first ones."""
        return tuple(
            sorted({self.moves[n].found for n in (self.fast, self.slow) if self.moves[n].found})
        )

    def callouts(self, timeline: Timeline) -> tuple[ClaimNote, ...]:
        """The sentences about searches, by frame."""
        notes = [note for beat in timeline.beats for note in self._of_beat(timeline, beat)]
        notes += self._while_running(timeline)
        # In a short film all sentences are short.
        least = min(int(_MIN_SECONDS * timeline.fps), timeline.race // 8)
        notes.sort(key=lambda note: (note.start, note.search))
        ended = [_until_next(note, notes[number + 1 :]) for number, note in enumerate(notes)]
        return tuple(note for note in ended if note.frames >= least or note.result)

    def _of_beat(self, timeline: Timeline, beat: Beat) -> Iterator[ClaimNote]:
        number = beat.subject
        if beat.kind in (BeatKind.FIRST, BeatKind.SECOND) and self.moves[number].steps:
            claim = self._first_claim(number)
            options = self.moves[number].steps[0].options
            yield replace(self._noted(beat, claim), options=options, value=claim.value)
        elif beat.kind is BeatKind.MISTAKE and self._mistake:
            wrong = self.moves[number].wrong
            start = timeline.frame_of(number, self._mistake.step)
            claim = self._mistake
            if wrong and wrong.until and _notices(self.traces[number].header):
                claim = replace(claim, count=wrong.cost)
            yield replace(self._noted(beat, claim), start=max(start, beat.start))
        elif beat.kind is BeatKind.FINISH and len(self.traces) > _SIDE_BY_SIDE:
            first = min(filter(None, self._totals))
            number = self._totals.index(first)
            yield self._noted(beat, end_claim(number, self.traces[number].tally()))
        elif beat.kind is BeatKind.FINISH:
            for number, trace in enumerate(self.traces):
                state = state_at(trace, min(beat.step, trace.tally().steps))
                yield self._noted(beat, guessed_claim(number, state))

    def _noted(self, beat: Beat, claim: Claim) -> ClaimNote:
        """The note of a claim for all of a beat."""
        return claim_note(self.traces, beat.start, claim, rings_end=beat.end, end=beat.end)

    def _while_running(self, timeline: Timeline) -> Iterator[ClaimNote]:
        """The sentences while the clock runs."""
        end = timeline.frames - timeline.card
        laps = first_beat(timeline.beats, BeatKind.LAPS)
        for number, moves in enumerate(self.moves):
            if 0 < moves.found < self._totals[number] and moves.found in self.found:
                at, after = (timeline.frame_of(number, moves.found + more) for more in (0, 1))
                until = min(end, after, at + round(FOUND_STOP * timeline.fps))
                claim = Claim(ClaimKind.FOUND, number, moves.found)
                yield claim_note(self.traces, at, claim, end=until)
            tally = self.traces[number].tally()
            if number == self.slow and tally.outcome is not Outcome.SOLVED and tally.steps:
                at = timeline.frame_of(number, tally.steps)
                yield claim_note(self.traces, at, end_claim(number, tally), end=end)
        if not laps:
            return
        number = laps.subject
        moves, wrong = self.moves[number], self.moves[number].wrong
        cost = cost_claim(number, moves, self.traces[number].tally())
        if wrong and wrong.step <= laps.step and not 0 < wrong.until <= laps.step:
            until = timeline.frame_of(number, wrong.until) if wrong.until else end
            claim = Claim(ClaimKind.STANDS, number, laps.step, (wrong.cell,), wrong.value)
            yield claim_note(self.traces, laps.start, claim, rings_end=until, end=until)
        if cost and cost.step >= laps.step:
            at = timeline.frame_of(number, cost.step)
            yield claim_note(self.traces, at, cost, end=end)


def _until_next(note: ClaimNote, later: Sequence[ClaimNote]) -> ClaimNote:
    """A note that ends where the next one about its search begins."""
    starts = [other.start for other in later if other.search == note.search]
    end = min([note.end, *starts])
    return replace(note, end=end, rings_end=min(note.rings_end, end))


def _notices(header: Header) -> bool:
    """Whether a search takes back a value only because its values have failed, unlike one that is
    known to restart or to search in waves."""
    strategy = Strategy.known(header.strategy)
    return strategy is None or (strategy.back != "lds" and not strategy.restart)
