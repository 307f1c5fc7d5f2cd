"""What a film shows of a strategy before its first step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from undoku.render.story.rules import rule_of

from tests.support.puzzles import EASY, HARD, MEDIUM
from undoku import Tracer, search
from undoku.render.timeline.notes import Rule
from undoku.solver.trace.trace import Op, Trace

NAMES = ["mrv", "mrv-degree", "most", "mrv/lcv+forward", "mrv+cbj", "mrv+singles", "mrv+locked",
         "mrv+singles@root", "dom-wdeg", "dom-wdeg+pairs"]  # fmt: skip


def rule(name: str, grid: str) -> Rule | None:
    return rule_of(search(grid, name))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long if name == "most" else ()) for name in NAMES],
)
def test_the_next_cell_is_one_of_those_that_glow(name: str) -> None:
    """On the first board, and also where failures have changed the weights of cells. None glows
    where that can't be known; a search that takes a value back tries the next one in the same
    cell."""
    for puzzle in (MEDIUM, HARD):
        trace = search(puzzle.grid, name)
        events = next(iter(trace.chunks())).copy()
        steps = events[events["op"] <= Op.UNDO]
        glowing = []
        for step in np.flatnonzero(steps["op"][:48] != Op.UNDO).tolist():
            found = rule_of(trace, step)
            assert found
            if found.best:
                assert int(steps["cell"][step]) in found.best
                glowing.append(step)
        assert glowing[0] == 0 and len(glowing) > 10


def test_no_cells_glow_where_the_order_goes_by_more_than_cells() -> None:
    assert rule("exact-cover", MEDIUM.grid) is None


def traced(cells: Sequence[int]) -> Trace:
    """The trace of another solver that fills these cells and takes them all back."""
    tracer = Tracer(MEDIUM.grid)
    for at, cell in enumerate(cells):
        tracer.place(cell, at + 4)
    for cell in reversed(cells):
        tracer.undo(cell)
    return tracer.trace()


def test_a_trace_of_another_solver_that_takes_the_cells_in_order_shows_its_sweep() -> None:
    empty = tuple(cell for cell, value in enumerate(MEDIUM.grid) if value in ".0")
    found = rule_of(traced(empty[:2]))
    assert found and found.order == empty
    assert rule_of(traced(empty[1:3])) is None
    assert rule_of(traced((empty[0], empty[2]))) is None


def test_if_logic_solves_the_puzzle_the_rule_shows_the_options_before_it() -> None:
    found = rule("mrv+singles", EASY.grid)
    plain = rule("mrv", EASY.grid)
    assert found and plain and not found.order
    assert found.options == plain.options
    assert set(found.best) >= set(plain.best)


def test_boards_beside_each_other_show_equal_numbers_where_logic_fills_cells_first() -> None:
    """The cells that it fills glow: only these differ."""
    for puzzle in (MEDIUM, HARD):
        plain, inferred = rule("mrv", puzzle.grid), rule("mrv+singles", puzzle.grid)
        assert plain and inferred
        assert inferred.options == plain.options
        events = next(iter(search(puzzle.grid, "mrv+singles").chunks()))
        steps = events[events["op"] <= Op.UNDO]
        filled = steps["cell"][: int(np.argmax(steps["op"] != Op.FORCED))]
        assert set(inferred.best) == set(filled.tolist())
        # A number of options would contradict that the digit is forced.
        solution = [int(symbol) for symbol in puzzle.solution]
        assert dict(inferred.forced) == {cell: solution[cell] for cell in filled.tolist()}
        assert not plain.forced


def test_options_are_what_inference_leaves_if_it_only_removes_some() -> None:
    plain, inferred = rule("mrv", HARD.grid), rule("mrv+locked", HARD.grid)
    assert plain and inferred
    before, after = dict(plain.options), dict(inferred.options)
    assert before.keys() == after.keys()
    assert all(after[cell] <= before[cell] for cell in after)
    assert any(after[cell] < before[cell] for cell in after)
