"""Opens recorded traces, which a command-line argument names."""

from __future__ import annotations

import stat
import sys
import weakref
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from undoku.errors import ReadError
from undoku.solver.trace.trace import Trace

if TYPE_CHECKING:
    from io import BufferedReader

__all__ = ["holds_trace", "looks_like_trace", "open_trace"]

_PEEKED = 1 << 12  # bytes
_PARQUET_MAGIC = b"PAR1"
_GZIP_MAGIC = b"\x1f\x8b"


def looks_like_trace(first: str | bytes) -> bool:
    """Whether a content that begins with `first` is a trace in any format. A damaged gzip file is
    taken for one: the reader of traces reports the damage."""
    if isinstance(first, str):
        return first.lstrip("\ufeff \t\r\n").startswith("{")
    if first.startswith(_PARQUET_MAGIC):
        return True
    if first.startswith(_GZIP_MAGIC):
        try:
            first = zlib.decompressobj(31).decompress(first, _PEEKED)
        except zlib.error:
            return True
    return first.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"{")


def holds_trace(argument: str) -> bool:
    """Whether a command-line argument names a trace, not a puzzle: `-` is standard input, which is
    examined without consuming it. False if it is not a file."""
    if argument == "-":
        return looks_like_trace(cast("BufferedReader", sys.stdin.buffer).peek(_PEEKED))
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
    """
    from undoku.solver.trace.recorded import FileTrace, opened
    from undoku.solver.trace.stream import StreamTrace

    if argument == "-":
        return StreamTrace(sys.stdin.buffer, "standard input")
    try:
        pipe = not stat.S_ISREG(Path(argument).stat().st_mode) and not Path(argument).is_dir()
    except (OSError, ValueError):
        pipe = False  # `opened` reports the error
    if pipe:
        try:
            stream = Path(argument).open("rb")  # noqa: SIM115
        except OSError as error:
            raise ReadError(f"{argument!r} can't be read: {error.strerror or error}") from None
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
        from undoku.solver.trace.parquet_trace import ParquetTrace

        return ParquetTrace(argument)
    return FileTrace(argument)
