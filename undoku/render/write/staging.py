"""Files and folders that are written under a temporary name, and renamed when they are complete."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from undoku.errors import OutputError
from undoku.temporary_files import look_for_leftovers, release, take, temporary_name


class Staging:
    """The temporary and the final name of one output.

    `mark` replaces the random part of the temporary name: a file that a killed run left under it
    is removed, and only one process at a time may use it. `suffix` ends the temporary name instead
    of the last suffix of the final name; give the format's whole suffix where the temporary name
    must select the format, too.

    While `held` is set, `commit` does nothing until `publish`, so that several outputs can appear
    together or not at all.

    The temporary file is in the same folder, so that the rename is atomic. It doesn't contain the
    final name, so that a name such as `-x.mp4` or `z%03d.gif` is never passed to another program.
    It is locked while this process lives, which distinguishes the files of a killed process from
    those that another process is writing.
    Raises OutputError when the folder is missing or not writable, or when the file exists and
    `overwrite` is not set.
    """

    def __init__(
        self, final: Path, *, overwrite: bool = False, mark: str = "", suffix: str = ""
    ) -> None:
        self.final = final
        self.overwrite = overwrite
        self.held = False
        self._published = False
        self._lock: int | None = None
        self._refuse_existing()
        look_for_leftovers(final.parent)
        self.temporary = final.parent / temporary_name(suffix or final.suffix.lower(), mark)
        try:
            self._reserve()
        except OSError as error:
            raise write_error(final, error) from None

    def _reserve(self) -> None:
        """Create the temporary file, empty and locked. Raises OSError."""
        self.temporary.unlink(missing_ok=True)
        while self._lock is None:
            with self.temporary.open("xb"):
                pass
            try:
                self._lock = take(self.temporary)
            except FileNotFoundError:
                continue
            break

    def _refuse_existing(self) -> None:
        check_name(self.final, overwrite=self.overwrite)

    def lock(self) -> None:
        """Lock the file that another writer has renamed to the temporary name. Raises OSError."""
        self._release()
        self._lock = take(self.temporary)

    def commit(self) -> None:
        """Rename the finished file to its final name, at once or, if `held` is set, in `publish`.
        Raises OutputError when a file of that name has appeared in the meantime."""
        if not self.held:
            self.publish()

    def publish(self) -> None:
        """Rename what is finished to its final name. Raises OutputError as `commit` does."""
        try:
            self._rename()
        except FileExistsError:
            self.discard()
            raise _exists(self.final) from None
        except OSError as error:
            self.discard()
            raise write_error(self.final, error) from None
        except OutputError:
            self.discard()
            raise
        self._published = True
        self._release()

    def _rename(self) -> None:
        """Rename the temporary file; without `overwrite` it must not replace a file that appeared
        under the final name in the meantime. Raises OSError."""
        if self.overwrite:
            self.temporary.replace(self.final)
            return
        try:
            os.link(self.temporary, self.final)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            if self.final.exists():
                raise FileExistsError from None
            self.temporary.rename(self.final)
        else:
            self.temporary.unlink()

    def retract(self) -> None:
        """Remove the published file because another output of the run failed. A file that replaced
        an older one stays, because the older one no longer exists."""
        if self._published and not self.overwrite:
            self._remove(self.final)

    def _remove(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            path.unlink()

    def discard(self) -> None:
        """Remove what is under the temporary name, if it is still there."""
        self._remove(self.temporary)
        self._release()

    def _release(self) -> None:
        release(self._lock)
        self._lock = None


class FolderStaging(Staging):
    """The temporary and the final name of a folder of files whose names match `ours`.

    An existing empty folder is replaced. A folder with files is replaced as a whole if `overwrite`
    is set and all its files match `ours`. Raises OutputError otherwise, and when the folder can't
    be made.
    """

    def __init__(self, final: Path, ours: re.Pattern[str], *, overwrite: bool = False) -> None:
        self._ours = ours
        super().__init__(final, overwrite=overwrite)

    def _reserve(self) -> None:
        """Create the temporary folder, empty and locked. Raises OSError."""
        self.temporary.mkdir()
        self._lock = take(self.temporary)

    def _refuse_existing(self) -> None:
        if not (self.final.exists() or self.final.is_symlink()):
            return
        if self.final.is_symlink() or not self.final.is_dir():
            raise OutputError(f"{str(self.final)!r} is not a folder", remedy="give another name")
        held = [path.name for path in self.final.iterdir()]
        if held and not self.overwrite:
            raise OutputError(
                f"the folder {str(self.final)!r} holds files already",
                remedy="give another name, or -y to replace them",
            )
        strange = next((name for name in held if not self._ours.fullmatch(name)), None)
        if strange is not None:
            raise OutputError(
                f"the folder {str(self.final)!r} holds {strange!r}, which is not a frame of a film",
                remedy="give a folder of its own",
            )

    def _rename(self) -> None:
        """Rename the complete folder. Raises OSError, OutputError."""
        # A visible name: if the run is killed between two renames, the older pictures are found.
        aside = self.final.with_name(f"{self.final.name}.replaced{self.temporary.name}")
        self._refuse_existing()
        if self.final.exists():
            self.final.rename(aside)
        try:
            self.temporary.rename(self.final)
        except OSError:
            if aside.exists():
                aside.rename(self.final)
            raise
        self._remove(aside)

    def _remove(self, path: Path) -> None:
        shutil.rmtree(path, ignore_errors=True)


class FileTransaction:
    """Temporary files that `publish` renames; unpublished ones are removed when the context ends.

    with FileTransaction() as files:
        staging = files.open(path)
        files.write_text(staging, "...")
        files.publish()
    """

    def __init__(self) -> None:
        self._stagings: list[Staging] = []

    def open(
        self, path: Path, *, overwrite: bool = False, mark: str = "", suffix: str = ""
    ) -> Staging:
        """Add a file to the transaction. Raises OutputError as `Staging` does."""
        staging = Staging(path, overwrite=overwrite, mark=mark, suffix=suffix)
        self.add(staging)
        return staging

    def add(self, staging: Staging) -> None:
        """Delay the publication of a staged file until `publish`."""
        staging.held = True
        self._stagings.append(staging)

    def write_text(self, staging: Staging, text: str) -> None:
        """Write a whole text file in UTF-8. Raises OutputError."""
        try:
            staging.temporary.write_text(text, "utf-8")
        except OSError as error:
            raise write_error(staging.final, error) from None

    def publish(self) -> None:
        """Rename all files to their final names. If one rename fails, the others are undone. Raises
        OutputError."""
        for number, staging in enumerate(self._stagings):
            try:
                staging.publish()
            except BaseException:
                for earlier in self._stagings[:number]:
                    earlier.retract()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for staging in self._stagings:
            staging.discard()


@contextmanager
def folder_made(folder: Path | None) -> Iterator[None]:
    """Make a folder, if one is named and does not exist, and those that contain it. Folders that
    were made here are removed if the context ends with an error and they are empty. Raises
    OutputError."""
    made: list[Path] = []
    try:
        if folder and not folder.is_dir():
            made = [one for one in (folder, *folder.parents) if not one.exists()]
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder or Path(), error) from None
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):  # one is not empty, or no longer exists
            for one in made:
                one.rmdir()
        raise


def check_name(path: Path, *, overwrite: bool) -> None:
    """Raise OutputError if a file of that name can't be written or, without `overwrite`, exists."""
    try:
        if path.is_dir():
            raise OutputError(f"{str(path)!r} is a folder", remedy="give a file's name")
        if not overwrite and (path.exists() or path.is_symlink()):
            raise _exists(path)
        if not path.parent.exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    except OSError as error:  # also a name that the system can't look up, such as a too long one
        raise write_error(path, error) from None


def _exists(path: Path) -> OutputError:
    return OutputError(
        f"{str(path)!r} exists already", remedy="give another name, or -y to replace it"
    )


def write_error(path: Path, error: OSError) -> OutputError:
    """The error for a failed write to `path`."""
    if error.errno == errno.ENOSPC:
        return OutputError(
            f"the disk is full, so {str(path)!r} was not written", remedy="free some space"
        )
    if error.errno == errno.ENOENT:
        return OutputError(f"there is no folder {str(path.parent)!r}", remedy="make it first")
    return OutputError(f"{str(path)!r} can't be written: {error.strerror or error}")
