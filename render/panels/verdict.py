"""What the searches of a film come to, in words: the headline of the end card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from solver.trace import Outcome, Tally

__all__ = ["Verdict", "counted", "listed", "verdict_of"]

_ALIKE = Fraction(21, 20)
"""Below this ratio two totals are called almost the same."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A headline of a few words, and a sentence that says of what; "" where nothing is to be
    added."""

    headline: str
    sentence: str

    @property
    def text(self) -> str:
        """Both on one line."""
        return f"{self.headline}: {self.sentence}" if self.sentence else self.headline


def verdict_of(names: Sequence[str], tallies: Sequence[Tally]) -> Verdict:
    """The verdict on searches with these names and counts, one or more of each.

    A search that was stopped by a limit is never called the shorter one; a ratio to it is a lower
    bound, and says so.
    """
    if len(tallies) == 1:
        return _of_one(names[0], tallies[0])
    ended = [n for n, tally in enumerate(tallies) if tally.outcome is not Outcome.CAPPED]
    if not ended:
        return Verdict("No search finished", "all were stopped by their limit")
    best = min(ended, key=lambda n: tallies[n].steps)
    worst = max(range(len(tallies)), key=lambda n: tallies[n].steps)
    few, many = tallies[best].steps, tallies[worst].steps
    if few >= many:
        return _of_a_tie(names, tallies, ended, few)
    if not few:
        return Verdict(f"No step against {many:,}", f"{names[best]} instead of {names[worst]}")
    factor = Fraction(many, few)
    if tallies[worst].outcome is Outcome.CAPPED:
        headline = f"More than {_at_least(factor)}× fewer steps"
    elif factor < _ALIKE:
        return Verdict(
            "Almost the same", f"{names[best]}: {few:,} steps, {names[worst]}: {many:,} steps"
        )
    else:
        headline = f"{_rounded(factor)}× fewer steps"
    proved = _proved(tallies[best])
    if proved:
        return Verdict(headline, f"{names[best]} {proved} in {counted(few, 'step')}")
    return Verdict(headline, f"{names[best]} instead of {names[worst]}")


def _of_one(name: str, tally: Tally) -> Verdict:
    steps = counted(tally.steps, "step")
    back = f"{name} took back {counted(tally.undos, 'digit') if tally.undos else 'no digit'}"
    match tally.outcome:
        case Outcome.SOLVED:
            return Verdict(f"Solved in {steps}", back)
        case Outcome.CAPPED:
            return Verdict(f"Stopped after {steps}", back)
    found = counted(tally.solutions, "solution") if tally.solutions else "no solution"
    return Verdict(f"Whole tree in {steps}: {found}", back)


def _of_a_tie(
    names: Sequence[str], tallies: Sequence[Tally], ended: Sequence[int], steps: int
) -> Verdict:
    headline = f"A tie: {counted(steps, 'step')} each"
    first = [names[n] for n in ended if tallies[n].steps == steps]
    stopped = [names[n] for n in range(len(tallies)) if n not in ended]
    if not stopped:
        return Verdict(headline, listed(first))
    were = "was" if len(stopped) == 1 else "were"
    return Verdict(
        f"{listed(first)}: {counted(steps, 'step')}",
        f"{listed(stopped)} {were} stopped by the limit",
    )


def _proved(tally: Tally) -> str:
    """What a search proved, "" where it did not search the whole tree."""
    if tally.outcome is not Outcome.EXHAUSTED:
        return ""
    if not tally.solutions:
        return "proved that there is no solution"
    if tally.solutions == 1:
        return "proved the one solution unique"
    return f"found all {tally.solutions:,} solutions"


def _rounded(factor: Fraction) -> str:
    """ "1.5", "2", "33", "1,234": one decimal below 10."""
    if factor < Fraction(19, 2):
        return f"{float(round(factor * 10) / 10):.1f}".removesuffix(".0")
    return f"{round(factor):,}"


def _at_least(factor: Fraction) -> str:
    """As `_rounded`, never above the truth."""
    if factor < 10:
        return f"{floor(factor * 10) / 10:.1f}".removesuffix(".0")
    return f"{floor(factor):,}"


def counted(number: int, thing: str) -> str:
    """ "1 step", "534 steps" """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def listed(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c" """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
