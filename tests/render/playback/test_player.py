"""The snapshot: equal to the replayed trace at any step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import few
from tests.support.puzzles import EASY, HARD, MEDIUM, UNSOLVABLE
from undoku import EVENT, Header, Limits, MemoryTrace, Op, Outcome, Puzzle, Replay, search
from undoku.render.playback.history import Depths, History
from undoku.render.playback.player import Player
from undoku.render.playback.solution_recorder import Solutions
from undoku.solver.problem.puzzle import standard_geometry
from undoku.solver.problem.sources import parse_puzzle
from undoku.solver.trace.steps import Observer, StepReader
from undoku.solver.trace.trace import Events

# Random events that could be a search's.


Event = tuple[int, int, int]
"""(op, value, cell)"""


@st.composite
def walks(draw: st.DrawFn) -> list[Event]:
    """Places and undos that could be a search's, guesses and forced ones mixed, eliminations
    between them."""
    events: list[Event] = []
    placed: list[int] = []
    for choice in draw(st.lists(st.integers(0, 3), min_size=1, max_size=80)):
        if choice == 0 and placed:
            events.append((Op.UNDO, 1, placed.pop()))
        elif choice == 3:
            events.append((Op.ELIMINATE, 2, 80))
            events.append((Op.RESTORE, 2, 80))
        else:
            cell = len(placed)
            placed.append(cell)
            events.append((Op.FORCED if choice == 2 else Op.GUESS, 1, cell))
    return events


def observe(
    observer: Observer, puzzle: Puzzle, events: Sequence[Event], cuts: Sequence[int] = ()
) -> None:
    """Let an observer see events, in chunks that end before the events `cuts`."""
    reader = StepReader(puzzle)
    for part in np.split(np.array(events, EVENT), sorted(cuts)):
        steps = reader.read(part)
        observer.record(steps, 0, len(steps.cells))


@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
@few(4)
@given(st.lists(st.integers(0, 4000), min_size=1, max_size=20))
def test_strides_of_any_length_lead_to_the_state_of_the_replayed_trace(
    strategy: str, strides: list[int]
) -> None:
    """Frames of one step or of thousands show the same boards; each value is weighed by the boards
    on which it stood before the last change of its cell."""
    trace = search(MEDIUM.grid, strategy)
    events = trace.read()
    history = History(trace.header.puzzle)
    player, replay, at = Player(trace, [history]), Replay(trace.header), 0
    stood = np.zeros((81, 10), np.int64)
    for stride in strides:
        part = events[at : at + stride]
        for op, value, cell in part.tolist():
            replay.apply(op, value, cell)
            stood[np.arange(81), replay.board] += 1
        snapshot = player.advance(at + stride)
        at += len(part)
        assert (snapshot.board == replay.board).all()
        assert (snapshot.steps, snapshot.last) == (at, replay.last)
        assert (np.flatnonzero(snapshot.arrays.changed) == np.unique(part["cell"])).all()
        assert snapshot.span == len(part)
        counted = history.cells.stood.copy()
        counted[np.arange(81), replay.board] += at - history.cells.since
        assert (counted == stood).all()


@pytest.mark.parametrize("exhaustive", [False, True])
@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
def test_the_counters_end_at_the_tally(strategy: str, exhaustive: bool) -> None:
    """Of a search of several chunks, too."""
    trace = search(HARD.grid, strategy, Limits(exhaustive=exhaustive))
    tally = trace.tally()
    snapshot = Player(trace).advance(tally.steps)
    assert snapshot.finished
    assert snapshot.tally(tally.outcome) == tally._replace(seconds=0)


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
    assert (second.depth, int(second.board[2]), int(second.arrays.kinds[2])) == (1, 3, Op.FORCED)
    assert int(second.arrays.depths[2]) == 1
    last = player.advance(4)
    assert (last.depth, last.backtracks, last.dead_ends) == (0, 0, 1)
    assert not last.board.any()


def test_a_puzzle_without_solution_plays_no_step() -> None:
    trace = search(UNSOLVABLE, "mrv")
    snapshot = Player(trace).advance(10)
    assert snapshot.finished
    assert snapshot.last is None
    assert snapshot.outcome is Outcome.EXHAUSTED


class OneByOne(MemoryTrace):
    """A trace whose events come in chunks of their own, as those that are followed may."""

    def chunks(self) -> Iterator[Events]:
        for chunk in super().chunks():
            yield from np.split(chunk, len(chunk))


def test_inference_alone_in_a_chunk_belongs_to_the_step_before_it() -> None:
    header = Header(parse_puzzle("." * 81), version=2)
    events = [(Op.GUESS, 1, 0), (Op.ELIMINATE, 2, 1), (Op.PROBE, 3, 2), (Op.GUESS, 3, 2)]
    snapshot = Player(OneByOne(header, events)).advance(2)
    assert (snapshot.steps, snapshot.probes, int(snapshot.removed[1])) == (2, 1, 1 << 1)


# What the charts show, and the solutions that are kept, against plain computations of the same
# events.


EMPTY = parse_puzzle("." * 81)


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


FOUR = Puzzle((1, 2, 3, 4) + (0,) * 12, standard_geometry(4))
MANY = MEDIUM.grid[:-2] + "00"


def plain(puzzle: Puzzle, events: list[tuple[int, int, int]]) -> list[tuple[int, list[int]]]:
    """(steps, board) of each full board without a conflict."""
    board, steps, found = list(puzzle.givens), 0, []
    for op, value, cell in events:
        if op > Op.UNDO:
            continue
        steps += 1
        board[cell] = 0 if op == Op.UNDO else value
        units = puzzle.problem.units
        if (
            op != Op.UNDO
            and 0 not in board
            and all(len({board[c] for c in unit.cells}) == len(unit.cells) for unit in units)
        ):
            found.append((steps, board[:]))
    return found


@pytest.mark.parametrize("puzzle", [FOUR, parse_puzzle(MANY), parse_puzzle(EASY.grid)])
@pytest.mark.parametrize("strategy", ["row-major", "mrv", "mrv+singles"])
@pytest.mark.parametrize("part", [7, 100, 1 << 18])
def test_each_solution_is_kept_with_its_step_however_the_events_are_cut(
    puzzle: Puzzle, strategy: str, part: int
) -> None:
    trace = search(puzzle, strategy, Limits(exhaustive=True))
    events = trace.read()
    expected = plain(puzzle, events.tolist())
    solutions = Solutions(puzzle)
    observe(solutions, puzzle, events.tolist(), range(part, len(events), part))
    assert solutions.count == len(expected) == trace.tally().solutions
    assert [one.board.tolist() for one in solutions.first] == [
        board for _, board in expected[: len(solutions.first)]
    ]
    assert solutions.last is not None
    assert solutions.last.board.tolist() == expected[-1][1]
    assert solutions.last_step == expected[-1][0]


def test_a_full_board_with_a_conflict_is_not_a_solution() -> None:
    """Other solvers may place a digit before they check it."""
    puzzle = Puzzle((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0), standard_geometry(4))
    solutions = Solutions(puzzle)
    wrong = [(Op.GUESS, 3, 15), (Op.UNDO, 3, 15)]
    right = [(Op.GUESS, 1, 15), (Op.ELIMINATE, 2, 3), (Op.UNDO, 1, 15)]
    observe(solutions, puzzle, [*wrong, *right], [len(wrong)])
    assert (solutions.count, solutions.last_step) == (1, 3)
