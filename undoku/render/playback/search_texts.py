"""Whole searches in words: the description of a search, its status when it has ended, the headline
of the end card, and the reason why one search takes fewer steps than another, or equally many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.language import decimal, number
from undoku.texts.strategy_texts import strategy_sentence

_MANY = 3
"""The minimum number of searches that are compared in groups, or each with the longest one."""

_FEWEST_OPTIONS = "mrv"
"""The beginning of the names of cell orders that compare numbers of options."""

_CLEARLY = Fraction(5, 4)
"""The minimum ratio of dead ends, or of guesses, that is mentioned."""


def described(header: Header) -> str:
    """The description of a search, without a full stop: that of its trace, or else of its strategy;
    "" if there is neither, as in many foreign traces."""
    if header.description:
        return header.description.strip().removesuffix(".")
    strategy = Strategy.known(header.strategy)
    return strategy_sentence(strategy) if strategy else ""


def clearly_fewer(few: int, many: int) -> bool:
    """Whether `few` dead ends are clearly fewer than `many`, which are 2 or more."""
    return many > max(1, few) and many >= few * _CLEARLY


def reason_of(names: tuple[str, str], few: Tally, many: Tally, *, by_options: bool = False) -> str:
    """Why the first of two searches with these names, with the counts `few`, took fewer steps than
    the other one, with the counts `many`; "" if the counts do not show it. `by_options` states
    whether only the first one takes the cells with the fewest options (`goes_by_options`)."""
    best, worst = names
    forced, guesses = few.places - few.guesses, few.guesses
    if forced and many.places == many.guesses:
        return say.WHY_FORCED(best=best, forced=forced, places=few.places)
    if forced:
        if many.guesses < max(1, guesses) * _CLEARLY:
            return ""
        return say.WHY_GUESSES(best=best, few=guesses, worst=worst, many=many.guesses)
    if not clearly_fewer(few.dead_ends, many.dead_ends):
        return ""
    if not few.dead_ends:
        return say.WHY_NO_DEAD_END(best=best, worst=worst, many=many.dead_ends)
    if by_options:
        return say.WHY_FEWER_FIT(few=few.dead_ends, many=many.dead_ends)
    return say.WHY_DEAD_ENDS(best=best, few=few.dead_ends, worst=worst, many=many.dead_ends)


def goes_by_options(best: str, worst: str) -> bool:
    """Whether a search with the strategy `best` takes the cells with the fewest options, while one
    with the strategy `worst` takes them in an order that is fixed in advance."""
    first, second = Strategy.known(best), Strategy.known(worst)
    if first is None or second is None:
        return False
    return first.cells.startswith(_FEWEST_OPTIONS) and second.has_fixed_order


def explanation_of(strategies: Sequence[str], tallies: Sequence[Tally]) -> str:
    """Why some of the searches with these strategies and counts take fewer steps, without numbers,
    so that it can be stated before they end; "" if the counts do not show it. Few options are the
    reason if the longest search has an order that is fixed in advance and clearly more dead ends
    than one without inference that takes the cells with the fewest options. Logic is the reason if
    the shortest search, and not the one that it is compared with, infers values and has clearly
    fewer dead ends."""
    longest = max(range(len(tallies)), key=lambda n: tallies[n].steps)
    ended = [n for n, tally in enumerate(tallies) if tally.outcome is not Outcome.CAPPED]
    shortest = min(ended, key=lambda n: tallies[n].steps, default=longest)

    def fewer(few: int, many: int) -> bool:
        """Whether one search took fewer steps than another and met clearly fewer dead ends."""
        one, other = tallies[few], tallies[many]
        return one.steps < other.steps and clearly_fewer(one.dead_ends, other.dead_ends)

    by_options = [
        n
        for n in ended
        if goes_by_options(strategies[n], strategies[longest])
        and not _infers(tallies[n])
        and fewer(n, longest)
    ]
    few = min(by_options, key=lambda n: tallies[n].steps, default=longest)
    by_logic = (
        _infers(tallies[shortest])
        and not _infers(tallies[few])
        and _same_order(strategies[shortest], strategies[few])
        and fewer(shortest, few)
    )
    if by_options and by_logic:
        return say.FEWER_WRONG_AND_LOGIC()
    if by_options:
        return say.FEWER_WRONG()
    return say.LOGIC_GUESSES_LESS() if by_logic else ""


def _same_order(first: str, second: str) -> bool:
    """Whether searches with these strategies choose cells and values in the same way."""
    one, other = Strategy.known(first), Strategy.known(second)
    if one is None or other is None:
        return False
    return (one.cells, one.values) == (other.cells, other.values)


def _infers(tally: Tally) -> bool:
    """Whether a search with these counts has inferred values."""
    return tally.places > tally.guesses


def order_reason_of(strategies: Sequence[str], tallies: Sequence[Tally]) -> str:
    """Why searches with these strategies and counts, three or more, differ: each search with an
    order that is fixed in advance took more steps, and met more dead ends, than each search that
    chooses its cells step by step; "" if this is not so, or if it is not known."""
    known = [each for each in map(Strategy.known, strategies) if each]
    if not _MANY <= len(known) == len(tallies):
        return ""
    pairs = [*zip(known, tallies, strict=True)]
    fixed = [tally for strategy, tally in pairs if strategy.has_fixed_order]
    chosen = [tally for strategy, tally in pairs if not strategy.has_fixed_order]
    if not fixed or not chosen:
        return ""
    if any(tally.outcome is not tallies[0].outcome for tally in tallies):
        return ""
    met = [tally.dead_ends for tally in fixed]
    many, few = min(met), max(tally.dead_ends for tally in chosen)
    slower = min(tally.steps for tally in fixed) > max(tally.steps for tally in chosen)
    if not slower or not clearly_fewer(few, many):
        return ""
    fixed_text = say.WHY_FIXED_EACH if many == max(met) else say.WHY_FIXED_RANGE
    if len(met) == 1:
        fixed_text = say.WHY_FIXED
    one = len(chosen) == 1
    some, none = (
        (say.WHY_LOOKS, say.WHY_LOOKS_NONE) if one else (say.WHY_LOOK_MOST, say.WHY_LOOK_NONE)
    )
    first = fixed_text(many=many, most=max(met))
    second = (some if few else none)(few=few)
    return f"{first} {second}"


def tie_reason_of(tallies: Sequence[Tally]) -> str:
    """Why searches with these counts took equally many steps; "" if they differ in more than the
    order of their steps, or found no solution."""
    first = tallies[0]
    if any(
        tally.outcome is not Outcome.SOLVED
        or (tally.places, tally.undos) != (first.places, first.undos)
        for tally in tallies
    ):
        return ""
    tie = say.WHY_TIE if first.undos else say.WHY_TIE_STRAIGHT
    return tie(places=first.places, count=first.undos)


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
        headline = say.HEAD_FEWER(factor=rounded_factor(factor))
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
        rounded_factor(factor) if factor >= _ALIKE else ""
        for factor in (Fraction(longest if known else 0, tally.steps or 1) for tally in tallies)
    )


def _of_one(name: str, tally: Tally) -> Verdict:
    steps = tally.steps
    took_back = say.TOOK_BACK if tally.undos else say.TOOK_BACK_NONE
    back, reason = took_back(label=name, count=tally.undos), ""
    if tally.outcome is Outcome.SOLVED:
        headline = say.HEAD_SOLVED_IN(count=steps)
        if _infers(tally):
            forced = tally.places - tally.guesses
            reason = say.WHY_FORCED(best=name, forced=forced, places=tally.places)
    elif tally.outcome is Outcome.CAPPED:
        headline = say.HEAD_STOPPED_AFTER(count=steps)
    else:
        headline = say.HEAD_WHOLE_TREE(count=steps, found=_solutions_text(tally.solutions))
    return Verdict(headline, back, reason)


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
        texts = say.PROVED_NONE_IN, say.PROVED_UNIQUE_IN, say.FOUND_ALL_IN
    else:
        share = ""
        texts = say.PROVED_NONE, say.PROVED_UNIQUE, say.FOUND_ALL
    text, solutions = texts[min(tally.solutions, 2)], tally.solutions
    return text(label=name, count=tally.steps, solutions=solutions, share=share)


def _share(factor: Fraction) -> str:
    """A share: "1/21", "42 %"."""
    whole = round(factor)
    if factor >= Fraction(19, 2) or abs(factor - whole) < Fraction(1, 20):
        return say.SHARE(factor=number(whole))
    return say.PERCENT(number=number(round(100 / factor)))


def rounded_factor(factor: Fraction) -> str:
    """ "1.5", "2", "33", "1,234": one decimal below 10."""
    if factor < Fraction(19, 2):
        return decimal(round(factor * 10) / 10)
    return number(round(factor))


def _at_least(factor: Fraction) -> str:
    """Like `rounded_factor`, but rounded down."""
    return decimal(floor(factor * 10) / 10) if factor < 10 else number(floor(factor))


def status_texts(outcome: Outcome, steps: int, solutions: int, *, cut: bool) -> list[str]:
    """The texts about a search that has ended after a number of steps, the fullest first; `cut`
    states that its trace is truncated."""
    texts: tuple[say.Text, ...]
    if cut:
        texts = say.TRACE_ENDS_AFTER, say.TRACE_ENDS_AT, say.TRACE_ENDS
    elif outcome is Outcome.SOLVED:
        texts = say.SOLVED_IN, say.SOLVED_STEPS, say.SOLVED, say.SOLVED_MARK
    elif outcome is Outcome.CAPPED:
        texts = say.CAPPED_AFTER, say.CAPPED_AT, say.CAPPED
    else:
        found = _solutions_text(solutions)
        whole = [text(found=found, count=steps) for text in (say.WHOLE_TREE_IN, say.WHOLE_TREE)]
        return [*whole, say.capitalised(found)]
    return [text(count=steps) for text in texts]


def _solutions_text(solutions: int) -> str:
    return say.SOLUTIONS(count=solutions) if solutions else say.NO_SOLUTION()
