"""The summary of a study, and who wins where, on counts made by hand."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from tests.support.given_studies import CAPPED, EXHAUSTED, SOLVED, study_of, wins_of_nodes
from undoku.solver.study.summary import StrategySummary, solved_within


def interval(one: StrategySummary) -> tuple[float, float]:
    assert one.low is not None
    assert one.high is not None
    return one.low, one.high


def test_quantiles_are_those_of_the_nodes(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[number] for number in (*range(1, 101), 202)])
    (one,) = summary.strategies
    assert one.quantiles == (6, 26, 51, 76, 96)
    assert (one.median, one.most, one.mean, one.ratio) == (51, 202, 52, 1)


def test_a_strategy_wins_if_it_alone_has_the_fewest_nodes(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[5, 9], [9, 5], [7, 7], [1, 2], [3, 3]])
    assert [one.wins for one in summary.strategies] == [2, 1]
    assert summary.ties == 2


def test_a_capped_search_never_wins_and_marks_its_ratio(tmp_path: Path) -> None:
    summary = study_of(
        tmp_path, [[10, 20, 30], [10, 20, 30]], [[CAPPED, SOLVED, SOLVED], [CAPPED] * 3]
    )
    assert [one.wins for one in summary.strategies] == [0, 1, 0]
    assert [one.capped for one in summary.strategies] == [1, 0.5, 0.5]
    assert [one.solved for one in summary.strategies] == [0, 0.5, 0.5]
    assert [one.bound for one in summary.strategies] == [False, True, True]


def test_the_ratio_is_the_geometric_mean_of_pairs(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[100, 50], [100, 200], [10, 80]])
    second = summary.strategies[1]
    assert math.isclose(second.ratio, (0.5 * 2 * 8) ** (1 / 3))
    assert not second.bound
    low, high = interval(second)
    assert low <= second.ratio <= high


@pytest.mark.parametrize("puzzles", [2, 50])
def test_equal_ratios_have_an_interval_of_no_width(tmp_path: Path, puzzles: int) -> None:
    assert interval(study_of(tmp_path, [[8, 2]] * puzzles).strategies[1]) == pytest.approx(
        (0.25, 0.25)
    )


def test_the_interval_is_that_of_a_known_spread(tmp_path: Path) -> None:
    """Half of the ratios are 2, half are 8: their logarithms have mean ln 4 and deviation ln 2,
    so the middle 95 % of the means of 400 lie within 1.96 × ln 2 / 20 of it."""
    low, high = interval(study_of(tmp_path, [[1, 2], [1, 8]] * 200).strategies[1])
    spread = 1.96 * math.log(2) / 20
    assert math.isclose(math.log(low), math.log(4) - spread, abs_tol=0.012)
    assert math.isclose(math.log(high), math.log(4) + spread, abs_tol=0.012)


def test_the_seed_fixes_the_interval(tmp_path: Path) -> None:
    nodes = [[7, number % 13 + 1] for number in range(60)]
    first, again = study_of(tmp_path, nodes), study_of(tmp_path, nodes)
    other = study_of(tmp_path, nodes, seed=1)
    assert first == again
    assert first.strategies[1].ratio == other.strategies[1].ratio
    assert first.strategies[1].low != other.strategies[1].low


def test_quantiles_with_capped_searches_in_them_are_reported_as_bounds(tmp_path: Path) -> None:
    """Of five searches the upper two are capped: the median is the third, which is not."""
    ended = [[SOLVED], [SOLVED], [SOLVED], [CAPPED], [CAPPED]]
    summary = study_of(tmp_path, [[10], [20], [1000], [1000], [1000]], ended)
    (one,) = summary.strategies
    assert one.exact == 3
    # A quantile between a count and a cap is between them, so it is a bound, too.
    assert study_of(tmp_path, [[10], [1000]], [[SOLVED], [CAPPED]]).strategies[0].exact == 0
    early = study_of(tmp_path, [[10], [20], [30], [5]], [[SOLVED]] * 3 + [[CAPPED]])
    assert early.strategies[0].exact == 0  # the one stopped by time may need more than any other


def test_puzzles_without_a_solution_are_reported(tmp_path: Path) -> None:
    summary = study_of(
        tmp_path, [[5, 5]] * 3, [[EXHAUSTED, CAPPED], [SOLVED, SOLVED], [SOLVED, SOLVED]]
    )
    assert summary.unsolvable == 1
    assert [one.solved for one in summary.strategies] == [2 / 3, 2 / 3]
    # A whole tree that holds a solution is solved.
    whole = study_of(tmp_path, [[5]] * 2, [[EXHAUSTED]] * 2, solutions=[[1], [0]])
    assert (whole.strategies[0].solved, whole.unsolvable) == (0.5, 1)


def test_puzzles_are_grouped_by_their_givens(tmp_path: Path) -> None:
    """In at most six groups; each says who wins how many, and the medians."""
    found = wins_of_nodes(tmp_path, [[1, 2], [4, 3], [5, 5], [9, 8]], givens=[5, 5, 5, 7])
    assert [(g.name, g.puzzles, g.wins, g.ties) for g in found.by_givens] == [
        ("5", 3, (1, 1), 1),
        ("7", 1, (0, 1), 0),
    ]
    assert found.by_givens[0].medians == (4, 3)
    spread = wins_of_nodes(tmp_path, [[1, 2]] * 160, givens=[1 + n % 16 for n in range(160)])
    assert len(spread.by_givens) <= 6
    assert sum(group.puzzles for group in spread.by_givens) == 160
    assert spread.by_givens[0].name.startswith("1–")


def test_puzzles_are_grouped_by_the_backtracks_of_the_plain_search(tmp_path: Path) -> None:
    """Of row-major where it takes part, else of the first; groups of ten times the size."""
    backtracks = [[7, 0], [7, 9], [7, 10], [7, 1234]]
    found = wins_of_nodes(tmp_path, [[1, 2]] * 4, names=("mrv", "row-major"), backtracks=backtracks)
    assert found.plain == "row-major"
    names = [(group.name, group.puzzles) for group in found.by_backtracks]
    assert names == [("0", 1), ("1–9", 1), ("10–99", 1), ("1,000–9,999", 1)]
    assert wins_of_nodes(tmp_path, [[1, 2]], names=("mrv", "static")).plain == "mrv"


def test_the_strategy_with_fewer_nodes_wins_a_pair_and_a_capped_one_never(tmp_path: Path) -> None:
    found = wins_of_nodes(
        tmp_path,
        [[1, 2], [2, 1], [3, 3], [9, 5], [9, 9]],
        capped=[[0, 0], [0, 0], [0, 0], [0, 1], [1, 1]],
    )
    (pair,) = found.pairs
    assert (pair.wins, pair.losses, pair.ties) == (2, 1, 2)
    assert pair.rate == pytest.approx(2 / 3)
    assert found.by_givens[0].wins == (2, 1)


def test_the_interval_of_a_win_rate_is_that_of_wilson(tmp_path: Path) -> None:
    """The shares p for which the wins lie 1.96 standard deviations from p: both solve the equation
    that Wilson starts from."""
    (pair,) = wins_of_nodes(tmp_path, [[1, 2]] * 17 + [[2, 1]] * 6).pairs
    assert pair.low is not None and pair.high is not None
    for share in (pair.low, pair.high):
        distance = abs(17 / 23 - share) / math.sqrt(share * (1 - share) / 23)
        assert distance == pytest.approx(1.96, abs=1e-4)
    (ties,) = wins_of_nodes(tmp_path, [[1, 1]] * 5).pairs
    assert (ties.rate, ties.low, ties.high) == (None, None, None)


def test_a_tail_index_is_that_of_the_distribution_it_was_drawn_from(tmp_path: Path) -> None:
    """Nodes of a Pareto distribution with index 1.5, and of one whose logarithms are close."""
    dice = random.Random(5)
    heavy = [[int(1000 * dice.random() ** (-1 / 1.5)), 1000 + n] for n in range(20_000)]
    found = wins_of_nodes(tmp_path, heavy).tails
    assert found[0] == pytest.approx(1.5, rel=0.1)
    assert found[1] is not None and found[1] > 20
    few = wins_of_nodes(tmp_path, heavy[:300]).tails
    assert few == (None, None)


def test_capped_searches_of_a_tail_do_not_change_its_index(tmp_path: Path) -> None:
    """A twentieth of these searches needs more than 7,368 nodes, 7 in 1,000 more than 30,000, where
    they are capped. Where all of the tail is capped it has no index."""
    dice = random.Random(5)
    drawn = [int(1000 * dice.random() ** (-1 / 1.5)) for _ in range(20_000)]
    for cap, index in ((30_000, pytest.approx(1.5, rel=0.1)), (5_000, None)):
        rows = [[min(nodes, cap), 1] for nodes in drawn]
        found = wins_of_nodes(
            tmp_path, rows, capped=[[int(nodes > cap), 0] for nodes in drawn]
        ).tails
        assert found[0] == index


def test_the_curve_says_which_share_is_solved_within_so_many_nodes() -> None:
    steps, shares = solved_within(np.array([5, 1, 5, 9, 7]), np.array([1, 1, 1, 1, 0], bool))
    assert steps.tolist() == [1, 5, 9]
    assert shares.tolist() == [0.2, 0.6, 0.8]
