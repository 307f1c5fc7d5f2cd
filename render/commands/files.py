"""What commands write, as a whole or not at all: files that are no films; the folder of films."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from render.sinks.staging import Staging, write_error
from solver.errors import OutputError

__all__ = ["folder_made", "free_path", "write_file", "write_text"]


@contextmanager
def folder_made(folder: Path | None) -> Iterator[None]:
    """Make a folder, if one is named and isn't there. One that was made here is removed when the
    context ends with an error and nothing is in it. Raises OutputError."""
    if folder is None or folder.is_dir():
        yield
        return
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from None
    try:
        yield
    except BaseException:
        with suppress(OSError):  # something lies in it, or it is gone
            folder.rmdir()
        raise


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
