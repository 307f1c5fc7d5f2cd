"""Publishes the output files of a run together, or none of them."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from undoku.render.write.staging import Staging, write_error

__all__ = ["FileTransaction"]


class FileTransaction:
    """Temporary files that `publish` renames; unpublished ones are removed when the context ends.

    with FileTransaction() as files:
        staging = files.open(path)
        files.write_text(staging, "...")
        files.publish()
    """

    def __init__(self) -> None:
        self._stagings: list[Staging] = []

    def open(self, path: Path, *, overwrite: bool = False, suffix: str = "") -> Staging:
        """Add a file to the transaction. Raises OutputError as `Staging` does."""
        staging = Staging(path, overwrite=overwrite, suffix=suffix)
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
