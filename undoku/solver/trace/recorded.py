"""A trace in a file of JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from undoku.errors import ReadError
from undoku.solver.trace.byte_blocks import blocks
from undoku.solver.trace.jsonl import LineReader
from undoku.solver.trace.reasons import Reasons
from undoku.solver.trace.stats import Counter
from undoku.solver.trace.trace import Events, Outcome, Tally, Trace

__all__ = ["FileTrace", "opened"]


@contextmanager
def opened(path: str, source: str | None = None) -> Iterator[IO[bytes]]:
    """The file at `path`, opened for reading bytes. Raises ReadError, also for errors while it is
    read; `source` names the file in errors."""
    named = source or path
    try:
        with Path(path).open("rb") as file:
            yield file
    except FileNotFoundError:
        raise ReadError(f"there is no file {named!r}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ReadError(f"{named!r} can't be read: {reason or error}") from None


class FileTrace(Trace):
    """A recorded trace: read from its file, and checked, at each use. The file is JSON Lines,
    compressed with gzip or not (its content decides). Raises ReadError if it can't be read,
    TraceError if a line is invalid.
    """

    def __init__(self, path: str, source: str | None = None) -> None:
        self._path = path
        self._source = source or path
        self._tally: Tally | None = None
        self.reasons = Reasons()
        with self._reader() as reader:
            self.header = reader.header

    @contextmanager
    def _reader(self) -> Iterator[LineReader]:
        with opened(self._path, self._source) as file:
            yield LineReader(blocks(file, self._source), self._source, self.reasons)

    def chunks(self) -> Iterator[Events]:
        with self._reader() as reader:
            counter = Counter(self.header)
            for chunk in reader:
                counter.add(chunk)
                if self.progress:
                    self.progress(counter.tally(Outcome.CAPPED))
                yield chunk
        self.cut = reader.cut
        self._tally = counter.tally(reader.outcome)

    def tally(self) -> Tally:
        if self._tally is None:
            for _ in self.chunks():
                pass
        assert self._tally is not None
        return self._tally
