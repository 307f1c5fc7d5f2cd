"""Traces from streams: followed while they arrive, and spooled so that they can be read again."""

from __future__ import annotations

import tempfile
import threading
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import IO

import numpy as np

from undoku.errors import Place, ReadError, TraceError
from undoku.solver.problem.puzzle_text import MAX_BLANK, bounded, refuse
from undoku.solver.trace.jsonl import LineReader
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Header, Tally, Trace

BLOCK = 1 << 20
"""Bytes read at once. Their events fit one chunk, since no line is shorter than eleven bytes."""

GZIP_MAGIC = b"\x1f\x8b"

_GZIP = 31  # window bits: the largest window, in gzip's wrapping
_LEVEL = 6


def blocks(stream: IO[bytes], source: str) -> Iterator[bytes]:
    """The content of `stream` in blocks of at most BLOCK bytes, unzipped when it begins like gzip.

    A block contains what has arrived, so that a program that is still writing can be followed. A
    truncated gzip file is read up to its end. Raises TraceError if it is damaged, or if there are
    more than 1 MiB of consecutive blank lines, and the errors of reading the stream.
    """
    return bounded(_blocks(stream, source), source, TraceError)


def _blocks(stream: IO[bytes], source: str) -> Iterator[bytes]:
    arrived = getattr(stream, "read1", stream.read)
    first = arrived(BLOCK)
    while len(first) < len(GZIP_MAGIC) and (more := arrived(BLOCK)):
        first += more
    if first.startswith(GZIP_MAGIC):
        yield from _unzipped(first, arrived, source)
        return
    while first:
        yield first
        first = arrived(BLOCK)


def _unzipped(first: bytes, arrived: Callable[[int], bytes], source: str) -> Iterator[bytes]:
    unzip = zlib.decompressobj(_GZIP)
    zipped_part = first
    while zipped_part:
        try:
            block = unzip.decompress(zipped_part, BLOCK)
        except zlib.error as error:
            raise TraceError(
                f"the gzip file is damaged ({error})",
                place=Place(source),
                remedy="write or download it again",
            ) from None
        if block:
            yield block
        zipped_part = unzip.unconsumed_tail
        if unzip.eof:  # another member may follow, or zeros that fill a tape's block
            zipped_part, zeros = unzip.unused_data or arrived(BLOCK), 0
            while zipped_part and not zipped_part.strip(b"\0"):
                zeros += len(zipped_part)
                if zeros > MAX_BLANK:
                    raise refuse(source, TraceError, "zero bytes")
                zipped_part = arrived(BLOCK)
            zipped_part = zipped_part.lstrip(b"\0")
            unzip = zlib.decompressobj(_GZIP)
        elif not zipped_part:
            zipped_part = arrived(BLOCK)
    if rest := unzip.flush():
        yield rest


def zipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The content compressed with gzip, without name or time, so that equal content gives equal
    files."""
    zipper = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    for piece in pieces:
        if part := zipper.compress(piece):
            yield part
    yield zipper.flush()


MAX_IN_MEMORY = 1 << 24
"""The maximum number of bytes of a spool in memory: four million events. A longer one goes to a
temporary file."""


class Spool:
    """Stored events in their order: a few in memory, many in an unnamed temporary file, which
    disappears with the spool or the program. Several threads may read it. Raises ReadError if the
    disk is full."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._file = tempfile.SpooledTemporaryFile(max_size=MAX_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self.events = 0

    def append(self, events: Events) -> None:
        """Store (n,) of EVENT."""
        try:
            with self._lock:
                self._file.seek(self.events * EVENT.itemsize)
                self._file.write(events.tobytes())
        except OSError as error:
            raise ReadError(
                f"the trace can't be stored in {tempfile.gettempdir()!r}: "
                f"{error.strerror or error}",
                remedy="free some space, or set TMPDIR to a folder that has it",
            ) from None
        self.events += len(events)

    def read(self, start: int) -> Events:
        """At most CHUNK events from event `start` (from 0) on; the caller may change them."""
        with self._lock:
            self._file.seek(start * EVENT.itemsize)
            kept = self._file.read(CHUNK * EVENT.itemsize)
        return np.frombuffer(bytearray(kept), EVENT)


class LiveTrace(Trace):
    """A trace of chunks that can be read only once. The first reader gets them as they arrive;
    later and concurrent readers get the spooled ones first. `ending` is called when `arriving` has
    ended, and returns the counts and whether the trace was truncated; `so_far` returns the counts
    of the events that have arrived.
    """

    def __init__(
        self,
        header: Header,
        arriving: Iterator[Events],
        ending: Callable[[], tuple[Tally, bool]],
        so_far: Callable[[], Tally],
    ) -> None:
        self.header = header
        self._arriving = arriving
        self._ending = ending
        self._spool = Spool()
        self._so_far = so_far
        self._failure: BaseException | None = None

    def chunks(self) -> Iterator[Events]:
        position = 0
        while True:
            if position < self._spool.events:
                chunk = self._spool.read(position)
            elif (arrived := self._arrive()) is not None:
                chunk = arrived.copy()  # another reader may fetch the next chunk meanwhile
            else:
                return
            position += len(chunk)
            yield chunk

    def _arrive(self) -> Events | None:
        """The next chunk, spooled; None after the last one."""
        if self.counted is not None:
            return None
        if self._failure is not None:
            raise self._failure
        try:
            chunk = next(self._arriving, None)
            if chunk is None:
                self.counted, self.cut = self._ending()
                return None
            self._spool.append(chunk)
        except BaseException as error:
            # An iterator that has raised looks as if it had ended, which would be wrong.
            self._failure = error
            raise
        if self.progress:
            self.progress(self._so_far())
        return chunk


class StreamTrace(LiveTrace):
    """A trace read from a stream of bytes that can't be rewound, such as a pipe.

    `stream` is binary, JSON Lines, gzip or not; `source` names it in errors. The header is read at
    once, the events on demand, as soon as they arrive. Raises TraceError that names the first wrong
    line, ReadError if the stream fails.
    """

    def __init__(self, stream: IO[bytes], source: str = "standard input") -> None:
        self._source = source
        reader = LineReader(self._received(stream), source)
        super().__init__(
            reader.header, iter(reader), lambda: (reader.tally, reader.cut), reader.so_far
        )
        self.reasons = reader.reasons

    def _received(self, stream: IO[bytes]) -> Iterator[bytes]:
        try:
            yield from blocks(stream, self._source)
        except OSError as error:
            raise ReadError(
                f"it can't be read: {error.strerror or error}", place=Place(self._source)
            ) from None
