"""Whole searches in words: the status of a search that has ended, and how searches choose and
infer."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import wording as say

_FEWEST_OPTIONS = "mrv"
"""The beginning of the names of cell orders that compare numbers of options."""


def added(labels: Sequence[str], label: str) -> str:
    """What a label adds to the longest other one with which it begins: "+ forced digits"; all of it
    if there is none."""
    shared = max((each for each in labels if label.startswith(f"{each}, ")), key=len, default="")
    return f"+ {label[len(shared) + 2 :]}" if shared else label


def goes_by_options(best: str, worst: str) -> bool:
    """Whether a search with the strategy `best` takes the cells with the fewest options, while one
    with the strategy `worst` takes them in an order that is fixed in advance."""
    first, second = Strategy.known(best), Strategy.known(worst)
    if first is None or second is None:
        return False
    return first.cells.startswith(_FEWEST_OPTIONS) and second.has_fixed_order


def infers(tally: Tally) -> bool:
    """Whether a search with these counts has inferred values."""
    return tally.places > tally.decisions


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
        found = solutions_text(solutions)
        whole = [text(found=found, count=steps) for text in (say.WHOLE_TREE_IN, say.WHOLE_TREE)]
        return [*whole, say.capitalised(found)]
    return [text(count=steps) for text in texts]


def solutions_text(solutions: int) -> str:
    """ "2 solutions", "no solution" """
    return say.SOLUTIONS(count=solutions) if solutions else say.NO_SOLUTION()
