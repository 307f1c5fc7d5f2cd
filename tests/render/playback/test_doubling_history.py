"""Depths of searches of unknown length, against a plain computation of the same events."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_walks import Event, packed, walks
from tests.support.puzzles import OPEN
from undoku import Limits, Op, search
from undoku.render.playback.history import DoublingHistory
from undoku.solver.problem.sources import parse_puzzle


def depths_of(events: list[Event]) -> list[int]:
    """The depth before the first step and after each."""
    found, kinds = [0], dict[int, int]()
    for op, _, cell in events:
        if op == Op.UNDO:
            found.append(found[-1] - (kinds.pop(cell) == Op.GUESS))
        elif op < Op.UNDO:
            kinds[cell] = op
            found.append(found[-1] + (op == Op.GUESS))
    return found


@given(walks(), st.integers(1, 12), st.lists(st.integers(0, 80), max_size=5))
def test_each_column_holds_the_depths_of_its_steps_however_the_events_are_cut(
    events: list[Event], pairs: int, cuts: list[int]
) -> None:
    columns = 2 * pairs
    history = DoublingHistory(parse_puzzle("." * 81), columns)
    bounds = [0, *sorted(min(cut, len(events)) for cut in cuts), len(events)]
    for start, end in pairwise(bounds):
        history.record(packed(events[start:end]))
    depths = depths_of(events)
    steps = len(depths) - 1
    assert history.steps == steps
    assert history.depth == depths[-1]
    wide = 1 << history.shift
    assert columns * wide >= steps
    assert history.shift == 0 or columns * wide < 2 * steps
    for column in range(-(-steps // wide)):
        held = depths[column * wide : (column + 1) * wide + 1]
        arrays = history.arrays
        assert (arrays.low[column], arrays.high[column]) == (min(held), max(held))
        assert arrays.ends[column] == held[-1]


@given(walks(), st.integers(1, 12), st.sets(st.integers(0, 80)))
def test_a_column_is_marked_where_the_search_began_again_before_one_of_its_steps(
    events: list[Event], pairs: int, places: set[int]
) -> None:
    columns, reported = 2 * pairs, list[Event]()
    history = DoublingHistory(parse_puzzle("." * 81), columns)
    begun, steps = set[int](), 0
    for place, event in enumerate(events):
        if place in places:
            reported.append((Op.RESTART, 0, 0))
            begun.add(next_step(events[place:], steps))
        reported.append(event)
        steps += event[0] <= Op.UNDO
    history.record(packed(reported))
    wide = 1 << history.shift
    for column in range(-(-steps // wide)):
        among = any(column * wide <= step < (column + 1) * wide for step in begun if step < steps)
        assert bool(history.arrays.restarts[column]) == among


def next_step(events: list[Event], steps: int) -> int:
    """The number, from 0, of the first step among `events`, before which there were `steps`; too
    large where there is none."""
    return steps if any(op <= Op.UNDO for op, _, _ in events) else 10**6


def test_memory_does_not_grow_with_the_search() -> None:
    trace = search(OPEN, "row-major", Limits(max_nodes=2_000_000))
    history = DoublingHistory(trace.header.puzzle, 64)
    arrays = history.arrays
    for chunk in trace.chunks():
        history.record(chunk.view("u4"))
    assert history.steps == trace.tally().steps
    assert history.arrays is arrays
    assert arrays.high.max() == trace.tally().max_depth
