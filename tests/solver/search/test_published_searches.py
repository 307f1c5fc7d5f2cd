"""Counts of searches that docs/strategies.md states, and the figures of Norvig's essay."""

from __future__ import annotations

from statistics import median

from tests.support.paths import ROOT
from tests.support.puzzles import EXTREME, FIFTY_MINUTES
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.problem.sources import read
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Op, Outcome


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


def test_norvigs_own_grids_are_searched_as_his_essay_says() -> None:
    """His first grid needs no search. Of the second the two rules leave what he prints, with 61
    squares unfilled; he counts 25 possibilities, in 9 of them."""
    first = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
    assert search(first, "norvig").tally().decisions == 0
    second = read(
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    )
    left, events = list(second.givens), search(second, "norvig").read().tolist()
    start = next(at for at, (op, _, _) in enumerate(events) if op == Op.GUESS)
    for _, value, cell in events[:start]:
        left[cell] = value
    row = [
        str(left[cell]) if left[cell] else "".join(
            str(value) for value in range(1, 10)
            if value not in {left[peer] for peer in second.geometry.peers[cell]}
        )
        for cell in range(9)
    ]  # fmt: skip
    assert row == ["4", "1679", "12679", "139", "2369", "269", "8", "1239", "5"]
    assert left.count(0) == 61
    guessed = [cell for op, _, cell in events if op == Op.GUESS]
    assert (len(guessed), len(set(guessed))) == (25, 9)


def test_norvigs_hard_grid_is_bimodal_by_random_values() -> None:
    """27 of his 30 trials took a ten-thousandth of the time of the 3 others; of these 30 searches
    some end within fifty nodes, the others reach a limit far above."""
    grid = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
    specs = [f"mrv/shuffled:{seed}+singles" for seed in range(1, 31)]
    nodes = [search(grid, spec, Limits(max_nodes=20_000)).tally().nodes for spec in specs]
    assert all(count < 50 or count == 20_000 for count in nodes)
    assert 1 <= nodes.count(20_000) <= 8
    assert search(grid, "norvig", Limits(max_nodes=20_000)).tally().nodes == 20_000
