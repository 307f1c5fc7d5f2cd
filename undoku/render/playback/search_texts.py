"""Whole searches in words: the description of a search, its status when it has ended, and the
reason why some searches take fewer steps than others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import Header, Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.strategy_texts import strategy_sentence

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
        and not infers(tallies[n])
        and fewer(n, longest)
    ]
    few = min(by_options, key=lambda n: tallies[n].steps, default=longest)
    by_logic = (
        infers(tallies[shortest])
        and not infers(tallies[few])
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
