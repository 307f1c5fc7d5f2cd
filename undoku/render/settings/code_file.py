"""The option for the user's own code: a file, or its lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from undoku.errors import Place, SettingsError
from undoku.render.settings.kinds import FreeText, TextList
from undoku.toml_reading import read_bytes

_MAX_LINES, _MAX_CHARACTERS = 16, 80

_MAX_BYTES = 16 << 10
"""Bytes."""


class CodeFile(TextList):
    """Lines of code; a film stores the lines, not the file."""

    called = f"a file of 1 to {_MAX_LINES} lines of code"
    metavar = "FILE"

    def __init__(self) -> None:
        super().__init__()
        self.schema = FreeText.schema

    def read(self, name: str, given: object) -> tuple[str, ...]:
        if isinstance(given, str | Path):
            raw, source = read_bytes(Path(given), _MAX_BYTES, "some lines of code")
            lines = tuple(raw.decode("utf-8-sig", "replace").expandtabs(4).splitlines())
            while lines and not lines[-1].strip():
                lines = lines[:-1]
            self._check_lines(name, lines, source)
            return lines
        if isinstance(given, Sequence) and all(isinstance(line, str) for line in given):
            return tuple(given)
        raise SettingsError(f"{name}: {given!r} is not {self.called}")

    def check(self, name: str, value: Any) -> None:
        super().check(name, value)
        self._check_lines(name, value, "")

    def _check_lines(self, name: str, lines: Sequence[str], source: str) -> None:
        """Raise SettingsError, with the place in the file, for too many or too long lines, and if
        none is marked."""
        if not 1 <= len(lines) <= _MAX_LINES:
            raise SettingsError(
                f"{name}: {len(lines)} lines of code",
                place=Place(source) if source else None,
                remedy=f"give 1 to {_MAX_LINES}",
            )
        for at, line in enumerate(lines, 1):
            if len(line) > _MAX_CHARACTERS or not line.isprintable():
                raise SettingsError(
                    f"{name}: a line of {len(line)} characters"
                    if len(line) > _MAX_CHARACTERS
                    else f"{name}: a line with control characters",
                    place=Place(source, at) if source else None,
                    remedy=f"write at most {_MAX_CHARACTERS} plain characters",
                )
        if not any("# @" in line for line in lines):
            raise SettingsError(
                f"{name}: no line of the code is marked",
                place=Place(source) if source else None,
                remedy="end lines in # @place, # @undo, # @dead-end",
            )

    def as_argument(self, value: tuple[str, ...]) -> str:
        return f"{len(value)} lines"
