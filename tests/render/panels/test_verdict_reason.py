"""The sentence of the end card that says why: its numbers are those of the search tree."""

from __future__ import annotations

from fractions import Fraction

import pytest

from render.panels.verdict_reason import options_tried, reason_of
from render.texts.language import decimal
from solver import Limits, parse_puzzle, search
from solver.generate import puzzles as generated
from solver.puzzle import Puzzle
from solver.trace import Op, Trace
from tests.support.puzzles import MEDIUM

PUZZLES = (parse_puzzle(MEDIUM.grid), *(next(generated(seed=seed)) for seed in (3, 4)))


def children_per_choice(trace: Trace) -> Fraction:
    """The mean of the children of nodes that have any, by walking the tree."""
    children, path = [0], [0]
    for chunk in trace.chunks():
        for op, value, cell in chunk.tolist():
            del value, cell
            if op == Op.GUESS:
                children[path[-1]] += 1
                children.append(0)
                path.append(len(children) - 1)
            elif op == Op.UNDO and path[1:]:
                path.pop()
    trying = [count for count in children if count]
    return Fraction(sum(trying), len(trying))


def guesses_alone(trace: Trace) -> bool:
    return all(op in (Op.GUESS, Op.UNDO) for chunk in trace.chunks() for op in chunk["op"].tolist())


@pytest.mark.parametrize("strategy", ["row-major", "mrv", "row-major+cbj", "exact-cover"])
@pytest.mark.parametrize("limits", [Limits(), Limits(exhaustive=True), Limits(5000)])
def test_the_options_at_a_choice_are_the_children_of_nodes_that_have_any(
    strategy: str, limits: Limits
) -> None:
    found = []
    for puzzle in PUZZLES:
        trace = search(puzzle, strategy, limits)
        assert guesses_alone(trace)
        told = options_tried(trace.tally())
        found.append(told)
        if told is not None:
            assert told == Fraction(round(100 * children_per_choice(trace)), 100)
    assert any(found)


def told(puzzle: Puzzle, few: str, many: str) -> str:
    return reason_of((few, many), search(puzzle, few).tally(), search(puzzle, many).tally())


def test_an_order_of_cells_is_told_by_what_it_tries_at_a_choice() -> None:
    assert told(PUZZLES[0], "mrv", "row-major") == (
        "mrv tries 1.06 digits per cell on average, row-major 1.51. From cell to cell, this"
        " multiplies."
    )


def test_logic_is_told_by_the_digits_that_follow_from_it() -> None:
    assert told(PUZZLES[0], "mrv+singles", "mrv") == (
        "mrv+singles: 55 of 56 digits follow by logic, without a guess."
    )
    assert told(PUZZLES[0], "mrv+singles", "row-major+singles") == (
        "Digits guessed: mrv+singles 1, row-major+singles 3."
    )


def test_nothing_is_told_where_the_counts_give_no_reason() -> None:
    """The order of the values changes which options are tried first, not how many there are."""
    assert told(PUZZLES[0], "mrv/lcv", "mrv") == ""


def test_a_search_that_a_limit_stopped_tells_no_average_that_its_last_node_could_change() -> None:
    assert options_tried(search(PUZZLES[0], "row-major", Limits(3)).tally()) is None


def test_numbers_that_are_compared_have_as_many_decimals() -> None:
    assert decimal(Fraction(7, 5), 2, all_places=True) == "1.40"
    assert decimal(Fraction(7, 5), 2) == "1.4"
