"""What is shown of a strategy before its first step."""

from __future__ import annotations

import pytest

from render.story.rules import rule_of
from solver import search
from tests.support.puzzles import EASY, HARD, MEDIUM


@pytest.mark.parametrize("name", ["mrv", "mrv-degree", "most", "mrv/lcv+forward", "mrv+cbj"])
def test_the_first_cell_is_one_of_those_that_glow(name: str) -> None:
    for puzzle in (EASY, MEDIUM, HARD):
        trace = search(puzzle.grid, name)
        rule = rule_of(trace.header)
        assert rule
        assert int(next(iter(trace.chunks()))["cell"][0]) in rule.best


@pytest.mark.parametrize("name", ["exact-cover", "dom-wdeg"])
def test_no_cells_glow_where_the_order_goes_by_more_than_their_options(name: str) -> None:
    assert rule_of(search(MEDIUM.grid, name).header) is None
