"""The verdict on searches: its words are true, and its numbers are those of the traces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, Outcome, Tally, parse_puzzle, search
from undoku.render.playback.step_reasons import candidates
from undoku.render.playback.verdict import Verdict, fastest, verdict_of
from undoku.solver.trace.trace import Header, Op
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
        ([tally(1999, CAPPED), tally(100)], ">19×", "More than 19× fewer steps: b instead of a"),
        ([tally(199, CAPPED), tally(100)], ">49%", "More than 49% fewer steps: b instead of a"),
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


def test_the_first_two_bars_are_those_that_the_headline_compares() -> None:
    assert verdict([tally(500), tally(20), tally(900)]).bars == (2, 1, 0)
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

STRATEGIES = (
    "row-major",
    "column-major",
    "spiral",
    "mrv",
    "mrv/descending",
    "mrv-degree",
    "mrv+singles",
    "row-major+singles",
    "row-major+singles+locked",
)
PUZZLES = {
    "medium": (MEDIUM.grid, Limits()),
    "easy": (EASY.grid, Limits()),
    "stopped": (MEDIUM.grid, Limits(400)),
    "without a solution": ("12..3.........4.", Limits(exhaustive=True)),
    "several solutions": ("1.....34..1.3...", Limits(exhaustive=True)),
}


class Slow:
    """The counts of a search, by playing its events on a board."""

    def __init__(self, puzzle: str, spec: str, limits: Limits) -> None:
        self.trace = search(puzzle, spec, limits)
        self.header, self.outcome = self.trace.header, self.trace.tally().outcome
        parsed = self.header.puzzle
        board, guessed = parsed.board.copy(), [False] * len(parsed.board)
        self.places = self.undos = self.guesses = self.wrong = self.forced = self.solutions = 0
        self.single = True
        removed: set[tuple[int, int]] = set()
        for op, value, cell in self.trace.read().tolist():
            if op in (Op.GUESS, Op.FORCED):
                self.places += 1
                self.forced += op == Op.FORCED
                options = candidates(parsed, board, cell)
                self.single = self.single and options == [value]
                others = any(each != value and (cell, each) not in removed for each in options)
                board[cell], guessed[cell] = value, op == Op.GUESS and others
                self.guesses += guessed[cell]
                self.solutions += bool(board.all())
            elif op == Op.UNDO:
                self.undos += 1
                self.wrong += guessed[cell] and not self.solutions
                board[cell] = 0
            elif op == Op.ELIMINATE:
                removed.add((cell, value))
            elif op == Op.RESTORE:
                removed.discard((cell, value))
        self.steps = self.places + self.undos


@cache
def slow(puzzle: str, spec: str) -> Slow:
    return Slow(PUZZLES[puzzle][0], spec, PUZZLES[puzzle][1])


def numbers_in(sentence: str) -> list[int]:
    return [int(found.replace(",", "")) for found in re.findall(r"[0-9][0-9,]*", sentence)]


@pytest.mark.parametrize("puzzle", PUZZLES)
@pytest.mark.parametrize(("one", "other"), [*combinations(STRATEGIES, 2)])
def test_the_claims_about_two_searches_are_derived_from_their_events(
    puzzle: str, one: str, other: str
) -> None:
    pair = [slow(puzzle, spec) for spec in (one, other)]
    found = verdict_of([each.header for each in pair], [each.trace.tally() for each in pair])
    ended = [each for each in pair if each.outcome is not CAPPED]
    many = max(pair, key=lambda each: each.steps)
    few = min(ended, key=lambda each: each.steps, default=many)
    if found.large:
        factor = many.steps / few.steps
        shown = float(found.large.strip(">×%").replace(",", ""))
        exact = factor if "×" in found.large else 100 - 100 / factor
        assert (factor < 2) == ("%" in found.large)
        assert (many.outcome is CAPPED) == (">" in found.large)
        assert shown == pytest.approx(exact, abs=1 if many.outcome is CAPPED else 0.5)
        assert found.headline.endswith(f"{found.large.strip('>')} fewer steps")
        none = "no solution" in found.proof
        wanted = "fewer steps to prove: no solution. Why?" if none else "fewer steps. Why?"
        assert found.question == wanted
        assert pair[found.bars[0]] is many
        assert pair[found.bars[1]] is few
    elif found.headline.startswith("Both need"):
        assert pair[0].steps == pair[1].steps == numbers_in(found.headline)[0]
        assert len(ended) == 2
    check_reason(found.reason, few, many)
    if found.proof.startswith("Everything"):
        assert {each.outcome for each in pair} == {EXHAUSTED}
        counts = {each.solutions for each in pair}
        assert counts == {0 if "no solution" in found.proof else numbers_in(found.proof)[0]}


def check_reason(reason: str, few: Slow, many: Slow) -> None:
    """Check the numbers of a reason, and that its cause is true."""
    fact, _, cause = reason.partition(": ")
    numbers = numbers_in(fact)
    if fact.startswith("Each placed"):
        assert few.places == many.places == numbers[0]
        assert few.undos == many.undos
    elif "taken back" in fact:
        assert numbers == [few.undos, many.undos]
        assert few.guesses >= many.guesses
    elif " instead of " in fact:
        assert numbers == [few.guesses, many.guesses][-len(numbers) :]
        assert ("No guess" in fact) == (few.guesses == 0)
        assert few.guesses < many.guesses
        assert (many.outcome is CAPPED) == fact.rstrip(".").endswith("+")
    if "logic" in cause:
        assert few.forced
        assert not many.forced
        assert ("alone" in cause) == (few.guesses == 0)
    elif "few guesses are wrong" in cause:
        assert few.header.strategy.startswith("mrv")
        assert few.wrong <= few.guesses < many.wrong
    elif "only one digit fits" in cause:
        assert few.single
    elif "follows from the others" in cause:
        assert few.guesses == many.guesses == 0


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
        ("row-major", "row-major", "Each placed 8,796 digits and took 8,740 of them back."),
    ],
)
def test_the_reason_is_said_in_plain_words(few: str, many: str, reason: str) -> None:
    pair = [slow("medium", spec) for spec in (few, many)]
    found = verdict_of([each.header for each in pair], [each.trace.tally() for each in pair])
    assert found.reason == reason


@pytest.mark.parametrize("spec", STRATEGIES)
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_of_a_single_search_the_guesses_among_its_digits_are_said(puzzle: str, spec: str) -> None:
    one = slow(puzzle, spec)
    found = verdict_of([one.header], [one.trace.tally()])
    if one.guesses:
        assert numbers_in(found.reason) == [one.guesses, one.places]
    else:
        assert found.reason == "No guess at all: each digit follows from the others."


def test_the_first_result_says_that_there_is_no_solution() -> None:
    impossible = "4" + MEDIUM.grid[1:]
    traces = [search(impossible, spec) for spec in ("row-major", "mrv")]
    found = verdict_of([each.header for each in traces], [each.tally() for each in traces])
    assert (found.large, found.question) == ("704×", "fewer steps to prove: no solution. Why?")


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
