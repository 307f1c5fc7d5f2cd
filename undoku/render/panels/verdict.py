"""The result of the searches of a film, in words: the headline of the end card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from undoku.render.panels.verdict_reason import (
    goes_by_options,
    order_reason_of,
    reason_of,
    tie_reason_of,
)
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.language import decimal, number

__all__ = ["Verdict", "fewer_of", "verdict_of"]

_MANY = 3
"""The minimum number of searches of which each is compared with the longest one."""

_ALIKE = Fraction(21, 20)
"""Below this ratio two totals are called almost the same."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A headline of a few words, a sentence that completes it, and one with the reason; "" if there
    is none."""

    headline: str
    sentence: str
    reason: str = ""

    @property
    def text(self) -> str:
        """The headline and the first sentence on one line."""
        if not self.sentence:
            return self.headline
        return say.HEAD_AND_SENTENCE(headline=self.headline, sentence=self.sentence)


def verdict_of(
    names: Sequence[str], tallies: Sequence[Tally], strategies: Sequence[str] = ()
) -> Verdict:
    """The verdict on searches with these names and counts, one or more of each, and with these
    strategies, if the reason may depend on them.

    A search that was stopped by a limit is never called the shorter one; a ratio to it is stated as
    a lower bound.
    """
    if len(tallies) == 1:
        return _of_one(names[0], tallies[0])
    ended = [n for n, tally in enumerate(tallies) if tally.outcome is not Outcome.CAPPED]
    if not ended:
        return Verdict(say.HEAD_NONE_FINISHED(), say.ALL_STOPPED())
    best = min(ended, key=lambda n: tallies[n].steps)
    worst = max(range(len(tallies)), key=lambda n: tallies[n].steps)
    few, many = tallies[best].steps, tallies[worst].steps
    if few >= many:
        return _of_a_tie(names, tallies, ended, few)
    if not few:
        return Verdict(
            say.HEAD_NO_STEP(steps=many), say.INSTEAD_OF(best=names[best], worst=names[worst])
        )
    factor = Fraction(many, few)
    if tallies[worst].outcome is Outcome.CAPPED:
        headline = say.HEAD_MORE_THAN(factor=_at_least(factor))
    elif factor < _ALIKE:
        both = say.BOTH_STEPS(best=names[best], few=few, worst=names[worst], many=many)
        return Verdict(say.HEAD_ALMOST_SAME(), both)
    else:
        headline = say.HEAD_FEWER(factor=_rounded(factor))
    proved = _proved(names[best], tallies[best], factor, tallies[worst])
    sentence = proved or say.INSTEAD_OF(best=names[best], worst=names[worst])
    by_options = len(strategies) == len(names) and goes_by_options(
        strategies[best], strategies[worst]
    )
    reason = order_reason_of(strategies, tallies) or reason_of(
        (names[best], names[worst]), tallies[best], tallies[worst], by_options=by_options
    )
    return Verdict(headline, sentence, reason)


def fewer_of(tallies: Sequence[Tally]) -> tuple[str, ...]:
    """How many times fewer steps each of three or more searches took than the longest one: "33";
    "" for those that took almost as many, for all of two searches, whose ratio is the headline, and
    if one was stopped."""
    longest = max(tally.steps for tally in tallies)
    known = len(tallies) >= _MANY and all(
        tally.outcome is not Outcome.CAPPED and tally.steps for tally in tallies
    )
    return tuple(
        _rounded(factor) if factor >= _ALIKE else ""
        for factor in (Fraction(longest if known else 0, tally.steps or 1) for tally in tallies)
    )


def _of_one(name: str, tally: Tally) -> Verdict:
    steps = tally.steps
    back = (
        say.TOOK_BACK(label=name, count=tally.undos)
        if tally.undos
        else say.TOOK_BACK_NONE(label=name)
    )
    match tally.outcome:
        case Outcome.SOLVED:
            forced = tally.places - tally.guesses
            reason = say.WHY_FORCED(best=name, forced=forced, places=tally.places) if forced else ""
            return Verdict(say.HEAD_SOLVED_IN(count=steps), back, reason)
        case Outcome.CAPPED:
            return Verdict(say.HEAD_STOPPED_AFTER(count=steps), back)
    found = say.SOLUTIONS(count=tally.solutions) if tally.solutions else say.NO_SOLUTION()
    return Verdict(say.HEAD_WHOLE_TREE(count=steps, found=found), back)


def _of_a_tie(
    names: Sequence[str], tallies: Sequence[Tally], ended: Sequence[int], steps: int
) -> Verdict:
    headline = say.HEAD_TIE(count=steps)
    first = [names[n] for n in ended if tallies[n].steps == steps]
    stopped = [names[n] for n in range(len(tallies)) if n not in ended]
    if not stopped:
        return Verdict(headline, say.listed(first), tie_reason_of(tallies))
    return Verdict(
        say.HEAD_FINISHED(labels=say.listed(first), count=steps),
        say.STOPPED_BY_LIMIT(labels=say.listed(stopped), count=len(stopped)),
    )


def _proved(name: str, tally: Tally, factor: Fraction, other: Tally) -> str:
    """The proof of an exhaustive search, "" if it did not search the whole tree, with its share of
    the steps of another exhaustive search."""
    if tally.outcome is not Outcome.EXHAUSTED:
        return ""
    if other.outcome is Outcome.EXHAUSTED:
        share = _share(factor)
        if not tally.solutions:
            return say.PROVED_NONE_IN(label=name, share=share)
        if tally.solutions == 1:
            return say.PROVED_UNIQUE_IN(label=name, share=share)
        return say.FOUND_ALL_IN(label=name, solutions=tally.solutions, share=share)
    if not tally.solutions:
        return say.PROVED_NONE(label=name, count=tally.steps)
    if tally.solutions == 1:
        return say.PROVED_UNIQUE(label=name, count=tally.steps)
    return say.FOUND_ALL(label=name, solutions=tally.solutions, count=tally.steps)


def _share(factor: Fraction) -> str:
    """A share: "1/21", "42 %"."""
    whole = round(factor)
    if factor >= Fraction(19, 2) or abs(factor - whole) < Fraction(1, 20):
        return say.SHARE(factor=number(whole))
    return say.PERCENT(number=number(round(100 / factor)))


def _rounded(factor: Fraction) -> str:
    """ "1.5", "2", "33", "1,234": one decimal below 10."""
    if factor < Fraction(19, 2):
        return decimal(round(factor * 10) / 10)
    return number(round(factor))


def _at_least(factor: Fraction) -> str:
    """Like `_rounded`, but rounded down."""
    return decimal(floor(factor * 10) / 10) if factor < 10 else number(floor(factor))
