"""Counts that docs/strategies.md tells of searches."""

from __future__ import annotations

from pathlib import Path

from solver.backtracking import search
from solver.formats import read
from solver.puzzle import Geometry, Puzzle

ROOT = Path(__file__).parents[3]


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
