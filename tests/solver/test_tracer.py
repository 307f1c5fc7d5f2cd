"""A foreign Python solver, recorded in two lines."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

import undoku.solver.trace.tracer
from undoku.errors import TraceError
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.trace import Op, Outcome
from undoku.solver.trace.tracer import Tracer

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
ONE = "1" + "." * 80


def test_a_recorded_solver_gives_the_same_events_and_counts_as_the_same_strategy_here() -> None:
    tracer = Tracer(EASY, title="my own")
    for op, value, cell in search(EASY).read():
        if op == Op.UNDO:
            tracer.undo(cell)
        else:
            tracer.place(cell, value)
    trace = tracer.trace()
    check(trace)
    np.testing.assert_array_equal(trace.read(), search(EASY).read())
    assert trace.tally().nodes == 52
    assert trace.tally().outcome is Outcome.SOLVED
    assert trace.header.name == "my own"
    assert not trace.cut


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


def test_the_example_in_the_documentation_runs() -> None:
    assert doctest.testmod(undoku.solver.trace.tracer).failed == 0
