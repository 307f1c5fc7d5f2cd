"""Recorded traces: short ones in memory, those in files, and those that an argument names."""

from __future__ import annotations

import re
import stat
import weakref
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from undoku.file_reading import opened, read_errors, standard_input
from undoku.solver.trace.jsonl import LineReader
from undoku.solver.trace.reasons import Reasons
from undoku.solver.trace.state import State
from undoku.solver.trace.stream import GZIP_MAGIC, StreamTrace, blocks
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Header, Outcome, Tally, Trace


class MemoryTrace(Trace):
    """A short trace held in memory.

    `events` is (n,) of EVENT or an iterable of (op, value, cell).
    """

    def __init__(
        self,
        header: Header,
        events: Events | Iterable[tuple[int, int, int]],
        outcome: Outcome | None = None,
    ) -> None:
        self.header = header
        self._events = np.array(events if isinstance(events, np.ndarray) else list(events), EVENT)
        self._outcome = outcome

    def chunks(self) -> Iterator[Events]:
        for start in range(0, len(self._events), CHUNK):
            yield self._events[start : start + CHUNK]

    def tally(self) -> Tally:
        state = State(self.header.puzzle)
        state.apply_events(self._events.view(np.uint32))
        return state.tally(self._outcome, exhaustive=self.header.exhaustive)


class FileTrace(Trace):
    """A recorded trace: read from its file, and checked, at each use. The file is JSON Lines,
    compressed with gzip or not (its content decides). Raises ReadError if it can't be read,
    TraceError if a line is invalid.
    """

    def __init__(self, path: str, source: str | None = None) -> None:
        self._path = path
        self._source = source or path
        self.reasons = Reasons()
        with self._reader() as reader:
            self.header = reader.header

    @contextmanager
    def _reader(self) -> Iterator[LineReader]:
        with opened(self._path, self._source) as file:
            yield LineReader(blocks(file, self._source), self._source, self.reasons)

    def chunks(self) -> Iterator[Events]:
        with self._reader() as reader:
            for chunk in reader:
                if self.progress:
                    self.progress(reader.so_far())
                yield chunk
        self.cut = reader.cut
        self.counted = reader.tally


_PEEKED = 1 << 12  # bytes
_PARQUET_MAGIC = b"PAR1"
_OF_PUZZLES = re.compile(rb'"(?:variables|picture|grid|different|pairs|domains)"\s*:')
"""The members by which a JSON object is a problem or a puzzle of f-puzzles, not a header."""


def looks_like_trace(first: bytes) -> bool:
    """Whether a content that begins with `first` is a trace in any format. A damaged gzip file is
    taken for one: the reader of traces reports the damage."""
    if first.startswith(_PARQUET_MAGIC):
        return True
    if first.startswith(GZIP_MAGIC):
        try:
            first = zlib.decompressobj(31).decompress(first, _PEEKED)
        except zlib.error:
            return True
    text = first.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if text.startswith(b"{") and b'"undoku"' not in text:
        return not _OF_PUZZLES.search(text)
    return text.startswith((b"{", b'["place', b"['place", b"('place"))


def holds_trace(argument: str) -> bool:
    """Whether a command-line argument names a trace, not a puzzle: `-` is standard input, which is
    examined without consuming it. False if it is not a file."""
    if argument == "-":
        with read_errors("standard input"):
            return looks_like_trace(standard_input().peek(_PEEKED))
    try:
        path = Path(argument)
        if not stat.S_ISREG(path.stat().st_mode):
            return argument.endswith((".jsonl", ".jsonl.gz")) or path.is_fifo()
        with path.open("rb") as file:
            return looks_like_trace(file.read(_PEEKED))
    except (OSError, ValueError):
        return argument.endswith((".jsonl", ".jsonl.gz", ".parquet"))


def open_trace(argument: str) -> Trace:
    """The trace that a command-line argument names: `-` is standard input, which, like any pipe, is
    followed while it arrives; anything else is a file, whose content determines its format. Raises
    ReadError if it can't be read, TraceError if its header is invalid; reading the trace raises
    both.

    >>> undoku.write_trace(undoku.search("1.....3..4.....2"), "four.jsonl")
    >>> undoku.open_trace("four.jsonl").tally().nodes
    16
    """
    if argument == "-":
        return StreamTrace(standard_input(), "standard input")
    try:
        pipe = not stat.S_ISREG(Path(argument).stat().st_mode) and not Path(argument).is_dir()
    except (OSError, ValueError):
        pipe = False  # `opened` reports the error
    if pipe:
        with read_errors(argument):
            stream = Path(argument).open("rb")  # noqa: SIM115
        try:
            trace = StreamTrace(stream, argument)
        except BaseException:
            stream.close()
            raise
        weakref.finalize(trace, stream.close)
        return trace
    with opened(argument) as file:
        first = file.read(len(_PARQUET_MAGIC))
    if first == _PARQUET_MAGIC:
        from undoku.solver.trace.parquet import ParquetTrace

        return ParquetTrace(argument)
    return FileTrace(argument)
