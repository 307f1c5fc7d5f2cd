"""The description of the trace format: its examples are sound, its schema and the reader agree; and
headers with boards of all kinds."""

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
        {"undoku": 4},
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


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("", "the header is missing"),
        ("\n", "the header is missing"),
        ("53..7\n", "the header is not a JSON object"),
        ("[1]\n", "the header is not a JSON object"),
        ('{"undoku":1\n', "the header is not a JSON object"),
        ("{}\n", 'lacks "undoku": 1'),
        ('{"undoku":true}\n', 'lacks "undoku": 1'),
        ('{"undoku":4}\n', "version 4 of the trace format"),
        ('{"undoku":1}\n', 'no text "givens"'),
        ('{"undoku":1,"size":3,"givens":""}\n', "size 3 is out of range"),
        ('{"undoku":1,"size":"9","givens":""}\n', "size '9' is not a whole number"),
        ('{"undoku":1,"size":1e99,"givens":""}\n', "size 1e+99 is not a whole number"),
        ('{"undoku":1,"size":4,"box":[2,3],"givens":""}\n', "boxes of 2×3 cells"),
        ('{"undoku":1,"size":4,"box":[-2,-2],"givens":""}\n', "don't fit a board of size 4"),
        ('{"undoku":1,"size":4,"box":4,"givens":""}\n', "box 4 is neither [rows, columns] nor"),
        ('{"undoku":1,"size":7,"givens":""}\n', "no rectangular boxes"),
        ('{"undoku":1,"size":4,"givens":"123"}\n', "3 cells, but a board of size 4 has 16"),
        ('{"undoku":1,"size":4,"givens":"12345..........."}\n', "r2c1 holds 5"),
        ('{"undoku":1,"size":1000000000,"givens":"."}\n', "size 1000000000 is out of range"),
        ('{"undoku":1,"size":4,"givens":"1x.............."}\n', "givens hold 'x'"),
        ('{"undoku":1,"size":4,"givens":"11.............."}\n', "r1c1 and r1c2 both hold 1"),
        ('{"undoku":1,"size":4,"givens":"................","title":7}\n', "title 7 is not text"),
        (
            '{"undoku":1,"size":4,"givens":"................","title":"a\\u0000b"}\n',
            "not text of at most 5,000 printable characters",
        ),
        (
            '{"undoku":1,"size":4,"givens":"................","label":"' + "x" * 5001 + '"}\n',
            "not text of at most 5,000 printable characters",
        ),
        (
            '{"undoku":1,"size":4,"givens":"................","exhaustive":1}\n',
            "exhaustive 1 is neither true nor false",
        ),
        (
            '{"undoku":1,"size":4,"units":[{"name":"ring","cells":[1,1]}],"givens":""}\n',
            "ring 1 has a cell twice",
        ),
        (
            '{"undoku":1,"size":4,"units":[{"name":"ring","cells":[16]}],"givens":""}\n',
            "there is no cell 16",
        ),
        ('{"undoku":1,"size":4,"regions":"AAAA","givens":""}\n', "line 1"),
        ('{"undoku":1,"size":4,"extra":["stars"],"givens":""}\n', "called 'stars'"),
    ],
)
def test_an_invalid_header_is_refused_with_the_mistake(header: str, says: str) -> None:
    with pytest.raises(TraceError) as caught:
        StreamTrace(io.BytesIO(header.encode()), "t.jsonl")
    assert says in str(caught.value)
    assert caught.value.place is not None
    assert caught.value.place.line == 1


def test_givens_may_be_written_with_small_letters_and_zeros() -> None:
    capital = "G" + "." * 254 + "A"
    line = json.dumps({"undoku": 1, "size": 16, "givens": capital.lower().replace(".", "0")})
    assert str(parse_header(line, "t").puzzle) == capital


@pytest.mark.parametrize("member", ["strategy", "title", "label", "description"])
def test_a_text_without_a_visible_character_counts_as_missing(member: str) -> None:
    content = {"undoku": 1, "givens": "1" + "." * 80}
    plain = parse_header(json.dumps(content), "t")
    assert parse_header(json.dumps({**content, member: " \u200b\u2060"}), "t") == plain
