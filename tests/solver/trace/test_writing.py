"""Traces in files: by suffix, complete or not at all, with equal bytes for equal content."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.puzzles import FIFTY_MINUTES
from undoku.errors import OutputError, SettingsError, TraceError
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.recorded import FileTrace, MemoryTrace, open_trace
from undoku.solver.trace.replay import board_at
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import CHUNK, Events, Header, Op, Outcome
from undoku.solver.trace.writing import FORMATS, encoded, format_of, write_trace

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"


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
    assert again.tally() == replace(trace.tally(), seconds=0)
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
