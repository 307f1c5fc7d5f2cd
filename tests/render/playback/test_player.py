"""The snapshot: equal to the replayed trace at any step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.puzzles import EASY, HARD, MEDIUM, UNSOLVABLE
from undoku import Header, Limits, MemoryTrace, Op, Outcome, Replay, search
from undoku.render.playback.player import Player
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.steps import Steps
from undoku.solver.trace.stream import LiveTrace
from undoku.solver.trace.trace import CHUNK, EVENT


@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
def test_the_board_equals_the_replayed_trace_after_every_step(strategy: str) -> None:
    trace = search(EASY.grid, strategy, Limits(exhaustive=True))
    replay = Replay(trace.header)
    player = Player(trace)
    for op, value, cell in trace.read().tolist():
        replay.apply(op, value, cell)
        snapshot = player.advance(replay.steps)
        assert snapshot.steps == replay.steps
        assert (snapshot.board == replay.board).all()
        assert snapshot.last == (op, cell, value)


@given(st.lists(st.integers(1, 4000), min_size=1, max_size=20))
def test_strides_of_any_length_lead_to_the_same_state(strides: list[int]) -> None:
    """Frames of one step or of thousands show the same boards and counts."""
    trace = search(MEDIUM.grid, "row-major")
    events = trace.read()
    player = Player(trace)
    replay = Replay(trace.header)
    at = 0
    for stride in strides:
        before = replay.board.copy()
        for op, value, cell in events[at : at + stride].tolist():
            replay.apply(op, value, cell)
        snapshot = player.advance(at + stride)
        touched = np.unique(events["cell"][at : at + stride])
        at = min(at + stride, len(events))
        assert (snapshot.board == replay.board).all()
        assert snapshot.steps == at
        assert (np.flatnonzero(snapshot.changed) == touched).all()
        assert set(np.flatnonzero(before != snapshot.board)) <= set(touched)


@pytest.mark.parametrize("exhaustive", [False, True])
@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
def test_the_counters_end_at_the_tally(strategy: str, exhaustive: bool) -> None:
    """Steps, backtracks, dead ends and the greatest depth are those of the search itself."""
    trace = search(MEDIUM.grid, strategy, Limits(exhaustive=exhaustive))
    tally = trace.tally()
    snapshot = Player(trace).advance(tally.steps)
    assert snapshot.finished
    assert snapshot.steps == tally.steps
    assert snapshot.backtracks == tally.backtracks
    assert snapshot.dead_ends == tally.dead_ends
    assert snapshot.max_depth == tally.max_depth


def test_a_search_of_several_chunks_is_played_through() -> None:
    trace = search(HARD.grid, "row-major", Limits(exhaustive=True))
    total = trace.tally().steps
    assert total > CHUNK
    player = Player(trace)
    assert player.advance(CHUNK).steps == CHUNK
    assert player.advance(CHUNK + 1).steps == CHUNK + 1
    assert player.advance(total).steps == total
    assert (player.snapshot.board == trace.header.puzzle.board).all()


def test_inference_between_steps_counts_as_no_step() -> None:
    """Eliminations belong to the step before them; forced places are marked as such."""
    puzzle = parse_puzzle("." * 81)
    events = [
        (Op.GUESS, 1, 0),
        (Op.ELIMINATE, 2, 1),
        (Op.FORCED, 3, 2),
        (Op.UNDO, 3, 2),
        (Op.RESTORE, 2, 1),
        (Op.UNDO, 1, 0),
    ]
    player = Player(MemoryTrace(Header(puzzle), events, Outcome.CAPPED))
    first = player.advance(1)
    assert (first.steps, first.depth, int(first.board[0])) == (1, 1, 1)
    second = player.advance(2)
    assert (second.depth, int(second.board[2]), int(second.kinds[2])) == (1, 3, Op.FORCED)
    assert int(second.depths[2]) == 1
    last = player.advance(4)
    assert (last.depth, last.backtracks, last.dead_ends) == (0, 0, 1)
    assert not last.board.any()


def test_a_puzzle_without_solution_plays_no_step() -> None:
    trace = search(UNSOLVABLE, "mrv")
    snapshot = Player(trace).advance(10)
    assert snapshot.finished
    assert snapshot.last is None
    assert snapshot.outcome is Outcome.EXHAUSTED


@given(st.lists(st.integers(0, 500), min_size=1, max_size=10))
def test_each_digit_is_weighed_by_the_boards_it_stood_on(strides: list[int]) -> None:
    """A frame of n steps covers the n boards after each: a plain count over them agrees."""
    trace = search(MEDIUM.grid, "row-major")
    events = trace.read().tolist()
    player = Player(trace)
    replay = Replay(trace.header)
    at = 0
    for stride in strides:
        plain = np.zeros((81, 10), np.int64)
        for op, value, cell in events[at : at + stride]:
            replay.apply(op, value, cell)
            plain[np.arange(81), replay.board] += 1
        at = min(at + stride, len(events))
        snapshot = player.advance(at)
        assert (snapshot.stood == plain).all()
        assert (snapshot.stood.sum(1) == snapshot.span).all()


def test_an_observer_sees_every_step_once_before_its_frame() -> None:
    """Also across chunks."""
    trace = search(HARD.grid, "row-major", Limits(exhaustive=True))
    cells: list[int] = []

    class Kept:
        def record(self, steps: Steps, start: int, stop: int) -> None:
            assert steps.first + start == len(cells)
            cells.extend(steps.cells[start:stop].tolist())

    player = Player(trace, [Kept()])
    total = trace.tally().steps
    for step in (1, 100, CHUNK - 1, CHUNK + 5, total):
        player.advance(step)
        assert len(cells) == step
    assert cells == trace.read()["cell"].tolist()


def test_inference_alone_in_a_chunk_belongs_to_the_step_before_it() -> None:
    """As a trace that is followed may bring it."""
    chunks: list[list[tuple[int, int, int]]] = [
        [(Op.GUESS, 1, 0)], [(Op.ELIMINATE, 2, 1)], [(Op.PROBE, 3, 2), (Op.GUESS, 3, 2)],
    ]  # fmt: skip
    header = Header(parse_puzzle("." * 81), version=2)
    whole = MemoryTrace(header, [event for chunk in chunks for event in chunk])
    arriving = iter([np.array(chunk, EVENT) for chunk in chunks])
    trace = LiveTrace(header, arriving, lambda: (whole.tally(), False), whole.tally)
    snapshot = Player(trace).advance(2)
    assert (snapshot.steps, snapshot.probes, int(snapshot.removed[1])) == (2, 1, 1 << 1)
