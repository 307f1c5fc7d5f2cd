"""Writes traces to files: the format is chosen by suffix, and files are written completely or not
at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from undoku.errors import OutputError, SettingsError
from undoku.solver.trace.event_lines import MAX_LINE, spell
from undoku.solver.trace.header import header_object
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.stream import zipped
from undoku.solver.trace.trace import Trace

FORMATS: dict[str, tuple[str, ...]] = {
    "jsonl": (".jsonl",),
    "jsonl.gz": (".jsonl.gz",),
    "parquet": (".parquet",),
    "posthoc": (".trace.json", ".trace.yaml", ".trace.yml"),
}
"""The formats in which traces are written, with their suffixes."""


_PIECE = 1 << 16  # events spelled at once


def encoded_lines(trace: Trace) -> Iterator[bytes]:
    """A trace file in pieces of many lines. A truncated trace is written without an outcome, so
    that it is truncated when it is read again."""
    header = json.dumps(header_object(trace.header), ensure_ascii=False, separators=(",", ":"))
    yield header.encode() + b"\n"
    text = np.empty(_PIECE * MAX_LINE, np.uint8)
    begun = 0
    for chunk in trace.chunks():
        packed = np.ascontiguousarray(chunk).view(np.uint32)
        start = 0
        for event, reason in trace.reasons.between(begun, begun + len(packed)):
            yield from _spelled(packed[start : event - begun], text)
            start = event - begun + 1
            (line,) = _spelled(packed[start - 1 : start], text)
            yield line.removesuffix(b"]\n") + b"," + _spelled_reason(reason) + b"]\n"
        yield from _spelled(packed[start:], text)
        begun += len(packed)
    outcome = trace.tally().outcome
    if not trace.cut:
        yield f'{{"outcome":"{outcome}"}}\n'.encode()


def _spelled(packed: NDArray[np.uint32], text: NDArray[np.uint8]) -> Iterator[bytes]:
    """The lines of packed events in pieces; `text` is working memory."""
    for start in range(0, len(packed), _PIECE):
        yield text[: spell(packed[start : start + _PIECE], text)].tobytes()


def _spelled_reason(reason: Reason) -> bytes:
    content = {"rule": reason.rule} | ({"unit": reason.unit} if reason.unit else {})
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def write_lines(trace: Trace) -> Iterator[str]:
    """A trace file as text, in pieces of one line or many, each ending with its line break.

    >>> list(undoku.write_lines(undoku.search("1.....3..4.....2", "mrv")))[-1]
    '{"outcome":"solved"}\\n'
    """
    for piece in encoded_lines(trace):
        yield piece.decode()


def format_of(path: str) -> str:
    """The format for a file name. Raises SettingsError if there is none."""
    for form, suffixes in FORMATS.items():
        if path.lower().endswith(suffixes):
            return form
    known = ", ".join(suffixes[0] for suffixes in FORMATS.values())
    raise SettingsError(f"{path!r} names no trace format", remedy=f"end it in one of {known}")


def encoded(trace: Trace, form: str = "jsonl") -> Iterator[bytes]:
    """The content of a trace file in pieces, for a pipe or a socket: any format but parquet, whose
    writer needs a file. Raises SettingsError for that and for an unknown format."""
    from undoku.solver.trace.posthoc import encoded_posthoc

    ways: dict[str, Callable[[Trace], Iterator[bytes]]] = {
        "jsonl": encoded_lines,
        "jsonl.gz": lambda trace: zipped(encoded_lines(trace)),
        "posthoc": encoded_posthoc,
    }
    if form == "parquet":
        raise SettingsError("parquet can't be written to a stream", remedy="name a file")
    if form not in ways:
        raise SettingsError(
            f"there is no trace format {form!r}", remedy=f"choose one of {', '.join(FORMATS)}"
        )
    return ways[form](trace)


def write_trace(trace: Trace, path: str, form: str = "") -> None:
    """Write `trace` to `path` in the format `form`, by default the one its suffix asks for.

    Writes to a temporary file in the same folder and renames it, so that a failed run does not
    change existing files; an existing file is replaced. Raises SettingsError for a format that is
    unknown or lacks its library, OutputError if the file can't be written, and the errors of
    reading the trace.

    >>> undoku.write_trace(undoku.search("1.....3..4.....2"), "four.jsonl.gz")
    """
    form = form or format_of(path)
    if form == "parquet":
        from undoku.solver.trace.parquet import write_parquet

        with _replaced(path) as file:
            write_parquet(trace, file)
        return
    pieces = encoded(trace, form)
    with _replaced(path) as file:
        for piece in pieces:
            file.write(piece)


@contextmanager
def _replaced(path: str) -> Iterator[IO[bytes]]:
    """A new file that is renamed to `path` at the end of the block, or removed if it fails. Pipes
    and terminals are written to directly.
    """
    temporary: Path | None = None
    try:
        target = Path(os.path.realpath(path))  # a link is followed and not replaced
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                yield file
            return
        candidate = target.with_name(f".{target.name[:200]}.{os.getpid()}.part")
        with candidate.open("xb") as file:
            temporary = candidate
            yield file
        temporary.replace(target)
        temporary = None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise OutputError(f"{path!r} can't be written: {reason or error}") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
