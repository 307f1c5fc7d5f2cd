"""The types of options with texts and names, which are read from the command line, from TOML and
from Python. `number_kinds` has the types with numbers.

A value has three forms: the **given** form (a text of the command line, or a value of TOML or
Python), the **value** with which a film is made, and the **stored** form in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from undoku.errors import SettingsError
from undoku.visible_text import is_blank

__all__ = [
    "Background",
    "Choice",
    "Flag",
    "FlagOrFile",
    "FreeText",
    "NameList",
    "OptionType",
    "TextList",
    "Texts",
]

_MAX_CHARACTERS = 200
"""The maximum number of characters of a line of text."""


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
        return self.valid(given)

    def read(self, name: str, given: object) -> Any:
        """The value of the given form. Raises SettingsError."""
        self.check(name, given)
        return given

    def valid(self, value: Any) -> bool:
        """Whether a value is of the type and in range."""
        return isinstance(value, str)

    def check(self, name: str, value: Any) -> None:
        """Raise SettingsError for a value out of range or of another type."""
        if not self.valid(value):
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

    def valid(self, value: Any) -> bool:
        return isinstance(value, bool)


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

    def valid(self, value: Any) -> bool:
        return isinstance(value, str) and (
            value in ("", self.yes) or value.lower().endswith(self.suffix)
        )


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

    def takes(self, given: object) -> bool:
        return isinstance(given, str)

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


class Background(OptionType):
    """The background of films: a colour, "none" for a transparent one, "" for that of the theme."""

    metavar: ClassVar[str] = "none|#RRGGBB"

    @property
    def called(self) -> str:
        return 'a background: "none", or a colour such as "#1b202b"'

    def takes(self, given: object) -> bool:
        return isinstance(given, str)

    def valid(self, value: Any) -> bool:
        return isinstance(value, str) and bool(re.fullmatch(r"|none|#[0-9a-fA-F]{6}", value))


class TextList(OptionType):
    """A list of texts, or one text; `example` is one in Python."""

    example: ClassVar[str] = '["first", "second"]'
    value_type: ClassVar[str] = "tuple[str, ...]"
    argument_type: ClassVar[str] = "str | Sequence[str]"

    @property
    def called(self) -> str:
        return "a text or a list of texts"

    @property
    def schema(self) -> dict[str, Any]:
        one: dict[str, Any] = {"enum": list(self.choices)} if self.choices else {"type": "string"}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}

    def takes(self, given: object) -> bool:
        return isinstance(given, str) or (
            isinstance(given, list) and bool(given) and all(isinstance(one, str) for one in given)
        )

    def read(self, name: str, given: object) -> tuple[str, ...]:
        texts = self.split(given) if isinstance(given, str) else given
        if isinstance(texts, Sequence) and all(isinstance(one, str) for one in texts):
            return tuple(texts)
        raise SettingsError(
            f"{name}: {given!r} is not {self.called}", remedy=f"write {self.example}"
        )

    def split(self, text: str) -> Sequence[str]:
        """The entries of a single text."""
        return [text]

    def valid(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(isinstance(one, str) for one in value)

    def store(self, value: tuple[str, ...]) -> list[str]:
        return list(value)

    def restore(self, stored: Any) -> tuple[str, ...]:
        return tuple(stored)


class Texts(TextList):
    """Lines of text, in order: a list, or one text. On the command line the option is repeated."""

    def check(self, name: str, value: Any) -> None:
        super().check(name, value)
        for text in value:
            if len(text) > _MAX_CHARACTERS:
                raise SettingsError(
                    f"{name}: a text of {len(text):,} characters",
                    remedy=f"write at most {_MAX_CHARACTERS}",
                )
            if is_blank(text):
                raise SettingsError(
                    f"{name}: {text!r} is blank", remedy="write the text that will be shown there"
                )


@dataclass(frozen=True, repr=False)
class NameList(TextList):
    """One or more names: a list, or one text with commas between them. `known` are all valid names,
    if they are known beforehand."""

    known: tuple[str, ...] = ()
    metavar: ClassVar[str] = "LIST"
    example: ClassVar[str] = '"board,counters,depth"'

    @property
    def choices(self) -> tuple[str, ...]:
        return self.known

    def read(self, name: str, given: object) -> tuple[str, ...]:
        return tuple(one.strip() for one in super().read(name, given) if one.strip())

    def split(self, text: str) -> Sequence[str]:
        return text.split(",")

    def as_argument(self, value: tuple[str, ...]) -> str:
        return ",".join(value)
