"""The keys of a manifest, their JSON Schema, and the reader, which reports unknown keys and wrong
types with their place.

The options of films come from their own table (`undoku.render.settings.table`); this module adds
the keys that expand a job into several films.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undoku.errors import InputError, Place, ReadError, SettingsError, did_you_mean
from undoku.render.settings.kinds import (
    Flag,
    FreeText,
    NameList,
    OptionType,
    Schema,
    Texts,
    json_type,
)
from undoku.render.settings.option import Context
from undoku.render.settings.table import ASPECTS, named_options
from undoku.toml_reading import KeyPath, TomlFile, parse_toml, read_bytes, shown

_MAX_BYTES = 4 << 20  # bytes


class _StructuredType(OptionType):
    """A type that only manifests have: its description as a part of a sentence, and its JSON
    Schema."""

    def __init__(self, called: str, schema: Schema) -> None:
        self.called = called
        self.schema = schema


_RANGE = _StructuredType('a number or a range such as "10-20"', json_type("integer", "string"))
_LISTS = _StructuredType(
    "a list of texts or of lists of texts",
    {"type": "array", "items": NameList().schema, "minItems": 1},
)
_DEFAULTS = _StructuredType("a table", {"$ref": "#/$defs/defaults"})
_MATRIX = _StructuredType("a table", {"$ref": "#/$defs/matrix"})
_COLLECTIONS = _StructuredType(
    "a table",
    {"type": "object", "additionalProperties": {"$ref": "#/$defs/collection"}},
)
_JOBS = _StructuredType(
    "a list of tables",
    {"type": "array", "items": {"$ref": "#/$defs/job"}, "minItems": 1},
)


@dataclass(frozen=True, slots=True)
class Key:
    """The type of a key, and its effect in one sentence."""

    kind: OptionType
    sentence: str


DEFAULTS: Mapping[str, Key] = {
    **{
        name: Key(
            option.kind, option.description if name == option.name else f"Same as {option.name}."
        )
        for name, option in named_options(Context.MANIFEST).items()
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
    "strategies": Key(_LISTS, "A film for each of these lists of strategies."),
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
    "matrix": Key(_MATRIX, "Lists; a film is made for every combination of their entries."),
}
"""The keys of [[jobs]]."""

COLLECTION: Mapping[str, Key] = {
    "file": Key(FreeText(), "The file of puzzles, from the manifest's folder."),
    "range": Key(_RANGE, 'Which puzzles of it: 7, "10-20", "10-", counted from 1.'),
    "givens": Key(_RANGE, "Only puzzles with this number of givens."),
    "nodes": Key(
        NameList(), 'Only puzzles with these numbers of nodes, such as "row-major>=50000".'
    ),
    "skip": Key(Flag(), "Skip puzzles that can't be read."),
}
"""The keys of [collections.NAME]."""

TOP: Mapping[str, Key] = {
    "defaults": Key(_DEFAULTS, "Defaults for all jobs."),
    "collections": Key(_COLLECTIONS, "Files of puzzles by name."),
    "jobs": Key(_JOBS, "The films."),
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest with checked keys. File names are relative to `folder`."""

    file: TomlFile
    folder: Path

    @property
    def content(self) -> Mapping[str, Any]:
        return self.file.content

    def spot(self, *path: str | int) -> Spot:
        return Spot(self, path)


@dataclass(frozen=True, slots=True)
class Spot:
    """A key or a value of a manifest, by its path."""

    manifest: Manifest
    path: KeyPath

    def __truediv__(self, name: str | int) -> Spot:
        return Spot(self.manifest, (*self.path, name))

    def place(self) -> Place:
        """The place of the key or value in messages."""
        return self.manifest.file.place(*self.path)

    @contextmanager
    def located(self) -> Iterator[None]:
        """Adds this place to errors raised in the context, unless they name one."""
        try:
            yield
        except (InputError, ReadError) as error:
            if error.place is not None:
                raise
            raise type(error)(error.message, place=self.place(), remedy=error.remedy) from None


def read_manifest(path: Path) -> Manifest:
    """Read a TOML manifest, from standard input if `path` is `-`; its file names are then relative
    to the working folder. Raises ReadError; SettingsError with the place of a mistake."""
    manifest = Manifest(parse_toml(*read_bytes(path, _MAX_BYTES, "a manifest")), path.parent)
    _check(manifest)
    return manifest


def manifest_of(content: Mapping[str, Any], folder: Path | str = ".") -> Manifest:
    """A manifest from Python tables with the same keys and values. Raises SettingsError."""
    manifest = Manifest(TomlFile(content, "the manifest"), Path(folder))
    _check(manifest)
    return manifest


def _check(manifest: Manifest) -> None:
    content, top = manifest.content, manifest.spot()
    _check_keys(content, TOP, top)
    _check_keys(content.get("defaults", {}), DEFAULTS, top / "defaults")
    for name, table in content.get("collections", {}).items():
        spot = top / "collections" / name
        if not isinstance(table, Mapping):
            raise SettingsError(f"collection {shown(name)} is not a table", place=spot.place())
        _check_keys(table, COLLECTION, spot)
        if "file" not in table:
            raise SettingsError(
                f"collection {shown(name)} has no file",
                place=spot.place(),
                remedy='add file = "puzzles.sdm"',
            )
    if not content.get("jobs"):
        raise SettingsError("there is no job", place=top.place(), remedy="add a [[jobs]] table")
    for number, job in enumerate(content["jobs"]):
        spot = top / "jobs" / number
        _check_keys(job, JOB, spot)
        matrix = job.get("matrix", {})
        _check_keys(matrix, MATRIX, spot / "matrix")
        for name in matrix:
            alone = name if name in ("puzzles", "strategies", "formats") else name.removesuffix("s")
            if alone in job:
                raise SettingsError(
                    f"{name} is in the matrix, but the job has {alone} too",
                    place=(spot / "matrix" / name).place(),
                    remedy="keep one of the two",
                )


def _check_keys(table: Mapping[str, Any], keys: Mapping[str, Key], spot: Spot) -> None:
    for name, value in table.items():
        here = spot / name
        if name not in keys:
            raise SettingsError(
                f"there is no key {shown(str(name))} here",
                place=here.place(),
                remedy=did_you_mean(str(name), keys, f"known: {', '.join(keys)}"),
            )
        key = keys[name]
        choices = key.kind.choices
        choose = f"choose one of {', '.join(choices)}" if choices else ""
        if not choices and isinstance(key.kind, Texts | NameList):
            choose = f"write {key.kind.example}"
        if not key.kind.takes(value):
            raise SettingsError(
                f"{name} is not {key.kind.called}",
                place=here.place(),
                remedy=f"write [[{name}]]" if key.kind is _JOBS else choose,
            )
        if choices:
            for number, one in enumerate(value if isinstance(value, list) else [value]):
                if one not in choices:
                    place = (here / number if isinstance(value, list) else here).place()
                    raise SettingsError(
                        f"{name} can't be {shown(one)}",
                        place=place,
                        remedy=did_you_mean(one, choices, choose),
                    )


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
    needs = {"required": required} if required else {}
    return {"type": "object", "properties": properties, **needs, "additionalProperties": False}
