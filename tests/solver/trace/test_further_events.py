"""Reasons in traces, and the events of version 2 of the format: restarts, nogoods and probes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.support.peak_memory import bounded
from tests.support.puzzles import FIFTY_MINUTES
from undoku.errors import TraceError
from undoku.solver.trace.reasons import MAX_NAME_LENGTH, Reason
from undoku.solver.trace.recorded import open_trace
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Op, Trace
from undoku.solver.trace.tracer import Tracer
from undoku.solver.trace.writing import encoded, write_lines, write_trace

HEADER = '{"undoku":1,"size":4,"box":[2,2],"givens":"1..............."}\n'
LINES = [
    '["place",1,2,{"rule":"lowest value"}]',
    '["eliminate",2,3,{"rule":"locked","unit":"row 1"}]',
    '["place",2,4,"forced"]',
    '["place",3,3,"forced",{"rule":"hidden-single","unit":"row 1"}]',
    '["undo",3]',
]
FILE = HEADER + "".join(f"{line}\n" for line in LINES) + '{"outcome":"capped"}\n'
TOLD = [
    (0, Reason("lowest value")),
    (1, Reason("locked", "row 1")),
    (3, Reason("hidden-single", "row 1")),
]


def streamed(text: str) -> Trace:
    return StreamTrace(io.BytesIO(text.encode()), "t")


def reasons_of(trace: Trace) -> list[tuple[int, Reason]]:
    return list(trace.reasons.between(0, len(trace.read())))


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz", "t.parquet"])
def test_a_written_trace_is_read_back_with_its_reasons(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    write_trace(streamed(FILE), path)
    again = open_trace(path)
    assert reasons_of(again) == TOLD
    assert reasons_of(again) == TOLD  # reading it twice holds none twice
    assert (again.reasons.at(2), again.reasons.at(3)) == (None, TOLD[-1][1])
    assert b"".join(encoded(again)).decode() == FILE


def test_a_parquet_file_without_reasons_has_no_columns_for_them(tmp_path: Path) -> None:
    import pyarrow.parquet

    plain = HEADER + '["place",1,2]\n'
    write_trace(streamed(plain), str(tmp_path / "t.parquet"))
    schema = pyarrow.parquet.read_schema(tmp_path / "t.parquet")
    assert schema.names == ["op", "cell", "value", "depth"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('["place",1,2,{"rule":5}]', "rule 5 is not a name"),
        ('["place",1,2,{"rule":""}]', "rule '' is not a name"),
        ('["place",1,2,{"rule":"a\\u0000"}]', "is not a name"),
        (
            f'["place",1,2,{{"rule":"{"a" * (MAX_NAME_LENGTH + 1)}"}}]',
            "a… is not a name of 1 to 100",
        ),
        ('["place",1,2,{"unit":"row 1"}]', 'an object with a "rule"'),
        ('["place",1,2,"forced",{"rule":"a","unit":[1]}]', "unit [1] is not a name"),
        ('["undo",1,{"rule":"a"}]', "only a place or an eliminate has a reason"),
        ('["restore",1,2,{"rule":"a"}]', "only a place or an eliminate has a reason"),
        ('[{"rule":"a"}]', "only a place or an eliminate has a reason"),
    ],
)
def test_a_wrong_reason_is_refused_with_its_line(line: str, says: str) -> None:
    with pytest.raises(TraceError) as raised:
        streamed(HEADER + '["place",2,4]\n' + line + "\n").tally()
    assert says in raised.value.message
    assert raised.value.place is not None
    assert raised.value.place.line == 3
    assert '{"rule":"hidden-single"' in raised.value.remedy or "only a place" in says


def test_other_members_of_a_reason_are_left_alone() -> None:
    trace = streamed(HEADER + '["place",1,2,{"rule":"a","cells":[1,2],"why":{"deep":[]}}]\n')
    assert reasons_of(trace) == [(0, Reason("a"))]


def test_a_solver_in_python_says_its_reasons() -> None:
    tracer = Tracer("1...............")
    tracer.place(1, 2, rule="lowest value")
    tracer.eliminate(2, 3, rule="locked", unit="row 1")
    tracer.place(2, 4, forced=True)
    tracer.place(3, 3, forced=True, rule="hidden-single", unit="row 1")
    assert reasons_of(tracer.trace()) == TOLD
    with pytest.raises(TraceError, match="is not a name"):
        tracer.place(4, 3, rule="a" * 101)


EMPTY = "................"
HEAD = '{"undoku":2,"size":4,"givens":"................"}\n'
SPEC = "mrv-random:3/shuffled:4+naked-singles+sac+nogoods+luby:2"


def read(lines: str, head: str = HEAD) -> list[tuple[int, int, int]]:
    trace = StreamTrace(io.BytesIO((head + lines).encode()), "t.jsonl")
    return [tuple(event) for event in trace.read().tolist()]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".parquet"])
def test_a_search_that_restarts_learns_and_probes_is_read_back_from_its_file(
    tmp_path: Path, suffix: str
) -> None:
    trace = search(FIFTY_MINUTES, SPEC, Limits(max_nodes=150))
    events = trace.read()
    assert {Op.RESTART, Op.LEARN, Op.PROBE} < set(events["op"].tolist())
    path = tmp_path / f"t{suffix}"
    write_trace(trace, str(path))
    back = open_trace(str(path))
    assert back.header.version == 2
    assert back.read().tolist() == events.tolist()
    assert back.tally().restarts == trace.tally().restarts > 3
    check(back)


def test_a_search_of_one_run_is_still_version_one() -> None:
    """So that programs for version 1 can still read it."""
    for spec, version in [("mrv+singles+cbj", 1), ("mrv+luby:5", 2), ("mrv+sac@root", 2)]:
        header = json.loads(next(iter(write_lines(search(FIFTY_MINUTES, spec, Limits(1))))))
        assert header["undoku"] == version


def test_many_events_that_are_no_steps_are_read_soon() -> None:
    with bounded(measured=False):
        assert len(read('["learn",3]\n' * 300_000)) == 300_000


def test_events_are_read_with_and_without_spaces() -> None:
    reported = [(Op.PROBE, 2, 3), (Op.GUESS, 1, 0), (Op.LEARN, 0, 16), (Op.RESTART, 0, 0)]
    lines = ['["probe",3,2]', '["place",0,1]', '["learn",16]', '["restart"]']
    assert read("\n".join(lines) + "\n") == reported
    assert read("\n".join(line.replace(",", " , ") for line in lines) + "\n") == reported


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('["restart",0]\n', "no event"),
        ('["learn",0]\n', "a nogood of 0 guesses"),
        ('["learn",17]\n', "give 1 to 16"),
        ('["place",0,1]\n["probe",0,2]\n', "2 is probed in r1c1, which holds 1"),
        ('["eliminate",0,1]\n["probe",0,1]\n', "1 is probed in r1c1, which has lost it"),
        ('["probe",16,1]\n', "no cell 16"),
        ('["probe",0,5]\n', "value 5 is out of range"),
        (
            '["place",0,1]\n["place",5,2]\n["restart"]\n["undo",5]\n["place",5,3]\n',
            "r2c2 is placed after a restart, before the guess in r1c1 is taken back",
        ),
        ('["restart",{"rule":"luby"}]\n', "only a place or an eliminate has a reason"),
    ],
)
def test_an_invalid_wording_is_refused_with_its_line(lines: str, says: str) -> None:
    with pytest.raises(TraceError) as caught:
        read(lines)
    assert says in str(caught.value)
    assert f"line {lines.count(chr(10)) + 1}" in str(caught.value)


def test_a_trace_of_version_one_has_none_of_these_events() -> None:
    with pytest.raises(TraceError, match="no event restart in version 1"):
        read('["restart"]\n', HEAD.replace("2", "1", 1))


def test_values_forced_before_the_first_guess_may_stay_after_a_restart() -> None:
    assert read('["place",0,1,"forced"]\n["restart"]\n["place",5,3]\n')[-1] == (Op.GUESS, 3, 5)


def test_a_restart_is_neither_dead_end_nor_backtrack() -> None:
    """Two guesses given up by a restart, one refused before it."""
    tracer = Tracer(EMPTY)
    for call, *arguments in (
        (tracer.place, 0, 1), (tracer.place, 5, 2), (tracer.place, 7, 3), (tracer.undo,),
        (tracer.restart,), (tracer.undo,), (tracer.undo,), (tracer.learn, 2),
        (tracer.probe, 0, 4), (tracer.place, 0, 2),
    ):  # fmt: skip
        call(*arguments)
    tally = tracer.trace().tally()
    assert (tally.dead_ends, tally.backtracks, tally.undos, tally.restarts) == (1, 0, 3, 1)
    assert tally.steps == 7 and tally.events == 10
    assert tracer.trace().header.version == 2
