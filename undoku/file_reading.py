"""Files and standard input, and errors of reading them, which name the file."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, cast

from undoku.errors import ReadError


@contextmanager
def read_errors(source: str) -> Iterator[None]:
    """Raises ReadError where what is called `source` can't be opened or read."""
    try:
        yield
    except FileNotFoundError:
        raise ReadError(f"there is no file {source!r}") from None
    except (OSError, ValueError) as error:  # ValueError: a name that is invalid on every system
        reason = getattr(error, "strerror", None) or error
        raise ReadError(f"{source!r} can't be read: {reason}") from None


def standard_input() -> BufferedReader:
    """Standard input as bytes. Raises ReadError if it is closed."""
    if sys.stdin is None:
        raise ReadError("standard input is closed", remedy="give a file")
    return cast("BufferedReader", sys.stdin.buffer)


@contextmanager
def opened(path: str, source: str | None = None) -> Iterator[IO[bytes]]:
    """The file at `path`, opened for reading bytes. Raises ReadError, also for errors while it is
    read, and for pipes and devices, which may never end; `source` names the file in errors."""
    with read_errors(source or path):
        mode = Path(path).stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise ReadError(
                f"{source or path!r} is a pipe or a device", remedy="copy it to a file first"
            )
        with Path(path).open("rb") as file:
            yield file
