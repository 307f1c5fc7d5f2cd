"""Reasons in traces: read, kept, written, refused, and held sparsely."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from undoku.errors import TraceError
from undoku.solver.trace.reasons import MAX_NAME_LENGTH, MAX_REASONS, Reason, Reasons
from undoku.solver.trace.recorded import open_trace
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Trace
from undoku.solver.trace.tracer import Tracer
from undoku.solver.trace.writing import encoded, write_trace

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


def test_reasons_are_read_with_the_events_that_they_belong_to() -> None:
    trace = streamed(FILE)
    events = trace.read()
    assert len(events) == len(LINES)
    assert list(trace.reasons.between(0, 5)) == TOLD
    assert trace.reasons.at(3) == Reason("hidden-single", "row 1")
    assert trace.reasons.at(2) is None


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz", "t.parquet"])
def test_a_written_trace_is_read_back_with_its_reasons(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    write_trace(streamed(FILE), path)
    again = open_trace(path)
    assert reasons_of(again) == TOLD
    assert reasons_of(again) == TOLD  # reading it twice holds none twice
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


def test_reasons_are_held_in_twelve_bytes_each_up_to_a_limit() -> None:
    reasons, one = Reasons(), Reason("a")
    for event in range(0, 4000, 2):
        reasons.add(event, one)
        reasons.add(event, Reason("another"))  # it has one already
    assert len(reasons) == 2000
    assert reasons.at(2) is one
    assert MAX_REASONS * 12 < 64 << 20
