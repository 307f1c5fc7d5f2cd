"""The sentence of the end card that says why: its numbers are those of the search tree."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest

from tests.support.puzzles import MEDIUM
from undoku import Limits, parse_puzzle, search
from undoku.render.playback.search_texts import (
    order_reason_of,
    reason_of,
    tie_reason_of,
    verdict_of,
)
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.study.generate import puzzles as generated
from undoku.solver.trace.trace import Op, Trace
from undoku.texts.language import decimal

ALL = Limits()


@cache
def puzzles() -> tuple[Puzzle, ...]:
    return parse_puzzle(MEDIUM.grid), *(next(generated(seed=seed)) for seed in (3, 4))


def barren_guesses(trace: Trace) -> int:
    """How many guesses are taken back before another one is made, also with inference."""
    barren, depth, last = 0, 0, -1  # the values on the board, and the last guess of them
    for op in trace.read()["op"].tolist():
        if op == Op.GUESS:
            last = depth
        if op <= Op.UNDO:
            depth += -1 if op == Op.UNDO else 1
        if op == Op.UNDO and depth == last:
            barren, last = barren + 1, -1
    return barren


def numbers_in(sentence: str) -> list[int]:
    return [int(found.replace(",", "")) for found in re.findall(r"[0-9][0-9,]*", sentence)]


def reported(puzzle: Puzzle, few: str, many: str, limits: Limits = ALL) -> str:
    return reason_of(
        (few, many), search(puzzle, few, limits).tally(), search(puzzle, many, limits).tally()
    )


@pytest.mark.parametrize("strategy", ["mrv", "mrv/descending", "mrv+forward"])
@pytest.mark.parametrize("limits", [Limits(), Limits(5000)])
def test_an_order_of_cells_is_reported_by_the_dead_ends_of_both_trees(
    strategy: str, limits: Limits
) -> None:
    message = 0
    for puzzle in puzzles():
        sentence = reported(puzzle, strategy, "row-major", limits)
        if not sentence:
            continue
        message += 1
        counted = [barren_guesses(search(puzzle, spec, limits)) for spec in (strategy, "row-major")]
        assert numbers_in(sentence) == [count for count in counted if count]
    assert message


def test_the_fewest_options_are_the_reason_against_an_order_fixed_in_advance() -> None:
    """The headline says by how much, this sentence why; its numbers are those of the trees."""
    puzzle, specs = puzzles()[0], ("row-major", "mrv")
    traces = [search(puzzle, spec) for spec in specs]
    tallies = [trace.tally() for trace in traces]
    many, few = map(barren_guesses, traces)
    assert verdict_of(["a", "b"], tallies, specs).reason == (
        f"Where fewer digits fit, fewer guesses are wrong. Dead ends: {few} instead of {many:,}."
    )
    for other in (("row-major", "activity"), ("dom-wdeg", "mrv"), ("", "mrv"), ()):
        assert "fewer digits" not in verdict_of(["a", "b"], tallies, other).reason


@pytest.mark.parametrize(
    ("few", "many", "reason"),
    [
        ("mrv", "row-major", "Wrong guesses led mrv into 17 dead ends, row-major into 2,978."),
        (
            "mrv+singles",
            "mrv",
            "mrv+singles: 55 of 56 digits follow by logic, without a guess.",
        ),
        (
            "mrv+singles",
            "row-major+singles",
            "Digits guessed: mrv+singles 1, row-major+singles 3.",
        ),
        ("row-major", "row-major", ""),
    ],
)
def test_the_reason_of_the_medium_puzzle_is_said_in_plain_words(
    few: str, many: str, reason: str
) -> None:
    """None if both trees have about as many dead ends."""
    assert reported(puzzles()[0], few, many) == reason


def test_a_tie_is_reported_by_what_all_wrote_and_took_back() -> None:
    few = parse_puzzle("1......2..3.....")
    straight = [
        search(few, spec).tally() for spec in ("row-major", "mrv", "column-major", "mrv-degree")
    ]
    assert [tally.undos for tally in straight] == [0] * 4
    assert verdict_of(["a", "b", "c", "d"], straight).reason == (
        "No search met a dead end: each wrote 13 digits and took none back."
    )
    twice = [search(puzzles()[0], "row-major").tally()] * 2
    assert tie_reason_of(twice) == "Each search wrote 8,796 digits and took 8,740 of them back."


def test_numbers_that_are_compared_have_as_many_decimals() -> None:
    assert decimal(Fraction(7, 5), 2, all_places=True) == "1.40"
    assert decimal(Fraction(7, 5), 2) == "1.4"


@pytest.mark.parametrize(
    "strategies",
    [
        ("row-major", "mrv", "mrv+singles"),
        ("row-major", "column-major", "spiral", "static", "mrv", "mrv+singles"),
        ("column-major", "mrv/descending", "exact-cover"),
    ],
)
def test_orders_fixed_in_advance_are_compared_with_others_as_two_groups(
    strategies: tuple[str, ...],
) -> None:
    """The bounds are those of the trees, and the groups do not overlap."""
    said = 0
    for puzzle in puzzles():
        traces = [search(puzzle, spec) for spec in strategies]
        tallies = [trace.tally() for trace in traces]
        sentence = order_reason_of(strategies, tallies)
        if not sentence:
            continue
        said += 1
        counts = [
            (trace.tally().steps, barren_guesses(trace), spec.startswith(("mrv", "exact")))
            for trace, spec in zip(traces, strategies, strict=True)
        ]
        fixed = [pair for *pair, chosen in counts if not chosen]
        others = [pair for *pair, chosen in counts if chosen]
        assert min(fixed)[0] > max(others)[0]
        met, most = {dead for _, dead in fixed}, max(dead for _, dead in others)
        assert numbers_in(sentence) == [*sorted({min(met), max(met)}), *([most] if most else [])]
        assert ("none" in sentence) == (not most)
        assert min(met) > most
    assert said, "not tested"


@pytest.mark.parametrize(
    ("strategies", "said"),
    [
        (
            ("row-major", "mrv", "mrv+singles"),
            "The order fixed in advance met 2,978 dead ends. Those that look at the board at each "
            "step met 17 at most.",
        ),
        (
            ("row-major", "column-major", "mrv"),
            "Orders fixed in advance met 2,978 to 26,610 dead ends. The one that looks at the "
            "board at each step met 17.",
        ),
        (
            ("row-major", "row-major", "mrv+singles"),
            "Each order fixed in advance met 2,978 dead ends. The one that looks at the board at "
            "each step met none.",
        ),
    ],
)
def test_a_group_of_one_search_is_not_described_by_bounds(
    strategies: tuple[str, ...], said: str
) -> None:
    tallies = [search(MEDIUM.grid, spec).tally() for spec in strategies]
    assert order_reason_of(strategies, tallies) == said


def test_groups_are_not_compared_if_a_limit_stopped_a_search_or_two_searches_are_left() -> None:
    strategies = ("row-major", "mrv", "mrv+singles")
    stopped = [search(MEDIUM.grid, spec, Limits(300)).tally() for spec in strategies]
    assert order_reason_of(strategies, stopped) == ""
    solved = [search(MEDIUM.grid, spec).tally() for spec in strategies]
    assert order_reason_of(strategies, solved)
    assert order_reason_of(strategies[:2], solved[:2]) == ""
    assert order_reason_of(("mrv", "mrv-degree", "mrv+singles"), solved) == ""
