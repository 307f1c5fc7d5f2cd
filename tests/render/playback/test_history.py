"""What the charts show, against a plain computation of the same events."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, observe, walks
from tests.support.puzzles import OPEN
from undoku import Limits, Op, search
from undoku.render.playback.history import Depths, History
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.steps import fold

EMPTY = parse_puzzle("." * 81)


def slow_computation(
    events: Sequence[Event], columns: int, total: int
) -> tuple[list[int], list[int], list[int], list[int]]:
    """(low, high, nodes per depth, tries per cell), step by step."""
    depth, step = 0, 0
    nodes, tries = [1] + [0] * 81, [0] * 81
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
    history, depths = History(EMPTY), Depths(EMPTY, columns, total)
    for observer in (history, depths):
        observe(observer, EMPTY, events, cuts)
    assert history.tries.tolist() == tries
    assert depths.nodes.tolist() == nodes
    reached = next((n for n, depth in enumerate(high) if depth < 0), columns)
    assert depths.reached == reached
    assert depths.low[:reached].tolist() == low[:reached]
    assert depths.high.tolist() == high


@given(walks(), st.integers(1, 90), st.lists(st.integers(0, 80), max_size=5), st.integers(0, 80))
def test_a_column_is_marked_if_the_search_restarted_in_it(
    events: list[Event], columns: int, cuts: list[int], restart: int
) -> None:
    events.insert(restart, (Op.RESTART, 0, 0))
    steps = [op <= Op.UNDO for op, _, _ in events]
    depths = Depths(EMPTY, columns, sum(steps))
    observe(depths, EMPTY, events, cuts)
    before = sum(steps[:restart])
    marked = [before * columns // sum(steps)] if before < sum(steps) else []
    assert np.flatnonzero(depths.restarts).tolist() == marked


@given(walks(), st.integers(1, 90), st.integers(0, 50))
def test_a_complete_column_does_not_change_any_more(
    events: list[Event], columns: int, more: int
) -> None:
    steps = sum(op <= Op.UNDO for op, _, _ in events)
    total = max(1, steps + more)
    whole, half = Depths(EMPTY, columns, total), Depths(EMPTY, columns, total)
    observe(whole, EMPTY, events, [])
    observe(half, EMPTY, events[: len(events) // 2], [])
    complete = half.shown(np.array(half.steps))
    assert half.low[:complete].tolist() == whole.low[:complete].tolist()
    assert half.high[:complete].tolist() == whole.high[:complete].tolist()


def test_memory_does_not_grow_with_the_search() -> None:
    trace = search(OPEN, "row-major", Limits(max_nodes=2_000_000))
    depths = Depths(trace.header.puzzle, 600, 4_000_000)
    before = depths.low, depths.high, depths.restarts, depths.nodes
    fold(trace, [depths])
    assert depths.steps == trace.tally().steps
    assert depths.high.max() == trace.tally().max_depth
    after = depths.low, depths.high, depths.restarts, depths.nodes
    assert all(a is b for a, b in zip(before, after, strict=True))
