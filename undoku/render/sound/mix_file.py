"""Reads a mix from TOML, and reports mistakes with their line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from undoku.errors import SettingsError
from undoku.render.sound.mix import SILENT, Instrument, Mix, SearchMix
from undoku.render.sound.pitch import SCALES, Pitch
from undoku.render.sound.timbres import TIMBRES
from undoku.toml_reading import TomlFile, parse_toml, read_bytes, shown

__all__ = ["DEFAULT_MIX", "load_mix", "register_mix"]

DEFAULT_MIX = "default"
"""The name of the built-in mix."""

_MAX_BYTES = 1 << 16
"""Bytes."""

_LOUDEST = 12.0
"""dB."""

_INSTRUMENTS = ("place", "undo", "collapse", "texture", "end", "callout")
_KEYS = ("scale", "root", "low", "high", "width", *_INSTRUMENTS, "search")

_T = TypeVar("_T")


_REGISTERED: dict[str, Mix] = {}


def register_mix(name: str, mix: Mix) -> None:
    """Let `name` denote this mix in this process from now on, because its file is on another
    machine."""
    _REGISTERED[name] = mix


def load_mix(name: str) -> Mix:
    """The mix in the TOML file of this path, or the built-in one for DEFAULT_MIX. Raises
    SettingsError, with the place in the file, for a wrong file; ReadError for an unreadable one."""
    if name in _REGISTERED:
        return _REGISTERED[name]
    if name == DEFAULT_MIX:
        return Mix()
    raw, source = read_bytes(Path(name), _MAX_BYTES, "a mix")
    return _parsed(raw, source)


@lru_cache(maxsize=16)
def _parsed(raw: bytes, source: str) -> Mix:
    """The mix in the file `source`, which may have changed since it was last read."""
    file = parse_toml(raw, source)
    _check_keys(file, file.content, _KEYS)
    low = _number(file, "low", default=Pitch.low, least=40, most=2000)
    high = _number(file, "high", default=Pitch.high, least=40, most=5000)
    if low >= high:
        raise SettingsError(
            f"low = {low:g} is not below high = {high:g}",
            place=file.place("low" if "low" in file.content else "high"),
            remedy="give the pitch of an empty board below that of a full one",
        )
    pitch = Pitch(
        low,
        high,
        _choice(file, "scale", default=Pitch.scale, known=SCALES),
        _number(file, "root", default=Pitch.root, least=20, most=5000),
    )
    usual = Mix()
    return Mix(
        pitch,
        _number(file, "width", default=usual.width, least=0, most=1),
        searches=_searches(file),
        **{name: _instrument(file, name, getattr(usual, name)) for name in _INSTRUMENTS},
    )


def _instrument(file: TomlFile, name: str, usual: Instrument) -> Instrument:
    table = file.content.get(name, {})
    if not isinstance(table, dict):
        raise _wrong(file, (name,), remedy=f'write [{name}], and timbre = "bell" below it')
    _check_keys(file, table, ("timbre", "volume"), name)
    return Instrument(
        _choice(file, name, "timbre", default=usual.timbre, known=TIMBRES),
        _volume(file, name, "volume"),
    )


def _searches(file: TomlFile) -> tuple[SearchMix, ...]:
    tables = file.content.get("search", [])
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise _wrong(file, ("search",), remedy="write [[search]] for each search, in their order")
    found = []
    for number, table in enumerate(tables):
        _check_keys(file, table, ("volume", "pan"), "search", number)
        pan = None
        if "pan" in table:
            pan = _number(file, "search", number, "pan", default=0.0, least=-1, most=1)
        found.append(SearchMix(_volume(file, "search", number, "volume"), pan))
    return tuple(found)


def _volume(file: TomlFile, *path: str | int) -> float:
    return _number(file, *path, default=0.0, least=SILENT, most=_LOUDEST)


def _check_keys(file: TomlFile, table: Any, known: Iterable[str], *path: str | int) -> None:
    for key in table:
        if key not in known:
            raise SettingsError(
                f"a mix has no {shown(key)}" + (f" in [{path[0]}]" if path else ""),
                place=file.place(*path, key, key=True),
                remedy=f"known: {', '.join(known)}",
            )


def _number(file: TomlFile, *path: str | int, default: float, least: float, most: float) -> float:
    def checked(value: object) -> float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not least <= value <= most:  # type: ignore[operator]  # a number
            raise _wrong(file, path, remedy=f"write a number from {least:g} to {most:g}")
        return float(value)  # type: ignore[arg-type]  # a number

    return _found(file, path, default, checked)


def _choice(file: TomlFile, *path: str | int, default: str, known: Iterable[str]) -> str:
    def checked(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise _wrong(file, path, remedy=f"known: {', '.join(known)}")
        return value

    return _found(file, path, default, checked)


def _found(
    file: TomlFile, path: tuple[str | int, ...], default: _T, checked: Callable[[object], _T]
) -> _T:
    """The result of `checked` for the value at `path`; `default` if the file has no such value."""
    try:
        value = _at(file, path)
    except KeyError:
        return default
    return checked(value)


def _at(file: TomlFile, path: tuple[str | int, ...]) -> Any:
    value: Any = file.content
    for part in path:
        value = value[part]
    return value


def _wrong(file: TomlFile, path: tuple[str | int, ...], *, remedy: str) -> SettingsError:
    return SettingsError(
        f"{path[-1]} = {shown(_at(file, path))} is not valid in a mix",
        place=file.place(*path),
        remedy=remedy,
    )
