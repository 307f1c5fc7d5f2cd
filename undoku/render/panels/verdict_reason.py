"""Explains, in sentences that follow from their counts, why one search takes fewer steps than
another, or equally many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import story_texts as story
from undoku.texts import wording as say

__all__ = [
    "clearly_fewer",
    "explanation_of",
    "goes_by_options",
    "order_reason_of",
    "reason_of",
    "tie_reason_of",
]

_MANY = 3
"""The minimum number of searches that are compared in groups."""

_FEWEST_OPTIONS = "mrv"
"""The beginning of the names of cell orders that compare numbers of options."""

_CLEARLY = Fraction(5, 4)
"""The minimum ratio of dead ends, or of guesses, that is mentioned."""


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
    by_options = [
        n
        for n in ended
        if goes_by_options(strategies[n], strategies[longest])
        and not _infers(tallies[n])
        and _took_clearly_fewer(tallies[n], tallies[longest])
    ]
    few = min(by_options, key=lambda n: tallies[n].steps, default=longest)
    by_logic = (
        _infers(tallies[shortest])
        and not _infers(tallies[few])
        and _same_order(strategies[shortest], strategies[few])
        and _took_clearly_fewer(tallies[shortest], tallies[few])
    )
    if by_options and by_logic:
        return story.FEWER_WRONG_AND_LOGIC()
    if by_options:
        return story.FEWER_WRONG()
    return story.LOGIC_GUESSES_LESS() if by_logic else ""


def _same_order(first: str, second: str) -> bool:
    """Whether searches with these strategies choose cells and values in the same way."""
    one, other = Strategy.known(first), Strategy.known(second)
    if one is None or other is None:
        return False
    return (one.cells, one.values) == (other.cells, other.values)


def _infers(tally: Tally) -> bool:
    """Whether a search with these counts has inferred values."""
    return tally.places > tally.guesses


def _took_clearly_fewer(few: Tally, many: Tally) -> bool:
    """Whether a search with the first counts took fewer steps and met clearly fewer dead ends."""
    return few.steps < many.steps and clearly_fewer(few.dead_ends, many.dead_ends)


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
    if len(met) == 1:
        first = say.WHY_FIXED(many=many)
    elif many == max(met):
        first = say.WHY_FIXED_EACH(many=many)
    else:
        first = say.WHY_FIXED_RANGE(many=many, most=max(met))
    if len(chosen) == 1:
        second = say.WHY_LOOKS(few=few) if few else say.WHY_LOOKS_NONE()
    else:
        second = say.WHY_LOOK_MOST(few=few) if few else say.WHY_LOOK_NONE()
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
    if not first.undos:
        return say.WHY_TIE_STRAIGHT(places=first.places)
    return say.WHY_TIE(places=first.places, count=first.undos)
