"""A foreign Python solver, recorded in two lines or followed as a generator."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import undoku.solver.trace.tracer
from undoku.errors import TraceError
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.steps import StepReader, next_mark
from undoku.solver.trace.trace import EVENT, Op, Outcome, Trace
from undoku.solver.trace.tracer import Tracer, trace_of

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
ONE = "1" + "." * 80


def yielded(trace: Trace) -> Iterator[Any]:
    """The steps of a search as a solver in Python yields them."""
    for op, value, cell in trace.read().tolist():
        yield ("undo", cell) if op == Op.UNDO else ("place", cell, value)


def test_a_recorded_solver_gives_the_same_events_and_counts_as_the_same_strategy_here() -> None:
    tracer = Tracer(EASY, title="my own")
    for name, *words in yielded(search(EASY)):
        getattr(tracer, name)(*words)
    trace = tracer.trace()
    check(trace)
    np.testing.assert_array_equal(trace.read(), search(EASY).read())
    assert trace.tally().nodes == 52
    assert trace.tally().outcome is Outcome.SOLVED
    assert trace.header.name == "my own"
    assert not trace.cut


def test_a_generator_gives_the_same_trace_and_can_be_read_again() -> None:
    trace = trace_of(yielded(search(EASY)), EASY)
    for _ in range(2):
        np.testing.assert_array_equal(trace.read(), search(EASY).read())
    assert trace.tally().nodes == 52


def test_a_generator_runs_only_as_far_as_its_trace_is_read() -> None:
    asked = []

    def endless() -> Iterator[Any]:
        while True:
            asked.append(1)
            yield "place", 1, 2
            yield "undo", 1

    chunks = trace_of(endless(), ONE).chunks()
    next(chunks)
    assert len(asked) < 10_000


def test_a_solver_that_took_everything_back_has_exhausted_its_tree() -> None:
    tracer = Tracer(ONE)
    tracer.place(1, 2)
    assert tracer.trace().tally().outcome is Outcome.CAPPED
    tracer.undo()
    assert tracer.trace().tally().outcome is Outcome.EXHAUSTED
    assert tracer.trace("capped").tally().outcome is Outcome.CAPPED


def test_a_trace_taken_from_a_tracer_does_not_grow_with_it() -> None:
    tracer = Tracer(ONE)
    tracer.place(1, 2)
    early = tracer.trace()
    tracer.place(2, 3, forced=True)
    tracer.eliminate(3, 2)
    tracer.restore(3, 2)
    assert early.tally().events == 1
    assert tracer.trace().read()["op"].tolist() == [0, 1, 3, 4]


def test_a_wrong_call_is_refused_where_it_is_made() -> None:
    tracer = Tracer(ONE)
    for call, words, message in (
        (tracer.undo, (), "nothing is placed"),
        (tracer.place, (0, 2), "r1c1 is a given"),
        (tracer.trace, ("solved",), "says solved, but r1c2 is empty"),
        (tracer.trace, ("won",), "'won' is not an outcome"),
    ):
        with pytest.raises(TraceError, match=message):
            call(*words)
    assert tracer.trace().tally().events == 0


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([("place", 1, 2), ("undo", 2)], "event 2: r1c3 is undone"),
        ([("place", 1, 2), "undo"], "event 2: this is not an event"),
        ([("jump", 1)], 'event 1: there is no event ["jump", 1]'),
        ([(object(), 1)], "event 1: there is no event"),
        ([{"outcome": "capped"}, ("place", 1, 2)], "event 1: there is an event after the outcome"),
        ([{"outcome": "solved"}], "the trace says solved, but"),
    ],
)
def test_the_first_wrong_event_of_a_generator_is_named(events: list[Any], says: str) -> None:
    trace = trace_of(events, ONE)
    for _ in range(2):  # asked again, it says the same
        with pytest.raises(TraceError) as caught:
            trace.tally()
        assert says in str(caught.value)


def test_numpy_integers_are_whole_numbers_too() -> None:
    cells = np.arange(3, 5)
    trace = trace_of([("place", cells[0], np.uint8(2))], ONE)
    assert trace.read().tolist() == [(0, 2, 3)]


def test_the_example_in_the_documentation_runs() -> None:
    assert doctest.testmod(undoku.solver.trace.tracer).failed == 0


def test_eliminations_and_restored_candidates_are_no_marks_and_a_restart_is() -> None:
    events = [(Op.ELIMINATE, 1, 0), (Op.RESTORE, 1, 0), (Op.RESTART, 0, 0)]
    steps = StepReader(as_puzzle(EASY)).read(np.array(events, EVENT))
    assert next_mark(steps, 0, 3) == 2
    assert next_mark(steps, 0, 2) == 2
