"""The types of options with texts and names, which are read from the command line, from TOML and
from Python. `number_kinds` has the types with numbers.

A value has three forms: the **given** form (a text of the command line, or a value of TOML or
Python), the **value** with which a film is made, and the **stored** form in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from undoku.errors import SettingsError
from undoku.visible_text import is_blank

Schema = Mapping[str, Any]

_MAX_CHARACTERS = 200
"""The maximum number of characters of a line of text."""

_MAX_LENGTH = 5000
"""The maximum number of characters of a free text."""

_JSON_TYPES = {
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


def matches(schema: Schema, value: object) -> bool:
    """Whether a value from TOML matches a JSON Schema with the keywords that are used here. The
    names of an enumeration are not compared; a reference is to a table."""
    if "anyOf" in schema:
        return any(matches(each, value) for each in schema["anyOf"])
    if "const" in schema:
        return type(value) is type(schema["const"]) and value == schema["const"]
    names = schema.get("type", "object" if "$ref" in schema else "string")
    names = [names] if isinstance(names, str) else names
    if not any(type(value) in _JSON_TYPES[name] for name in names):
        return False
    if isinstance(value, list):
        most = schema.get("maxItems", len(value))
        right = all(matches(schema["items"], each) for each in value)
        return right and schema["minItems"] <= len(value) <= most
    if isinstance(value, str):
        return bool(len(value) <= schema.get("maxLength", len(value)))
    least, most, above = map(schema.get, ("minimum", "maximum", "exclusiveMinimum"))
    return bool(
        (least is None or value >= least)
        and (most is None or value <= most)
        and (above is None or value > above)
    )


def json_type(*names: str) -> Schema:
    """The JSON Schema of values of these types."""
    return {"type": names[0] if len(names) == 1 else list(names)}


class OptionType:
    """The type of an option; the base of all types. Messages begin with the `name` of the
    option."""

    called: str = "a text"
    """The description of the type as a part of a sentence."""
    metavar: str = "TEXT"
    """The name of the value in help."""
    value_type: str = "str"
    """The type of the value, as Python writes it."""
    argument_type: str = "str"
    """The types of the given form in Python."""
    schema: Schema = json_type("string")
    """The JSON Schema of the values in a manifest."""
    choices: tuple[str, ...] = ()
    """All valid texts; () if they are not enumerated."""

    def takes(self, given: object) -> bool:
        """Whether a value from TOML is of this type; `read` decides whether it is valid."""
        return matches(self.schema, given)

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

    def path_in(self, value: Any) -> str:
        """The path of the file that the value names; "" if it names none."""
        return ""

    def __repr__(self) -> str:
        return f"<{self.called}>"


class FreeText(OptionType):
    """A text of at most 5,000 characters."""

    def check(self, name: str, value: Any) -> None:
        super().check(name, value)
        if len(value) > _MAX_LENGTH:
            raise SettingsError(
                f"{name}: the text has {len(value):,} characters",
                remedy=f"write at most {_MAX_LENGTH:,}",
            )


class NameOrFile(OptionType):
    """The name of something known, or the path of a file, which ends in `suffix`."""

    def __init__(self, suffix: str = "") -> None:
        self._suffix = suffix

    def path_in(self, value: str) -> str:
        return value if value.endswith(self._suffix) else ""


class FontName(OptionType):
    """The name of an installed family, or the path of a font file."""

    def path_in(self, value: str) -> str:
        from undoku.render.draw.typefaces import is_font_file  # which the help does not need

        return value if is_font_file(value) else ""


class Flag(OptionType):
    """Yes or no."""

    called = "true or false"
    metavar = ""
    value_type = "bool"
    argument_type = "bool"
    schema = json_type("boolean")

    def valid(self, value: Any) -> bool:
        return isinstance(value, bool)


class FlagOrFile(OptionType):
    """Yes, no, or the name of a settings file, which ends in `suffix`. The value of yes is `yes`,
    that of no ""."""

    metavar = "FILE"
    argument_type = "bool | str"

    def __init__(self, suffix: str, yes: str) -> None:
        self.called = f"true, false or the name of a {suffix} file"
        self.schema = {"anyOf": [json_type("boolean"), json_type("string")]}
        self._suffix, self._yes = suffix, yes

    def read(self, name: str, given: object) -> str:
        if isinstance(given, bool) or given == "true":
            return self._yes if given else ""
        self.check(name, given)
        return str(given)

    def valid(self, value: Any) -> bool:
        return isinstance(value, str) and (
            value in ("", self._yes) or value.lower().endswith(self._suffix)
        )

    def path_in(self, value: str) -> str:
        return "" if value == self._yes else value


class Choice(OptionType):
    """One of several names. `value` converts the name to the value of the setting."""

    def __init__(self, names: Sequence[str], value: Callable[[str], Any] = str) -> None:
        self.choices = tuple(names)
        self.schema = {"type": "string", "enum": list(names)}
        self.value_type = value.__name__
        self._value = value

    def read(self, name: str, given: object) -> Any:
        self.check(name, given)
        return self._value(str(given))

    def check(self, name: str, value: Any) -> None:
        if value not in self.choices:
            raise SettingsError(
                f"there is no {name} {value!r}", remedy=f"known: {', '.join(self.choices)}"
            )

    def restore(self, stored: Any) -> Any:
        return self._value(stored)


class Background(OptionType):
    """The background of films: a colour, "none" for a transparent one, "" for that of the theme."""

    called = 'a background: "none", or a colour such as "#1b202b"'
    metavar = "none|#RRGGBB"

    def valid(self, value: Any) -> bool:
        return isinstance(value, str) and bool(re.fullmatch(r"|none|#[0-9a-fA-F]{6}", value))


class TextList(OptionType):
    """A list of texts, or one text; `example` is one in Python."""

    called = "a text or a list of texts"
    example: str = '["first", "second"]'
    value_type = "tuple[str, ...]"
    argument_type = "str | Sequence[str]"

    def __init__(self, choices: Sequence[str] = ()) -> None:
        self.choices = tuple(choices)
        one: Schema = {"enum": list(choices)} if choices else {"type": "string"}
        self.schema = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}

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


class NameList(TextList):
    """One or more names: a list, or one text with commas between them. `choices` are all valid
    names, if they are known beforehand."""

    metavar = "LIST"
    example = '"board,counters,depth"'

    def read(self, name: str, given: object) -> tuple[str, ...]:
        return tuple(one.strip() for one in super().read(name, given) if one.strip())

    def split(self, text: str) -> Sequence[str]:
        return text.split(",")

    def as_argument(self, value: tuple[str, ...]) -> str:
        return ",".join(value)
