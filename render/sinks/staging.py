"""A file that is written under a temporary name and appears under its own only when it is good."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path

from solver.errors import OutputError

__all__ = ["Staging", "write_error"]


class Staging:
    """The temporary and the final name of one output.

    The temporary file lies in the same folder, so that the last rename is atomic; its name is our
    own, so that a final name such as `-x.mp4` or `z%03d.gif` never reaches another program.
    Raises OutputError when the folder is missing or not writable, or when the file exists and
    `overwrite` is not set.
    """

    def __init__(self, final: Path, *, overwrite: bool = False) -> None:
        self.final = final
        self.overwrite = overwrite
        self._refuse_existing()
        self.temporary = final.parent / f".undoku-{secrets.token_hex(6)}{final.suffix.lower()}"
        try:
            with self.temporary.open("xb"):
                pass
        except OSError as error:
            raise write_error(final, error) from None

    def _refuse_existing(self) -> None:
        if self.final.is_dir():
            raise OutputError(f"{str(self.final)!r} is a folder", remedy="give a file's name")
        if not self.overwrite and (self.final.exists() or self.final.is_symlink()):
            raise OutputError(
                f"{str(self.final)!r} exists already",
                remedy="give another name, or -y to replace it",
            )

    def commit(self) -> None:
        """Give the finished file its name; after that it is no longer temporary.

        Raises OutputError when another program made a file of that name in the meantime.
        """
        try:
            if self.overwrite:
                self.temporary.replace(self.final)
            else:
                try:
                    # A link, unlike a rename, never replaces what appeared meanwhile.
                    os.link(self.temporary, self.final)
                except FileExistsError:
                    raise
                except OSError:  # a file system without links
                    self._refuse_existing()
                    self.temporary.rename(self.final)
                else:
                    self.temporary.unlink()
        except FileExistsError:
            self.discard()
            self._refuse_existing()
        except OSError as error:
            self.discard()
            raise write_error(self.final, error) from None

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        with contextlib.suppress(OSError):
            self.temporary.unlink(missing_ok=True)


def write_error(path: Path, error: OSError) -> OutputError:
    """The sentence for a failed write."""
    if error.errno == errno.ENOSPC:
        return OutputError(
            f"the disk is full, so {str(path)!r} was not written", remedy="free some space"
        )
    if error.errno == errno.ENOENT:
        return OutputError(f"there is no folder {str(path.parent)!r}", remedy="make it first")
    return OutputError(f"{str(path)!r} can't be written: {error.strerror or error}")
