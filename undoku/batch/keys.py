"""The keys of a manifest: their types, their sentences, and the JSON Schema made from them.

The options of films come from their own table (`undoku.render.settings.table`); this module adds
the keys that expand a job into several films.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from undoku.render.settings.kinds import Flag, FreeText, OptionType
from undoku.render.settings.list_kinds import NameList
from undoku.render.settings.lookup import options_in
from undoku.render.settings.option import Context
from undoku.render.settings.table import ASPECTS

__all__ = ["COLLECTION", "DEFAULTS", "JOB", "MATRIX", "TOP", "Key", "TableList", "schema"]


class _Range(OptionType):
    """A number, or a range of numbers."""

    @property
    def called(self) -> str:
        return 'a number or a range such as "10-20"'

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}

    def takes(self, given: object) -> bool:
        return type(given) is int or isinstance(given, str)


class _Lists(OptionType):
    """Texts, or lists of texts."""

    @property
    def called(self) -> str:
        return "a list of texts or of lists of texts"

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": NameList().schema, "minItems": 1}

    def takes(self, given: object) -> bool:
        return isinstance(given, list) and bool(given) and all(map(NameList().takes, given))


@dataclass(frozen=True, repr=False)
class _Table(OptionType):
    """A table, described in the schema's definition of that name."""

    definition: str

    @property
    def called(self) -> str:
        return "a table"

    @property
    def schema(self) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.definition}"}

    def takes(self, given: object) -> bool:
        return isinstance(given, dict)


class _NamedTables(_Table):
    """A table of named tables."""

    @property
    def schema(self) -> dict[str, Any]:
        one = {"$ref": f"#/$defs/{self.definition}"}
        return {"type": "object", "additionalProperties": one}


class TableList(_Table):
    """A list of tables."""

    @property
    def called(self) -> str:
        return "a list of tables"

    @property
    def schema(self) -> dict[str, Any]:
        one = {"$ref": f"#/$defs/{self.definition}"}
        return {"type": "array", "items": one, "minItems": 1}

    def takes(self, given: object) -> bool:
        return isinstance(given, list) and all(isinstance(one, dict) for one in given)


@dataclass(frozen=True, slots=True)
class Key:
    """The type of a key, and its effect in one sentence."""

    kind: OptionType
    sentence: str


DEFAULTS: Mapping[str, Key] = {
    **{
        name: Key(option.kind, option.description)
        for name, option in options_in(Context.MANIFEST).items()
    },
    "strategies": Key(NameList(), "The strategies that a film shows side by side."),
    "formats": Key(NameList(), 'The formats that each film is written in, such as ["mp4", "gif"].'),
    "name": Key(
        FreeText(), "The film's name without its suffix, with fields in braces; / makes folders."
    ),
}
"""The keys of [defaults]."""

MATRIX: Mapping[str, Key] = {
    "puzzles": Key(NameList(), "A film for each of these puzzles."),
    "strategies": Key(_Lists(), "A film for each of these lists of strategies."),
    "formats": Key(NameList(), "A film in each of these formats."),
    "aspects": Key(NameList(tuple(ASPECTS)), "A film in each of these aspects."),
    "sizes": Key(NameList(), "A film in each of these sizes."),
    "themes": Key(NameList(), "A film in each of these themes."),
}
"""The keys of a job's matrix: a film is made for every combination."""

JOB: Mapping[str, Key] = {
    "puzzles": Key(
        NameList(), 'Files, cells, links, or "@NAME" for a collection; a film for each puzzle.'
    ),
    **DEFAULTS,
    "matrix": Key(
        _Table("matrix"), "Lists; a film is made for every combination of their entries."
    ),
}
"""The keys of [[jobs]]."""

COLLECTION: Mapping[str, Key] = {
    "file": Key(FreeText(), "The file of puzzles, from the manifest's folder."),
    "range": Key(_Range(), 'Which puzzles of it: 7, "10-20", "10-", counted from 1.'),
    "givens": Key(_Range(), "Only puzzles with this number of givens."),
    "nodes": Key(
        NameList(), 'Only puzzles with these numbers of nodes, such as "row-major>=50000".'
    ),
    "skip": Key(Flag(), "Skip puzzles that can't be read."),
}
"""The keys of [collections.NAME]."""

TOP: Mapping[str, Key] = {
    "defaults": Key(_Table("defaults"), "Defaults for all jobs."),
    "collections": Key(_NamedTables("collection"), "Files of puzzles by name."),
    "jobs": Key(TableList("job"), "The films."),
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
    properties = {
        name: {"description": key.sentence, **key.kind.schema} for name, key in keys.items()
    }
    found: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        found["required"] = required
    return found | {"additionalProperties": False}
