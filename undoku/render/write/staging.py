"""A file that is written under a temporary name and renamed once it is verified."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from undoku.errors import OutputError
from undoku.temporary_files import look_for_leftovers, release, take, temporary_name

__all__ = ["Staging", "write_error"]


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
            self.temporary.unlink(missing_ok=True)
            self._reserve()
        except OSError as error:
            raise write_error(final, error) from None

    def _reserve(self) -> None:
        """Create the temporary file, empty and locked. Raises OSError."""
        while self._lock is None:
            with self.temporary.open("xb"):
                pass
            try:
                self._lock = take(self.temporary)
            except FileNotFoundError:
                continue
            break

    def _refuse_existing(self) -> None:
        try:
            if self.final.is_dir():
                raise OutputError(f"{str(self.final)!r} is a folder", remedy="give a file's name")
            if not self.overwrite and (self.final.exists() or self.final.is_symlink()):
                raise _exists(self.final)
        except OSError as error:  # a name that the system can't look up, such as a too long one
            raise write_error(self.final, error) from None

    def adopt(self, made: Path) -> None:
        """Replace the temporary file by a finished one of the same file system. Raises OSError."""
        lock = take(made)
        made.replace(self.temporary)
        self._release()
        self._lock = lock

    def commit(self) -> None:
        """Rename the finished file to its final name, at once or, if `held` is set, in `publish`.
        Raises OutputError when a file of that name has appeared in the meantime."""
        if not self.held:
            self.publish()

    def publish(self) -> None:
        """Rename the finished file to its final name. Raises OutputError as `commit` does."""
        try:
            if self.overwrite:
                self.temporary.replace(self.final)
            else:
                self._appear()
        except FileExistsError:
            self.discard()
            raise _exists(self.final) from None
        except OSError as error:
            self.discard()
            raise write_error(self.final, error) from None
        self._published = True
        self._release()

    def _appear(self) -> None:
        """Rename without replacing a file that appeared under the final name in the meantime."""
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
            self._remove_published()

    def _remove_published(self) -> None:
        with contextlib.suppress(OSError):
            self.final.unlink()

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        with contextlib.suppress(OSError):
            self.temporary.unlink(missing_ok=True)
        self._release()

    def _release(self) -> None:
        release(self._lock)
        self._lock = None


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
