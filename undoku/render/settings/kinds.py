"""The types of options with one value: texts, names, sizes, which are read from the command line,
from TOML and from Python. `number_kinds` has the types with numbers, `list_kinds` lists.

A value has three forms: the **given** form (a text of the command line, or a value of TOML or
Python), the **value** with which a film is made, and the **stored** form in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from undoku.errors import SettingsError
from undoku.render.settings.texts import parse_bytes, parse_size

__all__ = [
    "Bytes",
    "Choice",
    "Flag",
    "FlagOrFile",
    "FreeText",
    "Ground",
    "OptionType",
    "Size",
]


class OptionType:
    """The type of an option; the base of all types. Messages begin with the `name` of the
    option."""

    metavar: ClassVar[str] = "TEXT"
    """The name of the value in help."""
    value_type: ClassVar[str] = "str"
    """The type of the value, as Python writes it."""
    argument_type: ClassVar[str] = "str"
    """The types of the given form in Python."""

    @property
    def called(self) -> str:
        """The description of the type as a part of a sentence."""
        return "a text"

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the values in a manifest."""
        return {"type": "string"}

    @property
    def choices(self) -> tuple[str, ...]:
        """All valid texts; () if they are not enumerated."""
        return ()

    def takes(self, given: object) -> bool:
        """Whether a value from TOML is of this type; `read` decides whether it is valid."""
        return isinstance(given, str)

    def read(self, name: str, given: object) -> Any:
        """The value of the given form. Raises SettingsError."""
        if isinstance(given, str):
            return given
        raise SettingsError(f"{name}: {given!r} is not {self.called}")

    def check(self, name: str, value: Any) -> None:
        """Raise SettingsError for a value out of range or of another type."""
        if not isinstance(value, str):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")

    def store(self, value: Any) -> Any:
        """The exact stored form of the value."""
        return value

    def restore(self, stored: Any) -> Any:
        """The value of a result of `store`. Raises ValueError, TypeError."""
        return stored

    def as_argument(self, value: Any) -> str:
        """The value as it is typed on the command line."""
        return str(value)

    def __repr__(self) -> str:
        return f"<{self.called}>"


class FreeText(OptionType):
    """Any text."""


class Flag(OptionType):
    """Yes or no."""

    metavar: ClassVar[str] = ""
    value_type: ClassVar[str] = "bool"
    argument_type: ClassVar[str] = "bool"

    @property
    def called(self) -> str:
        return "true or false"

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def takes(self, given: object) -> bool:
        return isinstance(given, bool)

    def read(self, name: str, given: object) -> bool:
        self.check(name, given)
        return bool(given)

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, bool):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")


@dataclass(frozen=True, repr=False)
class FlagOrFile(OptionType):
    """Yes, no, or the name of a settings file, which ends in `suffix`. The value of yes is `yes`,
    that of no ""."""

    suffix: str
    yes: str
    metavar: ClassVar[str] = "FILE"
    argument_type: ClassVar[str] = "bool | str"

    @property
    def called(self) -> str:
        return f"true, false or the name of a {self.suffix} file"

    @property
    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, {"type": "string"}]}

    def takes(self, given: object) -> bool:
        return isinstance(given, bool | str)

    def read(self, name: str, given: object) -> str:
        value = (self.yes if given else "") if isinstance(given, bool) else given
        value = self.yes if value == "true" else value
        self.check(name, value)
        return str(value)

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, str) or not (
            value in ("", self.yes) or value.lower().endswith(self.suffix)
        ):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")


@dataclass(frozen=True, repr=False)
class Choice(OptionType):
    """One of several names. `value` converts the name to the value of the setting."""

    names: tuple[str, ...]
    value: Callable[[str], Any] = str

    @property
    def value_type(self) -> str:  # type: ignore[override]  # it depends on the names
        return self.value.__name__

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.names)}

    @property
    def choices(self) -> tuple[str, ...]:
        return self.names

    def read(self, name: str, given: object) -> Any:
        self.check(name, given)
        return self.value(str(given))

    def check(self, name: str, value: Any) -> None:
        if value not in self.names:
            raise SettingsError(
                f"there is no {name} {value!r}", remedy=f"known: {', '.join(self.names)}"
            )

    def restore(self, stored: Any) -> Any:
        return self.value(stored)


class Ground(OptionType):
    """The background of films: a colour, "none" for a transparent one, "" for that of the theme."""

    metavar: ClassVar[str] = "none|#RRGGBB"

    @property
    def called(self) -> str:
        return 'a background: "none", or a colour such as "#1b202b"'

    def check(self, name: str, value: Any) -> None:
        if not isinstance(value, str) or not re.fullmatch(r"|none|#[0-9a-fA-F]{6}", value):
            raise SettingsError(f"{name}: {value!r} is not {self.called}")


class Size(OptionType):
    """Width and height in pixels. The layout checks the largest size."""

    metavar: ClassVar[str] = "WxH"
    value_type: ClassVar[str] = "int"
    argument_type: ClassVar[str] = "str | Sequence[int]"

    @property
    def called(self) -> str:
        return 'a size, such as "1280x720"'

    def read(self, name: str, given: object) -> tuple[int, int]:
        if isinstance(given, str):
            return parse_size(given)
        self.check(name, given)
        assert isinstance(given, Sequence)
        return given[0], given[1]

    def check(self, name: str, value: Any) -> None:
        pair = isinstance(value, Sequence) and len(value) == 2
        if not pair or not all(type(side) is int for side in value):
            raise SettingsError(
                f"{name}: {value!r} is not a valid size",
                remedy='write "1280x720" or (1280, 720)',
            )

    def as_argument(self, value: tuple[int, int]) -> str:
        return f"{value[0]}x{value[1]}"


class Bytes(OptionType):
    """The size of a file."""

    metavar: ClassVar[str] = "SIZE"
    value_type: ClassVar[str] = "int"
    argument_type: ClassVar[str] = "str | int"

    @property
    def called(self) -> str:
        return 'a number of bytes, such as "5MB"'

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}

    def takes(self, given: object) -> bool:
        return isinstance(given, str) or type(given) is int

    def read(self, name: str, given: object) -> int:
        return parse_bytes(str(given))

    def check(self, name: str, value: Any) -> None:
        if type(value) is not int or value < 1:
            raise SettingsError(f"{name}: {value!r} is not {self.called}")
