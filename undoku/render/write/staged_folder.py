"""A folder that is filled under a temporary name and renamed when it is complete."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path

from undoku.errors import OutputError
from undoku.render.write.staging import Staging, write_error
from undoku.temporary_files import look_for_leftovers, take, temporary_name

__all__ = ["FolderStaging"]


class FolderStaging(Staging):
    """The temporary and the final name of a folder of files whose names match `ours`.

    An existing empty folder is replaced. A folder with files is replaced as a whole if `overwrite`
    is set and all its files match `ours`. Raises OutputError otherwise, and when the folder can't
    be made.
    """

    def __init__(self, final: Path, ours: re.Pattern[str], *, overwrite: bool = False) -> None:
        self.final = final
        self.overwrite = overwrite
        self.held = self._published = False
        self._lock = None
        self._ours = ours
        self.temporary = final.parent / temporary_name()
        self._refuse_existing()
        look_for_leftovers(final.parent)
        try:
            self.temporary.mkdir()
            self._lock = take(self.temporary)
        except OSError as error:
            raise write_error(final, error) from None

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

    def publish(self) -> None:
        """Rename the complete folder to its final name. Raises OutputError."""
        # A visible name: if the run is killed between two renames, the older pictures are found.
        aside = self.final.with_name(f"{self.final.name}.replaced{self.temporary.name}")
        try:
            self._refuse_existing()
            if self.final.exists():
                self.final.rename(aside)
            try:
                self.temporary.rename(self.final)
            except OSError:
                if aside.exists():
                    aside.rename(self.final)
                raise
        except OSError as error:
            self.discard()
            raise write_error(self.final, error) from None
        except OutputError:
            self.discard()
            raise
        shutil.rmtree(aside, ignore_errors=True)
        self._published = True
        self._release()

    def _remove_published(self) -> None:
        shutil.rmtree(self.final, ignore_errors=True)

    def discard(self) -> None:
        """Remove the temporary folder, if it is still there."""
        with contextlib.suppress(OSError):
            shutil.rmtree(self.temporary, ignore_errors=True)
        self._release()
