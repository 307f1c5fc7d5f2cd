"""The verdict on searches: its words are true, and its numbers are those of the traces."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.support.puzzles import EASY, MEDIUM
from undoku import Outcome, Tally, parse_puzzle, search
from undoku.render.playback.verdict import Verdict, fastest, verdict_of
from undoku.solver.trace.trace import Header
from undoku.texts.language import decimal

CAPPED, EXHAUSTED = Outcome.CAPPED, Outcome.EXHAUSTED
A_EMPTY = parse_puzzle("." * 16)


def tally(steps: int, outcome: Outcome = Outcome.SOLVED, solutions: int = 1) -> Tally:
    """The counts of a search that has guessed every digit."""
    places = -(-steps // 2)
    return Tally(outcome, solutions, None, places, places, places, steps - places, 3, 1, 5, steps)


def verdict(tallies: Sequence[Tally]) -> Verdict:
    names = ("a", "b", "c")
    headers = [Header(A_EMPTY, given_label=name) for name, _ in zip(names, tallies, strict=False)]
    return verdict_of(headers, tallies)


@pytest.mark.parametrize(
    ("tallies", "large", "text"),
    [
        *(
            ([tally(few), tally(many)], large, text)
            for few, many, large, text in (
                (17_536, 534, "33×", "33× fewer steps: b instead of a"),
                (534, 17_536, "33×", "33× fewer steps: a instead of b"),
                (5_600_000, 200, "28,000×", "28,000× fewer steps: b instead of a"),
                (400, 200, "2×", "2× fewer steps: b instead of a"),
                (998, 100, "10×", "10× fewer steps: b instead of a"),
                (480, 200, "2.4×", "2.4× fewer steps: b instead of a"),
                (300, 250, "17%", "17% fewer steps: b instead of a"),
                (398, 200, "50%", "50% fewer steps: b instead of a"),
                (1000, 999, "", "Almost the same: b: 999 steps, a: 1,000 steps"),
                (44, 44, "", "Both need 44 steps."),
                (0, 44, "", "No step against 44: a instead of b"),
            )
        ),
        ([tally(44)] * 3, "", "All need 44 steps."),
        # A search that was stopped did not finish: a ratio to its steps is a lower bound, rounded
        # down, and says so, and it is never called the shortest.
        (
            [tally(1999, CAPPED), tally(100)],
            "over 19×",
            "More than 19× fewer steps: b instead of a",
        ),
        ([tally(199, CAPPED), tally(100)], "over 49%", "More than 49% fewer steps: b instead of a"),
        ([tally(10, CAPPED), tally(5000)], "", "b: 5,000 steps: a was stopped by the limit"),
        ([tally(101, CAPPED), tally(100)], "", "b: 100 steps: a was stopped by the limit"),
        ([tally(1999, CAPPED)] * 2, "", "No search finished: all were stopped by their limit"),
        ([tally(534)], "", "Solved in 534 steps"),
        ([tally(534, CAPPED)], "", "Stopped after 534 steps"),
        ([tally(534, EXHAUSTED, 0)], "", "Everything tried in 534 steps: no solution"),
        ([tally(534, EXHAUSTED, 288)], "", "Everything tried in 534 steps: 288 solutions"),
    ],
)
def test_searches_are_compared_by_their_steps_and_one_is_described_by_its_outcome(
    tallies: list[Tally], large: str, text: str
) -> None:
    found = verdict(tallies)
    assert (found.large, found.text) == (large, text)


def test_the_bars_stand_by_their_length() -> None:
    assert verdict([tally(500), tally(20), tally(900)]).bars == (2, 0, 1)
    assert verdict([tally(500), tally(20, CAPPED), tally(900)]).bars == (2, 0, 1)
    assert verdict([tally(44)] * 3).bars == ()


@pytest.mark.parametrize(
    ("solutions", "proof"),
    [
        (0, "Everything tried: no solution."),
        (1, "Everything tried: only one solution."),
        (2, "Everything tried: both solutions found."),
        (12, "Everything tried: all 12 solutions found."),
    ],
)
def test_searches_of_the_whole_tree_say_what_they_have_proved(solutions: int, proof: str) -> None:
    pair = [tally(steps, EXHAUSTED, solutions) for steps in (200, 100)]
    assert verdict(pair).proof == proof
    assert verdict([pair[0]] * 2).reason == proof
    assert verdict([pair[0], tally(100)]).proof == ""
    assert verdict([tally(900, CAPPED), tally(100)]).proof == "a was stopped by the limit."


# What follows is derived from the traces, event by event.


@pytest.mark.parametrize(
    ("few", "many", "reason"),
    [
        ("mrv+singles", "mrv", "1 guess instead of 39: logic leaves less to guess."),
        (
            "mrv",
            "row-major",
            "39 guesses instead of 5,569: where few digits fit, few guesses are wrong.",
        ),
        ("row-major", "column-major", "5,569 guesses instead of 49,836."),
        # Both use logic: it is no reason.
        ("mrv+singles", "row-major+singles", "1 guess instead of 3."),
        ("row-major", "row-major", "Each placed 8,796 digits and took 8,740 of them back."),
    ],
)
def test_the_reason_is_said_in_plain_words(few: str, many: str, reason: str) -> None:
    pair = [search(MEDIUM.grid, spec) for spec in (few, many)]
    found = verdict_of([each.header for each in pair], [each.tally() for each in pair])
    assert found.reason == reason


def test_the_first_result_says_how_many_solutions_there_are_if_that_is_proved() -> None:
    impossible = "4" + MEDIUM.grid[1:]
    traces = [search(impossible, spec) for spec in ("row-major", "mrv")]
    found = verdict_of([each.header for each in traces], [each.tally() for each in traces])
    assert (found.large, found.question) == ("704×", "fewer steps to “no solution”. Why?")


def test_different_puzzles_have_no_common_cause() -> None:
    pair = [search(EASY.grid, "mrv"), search(MEDIUM.grid, "row-major")]
    found = verdict_of([each.header for each in pair], [each.tally() for each in pair])
    assert ":" not in found.reason


def test_numbers_that_are_compared_have_as_many_decimals() -> None:
    assert decimal(Fraction(7, 5), 2, all_places=True) == "1.40"
    assert decimal(Fraction(7, 5), 2) == "1.4"


@pytest.mark.parametrize(
    ("tallies", "number"),
    [
        ([tally(17_536), tally(534), tally(600)], 1),
        ([tally(9000), tally(10, CAPPED), tally(500)], 2),
        ([tally(9000), tally(10, CAPPED), tally(5, CAPPED)], 2),
        ([tally(9000), tally(0, EXHAUSTED), tally(80)], 2),
        ([tally(44), tally(44)], 0),
    ],
)
def test_the_fastest_search_was_completed_if_any_was_in_fewer_steps_than_the_longest(
    tallies: Sequence[Tally], number: int
) -> None:
    """Sentences, laps and verdict agree on it; a search without steps does not count."""
    assert fastest(tallies) == number
