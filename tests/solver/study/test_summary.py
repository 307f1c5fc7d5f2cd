"""The summary of a study, on counts made by hand."""

from __future__ import annotations

import math
from pathlib import Path

from tests.support.given_studies import CAPPED, EXHAUSTED, SOLVED, study_of
from undoku.solver.study.journal import Journal
from undoku.solver.study.summary import StrategySummary, Summary, summarise


def interval(one: StrategySummary) -> tuple[float, float]:
    assert one.low is not None
    assert one.high is not None
    return one.low, one.high


def test_quantiles_are_those_of_the_nodes(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[number] for number in range(1, 102)])
    (one,) = summary.strategies
    assert one.quantiles == (6, 26, 51, 76, 96)
    assert (one.median, one.most, one.mean, one.ratio) == (51, 101, 51, 1)


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


def test_equal_ratios_have_an_interval_of_no_width(tmp_path: Path) -> None:
    low, high = interval(study_of(tmp_path, [[8, 2]] * 50).strategies[1])
    assert math.isclose(low, 0.25)
    assert math.isclose(high, 0.25)


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


def test_no_puzzles_have_an_empty_summary(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", ("a",), 1000, False)
    summary = summarise(journal)
    journal.close()
    assert summary == Summary(0, (), 0, 0, 0)


def test_two_puzzles_have_an_interval(tmp_path: Path) -> None:
    assert math.isclose(interval(study_of(tmp_path, [[4, 2]] * 2).strategies[1])[0], 0.5)


def test_quantiles_with_capped_searches_in_them_are_reported_as_bounds(tmp_path: Path) -> None:
    """Of five searches the upper two are capped: the median is the third, which is not."""
    ended = [[SOLVED], [SOLVED], [SOLVED], [CAPPED], [CAPPED]]
    summary = study_of(tmp_path, [[10], [20], [1000], [1000], [1000]], ended)
    (one,) = summary.strategies
    assert one.exact == 3
    # A quantile between a count and a cap is between them, so it is a bound, too.
    assert study_of(tmp_path, [[10], [1000]], [[SOLVED], [CAPPED]]).strategies[0].exact == 0


def test_puzzles_without_a_solution_are_reported(tmp_path: Path) -> None:
    summary = study_of(
        tmp_path, [[5, 5]] * 3, [[EXHAUSTED, CAPPED], [SOLVED, SOLVED], [SOLVED, SOLVED]]
    )
    assert summary.unsolvable == 1
    assert [one.solved for one in summary.strategies] == [2 / 3, 2 / 3]


def test_a_whole_tree_that_holds_a_solution_is_solved(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[5]] * 2, [[EXHAUSTED]] * 2, solutions=[[1], [0]])
    assert summary.strategies[0].solved == 0.5
    assert summary.unsolvable == 1
