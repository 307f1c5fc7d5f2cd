"""Traces from pipes: followed while their solver runs, and read again from the spool."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import textwrap
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.puzzles import FIFTY_MINUTES
from tests.support.system import peak_of
from undoku.errors import ReadError, TraceError
from undoku.solver.trace import stream as stream_room
from undoku.solver.trace.recorded import holds_trace, open_trace
from undoku.solver.trace.search_trace import Limits, search
from undoku.solver.trace.stream import LiveTrace, StreamTrace
from undoku.solver.trace.trace import EVENT, Events
from undoku.solver.trace.writing import encoded, write_lines, write_trace

EASY = "500080106000073284407120003709260000003045010001000625090704030070002890125900000"
TEXT = "".join(write_lines(search(EASY))).encode()


def test_events_are_available_before_their_solver_continues() -> None:
    """A pipe that is written by hand: each event is read before the next one is written."""
    reading, writing = os.pipe()
    with open(writing, "wb", buffering=0) as solver, open(reading, "rb") as pipe:  # noqa: PTH123
        solver.write(b'{"undoku":1,"givens":"' + EASY.encode() + b'"}\n')
        trace = StreamTrace(pipe)
        chunks = trace.chunks()
        for cell, value in ((1, 3), (2, 2), (3, 4)):
            solver.write(b'["place",%d,%d]\n' % (cell, value))
            assert next(chunks).tolist() == [(0, value, cell)]
        solver.write(b'{"outcome":"capped"}\n')
        solver.close()
        assert next(chunks, None) is None
        assert trace.tally().places == 3
        assert len(trace.read()) == 3


def arriving(events: Events, parts: int) -> Iterator[Events]:
    """The events in parts, all in one array that is used again."""
    shared = np.empty(len(events), EVENT)
    for part in np.array_split(events, parts):
        shared[: len(part)] = part
        yield shared[: len(part)]
        shared["op"] = 255


def live(chunks: Iterator[Events]) -> LiveTrace:
    """A search that arrives in chunks."""
    trace = search(EASY)
    return LiveTrace(trace.header, chunks, lambda: (trace.tally(), False), trace.tally)


@pytest.mark.parametrize("in_memory", [1 << 24, 16])
def test_readers_that_take_turns_get_all_events_each(
    in_memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_room, "MAX_IN_MEMORY", in_memory)
    events = search(EASY).read()
    trace = live(arriving(events, 7))
    first, second = trace.chunks(), trace.chunks()
    taken: list[list[Events]] = [[], []]
    taken[0].append(next(first))
    taken[1].append(next(second))
    taken[1].append(next(second))
    taken[0].extend(first)
    taken[1].extend(second)
    for chunks in taken:
        np.testing.assert_array_equal(np.concatenate(chunks), events)


def test_a_long_spool_leaves_no_file_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_room, "MAX_IN_MEMORY", 16)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    trace = StreamTrace(io.BytesIO(TEXT))
    trace.tally()
    del trace
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_line_is_named_by_every_reader() -> None:
    trace = StreamTrace(io.BytesIO(TEXT.replace(b'"undo"', b'"udno"', 1)))
    wrong = next(n for n, line in enumerate(TEXT.splitlines(), 1) if b'undo",' in line)
    for _ in range(2):
        with pytest.raises(TraceError, match=rf"standard input, line {wrong}"):
            trace.tally()


def test_a_solver_that_is_interrupted_is_never_mistaken_for_one_that_has_ended() -> None:
    def interrupted() -> Iterator[Events]:
        yield search(EASY).read()
        raise KeyboardInterrupt

    trace = live(interrupted())
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            trace.tally()


def test_a_stream_that_fails_is_a_read_error() -> None:
    class Broken(io.RawIOBase):
        def read1(self, _size: int) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(ReadError, match="standard input: it can't be read: Input/output error"):
        StreamTrace(Broken())  # type: ignore[arg-type]


def run(program: str, stdin: bytes) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        input=stdin,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


@pytest.mark.parametrize(
    ("use", "stdin", "says"),
    [
        ("open_trace('-').tally().nodes", TEXT, "True 52"),
        # A puzzle is still there to read.
        ("sys.stdin.read()", EASY.encode(), f"False {EASY}"),
    ],
)
def test_standard_input_may_be_a_trace_named_by_a_dash(use: str, stdin: bytes, says: str) -> None:
    program = f"""
        import sys
        from undoku.solver.trace.recorded import holds_trace, open_trace
        print(holds_trace("-"), {use})
    """
    assert run(program, stdin) == says


def test_a_named_pipe_is_followed_like_standard_input(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", 'cat > "$0"', str(pipe)], stdin=subprocess.PIPE) as writer:
        assert writer.stdin
        writer.stdin.write(TEXT)
        writer.stdin.close()
        trace = open_trace(str(pipe))
        assert isinstance(trace, StreamTrace)
        assert trace.tally().nodes == 52
        assert len(trace.read()) == trace.tally().events


@pytest.mark.parametrize("argument", [EASY, "no such file", "a\0b", "."])
def test_an_argument_that_is_not_a_file_names_no_trace(argument: str) -> None:
    assert not holds_trace(argument)


def test_lines_arriving_byte_by_byte_are_read_like_a_file() -> None:
    class Trickle:
        def __init__(self) -> None:
            self.left: Iterator[int] = iter(TEXT)

        def read1(self, _size: int) -> bytes:
            return bytes([mark]) if (mark := next(self.left, None)) is not None else b""

        read = read1

    trace = StreamTrace(Trickle(), "t.jsonl")  # type: ignore[arg-type]
    np.testing.assert_array_equal(trace.read(), search(EASY).read())


def test_a_file_is_known_for_a_trace_by_its_content_in_every_format(tmp_path: Path) -> None:
    for form in ("jsonl", "jsonl.gz", "parquet"):
        path = tmp_path / f"{form}.txt"
        write_trace(search(EASY), str(path), form)
        assert holds_trace(str(path))
        assert open_trace(str(path)).tally().nodes == 52
    (tmp_path / "puzzle.jsonl").write_text(EASY)
    assert not holds_trace(str(tmp_path / "puzzle.jsonl"))
    assert holds_trace(str(tmp_path / "missing.jsonl"))  # so that opening it says it is missing
    with pytest.raises(ReadError, match="there is no file"):
        open_trace(str(tmp_path / "missing.jsonl"))
    with pytest.raises(ReadError, match="can't be read: Is a directory"):
        open_trace(str(tmp_path))


def test_a_disk_too_full_for_the_spool_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, _content: object) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", lambda **_: Full())
    with pytest.raises(ReadError, match=r"can't be stored in .*No space left.*free some space"):
        StreamTrace(io.BytesIO(TEXT)).tally()


def test_memory_stays_flat_over_a_long_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """The peak must not grow by what the events would take, 4 bytes each."""
    monkeypatch.setattr(stream_room, "MAX_IN_MEMORY", 1 << 17)

    def peak(nodes: int) -> int:
        pieces = encoded(search(FIFTY_MINUTES, "row-major", Limits(max_nodes=nodes)))

        class Pipe:
            rest = b""

            def read(self, size: int) -> bytes:
                self.rest = self.rest or next(pieces, b"")
                given, self.rest = self.rest[:size], self.rest[size:]
                return given

        trace: Any = StreamTrace(Pipe())  # type: ignore[arg-type]
        return peak_of(lambda: deque(trace.chunks(), maxlen=0))

    peak(1000)
    assert peak(600_000) < peak(200_000) + (1 << 20)
