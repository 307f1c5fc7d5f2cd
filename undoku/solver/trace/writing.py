"""Writes traces to files: the format is chosen by suffix, and files are written completely or not
at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from undoku.errors import OutputError, SettingsError
from undoku.solver.trace.byte_blocks import zipped
from undoku.solver.trace.jsonl import encoded_lines
from undoku.solver.trace.trace import Trace

__all__ = ["FORMATS", "encoded", "format_of", "write_trace"]

FORMATS: dict[str, tuple[str, ...]] = {
    "jsonl": (".jsonl",),
    "jsonl.gz": (".jsonl.gz",),
    "parquet": (".parquet",),
    "posthoc": (".trace.json", ".trace.yaml", ".trace.yml"),
}
"""The formats in which traces are written, with their suffixes."""


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
    """
    form = form or format_of(path)
    if form == "parquet":
        from undoku.solver.trace.parquet_writer import write_parquet

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
