"""Reads a manifest and checks every key: unknown ones, wrong kinds, each shown in its place."""

from __future__ import annotations

import difflib
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from render.batch import toml_positions
from render.batch.keys import COLLECTION, DEFAULTS, JOB, MATRIX, TOP, Key, Tables
from solver.errors import InputError, Place, ReadError, SettingsError

__all__ = ["Manifest", "Spot", "manifest_of", "nearest", "read_manifest"]

_LARGEST = 4 << 20  # bytes
_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a manifest says, its keys checked. `folder` is where its file names start; `source` is
    its name in messages; `text` is "" when it came from Python."""

    content: Mapping[str, Any]
    folder: Path
    source: str = "the manifest"
    text: str = ""
    positions: toml_positions.Positions | None = None

    def spot(self, *path: str | int) -> Spot:
        return Spot(self, path)


@dataclass(frozen=True, slots=True)
class Spot:
    """A key or a value of a manifest, by its path."""

    manifest: Manifest
    path: toml_positions.Path

    def __truediv__(self, name: str | int) -> Spot:
        return Spot(self.manifest, (*self.path, name))

    def place(self, *, key: bool = False) -> Place:
        """Where it stands: the value, or the key itself."""
        manifest = self.manifest
        if manifest.positions is None:
            path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in self.path)
            return Place(f"{manifest.source}, {path.lstrip('.')}" if path else manifest.source)
        find = manifest.positions.key if key else manifest.positions.value
        return _place(manifest.source, manifest.text, find(self.path))

    @contextmanager
    def blamed(self, *, key: bool = False) -> Iterator[None]:
        """Shows this place in the errors of what is done inside, unless they name one."""
        try:
            yield
        except (InputError, ReadError) as error:
            if error.place is not None:
                raise
            raise type(error)(
                error.message, place=self.place(key=key), remedy=error.remedy
            ) from None


def read_manifest(path: Path) -> Manifest:
    """Read a TOML manifest, from standard input if `path` is `-`; file names in that one start at
    the working folder. Raises ReadError; SettingsError with the place of what is wrong."""
    source = str(path)
    try:
        if source == "-":
            source = "standard input"
            if sys.stdin is None:
                raise ReadError("standard input is closed", remedy="give a file")
            raw = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with path.open("rb") as file:
                raw = file.read(_LARGEST + 1)
    except FileNotFoundError:
        raise ReadError(f"there is no file {source!r}") from None
    except (OSError, ValueError) as error:
        raise ReadError(
            f"{source!r} can't be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    if len(raw) > _LARGEST:
        raise SettingsError("it is longer than 4 MiB, too long for a manifest", place=Place(source))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"byte {raw[error.start]:#04x} at offset {error.start} is not UTF-8",
            place=Place(source),
            remedy="save it as UTF-8",
        ) from None
    try:
        content = tomllib.loads(text)
        positions = toml_positions.positions_of(text)
    except ValueError as error:
        raise _unsound(str(error), source, text) from None
    except RecursionError:
        raise SettingsError("its lists are nested too deeply", place=Place(source)) from None
    manifest = Manifest(content, path.parent, source, text, positions)
    _check(manifest)
    return manifest


def manifest_of(content: Mapping[str, Any], folder: Path | str = ".") -> Manifest:
    """A manifest from Python: the same tables, lists and values. Raises SettingsError."""
    manifest = Manifest(content, Path(folder))
    _check(manifest)
    return manifest


def _unsound(message: str, source: str, text: str) -> SettingsError:
    """tomllib's complaint with its place as a place."""
    found = _AT.search(message)
    message = _AT.sub("", message)
    place = Place(source)
    if found and found[1]:
        line, column = int(found[1]), int(found[2])
        lines = text.split("\n")
        place = Place(source, line, column, lines[line - 1] if line <= len(lines) else "")
    elif found:
        place = _place(source, text, max(0, len(text.rstrip()) - 1))
    return SettingsError(f"it is not valid TOML: {message[:1].lower()}{message[1:]}", place=place)


def _place(source: str, text: str, offset: int) -> Place:
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    return Place(source, text.count("\n", 0, offset) + 1, offset - start + 1, line)


def _check(manifest: Manifest) -> None:
    content, top = manifest.content, manifest.spot()
    _check_keys(content, TOP, top)
    _check_keys(content.get("defaults", {}), DEFAULTS, top / "defaults")
    for name, table in content.get("collections", {}).items():
        spot = top / "collections" / name
        if not isinstance(table, Mapping):
            raise SettingsError(f"collection {name} is not a table", place=spot.place(key=True))
        _check_keys(table, COLLECTION, spot)
        if "file" not in table:
            raise SettingsError(
                f"collection {name} has no file",
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
                f"there is no key {str(name)!r} here",
                place=here.place(key=True),
                remedy=f"did you mean {near}?" if near else f"known: {', '.join(keys)}",
            )
        key = keys[name]
        choices = key.kind.choices
        choose = f"choose one of {', '.join(choices)}" if choices else ""
        if not key.kind.takes(value):
            raise SettingsError(
                f"{name} is not {key.kind.called}",
                place=here.place(),
                remedy=f"write [[{name}]]" if isinstance(key.kind, Tables) else choose,
            )
        if choices:
            given = value if isinstance(value, list) else [value]
            for number, one in enumerate(given):
                if one not in choices:
                    place = (here / number if isinstance(value, list) else here).place()
                    near = nearest(one, choices)
                    raise SettingsError(
                        f"{name} can't be {one!r}",
                        place=place,
                        remedy=f"did you mean {near}?" if near else choose,
                    )


def nearest(name: str, known: Iterable[str]) -> str:
    """The one of `known` that is most like `name`, whatever the case; "" when none is."""
    by_case = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(name.casefold(), by_case, 1)
    return by_case[near[0]] if near else ""
