"""Writes output files other than films atomically, and makes folders for outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from undoku.errors import OutputError
from undoku.render.write.staging import Staging, write_error

__all__ = ["folder_made", "free_path", "write_files", "write_text"]


@contextmanager
def folder_made(folder: Path | None) -> Iterator[None]:
    """Make a folder, if one is named and does not exist. A folder that was made here is removed if
    the context ends with an error and the folder is empty. Raises OutputError."""
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
        with suppress(OSError):  # it is not empty, or no longer exists
            folder.rmdir()
        raise


def free_path(name: str | None, replace: bool) -> Path | None:
    """The path of an output that may be written. Raises OutputError."""
    if name is None:
        return None
    path = Path(name)
    try:
        if not replace and path.exists():
            raise OutputError(
                f"{name!r} exists already", remedy="give another name, or -y to replace it"
            )
        if path.is_dir():
            raise OutputError(f"{name!r} is a folder", remedy="give a file's name")
        if not path.parent.is_dir():
            raise OutputError(f"there is no folder {str(path.parent)!r}", remedy="create it first")
    except OSError as error:  # a name that the system can't look up
        raise write_error(path, error) from None
    return path


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically. Raises OutputError."""
    write_files({path: lambda temporary: temporary.write_text(text, encoding="utf-8")})


def write_files(files: Mapping[Path, Callable[[Path], object]], *, mark: str = "") -> None:
    """Call each function to write its file under a temporary name, then rename all files. `mark`,
    12 hexadecimal digits, is that of Staging for the first of them; the marks of the others follow
    it. Raises OutputError."""
    with ExitStack() as stack:
        made = []
        for number, (path, write) in enumerate(files.items()):
            own = mark and f"{(int(mark, 16) + number) % 16**12:012x}"
            staging = Staging(path, overwrite=True, mark=own)
            stack.callback(staging.discard)
            try:
                write(staging.temporary)
            except OSError as error:
                raise write_error(path, error) from None
            made.append(staging)
        for staging in made:
            staging.commit()
