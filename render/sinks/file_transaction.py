"""Files of one run that appear together or not at all."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from render.sinks.staging import Staging, write_error

__all__ = ["Together"]


class Together:
    """Temporary files, given their names by `publish`; what has none when the context ends is
    removed.

        with Together() as files:
            said = files.open(path)
            files.write_text(said, "...")
            files.publish()
    """

    def __init__(self) -> None:
        self._stagings: list[Staging] = []

    def open(self, path: Path, *, overwrite: bool = False, suffix: str = "") -> Staging:
        """A further file. Raises OutputError as `Staging` does."""
        staging = Staging(path, overwrite=overwrite, suffix=suffix)
        self.add(staging)
        return staging

    def add(self, staging: Staging) -> None:
        """Hold a file back until all are there."""
        staging.held = True
        self._stagings.append(staging)

    def write_text(self, staging: Staging, text: str) -> None:
        """Write all of a text file. Raises OutputError."""
        try:
            staging.temporary.write_text(text, "utf-8")
        except OSError as error:
            raise write_error(staging.final, error) from None

    def publish(self) -> None:
        """Give all files their names; when one can't have its own, none has. Raises OutputError."""
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
