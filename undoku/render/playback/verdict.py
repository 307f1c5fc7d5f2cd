"""The result of whole searches in words: how many fewer steps the best one took, and why."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from undoku.render.playback.search_texts import goes_by_options, infers, solutions_text
from undoku.solver.trace.trace import Header, Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.language import decimal, number

_CLEARLY = Fraction(5, 4)
"""The minimum ratio of two counts of which one is the reason why a search is shorter."""

_ALIKE = Fraction(21, 20)
"""Below this ratio two totals are called almost the same."""

MAX_NAMED = 3
"""While a story runs, all searches are named if there are at most this many."""

_IN_TIMES = 2
"""From this ratio on totals are compared by it ("33×"), below it in percent."""


class Verdict(NamedTuple):
    """A headline of a few words, a sentence that completes it for those who see no bars, the
    reason, and as `proof` what searches of the whole tree have proved, or which of them were
    stopped; "" if there is none.

    `large` is the part of a headline that says how many fewer steps, "" in others; `question` is
    what follows it or, of a single search, its guesses, or "". `bars` are the numbers of the
    searches in the order of their bars, the longest first. It is empty if bars would be equally
    long.
    """

    headline: str
    sentence: str = ""
    reason: str = ""
    proof: str = ""
    large: str = ""
    question: str = ""
    bars: tuple[int, ...] = ()

    @property
    def fact_and_cause(self) -> tuple[str, str]:
        """The parts of the reason: a fact, with a colon if its cause follows; and that, or ""."""
        fact, colon, cause = self.reason.partition(": ")
        return f"{fact}{colon}".strip(), cause

    @property
    def text(self) -> str:
        """The headline and the sentence on one line."""
        if not self.sentence:
            return self.headline
        return say.HEAD_AND_SENTENCE(headline=self.headline, sentence=self.sentence)


def fastest(tallies: Sequence[Tally]) -> int:
    """The number of the search that is called the fastest: of those that took fewer steps than the
    longest one, the one with the fewest that was completed, or if none was, that was stopped. A
    search without steps does not count, unless all others took equally many."""
    longest = max(tally.steps for tally in tallies)
    shorter = [number for number, tally in enumerate(tallies) if 0 < tally.steps < longest]
    ended = [number for number in shorter if tallies[number].outcome is not Outcome.CAPPED]
    return min(ended or shorter or range(len(tallies)), key=lambda n: tallies[n].steps)


def compared(tallies: Sequence[Tally]) -> tuple[int, int]:
    """The numbers of the searches that a verdict compares: that with the fewest steps of those that
    were completed, and the longest one; of equally long ones, the second and the first."""
    longest = max(range(len(tallies)), key=lambda n: tallies[n].steps)
    idle = (
        n for n, each in enumerate(tallies) if not (each.steps or each.outcome is Outcome.CAPPED)
    )
    best = next(idle, fastest(tallies))
    return (best if best != longest else (longest + 1) % len(tallies)), longest


def named(tallies: Sequence[Tally]) -> Sequence[int]:
    """The numbers of the searches that have names while a story runs: of many only the two that are
    compared."""
    if len(tallies) <= MAX_NAMED:
        return range(len(tallies))
    return sorted(compared(tallies))


def verdict_of(headers: Sequence[Header], tallies: Sequence[Tally]) -> Verdict:
    """The verdict on searches with these counts, one or more.

    A search that was stopped by a limit is never called the shorter one; a ratio to it is stated as
    a lower bound.
    """
    if len(tallies) == 1:
        return _of_one(headers[0], tallies[0])
    names = [header.label for header in headers]
    ended = [n for n, tally in enumerate(tallies) if tally.outcome is not Outcome.CAPPED]
    longest_first = sorted(range(len(tallies)), key=lambda n: -tallies[n].steps)
    if not ended:
        return Verdict(say.HEAD_NONE_FINISHED(), say.ALL_STOPPED(), bars=tuple(longest_first))
    best, worst = compared(tallies)
    few, many = tallies[best], tallies[worst]
    capped = many.outcome is Outcome.CAPPED
    is_close = few.steps >= many.steps or (capped and many.steps < few.steps * _ALIKE)
    if is_close or best not in ended:
        return _of_a_tie(names, tallies, ended, min(tallies[n].steps for n in ended))
    instead = say.INSTEAD_OF(best=names[best], worst=names[worst])
    bars, everything = tuple(longest_first), _everything(tallies)
    if not few.steps:
        return Verdict(say.HEAD_NO_STEP(steps=many.steps), instead, proof=everything, bars=bars)
    if many.steps < few.steps * _ALIKE:
        both = say.BOTH_STEPS(best=names[best], few=few.steps, worst=names[worst], many=many.steps)
        return Verdict(say.HEAD_ALMOST_SAME(), both, bars=bars)
    # At most so many guesses of the longest search were right.
    right = len(headers[worst].puzzle.empty_cells) * (many.solutions + capped)
    by_options = goes_by_options(headers[best].strategy, headers[worst].strategy)
    same_puzzle = headers[best].puzzle == headers[worst].puzzle
    reason = _reason(few, many, by_options=by_options and same_puzzle, right=right)
    if headers[best].puzzle.problem.is_free:
        reason = say.WHY_TAKEN_BACK(count=few.undos, many=_so_far(many, many.undos))
    stopped = _stopped(names, tallies)
    ratio = _ratio(few.steps, many.steps, at_least=capped)
    question = (say.FEWER_STEPS_WHY if reason else say.FEWER_STEPS)()
    if reason and everything and not few.solutions:
        question = say.FEWER_STEPS_UNSOLVABLE()
    return Verdict(
        (say.HEAD_MORE_THAN if capped else say.HEAD_FEWER)(ratio=ratio),
        instead,
        reason,
        say.RULE(rule=stopped) if stopped else everything,
        say.OVER(ratio=ratio) if capped else ratio,
        question,
        bars,
    )


def _of_one(header: Header, tally: Tally) -> Verdict:
    """The verdict on a single search: how many of its digits were guesses; where only the solver
    knows this, how many it took back."""
    guesses = tally.guessed
    reason = say.ONE_GUESSED(count=guesses, places=tally.places) if guesses else _no_guess(tally)
    if tally.outcome is Outcome.SOLVED:
        headline = say.HEAD_SOLVED_IN(count=tally.steps)
    elif tally.outcome is Outcome.CAPPED:
        headline = say.HEAD_STOPPED_AFTER(count=tally.steps)
    else:
        found = solutions_text(tally.solutions)
        headline = say.HEAD_WHOLE_TREE(count=tally.steps, found=found)
    free, whole = header.puzzle.problem.is_free, tally.outcome is Outcome.EXHAUSTED
    asked = guesses and not (free or whole or header.exhaustive)
    bars, question = (0,) if guesses else (), say.GUESSES(count=guesses) if asked else ""
    if free:
        reason, bars = say.TAKEN_BACK(count=tally.undos, places=tally.places), (0,)
    return Verdict(headline, reason=reason, question=question, bars=bars)


def _no_guess(tally: Tally) -> str:
    """The sentence about a search with these counts that has not guessed; "" if it has written
    nothing."""
    return say.NO_GUESS_AT_ALL() if tally.places else ""


def _of_a_tie(
    names: Sequence[str], tallies: Sequence[Tally], ended: Sequence[int], steps: int
) -> Verdict:
    """The verdict on searches of which those that `ended`, and are the first, took `steps` steps,
    and no other one took more, but for those that were stopped."""
    first = say.listed([names[n] for n in ended if tallies[n].steps == steps])
    if stopped := _stopped(names, tallies):
        headline, bars = say.HEAD_FINISHED(labels=first, count=steps), tuple(range(len(names)))
        return Verdict(headline, stopped, say.RULE(rule=stopped), bars=bars)
    tie = say.HEAD_TIE if len(names) == 2 else say.HEAD_TIE_OF_ALL
    return Verdict(tie(count=steps), reason=_everything(tallies) or _tie_reason(tallies))


def _stopped(names: Sequence[str], tallies: Sequence[Tally]) -> str:
    """Which searches were stopped, without a full stop; "" if none was."""
    capped = [name for name, tally in zip(names, tallies, strict=True)
              if tally.outcome is Outcome.CAPPED]  # fmt: skip
    return say.STOPPED_BY_LIMIT(labels=say.listed(capped), count=len(capped)) if capped else ""


def _tie_reason(tallies: Sequence[Tally]) -> str:
    """Why searches with these counts took equally many steps; "" if they differ in more than the
    order of their steps."""
    first = tallies[0]
    if not any(tally.guessed for tally in tallies):
        return _no_guess(first)
    if len({(tally.outcome, tally.places, tally.undos) for tally in tallies}) > 1:
        return ""
    tie = say.WHY_TIE if first.undos else say.WHY_TIE_STRAIGHT
    return tie(places=first.places, count=first.undos)


def _everything(tallies: Sequence[Tally]) -> str:
    """What searches of the whole tree have proved; "" if one of them was another search."""
    found = {tally.solutions for tally in tallies}
    if len(found) > 1 or any(tally.outcome is not Outcome.EXHAUSTED for tally in tallies):
        return ""
    texts = say.PROVED_NONE, say.PROVED_UNIQUE, say.FOUND_BOTH, say.FOUND_ALL
    return texts[min(*found, 3)](count=min(found))


def _reason(few: Tally, many: Tally, *, by_options: bool, right: int) -> str:
    """Why a search with the counts `few` took fewer steps than one with the counts `many`, of whose
    guesses at most `right` were right; "" if the counts do not show it. `by_options` states whether
    only the first one takes the cells with the fewest options."""
    guesses, others = few.guessed, many.guessed
    if guesses >= others:
        if few.undos >= many.undos:
            return ""
        return say.WHY_TAKEN_BACK(count=few.undos, many=_so_far(many, many.undos))
    if infers(few) and not infers(many):
        some, none = say.WHY_LOGIC, say.WHY_LOGIC_ALONE
    elif by_options and not infers(few) and others - right >= max(1, guesses) * _CLEARLY:
        # More of its guesses were wrong than the other search made at all.
        some, none = say.WHY_FEW_OPTIONS, say.WHY_ONE_OPTION
    else:
        some, none = say.WHY_GUESSES, say.WHY_NO_GUESS
    return (some if guesses else none)(count=guesses, many=_so_far(many, others))


def _so_far(tally: Tally, count: int) -> str:
    """A count of a search, marked if the search was stopped and would have reached more."""
    if tally.outcome is Outcome.CAPPED:
        return say.BAR_AT_LEAST(steps=count)
    return number(count)


def _ratio(few: int, many: int, *, at_least: bool) -> str:
    """How many fewer steps `few` are than `many`: "33×", below 2× "27%". It is rounded down if it
    is to be a lower bound."""
    if many < few * _IN_TIMES:
        saved = Fraction(100 * (many - few), many)
        return say.PERCENT(number=number(floor(saved) if at_least else round(saved)))
    return times_text(few, many, at_least=at_least)


def shows_tenths(few: int, many: int) -> bool:
    """Whether the ratio of two counts has a decimal."""
    return Fraction(many, few) < Fraction(19, 2)


def times_text(few: int, many: int, *, at_least: bool) -> str:
    """The ratio of `many` to `few`: "1.5×", "2×", "33×", "1,234×". It is rounded to the nearest, or
    down if it is to be a lower bound."""
    parts = 10 if shows_tenths(few, many) else 1
    ratio = Fraction(many * parts, few)
    whole = floor(ratio) if at_least else round(ratio)
    return say.TIMES(factor=number(whole) if parts == 1 else decimal(Fraction(whole, parts)))
