"""The searches of a film: what is measured of them, and what a story says, the sentences of its
beats, each on the frames on which it is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from undoku.render.playback.history import History
from undoku.render.playback.reading_time import LETTERS_PER_SECOND
from undoku.render.playback.verdict import compared, fastest, named
from undoku.render.story.claims import (
    Claim,
    ClaimKind,
    ClaimNote,
    claim_note,
    sentence_of,
)
from undoku.render.story.derived_claims import cost_claim, end_claim, finish_claims
from undoku.render.story.explanation import Explanation
from undoku.render.story.first_moves import (
    FirstMoves,
    first_moves,
    only_solution,
)
from undoku.render.story.highlights import find_highlights
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.notes import FILM, Note, NoteKind
from undoku.render.timeline.storyboard import FOUND_STOP, Told
from undoku.render.timeline.timeline import Timeline
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.replay import state_at
from undoku.solver.trace.steps import fold
from undoku.solver.trace.trace import Header, Outcome, Tally, Trace

_MIN_COST_SECONDS = 2
"""The seconds that must be left for the sentence about the cost of wrong values; otherwise the card
alone tells it."""


@dataclass(frozen=True)
class Narration:
    """These searches, and the sentences about them. What is measured is measured on first use, and
    shared by all films that show them."""

    traces: tuple[Trace, ...]

    @cached_property
    def whole_histories(self) -> tuple[History, ...]:
        """The histories up to the ends of the searches: each runs once, without being stored."""
        found = tuple(History(trace.header.puzzle) for trace in self.traces)
        for trace, history in zip(self.traces, found, strict=True):
            fold(trace, [history])
        return found

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        """The searches' counts."""
        return tuple(trace.tally() for trace in self.traces)

    @cached_property
    def highlights(self) -> Sequence[Claim]:
        """The turning points of the searches."""
        return find_highlights(self.traces)

    @cached_property
    def moves(self) -> Sequence[FirstMoves]:
        """The first steps of the searches."""
        puzzles = dict.fromkeys(trace.header.puzzle for trace in self.traces)
        solutions = {puzzle: only_solution(puzzle) for puzzle in puzzles}
        return [first_moves(trace, solutions[trace.header.puzzle]) for trace in self.traces]

    @cached_property
    def _explanation(self) -> Explanation:
        return Explanation(self.traces, self.tallies, self.moves)

    @property
    def slow(self) -> int:
        """The number of the search with the most steps."""
        return self._explanation.slow

    @cached_property
    def _headers(self) -> Sequence[Header]:
        return [trace.header for trace in self.traces]

    def _puzzle(self, number: int) -> Puzzle:
        return self._headers[number].puzzle

    @cached_property
    def _claims(self) -> Mapping[BeatKind, Sequence[Claim]]:
        """The claims of beats, in the order of their steps for each search."""
        slow, tallies, explanation = self.slow, self.tallies, self._explanation
        found, ended = {**explanation.claims}, explanation.ended
        if ended:
            states = {
                number: state_at(self.traces[number], min(ended, tallies[number].steps))
                for number in named(tallies)
            }
            found[BeatKind.FINISH] = finish_claims(states, compared(tallies)[0])
        if ended and tallies[slow].outcome is not Outcome.SOLVED:
            found[BeatKind.END] = (end_claim(slow, tallies[slow]),)
        return found

    @property
    def told(self) -> Mapping[BeatKind, Told]:
        """What the beats of the story tell."""
        return {
            kind: Told(
                claims[-1].search,
                claims[-1].step,
                max(self._letters(claims, each.search) for each in claims),
                len(sentence_of(claims[0], self._headers).partition("\n")[0]),
            )
            for kind, claims in self._claims.items()
        }

    def _letters(self, claims: Sequence[Claim], search: int) -> int:
        """The letters of what those of the claims that are about a search say."""
        own = (claim for claim in claims if claim.search == search)
        return sum(map(len, {sentence_of(claim, self._headers) for claim in own}))

    @cached_property
    def _costs(self) -> Sequence[Claim | None]:
        """For each search the claim what the wrong values of its first cells cost."""
        own = zip(self.moves, self.tallies, strict=True)
        return [cost_claim(number, *each) for number, each in enumerate(own)]

    @property
    def lost(self) -> tuple[int, ...]:
        """The steps of each search while wrong values stood in its first cells, if these are most
        of its steps; otherwise 0."""
        return tuple(claim.count if claim else 0 for claim in self._costs)

    @property
    def wrong_spans(self) -> tuple[tuple[int, int], ...]:
        """The steps, from and to, while wrong values stood in the first cells of the slow search:
        those that cost most of its steps, or else the first one."""
        cost, total = self._costs[self.slow], self.tallies[self.slow].steps
        first = cost.first if cost else 1
        return tuple(
            (each.step, each.until or total)
            for each in self.moves[self.slow].wrong_values
            if each.before < first
        )

    @property
    def found(self) -> tuple[int, ...]:
        """The steps with which the searches that the film follows, if they look for all solutions,
        find their first ones."""
        followed = {self.moves[number].found for number in (fastest(self.tallies), self.slow)}
        return tuple(sorted(followed - {0}))

    def notes(self, timeline: Timeline, title: str) -> tuple[Note, ...]:
        """The sentences about searches, by frame; those for which there is time to read them; and
        before them the title, if it is not ""."""
        notes = [*self._of_beats(timeline), *self._while_running(timeline)]
        notes.sort(key=lambda note: (note.start, note.search))
        ended = [_until_next(note, notes[number + 1 :]) for number, note in enumerate(notes)]
        asked = first_beat(timeline.beats, BeatKind.QUESTION)
        question = Note(0, asked.end, FILM, NoteKind.CALLOUT, title) if asked and title else None
        read = (note for note in ended if note.result or _is_readable(note, timeline.fps))
        return (question, *read) if question else tuple(read)

    def _of_beats(self, timeline: Timeline) -> Iterator[ClaimNote]:
        for beat in timeline.beats:
            claims = self._claims.get(beat.kind, ())
            for claim in claims:
                number = claim.search
                start = timeline.frame_of(number, claim.step) if claim.step else 0
                if claim.kind is ClaimKind.NONE_LOST:  # also before the step
                    start = beat.start
                elif beat.kind is not BeatKind.END:
                    start = max(beat.start, start)
                note = claim_note(self._headers, start, beat.end, claim, beat.end)
                if not _is_readable(note, timeline.fps):
                    note = replace(note, text=note.lines[0])
                if (
                    beat.kind in (BeatKind.FIRST, BeatKind.SECOND)
                    and claim.value
                    and self._puzzle(number).problem.appearance.form is not Form.FIELDS
                ):  # options that are fields are seen on the board
                    step = self.moves[number].steps[claims[-1].step - 1]
                    only = claims[0].kind is ClaimKind.ONLY_PLACE
                    options = (claim.value,) if only else step.options
                    note = replace(note, options=options, value=claim.value)
                yield note

    def _while_running(self, timeline: Timeline) -> Iterator[ClaimNote]:
        """The sentences that do not belong to beats."""
        end = timeline.frames - timeline.card
        for number, moves in enumerate(self.moves):
            if 0 < moves.found < self.tallies[number].steps and moves.found in self.found:
                at, after = (timeline.frame_of(number, moves.found + more) for more in (0, 1))
                until = min(end, after, at + round(FOUND_STOP * timeline.fps))
                yield claim_note(
                    self._headers, at, until, Claim(ClaimKind.FOUND, number, moves.found)
                )
        laps = first_beat(timeline.beats, BeatKind.LAPS)
        if not laps:
            return
        number = laps.subject
        wrong, cost = self.moves[number].wrong, self._costs[number]
        if wrong and wrong.step <= laps.step and not 0 < wrong.until <= laps.step:
            until = timeline.frame_of(number, wrong.until) if wrong.until else end
            claim = Claim(ClaimKind.STANDS, number, laps.step, (wrong.cell,), wrong.value)
            yield claim_note(self._headers, laps.start, until, claim, until)
        if cost and cost.step >= laps.step:
            at = timeline.frame_of(number, cost.step)
            if end - at >= _MIN_COST_SECONDS * timeline.fps:
                yield claim_note(self._headers, at, end, cost)


def _is_readable(note: ClaimNote, fps: Fraction) -> bool:
    """Whether a note is shown until it can be read."""
    return note.frames * LETTERS_PER_SECOND >= len(note.text) * fps


def _until_next(note: ClaimNote, later: Sequence[ClaimNote]) -> ClaimNote:
    """A note that ends where the next one begins; two about different searches may be together."""
    starts = [
        other.start for other in later if other.start > note.start or other.search == note.search
    ]
    end = min([note.end, *starts])
    return replace(note, end=end, rings_end=min(note.rings_end, end))
