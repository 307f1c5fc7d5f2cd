"""The description of the trace format: its examples are sound, its schema and the reader agree; and
headers with boards of all kinds."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from tests.support.puzzles import FIFTY_MINUTES
from tests.support.system import ROOT, bounded
from undoku.errors import OutputError, SettingsError, TraceError
from undoku.solver.problem.problem import Unit
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.problem.variants import (
    EXTRAS,
    jigsaw_geometry,
    latin_geometry,
    with_diagonals,
    with_units,
)
from undoku.solver.trace.header import parse_header
from undoku.solver.trace.reasons import MAX_NAME_LENGTH, Reason
from undoku.solver.trace.recorded import FileTrace, MemoryTrace, open_trace
from undoku.solver.trace.replay import board_at, check
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import CHUNK, Events, Header, Op, Outcome, Trace
from undoku.solver.trace.tracer import Tracer
from undoku.solver.trace.writing import FORMATS, encoded, format_of, write_lines, write_trace

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


@pytest.mark.parametrize("member", ["strategy", "title", "label"])
def test_a_text_without_a_visible_character_counts_as_missing(member: str) -> None:
    content = {"undoku": 1, "givens": "1" + "." * 80}
    plain = parse_header(json.dumps(content), "t")
    assert parse_header(json.dumps({**content, member: " \u200b\u2060"}), "t") == plain


# Traces in files: by suffix, complete or not at all, with equal bytes for equal content.


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".JSONL", ".parquet"])
@pytest.mark.parametrize(
    ("puzzle", "limits"),
    [
        *((EASY, limits) for limits in (Limits(), Limits(max_nodes=30), Limits(exhaustive=True))),
        (FIFTY_MINUTES, Limits(max_nodes=CHUNK)),  # many chunks
    ],
)
def test_a_written_trace_is_opened_with_equal_events_and_counts(
    suffix: str, puzzle: str, limits: Limits, tmp_path: Path
) -> None:
    trace = search(puzzle, "mrv", limits)
    path = tmp_path / f"search{suffix}"
    write_trace(trace, str(path))
    again = open_trace(str(path))
    assert again.header == trace.header
    np.testing.assert_array_equal(again.read(), trace.read())
    assert again.tally() == trace.tally()._replace(seconds=0)
    assert not again.cut
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".parquet"])
def test_a_cut_trace_is_still_cut_after_it_was_written_again(suffix: str, tmp_path: Path) -> None:
    lines = f'{{"undoku":1,"givens":"{EASY}"}}\n["place",1,3]\n["pl'
    path = str(tmp_path / f"cut{suffix}")
    write_trace(StreamTrace(io.BytesIO(lines.encode())), path)
    again = open_trace(path)
    assert again.read().tolist() == [(Op.GUESS, 3, 1)]
    assert (again.cut, again.tally().outcome) == (True, Outcome.CAPPED)


def test_gzip_output_is_the_same_bytes_every_time_and_other_tools_read_it(tmp_path: Path) -> None:
    plain = b"".join(encoded(search(EASY)))
    once, twice = (b"".join(encoded(search(EASY), "jsonl.gz")) for _ in range(2))
    assert once == twice
    assert once[4:8] == b"\0\0\0\0"  # no time
    assert gzip.decompress(once) == plain


def test_gzip_files_joined_one_after_the_other_are_read_as_one(tmp_path: Path) -> None:
    plain = b"".join(encoded(search(EASY)))
    path = tmp_path / "joined.jsonl.gz"
    path.write_bytes(gzip.compress(plain[:333]) + gzip.compress(plain[333:]) + b"\0" * 100)
    assert FileTrace(str(path)).tally().nodes == 52


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_search_that_fails_while_it_is_written_leaves_the_old_file_alone(
    form: str, tmp_path: Path
) -> None:
    class Failing(MemoryTrace):
        def chunks(self) -> Iterator[Events]:
            yield from super().chunks()
            raise TraceError("it broke off")

    path = tmp_path / "kept"
    path.write_text("what was there before")
    trace = Failing(Header(as_puzzle(EASY)), [(Op.GUESS, 3, 1)])
    with pytest.raises(TraceError, match="it broke off"):
        write_trace(trace, str(path), form)
    assert path.read_text() == "what was there before"
    assert names(tmp_path) == ["kept"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing/a.jsonl", r"missing.*can't be written: No such file"),
        ("folder.jsonl", r"folder\.jsonl' can't be written"),
        ("a\0.jsonl", "can't be written"),
    ],
)
def test_a_file_that_cannot_be_written_is_named_with_the_reason(
    tmp_path: Path, name: str, message: str
) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(OutputError, match=message):
        write_trace(search(EASY), str(tmp_path / name))
    assert names(tmp_path) == ["folder.jsonl"]


def test_a_full_disk_is_a_sentence() -> None:
    with pytest.raises(OutputError, match=r"/dev/full.*No space left"):
        write_trace(search(EASY), "/dev/full", "jsonl")


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("")
    link.symlink_to(real)
    write_trace(search(EASY), str(link))
    assert link.is_symlink()
    assert FileTrace(str(real)).tally().nodes == 52


def test_a_trace_can_be_rewritten_over_itself(tmp_path: Path) -> None:
    path = str(tmp_path / "a.jsonl")
    write_trace(search(EASY), path)
    write_trace(FileTrace(path), path)
    assert FileTrace(path).tally().nodes == 52


def test_a_name_without_a_known_suffix_and_an_unknown_format_are_refused() -> None:
    for use, words, message in (
        (format_of, ("trace.txt",), r"names no trace format; end it in one of \.jsonl,"),
        (encoded, (search(EASY), "xml"), "there is no trace format 'xml'; choose one of jsonl"),
        (encoded, (search(EASY), "parquet"), "parquet can't be written to a stream"),
    ):
        with pytest.raises(SettingsError, match=message):
            use(*words)
    assert [format_of(f"a{s}") for s in (".jsonl", ".jsonl.gz", ".parquet", ".trace.yaml")] == [
        *FORMATS
    ]


def posthoc(trace: Any) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(b"".join(encoded(trace, "posthoc")))
    return content


def test_a_posthoc_trace_has_the_version_views_and_events_that_the_visualiser_reads() -> None:
    content = posthoc(search(EASY))
    assert content["version"] == "1.4.0"
    assert {"main", "board"} <= set(content["views"])
    for view in content["views"].values():
        assert all(isinstance(component["$"], str) for component in view)
    assert all(event["id"] for event in content["events"])  # 0 would pass for "no parent"
    givens = [c for c in content["views"]["board"] if "label" in c]
    assert len(givens) == sum(mark != "0" for mark in EASY)


@pytest.mark.parametrize("limits", [Limits(), Limits(exhaustive=True)])
def test_a_posthoc_trace_shows_the_board_of_each_step(
    limits: Limits,
) -> None:
    """Follows the visualiser's rule: a node's digit stands until its id meets `undo`."""
    trace = search(EASY, "mrv", limits)
    start, *events, last = posthoc(trace)["events"]
    assert start["type"] == "start"
    standing: dict[int, dict[str, Any]] = {}
    known = {start["id"]}
    for step, event in enumerate(events, 1):
        assert event["pId"] in known
        if event["type"] == "undo":
            opened = standing.pop(event["id"])
            assert (opened["x"], opened["y"], opened["pId"]) == (
                event["x"],
                event["y"],
                event["pId"],
            )
        else:
            assert event["id"] not in known  # a place is always a new node
            known.add(event["id"])
            standing[event["id"]] = event
        assert event["depth"] == len(standing)
        if step % 7 == 0:
            board = trace.header.puzzle.board.copy()
            for node in standing.values():
                board[node["y"] * 9 + node["x"]] = int(node["digit"])
            np.testing.assert_array_equal(board, board_at(trace, step))
    assert last["type"] == trace.tally().outcome
    assert last["nodes"] == trace.tally().nodes == len(known)


def test_a_posthoc_trace_of_queens_shows_them_in_their_fields() -> None:
    content = posthoc(search("queens:4:b1", "mrv+naked-singles"))
    assert [(one["x"], one["y"]) for one in content["views"]["board"][1:]] == [(1, 0)]
    placed = {(one["x"], one["y"]) for one in content["events"][1:-1]}
    assert placed == {(3, 1), (0, 2), (2, 3)}


def test_a_posthoc_trace_marks_forced_places_and_leaves_eliminations_out() -> None:
    trace = MemoryTrace(
        Header(as_puzzle("1" + "." * 80), title="a “b”"),
        [
            (Op.GUESS, 2, 1),
            (Op.ELIMINATE, 3, 2),
            (Op.FORCED, 4, 2),
            (Op.UNDO, 0, 2),
        ],
        Outcome.CAPPED,
    )
    events = posthoc(trace)["events"]
    assert [(e["type"], e["id"], e.get("pId"), e.get("value")) for e in events] == [
        ("start", 1, None, None),
        ("place", 2, 1, 2),
        ("forced", 3, 2, 4),
        ("undo", 3, 2, 4),
        ("capped", 2, 1, None),
    ]


# Reasons in traces, and the events of version 2 of the format: restarts, nogoods and probes.


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
