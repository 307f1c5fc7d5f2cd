"""What a story explains: a step of the search with the most steps beside one of the fastest; why
a step is wrong and what that costs, or how many guesses both take back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from undoku.render.playback.verdict import fastest
from undoku.render.story.claims import Claim, ClaimKind
from undoku.render.story.derived_claims import (
    impossible_claim,
    lost_cell,
    step_claims,
    wrong_claim,
)
from undoku.render.story.first_moves import FirstMoves, Step, WrongValue
from undoku.render.timeline.beats import BeatKind
from undoku.solver.problem.appearance import Form
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.replay import board_at, state_at
from undoku.solver.trace.state import GUESS
from undoku.solver.trace.trace import Outcome, Tally, Trace

_MAX_MISTAKE = 9
"""The last step whose wrong value is explained: before it all steps are shown one by one."""

_MIN_STANDING = 10
"""The least number of steps for which a wrong value must stand to be explained."""

_MIN_UNDONE, _MORE_UNDONE = 5, Fraction(5, 4)
"""The least number of guesses undone that is said to explain the steps of a search, and its least
ratio to that of the fastest one."""

_Explained = tuple[Sequence[Claim], Sequence[Claim], Claim | None]
"""The claims about a step of the slow search, about one of the fastest, and about a mistake."""


@dataclass(frozen=True)
class Explanation:
    """What is explained about these searches, with their counts and their first steps."""

    traces: Sequence[Trace]
    tallies: Sequence[Tally]
    moves: Sequence[FirstMoves]

    @cached_property
    def slow(self) -> int:
        """The number of the search with the most steps."""
        return max(range(len(self.tallies)), key=lambda number: self.tallies[number].steps)

    @cached_property
    def _fast(self) -> int | None:
        """The number of the fastest other search that has a first step; None if there is none."""
        order = fastest(self.tallies), *range(len(self.tallies))
        others = (number for number in order if number != self.slow and self.moves[number].first)
        return next(others, None)

    @cached_property
    def ended(self) -> int:
        """The step with which the first search ends; 0 if none has any."""
        return min((tally.steps for tally in self.tallies if tally.steps), default=0)

    @cached_property
    def claims(self) -> Mapping[BeatKind, Sequence[Claim]]:
        """The claims of the beats about single steps, in the order of their steps for each
        search."""
        found: dict[BeatKind, Sequence[Claim]] = {}
        first, second, mistake = self._explained()
        if first:
            found[BeatKind.FIRST] = first
            problem = self.traces[self.slow].header.puzzle.problem
            dotted = problem.appearance.form is Form.GRID and problem.size < 10
            if first[0].kind is ClaimKind.OPTIONS and dotted:
                found[BeatKind.FIRST] = replace(first[0], kind=ClaimKind.DOTS), *first[1:]
        if second:
            if self._proves(second[-1]):
                second = *second[:-1], replace(second[-1], kind=ClaimKind.PROOF)
            found[BeatKind.SECOND] = (*self._forced_before(first, second), *second)
        if mistake:
            found[BeatKind.MISTAKE] = (mistake,)
            if other := self._other_wrong(mistake):
                found[BeatKind.FASTEST] = (other,)
        elif second and not any(self._is_stopped(each[-1].search) for each in (first, second)):
            slow, fast = (self._undone(each[-1].search, each[-1].step) for each in (first, second))
            if slow.count >= _MIN_UNDONE and slow.count >= _MORE_UNDONE * fast.count:
                found |= {BeatKind.MISTAKE: (slow,), BeatKind.FASTEST: (fast,)}
        return found

    def _is_stopped(self, number: int) -> bool:
        return self.tallies[number].outcome is Outcome.CAPPED

    def _proves(self, last: Claim) -> bool:
        """Whether a search, of whose steps a claim is the last one told, places nothing after it,
        without any guess, because a cell has no option and so there is no solution."""
        own = self.tallies[last.search]
        ended = own.outcome is Outcome.EXHAUSTED and not (own.solutions or own.guessed)
        if not ended or last.kind is not ClaimKind.NO_GUESS or last.step != own.places:
            return False
        trace = self.traces[last.search]
        return lost_cell(trace.header.puzzle, board_at(trace, last.step)) >= 0

    def _undone(self, number: int, step: int) -> Claim:
        """The claim, after a step, how many guesses a whole search takes back."""
        tally = self.tallies[number]
        kinds = state_at(self.traces[number], tally.steps).arrays.kinds
        count = tally.guessed - int(np.count_nonzero(kinds == GUESS))
        return Claim(ClaimKind.GUESSES_UNDONE, number, step, count=count)

    def _explained(self) -> _Explained:
        """The claims about a step of the slow search, about one of the fastest, before any search
        ends, and about a mistake. The steps are those of the mistake, if different things are said
        about them, or else the first such ones; without a mistake those whose cells differ most in
        their options."""
        slow, fast, mistake = self.slow, self._fast, self._mistake
        own, at = self.moves[slow].steps, mistake.step - 1 if mistake else 0
        told_apart = [] if fast is None else [*self._told_apart(fast, mistake, at)]
        if told_apart:
            best = told_apart[0] if mistake else max(told_apart, key=_contrast)
            both_guess = not mistake and best[1][0].count > 1
            return (both_guess and self._lost(best[1][0].search)) or best
        first = self._of_step(slow, own[at] if at < len(own) else None)
        # What is alike does not explain why one takes fewer steps.
        differ = first and first[-1].step and self.ended < self.tallies[slow].steps
        return () if differ and not mistake else first, (), mistake

    def _told_apart(self, fast: int, mistake: Claim | None, at: int) -> Iterator[_Explained]:
        """The claims about steps that tell the slow search from the fastest one, the step with
        index `at` first."""
        own = self.moves[self.slow].steps
        later = [each for each in self.moves[fast].steps if each.number < self.ended]
        for number in sorted(range(len(own)), key=lambda each: each != at):
            # Both do the step of the first search before the second one is lit.
            first, told = self._of_step(self.slow, own[number]), later[number + bool(number) :]
            said = [_said(self._of_step(fast, each)) for each in later[number:][:2]]
            if told and _said(first) not in (said[0], said[bool(number)]):
                shown = self._shown_at(told[0].number, mistake)
                step, shown = self._other_digit(told, {first[-1].value}, shown)
                yield first, self._of_step(fast, step), shown

    def _lost(self, fast: int) -> _Explained | None:
        """The claims that the slow search has lost a cell and fills another one, and that the
        fastest one, after as many steps and after its next one, has lost none."""
        slow, puzzles = self.slow, [trace.header.puzzle for trace in self.traces]
        steps = self.moves[slow].steps[:-1]  # after the last one it may go back
        for own, step in zip(steps, self.moves[fast].steps[2:], strict=False):
            if step.number > self.ended or lost_cell(puzzles[fast], step.board) >= 0:
                break
            cell, number = lost_cell(puzzles[slow], own.board), own.number
            if cell not in (-1, own.cell):
                lost = Claim(ClaimKind.LOST, slow, number - 1, (cell,))
                unseen = replace(lost, kind=ClaimKind.NOT_NOTICED, step=number)
                return (lost, unseen), (Claim(ClaimKind.NONE_LOST, fast, number + 1),), None
        return None

    def _of_step(self, number: int, step: Step | None = None) -> tuple[Claim, ...]:
        """The claims about a step of a search, by default the first, or why there can be none."""
        puzzle = self.traces[number].header.puzzle
        step = step or self.moves[number].first
        if impossible := impossible_claim(number, puzzle):
            return (impossible,)
        return step_claims(number, step, puzzle) if step else ()

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
        first = steps[0]
        named |= {mistake.value, mistake.wanted} if mistake else set()
        alike = len(first.options) == 1 and first.value in named
        others = (each for each in steps if len(each.options) == 1 and each.value not in named)
        shown = ((each, self._shown_at(each.number, mistake)) for each in others if alike)
        return next((pair for pair in shown if pair[1] or not mistake), (first, mistake))

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
        stands, other = (wrong.until or total) - wrong.step, self._fast_wrong
        same = other and (other.cell, other.value) == (wrong.cell, wrong.value)
        if stands < _MIN_STANDING or (other and same and stands <= other.stands):
            return None
        claim = wrong_claim(self.slow, wrong, self.traces[self.slow], wrong.step)
        if not self._fails(self.slow):
            return claim
        return replace(claim, count=stands + bool(wrong.until), undone=bool(wrong.until))

    @property
    def _fast_wrong(self) -> WrongValue | None:
        """The first wrong value of the fastest other search, if that was completed."""
        fast = self._fast
        if fast is None or self._is_stopped(fast):
            return None
        return self.moves[fast].wrong

    def _fails(self, number: int) -> bool:
        """Whether a search takes back a value only because all that follows from it has failed,
        unlike one that restarts, searches in waves or has found a solution."""
        header = self.traces[number].header
        strategy = Strategy.known(header.strategy)
        waves = strategy is not None and strategy.back == "lds"
        return not (waves or header.exhaustive or self.tallies[number].restarts)

    def _other_wrong(self, mistake: Claim) -> Claim | None:
        """The claim what the first wrong value of the fastest search costs, if that stands when the
        mistake of the slow one is shown, and costs less."""
        fast, wrong = self._fast, self._fast_wrong
        if fast is None or not wrong or not wrong.step <= mistake.step < wrong.until:
            return None
        cost = wrong.stands + 1
        if cost >= mistake.count or not self._fails(fast):
            return None
        same = (wrong.cell, wrong.value) == (mistake.cells[0], mistake.value)
        kind = ClaimKind.SAME_WRONG if same else ClaimKind.ALSO_WRONG
        return Claim(kind, fast, mistake.step, (wrong.cell,), wrong.value, count=cost)


def _said(claims: Sequence[Claim]) -> list[tuple[ClaimKind, int]]:
    """What the first of the claims about a step says, whatever its cell and its value are."""
    return [(claim.kind, claim.count) for claim in claims[:1]]


def _contrast(told: _Explained) -> Fraction:
    """How many times as many options the first cell has as the second one."""
    slow, fast = (max(1, claims[0].count) for claims in told[:2])
    return Fraction(slow, fast)
