"""Reads a manifest and checks every key: unknown keys and wrong types are reported with their
place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from undoku.batch.keys import COLLECTION, DEFAULTS, JOB, MATRIX, TOP, Key, TableList
from undoku.errors import InputError, Place, ReadError, SettingsError
from undoku.render.settings.list_kinds import NameList, Texts
from undoku.toml_positions import KeyPath
from undoku.toml_reading import TomlFile, parse_toml, read_bytes, shown

__all__ = ["Manifest", "Spot", "manifest_of", "nearest", "read_manifest"]

_MAX_BYTES = 4 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of a manifest, with checked keys. File names are relative to `folder`; `source`
    is its name in messages; `file` is None for a manifest from Python."""

    content: Mapping[str, Any]
    folder: Path
    source: str = "the manifest"
    file: TomlFile | None = None

    def spot(self, *path: str | int) -> Spot:
        return Spot(self, path)


@dataclass(frozen=True, slots=True)
class Spot:
    """A key or a value of a manifest, by its path."""

    manifest: Manifest
    path: KeyPath

    def __truediv__(self, name: str | int) -> Spot:
        return Spot(self.manifest, (*self.path, name))

    def place(self, *, key: bool = False) -> Place:
        """The place of the value, or of the key itself."""
        manifest = self.manifest
        if manifest.file is None:
            path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in self.path)
            return Place(f"{manifest.source}, {path.lstrip('.')}" if path else manifest.source)
        return manifest.file.place(*self.path, key=key)

    @contextmanager
    def located(self, *, key: bool = False) -> Iterator[None]:
        """Adds this place to errors raised in the context, unless they name one."""
        try:
            yield
        except (InputError, ReadError) as error:
            if error.place is not None:
                raise
            raise type(error)(
                error.message, place=self.place(key=key), remedy=error.remedy
            ) from None


def read_manifest(path: Path) -> Manifest:
    """Read a TOML manifest, from standard input if `path` is `-`; its file names are then relative
    to the working folder. Raises ReadError; SettingsError with the place of a mistake."""
    read = parse_toml(*read_bytes(path, _MAX_BYTES, "a manifest"))
    manifest = Manifest(read.content, path.parent, read.source, read)
    _check(manifest)
    return manifest


def manifest_of(content: Mapping[str, Any], folder: Path | str = ".") -> Manifest:
    """A manifest from Python tables with the same keys and values. Raises SettingsError."""
    manifest = Manifest(content, Path(folder))
    _check(manifest)
    return manifest


def _check(manifest: Manifest) -> None:
    content, top = manifest.content, manifest.spot()
    _check_keys(content, TOP, top)
    _check_keys(content.get("defaults", {}), DEFAULTS, top / "defaults")
    for name, table in content.get("collections", {}).items():
        spot = top / "collections" / name
        if not isinstance(table, Mapping):
            raise SettingsError(
                f"collection {shown(name)} is not a table", place=spot.place(key=True)
            )
        _check_keys(table, COLLECTION, spot)
        if "file" not in table:
            raise SettingsError(
                f"collection {shown(name)} has no file",
                place=spot.place(key=True),
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
                    place=(spot / "matrix" / name).place(key=True),
                    remedy="keep one of the two",
                )


def _check_keys(table: Mapping[str, Any], keys: Mapping[str, Key], spot: Spot) -> None:
    for name, value in table.items():
        here = spot / name
        if name not in keys:
            near = nearest(str(name), keys)
            raise SettingsError(
                f"there is no key {shown(str(name))} here",
                place=here.place(key=True),
                remedy=f"did you mean {near}?" if near else f"known: {', '.join(keys)}",
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
                remedy=f"write [[{name}]]" if isinstance(key.kind, TableList) else choose,
            )
        if choices:
            given = value if isinstance(value, list) else [value]
            for number, one in enumerate(given):
                if one not in choices:
                    place = (here / number if isinstance(value, list) else here).place()
                    near = nearest(one, choices)
                    raise SettingsError(
                        f"{name} can't be {shown(one)}",
                        place=place,
                        remedy=f"did you mean {near}?" if near else choose,
                    )


def nearest(name: str, known: Iterable[str]) -> str:
    """The name in `known` that is most similar to `name`, ignoring case; "" if none is."""
    by_case = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(name.casefold(), by_case, 1)
    return by_case[near[0]] if near else ""
