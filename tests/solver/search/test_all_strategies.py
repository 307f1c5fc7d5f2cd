"""Every strategy on every kind of puzzle: the same solutions, sound traces, exact undoing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from tests.support.puzzles import PUBLISHED, SPECS, brute_force, dug, sample, solutions
from tests.support.random_traces import guesses_in
from undoku.solver.problem.puzzle import Puzzle, standard_geometry
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.trace import Outcome

MAX_SOLUTIONS = 60
"""Solutions of the puzzles that the sample keeps: few enough to be searched by the worst order."""


@cache
def truth() -> Mapping[str, list[tuple[int, ...]]]:
    """The solutions of each puzzle of the sample that has few enough, by brute force."""
    return {
        name: found
        for name, puzzle in sample().items()
        if len(found := brute_force(puzzle, MAX_SOLUTIONS + 1)) <= MAX_SOLUTIONS
    }


def test_the_sample_holds_puzzles_with_none_one_and_many_solutions() -> None:
    """Otherwise the tests below would check less than they seem to."""
    counts = [len(found) for found in truth().values()]
    assert counts.count(0) >= 3
    assert counts.count(1) >= 3
    assert sum(count > 1 for count in counts) >= 3


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("spec", SPECS)
def test_every_strategy_finds_all_solutions_and_each_once(spec: str, every: int) -> None:
    """Brute force says which ones there are. Each strategy is tried on other puzzles."""
    first = SPECS.index(spec) % every
    for name, solved in list(truth().items())[first::every]:
        most = 40_000 if sample()[name].size == 9 else 200_000
        trace = search(sample()[name], spec, Limits(exhaustive=True, max_nodes=most))
        if trace.tally().outcome is Outcome.CAPPED:
            assert sample()[name].size == 9  # an order that is bad enough
            continue
        assert solutions(trace) == solved, name
        assert trace.tally().solutions == len(solved)
        assert trace.tally().outcome is Outcome.EXHAUSTED


@pytest.mark.parametrize("spec", SPECS)
def test_every_trace_replays_and_its_counts_are_those_of_the_search(spec: str) -> None:
    """Counted from the events, while they are written, and without writing any: all counts are the
    same."""
    for exhaustive in (False, True):
        for name in list(truth())[::6]:
            limits = Limits(exhaustive=exhaustive, max_nodes=500)
            counted = search(sample()[name], spec, limits).tally()
            trace = search(sample()[name], spec, limits)
            check(trace)
            written = trace.tally()
            reported = MemoryTrace(trace.header, trace.read(), written.outcome).tally()
            assert counted._replace(seconds=0) == reported._replace(seconds=0), name
            assert written._replace(seconds=0) == reported._replace(seconds=0), name
            assert counted.events == len(trace.read())
            assert counted.guessed == sum(guesses_in(trace.header, trace.read().tolist())), name


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("spec", ["row-major", "nested-loops", "bitmasks"])
def test_published_call_counts_are_reproduced(name: str, spec: str) -> None:
    """The articles' figures, exactly."""
    published = PUBLISHED[name]
    tally = search(published.grid, spec).tally()
    assert tally.nodes == published.calls
    assert "".join(map(str, tally.solution or ())) == published.solution


@pytest.mark.parametrize("size", [16, 25])
def test_large_boards_are_searched_alike_by_all_loops(size: int) -> None:
    """More cells than a word has bits, more values than nine."""
    puzzle = dug(standard_geometry(size), size, 0.6)
    answers = set()
    for spec in ("mrv", "mrv+singles", "mrv+alldiff+cbj", "mrv+locked+lds", "mrv-with-logic"):
        trace = search(puzzle, spec)
        check(trace)
        answers.add(trace.tally().solution)
    assert len(answers) == 1 and None not in answers


def test_a_full_puzzle_is_solved_before_the_search_begins() -> None:
    """By every loop, with no event."""
    full = Puzzle(tuple(map(int, PUBLISHED["easy"].solution)))
    for spec in ("row-major", "mrv", "mrv+singles", "mrv+cbj", "mrv+lds"):
        tally = search(full, spec, Limits(exhaustive=True)).tally()
        assert (tally.solutions, tally.events, tally.nodes) == (1, 0, 1)
