"""The files that commands other than render write: as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from render.sinks.staging import Staging, write_error
from solver.errors import OutputError

__all__ = ["free_path", "write_file", "write_text"]


def free_path(name: str | None, replace: bool) -> Path | None:
    """The path of an output that may be written. Raises OutputError."""
    if name is None:
        return None
    if not replace and Path(name).exists():
        raise OutputError(
            f"{name!r} exists already", remedy="give another name, or -y to replace it"
        )
    return Path(name)


def write_text(path: Path, text: str) -> None:
    """Write a text file as a whole or not at all. Raises OutputError."""
    write_file(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def write_file(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` make a file under a temporary name, and give it its own. Raises OutputError."""
    staging = Staging(path, overwrite=True)
    try:
        write(staging.temporary)
    except OSError as error:
        raise write_error(path, error) from None
    else:
        staging.commit()
    finally:
        staging.discard()
