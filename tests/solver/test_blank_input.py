"""Endless input without content is refused early, in one sentence."""

from __future__ import annotations

import gzip
import io
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from undoku.errors import InputError, PuzzleError, TraceError
from undoku.solver.problem.puzzle_text import MAX_BLANK
from undoku.solver.problem.sources import collection, read
from undoku.solver.trace.recorded import FileTrace
from undoku.solver.trace.stream import StreamTrace

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HEADER = b'{"undoku":1,"size":4,"givens":"1..............."}\n'
OUTCOME = b'{"outcome":"capped"}\n'


class Endless(io.RawIOBase):
    """A stream that begins with `first` and repeats `then` for ever; fails when somebody reads
    more than 64 MiB of it."""

    def __init__(self, first: bytes, then: bytes) -> None:
        self._parts = itertools.chain([first], itertools.repeat(then * (4096 // len(then))))
        self._left = b""
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._left or next(self._parts)
        count = min(len(part), len(buffer))
        buffer[:count], self._left = part[:count], part[count:]
        self._given += count
        assert self._given < 64 << 20, "nobody stops reading"
        return count


def endless(first: bytes, then: bytes) -> io.BufferedReader:
    return io.BufferedReader(Endless(first, then))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (b"\n", b"#" * 63 + b"\n"),
        (b"\n", b"\t"),
        (b"\n", b"\n"),
        (f"{LINE}\n".encode(), b"; nothing but blanks" + b" " * 43 + b"\n"),
        (f":0000:x:{LINE}:::\n".encode(), b" " * 62 + b"\r\n"),
    ],
)
def test_a_puzzle_text_that_says_nothing_more_is_refused(
    first: bytes, then: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its first puzzle, after its only one, and in a collection."""
    for reader in (lambda: read("-"), lambda: read("-:2"), lambda: list(collection("-"))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless(first, then)))
        with pytest.raises(PuzzleError) as caught:
            reader()
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_a_line_of_a_collection_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(endless(f"{LINE}\n".encode(), b"1")))
    with pytest.raises(PuzzleError, match=r"line 2: the line is over 16,777,216 characters long"):
        list(collection("-", skip=True))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (HEADER, b"\n"),
        (HEADER + b'["place",1,2]\n', b" " * 62 + b"\r\n"),
        (HEADER + OUTCOME, b" " * 63 + b"\n"),
    ],
)
def test_a_trace_that_says_nothing_more_is_refused(first: bytes, then: bytes) -> None:
    with pytest.raises(TraceError, match="1 MiB of blank lines"):
        StreamTrace(endless(first, then)).tally()


def test_zeros_without_end_after_a_gzip_file_are_refused() -> None:
    stream = endless(gzip.compress(HEADER + OUTCOME), b"\0")
    with pytest.raises(TraceError, match="1 MiB of zero bytes"):
        StreamTrace(stream).tally()


def test_a_small_gzip_file_of_very_many_blank_lines_is_refused_at_once(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield HEADER
        yield from itertools.repeat(b"\n" * (1 << 20), 64)

    file = tmp_path / "blank.jsonl.gz"
    with gzip.open(file, "wb", compresslevel=1) as written:
        for piece in pieces():
            written.write(piece)
    with pytest.raises(InputError, match=r"blank\.jsonl\.gz: .*1 MiB of blank lines"):
        FileTrace(str(file)).tally()


def test_many_blank_lines_below_the_limit_do_not_matter(tmp_path: Path) -> None:
    blank = "       \n" * (MAX_BLANK // 16)  # half of what is allowed
    puzzle = tmp_path / "puzzle.sdm"
    puzzle.write_text(f"{blank}{LINE}\n{blank}{LINE}\n{blank}")
    assert len(list(collection(puzzle))) == 2
    trace = tmp_path / "trace.jsonl"
    trace.write_bytes(HEADER + blank.encode() + b'["place",1,2]\n' + blank.encode() + OUTCOME)
    assert FileTrace(str(trace)).tally().steps == 1
