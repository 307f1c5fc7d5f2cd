"""Traces as Parquet: queried by others, read in row groups, checked like any trace."""

from __future__ import annotations

import json
import sys
from collections import deque
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from tests.support.system import peak_of
from undoku.errors import ReadError, SettingsError, TraceError
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.trace.parquet import ParquetTrace
from undoku.solver.trace.recorded import MemoryTrace, open_trace
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.trace import Header, Op, Outcome
from undoku.solver.trace.writing import write_trace

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
LONG = "000060080020000000001000000070000102500030000000000400004201000300700600000000050"
HEADER = {b"undoku": json.dumps({"undoku": 1, "givens": "1" + "." * 80}).encode()}


def write_rows(path: Path, rows: dict[str, Any], metadata: dict[bytes, bytes] | None = None) -> str:
    """A file such as another program would write."""
    table = pyarrow.table(rows).replace_schema_metadata(HEADER if metadata is None else metadata)
    pyarrow.parquet.write_table(table, path)
    return str(path)


def test_the_columns_hold_the_events_with_their_depth(tmp_path: Path) -> None:
    trace = MemoryTrace(
        Header(as_puzzle("1" + "." * 80)),
        [
            (Op.GUESS, 2, 1),
            (Op.ELIMINATE, 3, 4),
            (Op.FORCED, 4, 2),
            (Op.GUESS, 5, 3),
            (Op.UNDO, 5, 3),
            (Op.UNDO, 4, 2),
            (Op.RESTORE, 3, 4),
        ],
        Outcome.CAPPED,
    )
    path = tmp_path / "a.parquet"
    write_trace(trace, str(path))
    table = pyarrow.parquet.read_table(path)
    assert table.to_pydict() == {
        "op": ["guess", "eliminate", "forced", "guess", "undo", "undo", "restore"],
        "cell": [1, 4, 2, 3, 3, 2, 4],
        "value": [2, 3, 4, 5, 5, 4, 3],
        "depth": [1, 1, 1, 2, 1, 1, 1],
    }
    assert json.loads(table.schema.metadata[b"undoku"])["givens"] == "1" + "." * 80
    assert ParquetTrace(str(path)).read().tolist() == trace.read().tolist()


def test_the_counts_are_known_without_reading_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "a.parquet")
    write_trace(search(EASY, "mrv", Limits(exhaustive=True)), path)
    trace = ParquetTrace(path)
    monkeypatch.setattr(ParquetTrace, "chunks", lambda _self: pytest.fail("a row was read"))
    tally = trace.tally()
    assert (tally.nodes, tally.solutions, tally.outcome) == (44, 1, Outcome.EXHAUSTED)
    assert not trace.cut


def test_a_file_of_version_1_0_whose_counts_lack_the_guesses_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_trace(search(EASY), str(path))
    stated = f', "guessed": {search(EASY).tally().guessed}'.encode()
    path.write_bytes(path.read_bytes().replace(stated, b" " * len(stated)))
    tally = ParquetTrace(str(path)).tally()
    assert tally._replace(seconds=0) == search(EASY).tally()._replace(seconds=0)


def test_counts_that_do_not_fit_the_rows_are_found_out(tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    write_trace(search(EASY), path)
    raw = Path(path).read_bytes()
    assert raw.count(b'"guesses": 51') == 1
    Path(path).write_bytes(raw.replace(b'"guesses": 51', b'"guesses": 52'))
    with pytest.raises(TraceError, match="metadata says guesses 52, but its rows hold 51"):
        ParquetTrace(path).read()


def test_a_file_written_by_others_needs_no_depth_no_counts_and_any_integers(
    tmp_path: Path,
) -> None:
    rows = {
        "cell": [1, 2, 2],
        "op": ["guess", "forced", "undo"],
        "value": [2, 3, 0],
        "mine": [0] * 3,
    }
    trace = ParquetTrace(write_rows(tmp_path / "a.parquet", rows))
    assert trace.read().tolist() == [(0, 2, 1), (1, 3, 2), (2, 3, 2)]
    assert (trace.tally().places, trace.cut) == (2, True)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (
            {"op": ["undo"], "cell": [1], "value": [0]},
            "row 1: r1c2 is undone, but nothing was placed",
        ),
        ({"op": ["guess"] * 2, "cell": [1, 0], "value": [2, 2]}, "row 2: r1c1 is a given"),
        ({"op": ["jump"], "cell": [1], "value": [0]}, "row 1: there is no event 'jump'"),
        ({"op": ["guess"], "cell": [-1], "value": [1]}, "row 1: cell -1 is out of range"),
        ({"op": ["guess"], "cell": [1], "value": [300]}, "row 1: value 300 is out of range"),
        ({"op": ["guess"], "cell": [1.5], "value": [1]}, "column 'cell' holds double"),
        ({"op": [0], "cell": [1], "value": [1]}, "column 'op' holds int64"),
        ({"op": ["guess"], "cell": [1]}, "there is no column 'value'"),
        ({"op": ["guess", None], "cell": [1, 2], "value": [1, 2]}, "row 2: the op is missing"),
        ({"op": ["guess"] * 2, "cell": [1, None], "value": [1, 2]}, "row 2: the cell is missing"),
    ],
)
def test_the_first_wrong_row_or_column_is_named(
    rows: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(TraceError) as caught:
        ParquetTrace(write_rows(tmp_path / "a.parquet", rows), "a.parquet").read()
    assert says in str(caught.value)
    assert str(caught.value).startswith("a.parquet")


def test_a_parquet_file_that_is_not_a_trace_or_damaged_is_refused(tmp_path: Path) -> None:
    rows = {"op": ["guess"], "cell": [1], "value": [1]}
    path = tmp_path / "a.parquet"
    with pytest.raises(TraceError, match='no metadata "undoku"'):
        ParquetTrace(write_rows(path, rows, {}))
    with pytest.raises(TraceError, match='lacks "undoku": 1'):
        ParquetTrace(write_rows(path, rows, {b"undoku": b"{}"}))
    write_trace(search(EASY), str(path))
    whole = path.read_bytes()
    for content in (whole[:100], whole[:-20], whole[:200] + b"\xff" * 200 + whole[400:], b"PAR1"):
        path.write_bytes(content)
        with pytest.raises(TraceError):
            ParquetTrace(str(path)).read()
    with pytest.raises(ReadError, match="there is no file"):
        ParquetTrace(str(tmp_path / "missing.parquet"))


def test_parquet_over_a_pipe_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write_trace(search(EASY), str(path))
    with (
        path.open("rb") as stream,
        pytest.raises(TraceError, match="can't be read from a stream; give the file itself"),
    ):
        StreamTrace(stream)


def test_without_pyarrow_the_refusal_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SettingsError, match=r'pip install "undoku\[parquet\]"'):
        write_trace(search(EASY), str(tmp_path / "a.parquet"))
    assert list(tmp_path.iterdir()) == []


def test_memory_stays_flat_over_a_long_search(tmp_path: Path) -> None:
    """Three million events against 600,000, each written and read, in what Python and pyarrow
    allocate."""
    arrow = pyarrow.default_memory_pool()

    def peaks(nodes: int) -> tuple[int, int]:
        trace = search(LONG, "row-major", Limits(max_nodes=nodes))
        path = str(tmp_path / "a.parquet")
        write_trace(trace, path)
        peak = peak_of(lambda: deque(open_trace(path).chunks(), maxlen=0))
        return peak, arrow.max_memory()

    short, long = peaks(300_000), peaks(1_500_000)
    # The events alone would take 9.6 MB more.
    assert long[0] < short[0] + (1 << 20) and long[1] < short[1] + (4 << 20)
