"""Rules that run once at the root: `singles@root`."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.seeded_puzzles import run, sample
from undoku.errors import StrategyError
from undoku.solver.search.engines import GeneralEngine
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.search_trace import Limits, search

Event = tuple[int, int, int]
MAX_NODES = 3000
"""Nodes after which both programs stop."""


@pytest.mark.parametrize(
    "spec",
    ["row-major+singles@root", "mrv/random:2+singles@root", "spiral/descending+locked@root"],
)
def test_the_faster_loops_after_the_root_search_the_same_tree(spec: str) -> None:
    """Also where the root ends the search or eliminates candidates."""
    for puzzle in sample().values():
        for whole in (False, True):
            limits = Limits(MAX_NODES, exhaustive=whole)
            general = GeneralEngine(puzzle.geometry, puzzle.board, Strategy.parse(spec), whole)
            assert np.array_equal(
                search(puzzle, spec, limits).read().view(np.uint32), run(general, MAX_NODES)
            )


def test_the_text_says_which_rules_run_at_the_root_only() -> None:
    short = {
        "row-major + singles@root": "row-major+singles@root",
        "mrv+hidden-singles@root+naked-singles@root": "mrv+singles@root",
        "mrv+pairs@root+naked-singles+locked@ROOT": "mrv+naked-singles+locked@root+pairs@root",
        "mrv+singles@root+naked-singles": "mrv+naked-singles+hidden-singles@root",
        "mrv+singles+singles@root": "mrv+singles",
        "mrv+singles@root+cbj": "mrv+singles@root+cbj",
    }
    for written, expected in short.items():
        strategy = Strategy.parse(written)
        assert str(strategy) == expected
        assert Strategy.parse(expected) == strategy
    assert Strategy.parse("row-major+singles@root").sentence == (
        "Logic once, before the first guess: forced digits; takes the empty cells in reading order"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mrv+cbj@root", ["cbj@root", "a backtracking method", "+cbj"]),
        ("mrv+single@root", ["'single'", "did you mean singles?"]),
        ("mrv+@root", ["missing"]),
        ("mrv@root", ["'mrv@root'"]),
        ("mrv+singles@node", ["'singles@node'"]),
    ],
)
def test_a_root_that_is_not_a_rules_is_refused_in_one_sentence(spec: str, words: list[str]) -> None:
    with pytest.raises(StrategyError) as caught:
        Strategy.parse(spec)
    for word in words:
        assert word in str(caught.value)
