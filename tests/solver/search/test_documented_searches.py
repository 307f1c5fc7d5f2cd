"""Counts of searches that docs/strategies.md states."""

from __future__ import annotations

from statistics import median

from tests.support.paths import ROOT
from tests.support.puzzles import EXTREME, FIFTY_MINUTES
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.problem.sources import read
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Outcome


def test_pairs_alone_depend_on_the_order_of_the_units_and_with_singles_and_locked_they_do_not() -> (
    None
):
    puzzle = read(str(ROOT / "examples" / "puzzles" / "hard.txt"))
    turned = Puzzle(puzzle.givens, Geometry(9, puzzle.geometry.units[::-1]))

    def nodes(strategy: str) -> list[int]:
        return [search(board, strategy).tally().nodes for board in (puzzle, turned)]

    assert nodes("row-major+pairs") == [3827, 3825]
    for strategy in ("row-major+singles+locked+pairs", "mrv+singles+locked+pairs"):
        one, other = nodes(strategy)
        assert one == other


def test_random_searches_of_the_quasigroup_have_a_heavy_tail_that_restarts_remove() -> None:
    """Half of the searches need about a hundred nodes, a tenth more than ten thousand; with
    restarts none needs a thousand."""
    puzzle = read(str(ROOT / "examples" / "puzzles" / "quasigroup.txt"))

    def nodes(restarts: str) -> list[int]:
        specs = [f"mrv-random:{seed}/shuffled:{seed}{restarts}" for seed in range(1, 101)]
        tallies = [search(puzzle, spec, Limits(max_nodes=10_000)).tally() for spec in specs]
        assert all(tally.outcome is not Outcome.EXHAUSTED for tally in tallies)
        return [tally.nodes for tally in tallies]

    without, restarted = nodes(""), nodes("+luby:10")
    assert median(without) == median(restarted) < 110
    assert 5 <= sum(count == 10_000 for count in without) <= 15
    assert max(restarted) < 1_000


def test_a_priority_can_help_and_harm() -> None:
    specs = ("mrv", "mrv+last-conflict", "mrv+singles", "mrv+singles+last-conflict")
    for puzzle, nodes in (
        (FIFTY_MINUTES, [1_242_258, 373_227, 54, 33]),
        (EXTREME.grid, [140, 193, 3, 3]),
    ):
        assert [search(puzzle, spec).tally().nodes for spec in specs] == nodes
