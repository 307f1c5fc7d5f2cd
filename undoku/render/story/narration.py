"""The searches of a film: what is measured of them, and what a story says, the sentences of its
beats, each on the frames on which it is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from undoku.render.playback.history import History
from undoku.render.playback.reading_time import LETTERS_PER_SECOND
from undoku.render.playback.verdict import fastest, named
from undoku.render.story.claims import (
    Claim,
    ClaimKind,
    ClaimNote,
    claim_note,
    sentence_of,
)
from undoku.render.story.derived_claims import (
    cost_claim,
    end_claim,
    finish_claims,
    impossible_claim,
    lost_cell,
    step_claims,
    wrong_claim,
)
from undoku.render.story.first_moves import (
    FirstMoves,
    Step,
    WrongValue,
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
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.replay import state_at
from undoku.solver.trace.state import GUESS
from undoku.solver.trace.steps import fold
from undoku.solver.trace.trace import Header, Outcome, Tally, Trace

_MAX_MISTAKE = 9
"""The last step whose wrong value is explained: before it all steps are shown one by one."""

_MIN_STANDING = 10
"""The least number of steps for which a wrong value must stand to be explained."""

_MIN_UNDONE, _MORE_UNDONE = 5, Fraction(5, 4)
"""The least number of guesses undone that is said to explain the steps of a search, and its least
ratio to that of the fastest one."""

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
    def slow(self) -> int:
        """The number of the search with the most steps."""
        return max(range(len(self.tallies)), key=lambda number: self.tallies[number].steps)

    @cached_property
    def _headers(self) -> Sequence[Header]:
        return [trace.header for trace in self.traces]

    def _puzzle(self, number: int) -> Puzzle:
        return self._headers[number].puzzle

    @cached_property
    def _claims(self) -> Mapping[BeatKind, Sequence[Claim]]:
        """The claims of beats, in the order of their steps for each search."""
        slow, tallies = self.slow, self.tallies
        found: dict[BeatKind, Sequence[Claim]] = {}
        order = fastest(tallies), *range(len(tallies))
        others = [number for number in order if number != slow and self.moves[number].first]
        ended = min((tally.steps for tally in tallies if tally.steps), default=0)
        first, second, mistake = self._explained(others, ended)
        if first:
            found[BeatKind.FIRST] = first
            problem = self._puzzle(slow).problem
            dotted = problem.appearance.form is Form.GRID and problem.size < 10
            if first[0].kind is ClaimKind.OPTIONS and dotted:
                found[BeatKind.FIRST] = replace(first[0], kind=ClaimKind.DOTS), *first[1:]
        if second:
            if self._proves(order[0], second[-1]):
                second = *second[:-1], replace(second[-1], kind=ClaimKind.PROOF)
            found[BeatKind.SECOND] = (*self._forced_before(first, second), *second)
        if mistake:
            found[BeatKind.MISTAKE] = (mistake,)
            if other := self._other_wrong(mistake):
                found[BeatKind.FASTEST] = (other,)
        elif second and tallies[slow].outcome is not Outcome.CAPPED:
            undone = [self._undone(slow, first[-1].step), self._undone(order[0], second[-1].step)]
            if _MIN_UNDONE <= undone[0].count >= _MORE_UNDONE * undone[1].count:
                found |= zip((BeatKind.MISTAKE, BeatKind.FASTEST), zip(undone), strict=True)
        if ended:
            states = {
                number: state_at(self.traces[number], min(ended, tallies[number].steps))
                for number in named(tallies)
            }
            found[BeatKind.FINISH] = finish_claims(states, order[0])
        if ended and tallies[slow].outcome is not Outcome.SOLVED:
            found[BeatKind.END] = (end_claim(slow, tallies[slow]),)
        return found

    def _proves(self, number: int, last: Claim) -> bool:
        """Whether a search, of whose steps a claim is the last one told, places nothing after it,
        without any guess, because there is no solution."""
        own = self.tallies[number]
        ended = own.outcome is Outcome.EXHAUSTED and not (own.solutions or own.guessed)
        return ended and last.kind is ClaimKind.NO_GUESS and last.step == own.places

    def _undone(self, number: int, step: int) -> Claim:
        """The claim, after a step, how many guesses a whole search takes back."""
        tally = self.tallies[number]
        kinds = state_at(self.traces[number], tally.steps).arrays.kinds
        count = tally.guessed - int(np.count_nonzero(kinds == GUESS))
        return Claim(ClaimKind.GUESSES_UNDONE, number, step, count=count)

    def _explained(
        self, others: Sequence[int], ended: int
    ) -> tuple[Sequence[Claim], Sequence[Claim], Claim | None]:
        """The claims about a step of the slow search, about a step, before `ended`, of the first of
        the `others`, and about a mistake. The steps are those of the mistake, if different things
        are said about them, or else the first such ones; without a mistake those whose cells differ
        most in their options."""
        slow, mistake = self.slow, self._mistake
        own, at = self.moves[slow].steps, mistake.step - 1 if mistake else 0
        told_apart = []
        for other in others[:1]:
            later = [each for each in self.moves[other].steps if each.number < ended]
            for number in sorted(range(len(own)), key=lambda each: each != at):
                # Both do the step of the first search before the second one is lit.
                first, told = self._of_step(slow, own[number]), later[number + bool(number) :]
                said = [_said(self._of_step(other, each)) for each in later[number:][:2]]
                if not told or _said(first) in (said[0], said[bool(number)]):
                    continue
                shown = self._shown_at(told[0].number, mistake)
                step, shown = self._other_digit(told, {first[-1].value}, shown)
                told_apart.append((first, self._of_step(other, step), shown))
                if mistake:
                    break
        if told_apart:
            best = max(told_apart, key=_contrast)
            both_guess = not mistake and best[1][0].count > 1
            return (both_guess and self._lost(others[0], ended)) or best
        first = self._of_step(slow, own[at] if at < len(own) else None)
        # What is alike does not explain why one takes fewer steps.
        differ = first and first[-1].step and ended < self.tallies[slow].steps
        return () if differ and not mistake else first, (), mistake

    def _lost(self, other: int, ended: int) -> tuple[Sequence[Claim], Sequence[Claim], None] | None:
        """The claims that the slow search has lost a cell and fills another one, and that the other
        search, after as many steps, before `ended`, has lost none, also after its next one."""
        slow, puzzle = self.slow, self._puzzle(self.slow)
        for own, step in zip(self.moves[slow].steps, self.moves[other].steps[2:], strict=False):
            if step.number > ended or lost_cell(puzzle, step.board) >= 0:
                break
            cell, number = lost_cell(puzzle, own.board), own.number
            if cell >= 0:
                lost = Claim(ClaimKind.LOST, slow, number - 1, (cell,))
                none = Claim(ClaimKind.NONE_LOST, other, number)
                unseen = replace(lost, kind=ClaimKind.NOT_NOTICED, step=number)
                return (lost, unseen), (none, replace(none, step=number + 1)), None
        return None

    def _of_step(self, number: int, step: Step | None = None) -> tuple[Claim, ...]:
        """The claims about a step of a search, by default the first, or why there can be none."""
        puzzle, step = self._puzzle(number), step or self.moves[number].first
        if impossible := impossible_claim(number, puzzle):
            return (impossible,)
        return step_claims(number, step, puzzle, self.moves[number].solution) if step else ()

    def _forced_before(self, first: Sequence[Claim], second: Sequence[Claim]) -> tuple[Claim, ...]:
        """The claim about the steps of the second search between what is told of the first one and
        of it, if all of them, and the one that is told, write the only option of a cell."""
        begun, told = first[-1].step if len(first) > 1 else 0, second[0]
        steps = self.moves[told.search].steps[begun : told.step + 1]
        if len(steps) < 2 or told.kind is not ClaimKind.OPTIONS:
            return ()
        if any(each.options != (each.value,) for each in steps):
            return ()
        return (Claim(ClaimKind.FORCED, told.search, begun, count=len(steps)),)

    def _other_digit(
        self, steps: Sequence[Step], named: set[int], mistake: Claim | None
    ) -> tuple[Step, Claim | None]:
        """That of the `steps` of the second search that is told, and the claim about a mistake,
        which is then shown, after as many steps. If the first one writes the only option of a cell,
        and that is a digit that the sentences about the other search name, it is the first later
        one of this kind with another digit."""
        if mistake:
            named |= {mistake.value, mistake.wanted}
        forced = [each for each in steps if len(each.options) == 1]
        if not forced or forced[0] is not steps[0] or forced[0].value not in named:
            return steps[0], mistake
        for step in forced:
            shown = self._shown_at(step.number, mistake)
            if step.value not in named and (shown or not mistake):
                return step, shown
        return steps[0], mistake

    def _shown_at(self, step: int, mistake: Claim | None) -> Claim | None:
        """The claim about a mistake of the slow search, shown after `step` steps, or after its own
        step, if that is later; None if another reason is seen then."""
        wrong = self.moves[self.slow].wrong
        if not mistake or not wrong or step <= wrong.step:
            return mistake
        later = wrong_claim(self.slow, wrong, self.traces[self.slow], step)
        shown = replace(mistake, step=step)
        alike = replace(later, count=shown.count, undone=shown.undone)
        return shown if alike == shown else None

    @property
    def _mistake(self) -> Claim | None:
        """The claim about the first wrong value of the slow search, if it is among the first, and
        stands so long that it matters: longer than in the fastest other search that was completed,
        if that takes it, too."""
        wrong, total = self.moves[self.slow].wrong, self.tallies[self.slow].steps
        if wrong is None or wrong.step > _MAX_MISTAKE:
            return None
        stands = (wrong.until or total) - wrong.step
        _, other = self._fast_wrong
        same = other and other[1:3] == wrong[1:3]
        if stands < _MIN_STANDING or (other and same and stands <= other.stands):
            return None
        claim = wrong_claim(self.slow, wrong, self.traces[self.slow], wrong.step)
        if not _notices(self.traces[self.slow].header):
            return claim
        return replace(claim, count=stands + bool(wrong.until), undone=bool(wrong.until))

    @cached_property
    def _fast_wrong(self) -> tuple[int, WrongValue | None]:
        """The number of the fastest other search that was completed, and its first wrong value, if
        there are any."""
        ended = [
            (tally.steps, number)
            for number, tally in enumerate(self.tallies)
            if number != self.slow and tally.steps and tally.outcome is not Outcome.CAPPED
        ]
        number = min(ended)[1] if ended else self.slow
        return number, self.moves[number].wrong if ended else None

    def _other_wrong(self, mistake: Claim) -> Claim | None:
        """The claim what the first wrong value of the fastest search costs, if that stands when the
        mistake of the slow one is shown, and costs less."""
        number, wrong = self._fast_wrong
        if not wrong or not wrong.step <= mistake.step < wrong.until:
            return None
        cost = wrong.stands + 1
        if cost >= mistake.count or not _notices(self.traces[number].header):
            return None
        same = (wrong.cell, wrong.value) == (mistake.cells[0], mistake.value)
        kind = ClaimKind.SAME_WRONG if same else ClaimKind.ALSO_WRONG
        return Claim(kind, number, mistake.step, (wrong.cell,), wrong.value, count=cost)

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
        times = Counter[tuple[int, str]]()
        for note in ended:
            times[note.search, note.text] += note.frames
        read = (
            note
            for note in ended
            if note.result or _is_readable(note, timeline.fps, times[note.search, note.text])
        )
        return (question, *read) if question else tuple(read)

    def _of_beats(self, timeline: Timeline) -> Iterator[ClaimNote]:
        for beat in timeline.beats:
            claims = self._claims.get(beat.kind, ())
            for claim in claims:
                number = claim.search
                start = timeline.frame_of(number, claim.step) if claim.step else 0
                if beat.kind is not BeatKind.END:
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


def _said(claims: Sequence[Claim]) -> list[tuple[ClaimKind, int]]:
    """What the first of the claims about a step says, whatever its cell and its value are."""
    return [(claim.kind, claim.count) for claim in claims[:1]]


def _contrast(told: tuple[Sequence[Claim], Sequence[Claim], Claim | None]) -> Fraction:
    """How many times as many options the first cell has as the second one."""
    slow, fast = (max(1, claims[0].count) for claims in told[:2])
    return Fraction(slow, fast)


def _is_readable(note: ClaimNote, fps: Fraction, frames: int = 0) -> bool:
    """Whether a note is shown until it can be read, for `frames` with others that say the same."""
    return max(frames, note.frames) * LETTERS_PER_SECOND >= len(note.text) * fps


def _until_next(note: ClaimNote, later: Sequence[ClaimNote]) -> ClaimNote:
    """A note that ends where the next one begins; two about different searches may be together."""
    starts = [
        other.start for other in later if other.start > note.start or other.search == note.search
    ]
    end = min([note.end, *starts])
    return replace(note, end=end, rings_end=min(note.rings_end, end))


def _notices(header: Header) -> bool:
    """Whether a search takes back a value only because its values have failed, unlike one that is
    known to restart or to search in waves."""
    strategy = Strategy.known(header.strategy)
    return strategy is None or (strategy.back != "lds" and not strategy.restart)
