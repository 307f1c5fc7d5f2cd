"""The folder of a batch: its lock, its working folder, and how films get their names in it.

Everything that is not finished is in `.undoku` within the folder, so that no partial file has the
name of a film, and files of a killed run can be removed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Container
from itertools import count
from pathlib import Path, PurePosixPath
from typing import IO, Self

from undoku.errors import OutputError
from undoku.file_lock import locked
from undoku.render.write.staging import write_error
from undoku.temporary_files import BATCH_LOCK, BATCH_WORK, look_for_leftovers

_PRIVATE = ".undoku"


class BatchFolder:
    """A folder to which one batch at a time writes. Use it as a context manager. Raises OutputError
    if it can't be created or another batch is using it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.private = path / _PRIVATE
        self.work = path / BATCH_WORK
        self.journal = self.private / "record.jsonl"
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._inside(self.private)
            self.private.mkdir(exist_ok=True)
            self._lock = (self.path / BATCH_LOCK).open("ab")
            if locked(self._lock) is False:
                self._lock.close()
                raise OutputError(
                    f"another batch is using {str(self.path)!r}",
                    remedy="wait for it, or give another folder",
                )
            self._sweep()
            look_for_leftovers(self.path)
            self.work.mkdir()
        except OSError as error:
            if self._lock is not None:
                self._lock.close()
            raise write_error(self.path, error) from None
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._sweep()
        if self._lock is not None:
            self._lock.close()  # which releases the lock

    def _sweep(self) -> None:
        if self.work.is_symlink():
            self.work.unlink()
        elif self.work.exists():
            shutil.rmtree(self.work, ignore_errors=True)

    def place(self, made: Path, name: str) -> None:
        """Rename a finished file to its final name, replacing an existing file. Raises
        OutputError."""
        final = self.path / name
        try:
            self._check(name)
            made.replace(final)  # a link of that name is replaced, not followed
        except OSError as error:
            raise write_error(final, error) from None

    def set_aside(self, name: str, taken: Container[str]) -> str:
        """Rename an existing file with the name of a film to a free name in the same folder that is
        not in `taken`; returns the new name. Raises OutputError."""
        path = PurePosixPath(name)
        for number in count(1):
            aside = str(path.with_name(f"{path.stem}.kept-{number}{path.suffix}"))
            if aside not in taken and not self.taken(aside):
                break
        try:
            self._check(name)
            (self.path / name).rename(self.path / aside)
        except OSError as error:
            raise write_error(self.path / aside, error) from None
        return aside

    def _check(self, name: str) -> None:
        """Create the folders in which a film is; refuse the name of a folder."""
        folder = self.path
        for part in Path(name).parts[:-1]:
            folder /= part
            self._inside(folder)
            folder.mkdir(exist_ok=True)
        final = self.path / name
        if final.is_dir() and not final.is_symlink():
            raise OutputError(f"{str(final)!r} is a folder", remedy="give the film another name")

    def _inside(self, folder: Path) -> None:
        """Refuse a link, which could lead out of the folder of the batch."""
        if folder.is_symlink():
            raise OutputError(
                f"{str(folder)!r} is a link, which may lead elsewhere",
                remedy="replace it by a folder, or give another name",
            )

    def taken(self, name: str) -> bool:
        """Whether the name exists."""
        return os.path.lexists(self.path / name)
