"""The option for cues: reads them from a TOML file, or from Python tables, and checks every key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from undoku.errors import Place, SettingsError, did_you_mean
from undoku.render.settings.kinds import OptionType, matches
from undoku.render.settings.number_kinds import exact_number, parse_seconds
from undoku.render.timeline.pace import Cue
from undoku.toml_reading import TomlFile, parse_toml, read_bytes, shown

_MAX_BYTES = 1 << 20
"""The maximum size of a file in bytes."""

_MAX_CHARACTERS = 200
"""The maximum number of characters of a sentence."""

_DAY = 24 * 3600

_MAX_SPEED = 10**9


def _step(value: Any) -> int | None:
    if value != "end" and value >= 1 << 63:
        raise ValueError
    return None if value == "end" else value


def _number(value: Any) -> Fraction:
    return Fraction(str(value))


def _seconds(value: Any) -> Fraction:
    seconds = parse_seconds(value) if isinstance(value, str) else _number(value)
    if not 0 <= seconds <= _DAY:
        raise ValueError
    return seconds


def _speed(value: Any) -> Fraction:
    if value != "free" and not 0 <= value <= _MAX_SPEED:
        raise ValueError
    return Fraction(0) if value == "free" else _number(value)


def _text(value: Any) -> str:
    text = " ".join(str(value).split())
    if not text:
        raise ValueError
    return text


class CueKey(NamedTuple):
    """A key of a cue: the function that `read`s a value which matches its JSON Schema (ValueError
    for an invalid one), its kind of value, its effect, and the schema."""

    read: Callable[[Any], Any]
    called: str
    sentence: str
    schema: dict[str, Any]


_TIME = {"type": ["number", "string"]}

CUE_KEYS: Mapping[str, CueKey] = {
    "step": CueKey(
        _step, 'a step (0 or more), or "end"',
        "the step of the longest search to which the cue applies",
        {"anyOf": [{"type": "integer", "minimum": 0}, {"const": "end"}]},
    ),
    "at": CueKey(
        _seconds, 'a time, such as "12.4s", 12.4 or "1:30"',
        "when the step is first shown, from the beginning of the film", _TIME,
    ),
    "pause": CueKey(
        _seconds, 'a time, such as "3s"', "how long the clock then stops", _TIME
    ),
    "speed": CueKey(
        _speed, 'a number above 0, or "free"',
        "steps a second from here on, up to the next cue with a speed or a time; free for the "
        "speed that the times determine",
        {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"const": "free"}]},
    ),
    "say": CueKey(
        _text, f"a text of at most {_MAX_CHARACTERS} characters",
        "a sentence, in the picture and in captions",
        {"type": "string", "maxLength": _MAX_CHARACTERS},
    ),
    "search": CueKey(
        _text, "the number of a search, from 1, or its name",
        "the board below which the sentence is shown; default: the line below the film",
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]},
    ),
}  # fmt: skip
"""The keys of a cue."""


def cues_schema() -> dict[str, Any]:
    """The JSON Schema of a file of cues, for editors."""
    keys = {
        name: {**key.schema, "description": f"{key.sentence[:1].upper()}{key.sentence[1:]}."}
        for name, key in CUE_KEYS.items()
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cues of an undoku film",
        "type": "object",
        "additionalProperties": False,
        "required": ["cues"],
        "properties": {
            "cues": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["step"],
                    "properties": keys,
                },
            }
        },
    }


def read_cues(path: Path) -> tuple[Cue, ...]:
    """The cues of a TOML file, in its order. Raises ReadError; SettingsError with the place of a
    mistake."""
    file = parse_toml(*read_bytes(path, _MAX_BYTES, "cues"))
    for name in file.content:
        if name != "cues":
            raise SettingsError(
                f"there is no table {shown(name)} in a file of cues",
                place=file.place(name, 0),
                remedy="write [[cues]]",
            )
    return _cues(file.content.get("cues"), file)


def cues_of(tables: Sequence[object]) -> tuple[Cue, ...]:
    """The cues of Python tables with the same keys and values. Raises SettingsError."""
    return _cues(list(tables), None)


def _cues(tables: object, file: TomlFile | None) -> tuple[Cue, ...]:
    if not isinstance(tables, list) or not tables:
        place = file.place("cues") if file else None
        raise SettingsError(
            "the list of cues is empty",
            place=place,
            remedy="write [[cues]] and below it step = 885",
        )
    return tuple(_cue(table, number, file) for number, table in enumerate(tables))


def _cue(table: object, number: int, file: TomlFile | None) -> Cue:
    def place(name: str = "") -> Place:
        if file is None:
            return Place(f"cue {number + 1}")
        return file.place("cues", number, *([name] if name else []))

    if not isinstance(table, Mapping):
        raise SettingsError("a cue is not a table", place=place())
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in CUE_KEYS:
            raise SettingsError(
                f"there is no key {shown(name)} in a cue",
                place=place(str(name)),
                remedy=did_you_mean(str(name), CUE_KEYS, f"known: {', '.join(CUE_KEYS)}"),
            )
        key = CUE_KEYS[name]
        try:
            if not matches(key.schema, value):
                raise ValueError
            values[name] = key.read(value)
        except (ValueError, SettingsError):
            raise SettingsError(
                f"{name} = {shown(value)} is not {key.called}", place=place(str(name))
            ) from None
    if "step" not in values:
        raise SettingsError("a cue has no step", place=place(), remedy="add step = 885")
    if not values.keys() - {"step", "search"}:
        raise SettingsError(
            "a cue does nothing", place=place(), remedy="add at, pause, speed or say"
        )
    if "search" in values and "say" not in values:
        raise SettingsError(
            "a cue that names a search has no sentence for it", place=place("search"),
            remedy="add say, or leave out search",
        )  # fmt: skip
    return Cue(**values, place=place("step"))


class CueList(OptionType):
    """Cues; a film stores their contents, not the file."""

    called = "a file of cues"
    metavar = "FILE"
    value_type = "tuple[Cue, ...]"
    argument_type = "str | Sequence[Mapping[str, object]]"

    def read(self, name: str, given: object) -> tuple[Cue, ...]:
        if isinstance(given, str | Path):
            return read_cues(Path(given))
        if isinstance(given, tuple) and self.valid(given):
            return given
        if isinstance(given, Sequence):
            return cues_of(given)
        raise SettingsError(f"{name}: {given!r} is not {self.called}")

    def valid(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(isinstance(one, Cue) for one in value)

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
    """A cue from its stored form. Raises ValueError, KeyError."""
    values: dict[str, Any] = {}
    for name, stored in table.items():
        key = CUE_KEYS[name]
        value = "end" if name == "step" and stored is None else stored
        if name in _EXACT:
            value = exact_number(stored)
        elif not matches(key.schema, value):
            raise ValueError(name)
        values[name] = key.read(value)
    return Cue(**values)
