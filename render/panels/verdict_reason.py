"""Why one search takes fewer steps than another, in one sentence that follows from their counts."""

from __future__ import annotations

from fractions import Fraction

from render.texts import wording as say
from render.texts.language import decimal
from solver.trace import Outcome, Tally

__all__ = ["options_tried", "reason_of"]

_CLEARLY = Fraction(5, 4)
"""The least factor between needless tries, or guesses, that is worth stating."""


def reason_of(names: tuple[str, str], few: Tally, many: Tally) -> str:
    """Why the first of two searches with these names, with the counts `few`, took fewer steps than
    the other one, with the counts `many`; "" if the counts do not show it."""
    best, worst = names
    forced, guesses = few.places - few.guesses, few.guesses
    if forced and many.places == many.guesses:
        return say.WHY_FORCED(best=best, forced=forced, places=few.places)
    if forced:
        if many.guesses < max(1, guesses) * _CLEARLY:
            return ""
        return say.WHY_GUESSES(best=best, few=guesses, worst=worst, many=many.guesses)
    less, more = options_tried(few), options_tried(many)
    if less is None or more is None or less == more or more - 1 < (less - 1) * _CLEARLY:
        return ""
    told = [decimal(tried, 2, all_places=True) for tried in (less, more)]
    return say.WHY_TRIES(best=best, few=told[0], worst=worst, many=told[1])


def options_tried(tally: Tally) -> Fraction | None:
    """The number of options that a search tries at a choice, on average over the nodes that try
    any, rounded to hundredths; None if the counts do not determine it. A node that tries none is a
    dead end or a solution. If a limit stopped the search, it may have stopped in one more such
    node.
    """
    trying = tally.nodes - tally.dead_ends - tally.solutions
    doubtful = (0, 1) if tally.outcome is Outcome.CAPPED else (0,)
    if trying - max(doubtful) < 1:
        return None
    found = {Fraction(round(100 * Fraction(tally.guesses, trying - n)), 100) for n in doubtful}
    return found.pop() if len(found) == 1 else None
