"""Explains, in one sentence that follows from their counts, why one search takes fewer steps than
another, or equally many."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from render.texts import wording as say
from solver.trace import Outcome, Tally

__all__ = ["reason_of", "tie_reason_of"]

_CLEARLY = Fraction(5, 4)
"""The minimum ratio of dead ends, or of guesses, that is mentioned."""


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
    if many.dead_ends < 2 or many.dead_ends < few.dead_ends * _CLEARLY:
        return ""
    if not few.dead_ends:
        return say.WHY_NO_DEAD_END(best=best, worst=worst, many=many.dead_ends)
    return say.WHY_DEAD_ENDS(best=best, few=few.dead_ends, worst=worst, many=many.dead_ends)


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
