"""The keys of a manifest: what each takes, in one sentence, and the JSON Schema made from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from render.batch.passes import CAPTIONS
from render.settings import HEAT_PLACES

__all__ = ["ASPECTS", "COLLECTION", "DEFAULTS", "JOB", "MATRIX", "TOP", "Key", "Kind", "schema"]

ASPECTS = {
    "16:9": "1280x720",
    "9:16": "720x1280",
    "1:1": "1080x1080",
    "4:5": "1080x1350",
    "4:3": "1440x1080",
}
"""Aspects by name, and the size that each stands for."""

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT, "minItems": 1}


class Kind(Enum):
    """What a key takes: what a person calls it, and its JSON Schema."""

    TEXT = "a text", _TEXT
    FLAG = "true or false", {"type": "boolean"}
    WHOLE = "a whole number of 0 or more", {"type": "integer", "minimum": 0}
    COUNT = "a whole number of 1 or more", {"type": "integer", "minimum": 1}
    NUMBER = "a number", {"type": ["number", "string"]}
    TIME = 'a time, such as "20s" or 1.5', {"type": ["number", "string"]}
    SIZE = 'a number of bytes, such as "5MB"', {"type": ["integer", "string"]}
    RANGE = 'a number or a range such as "10-20"', {"type": ["integer", "string"]}
    TEXTS = "a text or a list of texts", {"anyOf": [_TEXT, _TEXTS]}
    LISTS = (
        "a list of texts or of lists of texts",
        {"type": "array", "items": {"anyOf": [_TEXT, _TEXTS]}, "minItems": 1},
    )
    TABLE = "a table", {"type": "object"}
    TABLES = "a list of tables", {"type": "array", "items": {"type": "object"}}

    @property
    def called(self) -> str:
        return self.value[0]

    @property
    def json(self) -> dict[str, Any]:
        return self.value[1]

    def takes(self, value: object) -> bool:
        """Whether a value read from TOML is of this kind."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        texts = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
        match self:
            case Kind.TEXT:
                return isinstance(value, str)
            case Kind.FLAG:
                return isinstance(value, bool)
            case Kind.WHOLE:
                return type(value) is int and value >= 0
            case Kind.COUNT:
                return type(value) is int and value >= 1
            case Kind.NUMBER | Kind.TIME:
                return number or isinstance(value, str)
            case Kind.RANGE | Kind.SIZE:
                return type(value) is int or isinstance(value, str)
            case Kind.TEXTS:
                return isinstance(value, str) or bool(texts)
            case Kind.LISTS:
                return (
                    isinstance(value, list)
                    and bool(value)
                    and all(Kind.TEXTS.takes(one) for one in value)
                )
            case Kind.TABLE:
                return isinstance(value, dict)
            case Kind.TABLES:
                return isinstance(value, list) and all(isinstance(one, dict) for one in value)


@dataclass(frozen=True, slots=True)
class Key:
    """What a key takes, and what it does in one sentence. `choices` are all values it may have."""

    kind: Kind
    sentence: str
    choices: tuple[str, ...] = ()


_FILM = {
    "size": Key(Kind.TEXT, 'Width and height in pixels, such as "1280x720".'),
    "aspect": Key(Kind.TEXT, "A size by its aspect.", tuple(ASPECTS)),
    "fps": Key(Kind.NUMBER, 'Frames per second: 60 or "30000/1001".'),
    "duration": Key(Kind.TIME, "How long the whole film takes."),
    "steps_per_frame": Key(Kind.NUMBER, 'Steps that a frame covers: 12 or "1/4".'),
    "steps_per_second": Key(Kind.NUMBER, "Steps that a second covers."),
    "every": Key(Kind.COUNT, "Show every so-manyth step, for one frame each."),
    "ramp": Key(Kind.FLAG, "Start and end at a speed that the eye can follow."),
    "from_step": Key(Kind.WHOLE, "The race begins after this step."),
    "to_step": Key(Kind.WHOLE, "The race ends after this step."),
    "clock": Key(Kind.TEXT, "How the searches share their time."),
    "theme": Key(Kind.TEXT, "Colours; see undoku list themes."),
    "panels": Key(Kind.TEXTS, "What is shown of each search, as far as there is room."),
    "heat": Key(
        Kind.TEXT, "How often each cell was tried: beside the board or on it.", HEAT_PLACES
    ),
    "title": Key(Kind.TEXT, 'The title; it may hold the fields of a name; "" for none.'),
    "title_card": Key(Kind.TIME, "How long the title card stands; 0 for none."),
    "intro": Key(Kind.TIME, "How long the givens stand before the race."),
    "hold": Key(Kind.TIME, "How long the boards stand after the race."),
    "card": Key(Kind.TIME, "How long the end card stands."),
    "highlights": Key(
        Kind.FLAG, "Slow down where the search turns and say so; a .highlights.json lists where."
    ),
    "key_interval": Key(Kind.TIME, "The time between an MP4's key frames at most."),
    "variable_rate": Key(
        Kind.FLAG, "Store frames that change nothing as a longer one, in MP4s written directly."
    ),
    "at_step": Key(Kind.WHOLE, "Pictures instead of films: the state after so many steps."),
    "filmstrip": Key(Kind.COUNT, "Pictures instead of films: so many moments of the search."),
    "max_size": Key(
        Kind.SIZE, 'Give up frame rate, length, then size of films to keep this, such as "5MB".'
    ),
    "for": Key(Kind.TEXT, "Keep a platform's limits; see undoku list platforms."),
    "flash_safe": Key(Kind.FLAG, "Fade what would flash too often (WCAG 2.3.1)."),
    "captions": Key(
        Kind.TEXT, "Subtitles beside the film: what the searches do, in words.", CAPTIONS
    ),
    "quality": Key(Kind.TEXT, "The quality of films; see undoku list presets."),
    "encoder": Key(Kind.TEXT, "How MP4 films are written: x264, direct or auto."),
    "segments": Key(Kind.FLAG, "Cut a long MP4 into segments that several workers draw at once."),
    "colours": Key(Kind.WHOLE, "At most so many colours, 2 to 255, in pixels; 0 for all."),
    "loop": Key(Kind.WHOLE, "How often a picture that plays by itself does so; 0 for ever."),
    "last_state": Key(Kind.FLAG, "Show a frame of many steps as its last board."),
    "max_nodes": Key(Kind.WHOLE, "Searches stop after so many nodes."),
    "max_seconds": Key(
        Kind.TIME, "Searches stop after so long; no two runs then need be the same."
    ),
    "exhaustive": Key(Kind.FLAG, "Search whole trees, not to the first solution."),
}

_SHARED = {
    **_FILM,
    "strategies": Key(Kind.TEXTS, "The strategies that a film shows side by side."),
    "formats": Key(Kind.TEXTS, 'The formats that each film is written in, such as ["mp4", "gif"].'),
    "name": Key(
        Kind.TEXT,
        "The film's name without its suffix, with fields in braces; / makes folders.",
    ),
}

DEFAULTS: Mapping[str, Key] = _SHARED
"""What [defaults] may hold."""

MATRIX: Mapping[str, Key] = {
    "puzzles": Key(Kind.TEXTS, "A film for each of these puzzles."),
    "strategies": Key(Kind.LISTS, "A film for each of these lists of strategies."),
    "formats": Key(Kind.TEXTS, "A film in each of these formats."),
    "aspects": Key(Kind.TEXTS, "A film in each of these aspects.", tuple(ASPECTS)),
    "sizes": Key(Kind.TEXTS, "A film in each of these sizes."),
    "themes": Key(Kind.TEXTS, "A film in each of these themes."),
}
"""What a job's matrix may hold: a film is made for every combination."""

JOB: Mapping[str, Key] = {
    "puzzles": Key(
        Kind.TEXTS, 'Files, cells, links, or "@NAME" for a collection; a film for each puzzle.'
    ),
    **_SHARED,
    "matrix": Key(Kind.TABLE, "Lists, every combination of which makes a film."),
}
"""What [[jobs]] may hold."""

COLLECTION: Mapping[str, Key] = {
    "file": Key(Kind.TEXT, "The file of puzzles, from the manifest's folder."),
    "range": Key(Kind.RANGE, 'Which puzzles of it: 7, "10-20", "10-", counted from 1.'),
    "givens": Key(Kind.RANGE, "Only puzzles with so many givens."),
    "nodes": Key(Kind.TEXTS, 'Only puzzles that need so many nodes, such as "row-major>=50000".'),
    "skip": Key(Kind.FLAG, "Pass over puzzles that can't be read."),
}
"""What [collections.NAME] may hold."""

TOP: Mapping[str, Key] = {
    "defaults": Key(Kind.TABLE, "What all jobs have unless they say otherwise."),
    "collections": Key(Kind.TABLE, "Files of puzzles by name."),
    "jobs": Key(Kind.TABLES, "The films."),
}


def schema() -> dict[str, Any]:
    """The JSON Schema of a manifest, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "undoku manifest",
        "description": "Films that `undoku batch` makes.",
        **_object(TOP, required=["jobs"]),
        "$defs": {
            "defaults": _object(DEFAULTS),
            "collection": _object(COLLECTION, required=["file"]),
            "job": _object(JOB),
            "matrix": _object(MATRIX),
        },
    }


def _object(keys: Mapping[str, Key], required: list[str] | None = None) -> dict[str, Any]:
    properties = {name: _property(name, key) for name, key in keys.items()}
    found: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        found["required"] = required
    return found | {"additionalProperties": False}


def _property(name: str, key: Key) -> dict[str, Any]:
    described: dict[str, Any] = {"description": key.sentence}
    if name == "jobs":
        return described | {"type": "array", "items": {"$ref": "#/$defs/job"}, "minItems": 1}
    if name == "collections":
        return described | {
            "type": "object",
            "additionalProperties": {"$ref": "#/$defs/collection"},
        }
    if key.kind is Kind.TABLE:
        return described | {"$ref": f"#/$defs/{name}"}
    found = described | key.kind.json
    if key.choices and key.kind is Kind.TEXT:
        found["enum"] = list(key.choices)
    elif key.choices:
        one = {"enum": list(key.choices)}
        found["anyOf"] = [one, {"type": "array", "items": one, "minItems": 1}]
    return found
