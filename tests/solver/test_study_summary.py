"""The summary of a study, on counts made by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from solver.puzzle import standard_geometry
from solver.study_journal import COLUMNS, Counted, Journal
from solver.study_summary import Summary, summarise, summary_table

SOLVED, EXHAUSTED, CAPPED = range(3)


def study_of(
    path: Path, nodes: list[list[int]], outcomes: list[list[int]] | None = None, seed: int = 0
) -> Summary:
    """The summary of a journal that holds these nodes, (puzzles, strategies)."""
    journal = Journal(path / "j", ("a", "b", "c")[: len(nodes[0])], 1000, False)
    counts = np.zeros((len(nodes), len(nodes[0]), len(COLUMNS)), np.int64)
    counts[:, :, COLUMNS.index("nodes")] = nodes
    counts[:, :, COLUMNS.index("outcome")] = 0 if outcomes is None else outcomes
    numbers, boards = np.arange(1, len(nodes) + 1), np.zeros((len(nodes), 16), np.uint8)
    journal.add(Counted(standard_geometry(4), numbers, boards, counts))
    try:
        return summarise(journal, seed=seed)
    finally:
        journal.remove()


def test_quantiles_are_those_of_the_nodes(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[number] for number in range(1, 102)])
    (one,) = summary.strategies
    assert one.quantiles == (6, 26, 51, 76, 96)
    assert (one.median, one.most, one.mean, one.ratio) == (51, 101, 51, 1)


def test_a_win_is_being_alone_with_the_fewest_nodes(tmp_path: Path) -> None:
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
    assert "* capped searches count as their cap" in summary_table(summary)


def test_the_ratio_is_the_geometric_mean_of_pairs(tmp_path: Path) -> None:
    summary = study_of(tmp_path, [[100, 50], [100, 200], [10, 80]])
    second = summary.strategies[1]
    assert math.isclose(second.ratio, (0.5 * 2 * 8) ** (1 / 3))
    assert not second.bound
    assert second.low <= second.ratio <= second.high


def test_equal_ratios_have_an_interval_of_no_width(tmp_path: Path) -> None:
    second = study_of(tmp_path, [[8, 2]] * 50).strategies[1]
    assert math.isclose(second.low, 0.25)
    assert math.isclose(second.high, 0.25)


def test_the_interval_is_that_of_a_known_spread(tmp_path: Path) -> None:
    """Half of the ratios are 2, half are 8: their logarithms have mean ln 4 and deviation ln 2,
    so the middle 95 % of the means of 400 lie within 1.96 × ln 2 / 20 of it."""
    second = study_of(tmp_path, [[1, 2], [1, 8]] * 200).strategies[1]
    spread = 1.96 * math.log(2) / 20
    assert math.isclose(math.log(second.low), math.log(4) - spread, abs_tol=0.012)
    assert math.isclose(math.log(second.high), math.log(4) + spread, abs_tol=0.012)


def test_the_seed_fixes_the_interval(tmp_path: Path) -> None:
    nodes = [[7, number % 13 + 1] for number in range(60)]
    first, again = study_of(tmp_path, nodes), study_of(tmp_path, nodes)
    other = study_of(tmp_path, nodes, seed=1)
    assert first == again
    assert first.strategies[1].ratio == other.strategies[1].ratio
    assert first.strategies[1].low != other.strategies[1].low


def test_the_table_names_every_strategy_and_what_is_compared(tmp_path: Path) -> None:
    text = summary_table(study_of(tmp_path, [[1000, 10], [3000, 40]]))
    head, first, second, foot = text.splitlines()
    assert "nodes by a's" in head
    assert first.split() == ["a", "2,000", "1,100", "1,500", "2,500", "2,900", "3,000", "0.00%",
                             "0", "1"]  # fmt: skip
    assert second.split()[:2] == ["b", "25"]
    assert second.split()[8:10] == ["2", "0.01155"]
    assert foot.startswith("2 puzzles")


def test_no_puzzles_have_no_table(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", ("a",), 1000, False)
    summary = summarise(journal)
    journal.close()
    assert summary_table(summary) == "no puzzles"
    assert summary == Summary(0, (), 0, 0)


@pytest.mark.parametrize("count", [1, 2])
def test_few_puzzles_have_an_interval_too(tmp_path: Path, count: int) -> None:
    second = study_of(tmp_path, [[4, 2]] * count).strategies[1]
    assert math.isclose(second.low, 0.5)
