"""What the charts show, against a plain computation of the same events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, packed, walks
from tests.support.puzzles import MEDIUM, OPEN
from undoku import Limits, Op, search
from undoku.render.playback.history import History
from undoku.solver.problem.sources import parse_puzzle


def slow_computation(
    events: Sequence[Event], columns: int, total: int
) -> tuple[list[int], list[int], list[int], list[int]]:
    """(low, high, nodes per depth, tries per cell), step by step."""
    depth, step = 0, 0
    nodes, tries = [1] + [0] * 82, [0] * 81
    kinds: dict[int, int] = {}
    stood: list[set[int]] = [set() for _ in range(columns)]
    for op, _, cell in events:
        if op > Op.UNDO:
            continue
        before = depth
        if op == Op.UNDO:
            depth -= kinds.pop(cell) == Op.GUESS
        else:
            kinds[cell] = op
            tries[cell] += 1
            if op == Op.GUESS:
                depth += 1
                nodes[depth] += 1
        first = step * columns // total
        stood[first] |= {before, depth}
        step += 1
        for column in range(first + 1, min(columns, step * columns // total)):
            stood[column].add(depth)
    return (
        [min(found, default=-1) for found in stood],
        [max(found, default=-1) for found in stood],
        nodes,
        tries,
    )


@given(walks(), st.integers(1, 200), st.integers(0, 50), st.lists(st.integers(0, 80), max_size=5))
def test_history_is_what_a_slow_computation_says_however_the_events_are_cut(
    events: list[Event], columns: int, more: int, cuts: list[int]
) -> None:
    """More columns than steps and fewer, complete searches and incomplete ones."""
    total = max(1, sum(op <= Op.UNDO for op, _, _ in events) + more)
    low, high, nodes, tries = slow_computation(events, columns, total)
    history = History(parse_puzzle("." * 81), columns, total)
    bounds = [0, *sorted(min(cut, len(events)) for cut in cuts), len(events)]
    for start, end in pairwise(bounds):
        history.record(packed(events[start:end]))
    assert history.nodes.tolist() == nodes
    assert history.tries.tolist() == tries
    assert history.low.tolist() == low
    assert history.high.tolist() == high
    assert history.reached == next((n for n, depth in enumerate(high) if depth < 0), columns)


@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
def test_the_nodes_of_a_search_add_up_to_its_count(strategy: str) -> None:
    trace = search(MEDIUM.grid, strategy)
    history = History(trace.header.puzzle, 100, trace.tally().steps)
    history.record(trace.read().view(np.uint32))
    assert history.nodes.sum() == trace.tally().nodes
    assert history.tries.sum() == trace.tally().places
    assert history.high.max() == trace.tally().max_depth
    assert history.reached == 100


def test_memory_does_not_grow_with_the_search() -> None:
    trace = search(OPEN, "row-major", Limits(max_nodes=2_000_000))
    history = History(trace.header.puzzle, 600, 4_000_000)
    arrays = [history.low, history.high, history.nodes, history.tries]
    for chunk in trace.chunks():
        history.record(chunk.view(np.uint32))
    assert history.steps == trace.tally().steps
    assert all(a is b for a, b in zip(
        arrays, [history.low, history.high, history.nodes, history.tries], strict=True
    ))  # fmt: skip


def test_inference_that_removed_a_candidate_is_known_until_it_is_undone() -> None:
    history = History(parse_puzzle("." * 81))
    history.record(packed([(Op.ELIMINATE, 3, 7), (Op.ELIMINATE, 9, 7), (Op.RESTORE, 9, 7)]))
    assert history.removed[7] == 1 << 2
    assert history.removed.sum() == 1 << 2
