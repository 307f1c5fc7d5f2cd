"""The option for cues: a file, or Python tables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from undoku.errors import SettingsError
from undoku.render.settings.cue_file import cues_of, read_cues
from undoku.render.settings.kinds import OptionType
from undoku.render.timeline.cues import Cue

__all__ = ["CueList"]


class CueList(OptionType):
    """Cues; a film stores their contents, not the file."""

    metavar: ClassVar[str] = "FILE"
    value_type: ClassVar[str] = "tuple[Cue, ...]"
    argument_type: ClassVar[str] = "str | Sequence[Mapping[str, object]]"

    @property
    def called(self) -> str:
        return "a file of cues"

    def read(self, name: str, given: object) -> tuple[Cue, ...]:
        if isinstance(given, str | Path):
            return read_cues(Path(given))
        if isinstance(given, tuple) and all(isinstance(one, Cue) for one in given):
            return given
        if isinstance(given, Sequence):
            return cues_of(given)
        raise SettingsError(f"{name}: {given!r} is not {self.called}")

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, tuple) or not all(isinstance(one, Cue) for one in value):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")

    def store(self, value: tuple[Cue, ...]) -> list[dict[str, Any]]:
        return [_stored(cue) for cue in value]

    def restore(self, stored: Any) -> tuple[Cue, ...]:
        return tuple(_restored(table) for table in stored)

    def as_argument(self, value: tuple[Cue, ...]) -> str:
        return f"{len(value)} cues"


_EXACT = ("at", "pause", "speed")
"""The members that are fractions, stored as texts."""


def _stored(cue: Cue) -> dict[str, Any]:
    """A cue for JSON: the members that differ from their defaults."""
    found: dict[str, Any] = {"step": cue.step}
    for name in _EXACT:
        if (value := getattr(cue, name)) is not None:
            found[name] = str(value)
    return found | {name: value for name in ("say", "search") if (value := getattr(cue, name))}


def _restored(table: dict[str, Any]) -> Cue:
    values: dict[str, Any] = {
        name: Fraction(text) if name in _EXACT else text for name, text in table.items()
    }
    return Cue(**values)
