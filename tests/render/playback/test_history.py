"""What the charts show, against a plain computation of the same events."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, observe, walks
from tests.support.puzzles import OPEN
from undoku import Limits, Op, search
from undoku.render.playback.history import History, side_by_side
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.steps import fold

EMPTY = parse_puzzle("." * 81)


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
    history = History(EMPTY, columns, total)
    observe(history, EMPTY, events, cuts)
    assert history.nodes.tolist() == nodes
    assert history.tries.tolist() == tries
    assert history.low.tolist() == low
    assert history.high.tolist() == high
    assert history.reached == next((n for n, depth in enumerate(high) if depth < 0), columns)


@given(walks(), st.integers(1, 12), st.lists(st.integers(0, 80), max_size=5), st.integers(0, 80))
def test_each_column_of_a_search_of_unknown_length_holds_the_depths_of_its_steps(
    events: list[Event], pairs: int, cuts: list[int], restart: int
) -> None:
    """However the events are cut; a column is marked if the search restarted in it."""
    columns = 2 * pairs
    events.insert(restart, (Op.RESTART, 0, 0))
    (history,), _ = side_by_side(1, columns)
    observe(history, EMPTY, events, cuts)
    depths, kinds = [0], dict[int, int]()
    for op, _, cell in events:
        if op == Op.UNDO:
            depths.append(depths[-1] - (kinds.pop(cell) == Op.GUESS))
        elif op < Op.UNDO:
            kinds[cell] = op
            depths.append(depths[-1] + (op == Op.GUESS))
    steps = len(depths) - 1
    assert (history.steps, history.depth) == (steps, depths[-1])
    wide = 1 << history.shift
    assert columns * wide >= steps
    assert history.shift == 0 or columns * wide < 2 * steps
    restarted = sum(op <= Op.UNDO for op, _, _ in events[:restart])
    for column in range(-(-steps // wide)):
        held = depths[column * wide : (column + 1) * wide + 1]
        arrays = history.arrays
        assert (arrays.low[0, column], arrays.high[0, column]) == (min(held), max(held))
        assert arrays.ends[0, column] == held[-1]
        marked = column == restarted // wide and restarted < steps
        assert bool(arrays.restarts[0, column]) == marked


def test_memory_does_not_grow_with_the_search() -> None:
    trace = search(OPEN, "row-major", Limits(max_nodes=2_000_000))
    known, ((unknown,), _) = History(trace.header.puzzle, 600, 4_000_000), side_by_side(1, 64)
    before = [*known.arrays, *unknown.arrays]
    fold(trace, [known, unknown])
    assert unknown.steps == trace.tally().steps
    assert unknown.arrays.high.max() == known.high.max() == trace.tally().max_depth
    assert all(a is b for a, b in zip(before, [*known.arrays, *unknown.arrays], strict=True))
