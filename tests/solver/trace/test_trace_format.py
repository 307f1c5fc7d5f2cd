"""The description of the trace format: its examples are sound, its schema and the reader agree."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.support.paths import ROOT
from undoku.errors import TraceError
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.variants import (
    EXTRAS,
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_units,
)
from undoku.solver.trace.header import parse_header
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.replay import check
from undoku.solver.trace.search_trace import search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Op, Outcome
from undoku.solver.trace.writing import FORMATS, write_lines

DOCS = ROOT / "docs"
TEXT = (DOCS / "trace-format.md").read_text("utf-8")
SCHEMA: dict[str, Any] = json.loads((DOCS / "trace.schema.json").read_text("utf-8"))
EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"


def valid(line: object) -> bool:
    return bool(Draft202012Validator(SCHEMA).is_valid(line))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_the_schema_itself_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("example", blocks("jsonl"))
def test_every_example_of_the_description_is_a_sound_trace_and_valid(example: str) -> None:
    trace = StreamTrace(io.BytesIO(example.encode()), "trace-format.md")
    check(trace)
    assert not trace.cut
    assert all(valid(json.loads(line)) for line in example.splitlines())


def test_the_python_example_of_the_description_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("python")
    exec(compile(example, "trace-format.md", "exec"), {})
    assert capsys.readouterr().out == "2\n"


def test_every_line_that_is_written_is_valid() -> None:
    ring = Unit("ring", 1, (5, 6, 9, 10))
    board = with_units(with_diagonals(jigsaw_geometry("AABBACBBACCDDDCD")), [ring])
    everything = Header(Puzzle((0,) * 16, board), "mrv", "title", exhaustive=True)
    latin = Header(Puzzle((0,) * 16, latin_geometry(4)))
    events = [(Op.GUESS, 1, 0), (Op.ELIMINATE, 1, 1), (Op.FORCED, 2, 1), (Op.UNDO, 2, 1)]
    events.append((Op.RESTORE, 1, 1))
    traces = [search(EASY), MemoryTrace(everything, events, Outcome.CAPPED)]
    for trace in [*traces, MemoryTrace(latin, [])]:
        for line in "".join(write_lines(trace)).splitlines():
            assert valid(json.loads(line)), line


@pytest.mark.parametrize(
    "line",
    [
        '["place",1]',
        '["place",1,2,"guess"]',
        '["place",1,2,"forced",3]',
        '["place",1,2,{}]',
        '["place",1,2,{"rule":5}]',
        '["place",1,2,{"rule":""}]',
        '["place",1,2,{"rule":"a"},"forced"]',
        '["place",1,2,"forced",{"unit":"row 1"}]',
        '["place",1,2,"forced",{"rule":"a","unit":""}]',
        '["undo",1,{"rule":"a"}]',
        '["restore",1,2,{"rule":"a"}]',
        '["place",1.5,2]',
        '["place","1",2]',
        '["place",-1,2]',
        '["place",1,0]',
        '["place",1,26]',
        '["undo",1,2]',
        '["undo"]',
        '["eliminate",1,2,"forced"]',
        '["jump",1]',
        "[]",
        "{}",
        "1",
        '"place"',
        "null",
        '{"outcome":"won"}',
    ],
)
def test_a_line_that_the_schema_refuses_is_refused_by_the_reader(line: str) -> None:
    assert not valid(json.loads(line))
    header = '{"undoku":1,"size":25,"givens":"' + "." * 625 + '"}\n'
    with pytest.raises(TraceError, match="line 2"):
        StreamTrace(io.BytesIO((header + line + "\n").encode())).tally()


@pytest.mark.parametrize(
    "change",
    [
        {"undoku": 3},
        {"undoku": None},
        {"size": 3},
        {"size": "9"},
        {"box": [3]},
        {"box": [3, 3, 3]},
        {"givens": 5},
        {"givens": "x" * 81},
        {"title": 5},
        {"exhaustive": 1},
        {"box": "None"},
        {"box": [3, 3], "regions": "A" * 81},
        {"regions": 5},
        {"extra": "diagonals"},
        {"extra": ["crosses"]},
        {"units": {}},
        {"units": [{"name": "ring", "cells": []}]},
        {"units": [{"name": "ring", "cells": [1, 1]}]},
        {"units": [{"name": "ring", "cells": ["1"]}]},
        {"units": [{"name": "ring", "cells": [-1]}]},
        {"units": [{"name": "", "cells": [1]}]},
        {"units": [{"cells": [1]}]},
    ],
)
def test_a_header_that_the_schema_refuses_is_refused_by_the_reader(change: dict[str, Any]) -> None:
    header = {"undoku": 1, "size": 9, "givens": EASY} | change
    assert not valid(header)
    with pytest.raises(TraceError, match="line 1"):
        parse_header(json.dumps(header), "t")


def test_members_and_formats_that_the_reader_knows_are_all_described() -> None:
    for name in EXTRAS:
        assert f"`{name}`" in TEXT
        assert name in SCHEMA["$defs"]["header"]["properties"]["extra"]["items"]["enum"]
    for member in SCHEMA["$defs"]["header"]["properties"]:
        assert f"| `{member}`" in TEXT
    for suffixes in FORMATS.values():
        assert suffixes[0] in TEXT
