"""The search as a stream: its limits, its chunks, and the plain source beside the compiled."""

from __future__ import annotations

import json
import zlib
from collections import deque

import pytest

from tests.support.plain_loops import plain_and_compiled
from tests.support.puzzles import (
    FIFTY_MINUTES,
    FIFTY_MINUTES_SOLUTION,
    GEOMETRIES,
    HARD,
    MEDIUM,
    OPEN,
    SPECS,
    dug,
)
from tests.support.system import peak_of
from undoku.errors import SettingsError
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import CHUNK, Outcome

LOOPS = ("row-major", "mrv", "row-major+forward", "row-major+cbj", "static+forward+lds")
"""One strategy for each loop and way back, all slow enough on a hard puzzle to be stopped."""


@pytest.mark.parametrize("spec", LOOPS)
@pytest.mark.parametrize("limit", [1, 2, 50, 1000])
def test_a_limit_of_nodes_caps_the_search_at_exactly_that_node(spec: str, limit: int) -> None:
    """And the search says so; what came before is what an unlimited search does."""
    trace = search(FIFTY_MINUTES, spec, Limits(max_nodes=limit))
    tally = trace.tally()
    assert (tally.outcome, tally.nodes) == (Outcome.CAPPED, limit)
    check(trace)
    longer = search(FIFTY_MINUTES, spec, Limits(max_nodes=limit + 500)).read()
    assert trace.read().tolist() == longer[: tally.events].tolist()


@pytest.mark.parametrize("spec", LOOPS)
def test_a_limit_of_seconds_caps_the_search_and_reading_it_again_is_the_same(spec: str) -> None:
    """The second reading stops at the same node, however fast the machine is by then."""
    empty = Puzzle((0,) * 625, standard_geometry(25))
    trace = search(empty, spec, Limits(exhaustive=True, max_seconds=0.02))
    first = trace.tally()
    assert first.outcome is Outcome.CAPPED
    assert sum(len(chunk) for chunk in trace.chunks()) == first.events
    assert trace.tally()._replace(seconds=0) == first._replace(seconds=0)


def test_a_limit_of_seconds_that_is_not_reached_changes_nothing() -> None:
    """The search ends as it would have."""
    tally = search(MEDIUM.grid, "row-major", Limits(max_seconds=600)).tally()
    assert (tally.outcome, tally.nodes) == (Outcome.SOLVED, MEDIUM.calls)


@pytest.mark.parametrize(
    "limits",
    [
        {"max_nodes": 0},
        {"max_seconds": 0.0},
        {"max_seconds": -1.0},
        {"max_seconds": float("nan")},
        {"max_seconds": float("inf")},
    ],
)
def test_a_limit_that_allows_no_search_is_refused(limits: dict[str, float]) -> None:
    """In one sentence, before anything runs."""
    with pytest.raises(SettingsError, match="must be"):
        Limits(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", ["row-major", "mrv+singles", "mrv+lds"])
def test_an_exhaustive_search_continues_after_a_solution(spec: str) -> None:
    """The same events as far as the first, then the rest of the tree."""
    puzzle = dug(GEOMETRIES["6"], 3, 0.2)
    once = search(puzzle, spec)
    everything = search(puzzle, spec, Limits(exhaustive=True))
    assert once.tally().outcome is Outcome.SOLVED
    assert everything.tally().outcome is Outcome.EXHAUSTED
    assert everything.tally().solutions > once.tally().solutions == 1
    events = once.read()
    assert events.tolist() == everything.read()[: len(events)].tolist()


@pytest.mark.parametrize("spec", ["row-major", "mrv", "row-major+forward"])
def test_chunks_are_never_longer_than_promised_and_lose_nothing(spec: str) -> None:
    """A search of many chunks: each is full but for the room of one node, and used again."""
    limits = Limits(exhaustive=True, max_nodes=500_000)
    trace = search(FIFTY_MINUTES, spec, limits)
    lengths, places = [], set()
    for chunk in trace.chunks():
        lengths.append(len(chunk))
        places.add(chunk.ctypes.data)
    assert len(lengths) > 3
    assert max(lengths) <= CHUNK
    assert min(lengths[:-1]) >= CHUNK - 2 * 81 * 10 - 2
    assert len(places) == 1
    assert sum(lengths) == search(FIFTY_MINUTES, spec, limits).tally().events


def test_two_readers_of_one_trace_do_not_disturb_each_other() -> None:
    """Each has a search of its own."""
    trace = search(HARD.grid, "row-major")
    alone = [zlib.crc32(chunk.tobytes()) for chunk in trace.chunks()]
    pairs = zip(trace.chunks(), trace.chunks(), strict=True)
    assert [(zlib.crc32(a.tobytes()), zlib.crc32(b.tobytes())) for a, b in pairs] == [
        (crc, crc) for crc in alone
    ]


def test_memory_does_not_grow_with_the_length_of_a_search() -> None:
    """Ten times the nodes, the same memory: chunks are handed on and used again."""

    def peak(nodes: int) -> int:
        trace = search(FIFTY_MINUTES, "row-major", Limits(exhaustive=True, max_nodes=nodes))
        return peak_of(lambda: deque(trace.chunks(), maxlen=0))

    peak(1000)
    assert peak(10_000_000) < peak(1_000_000) + 100_000


@pytest.mark.parametrize(
    ("spec", "nodes"),
    [
        ("fewest-options-first", 1_281_111),
        pytest.param("row-major", 162_662_979, marks=pytest.mark.long),
    ],
)
def test_the_fifty_minutes_puzzle_is_searched_exhaustively(spec: str, nodes: int) -> None:
    """There is one solution, after 162,662,979 nodes in reading order."""
    tally = search(FIFTY_MINUTES, spec, Limits(exhaustive=True)).tally()
    assert tally.outcome is Outcome.EXHAUSTED
    assert (tally.nodes, tally.solutions) == (nodes, 1)
    assert "".join(map(str, tally.solution or ())) == FIFTY_MINUTES_SOLUTION


DIGEST = """
import io, json, sys, zlib
from undoku import Limits, StreamTrace, search, write_lines
for line in sys.stdin:
    givens, spec = json.loads(line)
    trace = search(givens, spec, Limits(exhaustive=True, max_nodes=8))
    print(zlib.crc32(trace.read().tobytes()), search(givens, spec, trace.limits).tally().events)
text = "".join(write_lines(search(givens, "mrv"))).encode()
again = StreamTrace(io.BytesIO(text))
print(text, again.read().tolist(), again.tally())
"""


def test_the_plain_source_and_the_compiled_loops_do_the_same() -> None:
    """Every strategy, event by event, on puzzles with none, one and many solutions; a trace is
    written, read and counted."""
    grids = (FIFTY_MINUTES, OPEN, MEDIUM.grid)
    lines = [
        json.dumps([grids[-number % 3 - 1], spec]) for number, spec in enumerate(reversed(SPECS))
    ]
    plain, compiled = plain_and_compiled(DIGEST, "\n".join(lines))
    assert plain.count(b"\n") == len(lines) + 1
    assert plain == compiled
