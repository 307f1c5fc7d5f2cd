"""The mix of a film: timbres, volumes, pan and pitches, and the TOML files that change them, whose
mistakes are reported with their line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undoku.errors import SettingsError
from undoku.render.sound.timbres import TIMBRES
from undoku.toml_reading import TomlFile, parse_toml, read_bytes, sent, shown

SCALES: Mapping[str, tuple[int, ...]] = {
    "free": (),
    "chromatic": tuple(range(12)),
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "pentatonic": (0, 2, 4, 7, 9),
    "whole-tone": (0, 2, 4, 6, 8, 10),
}
"""The semitones above the root in each scale; "free" has all pitches."""


@dataclass(frozen=True)
class Pitch:
    """Hertz of depths: `low` for an empty board, `high` for a full one, and between them
    low + (high - low) * x², as the program Sound of Sorting maps the values that it sorts (120 to
    1320 Hz). `scale` names one of SCALES: each frequency is replaced by the nearest pitch of that
    scale on `root` (Hz).
    """

    low: float = 120.0
    high: float = 1320.0
    scale: str = "free"
    root: float = 220.0

    def hertz(self, depth: NDArray[np.float64]) -> NDArray[np.float64]:
        """The frequencies in Hz of depths 0..1, an array of any shape."""
        free: NDArray[np.float64] = self.low + (self.high - self.low) * depth * depth
        if not SCALES[self.scale]:
            return free
        octave, within = np.divmod(12 * np.log2(free / self.root), 12)
        nearest = np.searchsorted(self._borders, within, "right")
        nearest_tones: NDArray[np.float64] = self.root * 2 ** (octave + self._tones[nearest] / 12)
        return nearest_tones

    @cached_property
    def _tones(self) -> NDArray[np.float64]:
        """The semitones of the scale in one octave, and the root of the next octave."""
        return np.array([*SCALES[self.scale], 12], np.float64)

    @cached_property
    def _borders(self) -> NDArray[np.float64]:
        """The semitones from which on the next tone is nearer."""
        return (self._tones[1:] + self._tones[:-1]) / 2


SILENT = -60.0
"""The volume in dB at and below which a sound is silent."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """The instrument of one kind of sound: a name of undoku.render.sound.timbres.TIMBRES, and a
    volume in dB, by default 0."""

    timbre: str
    volume: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchMix:
    """The mix of one search: its volume in dB, and its pan from -1 (left) to 1 (right), None if it
    follows its board."""

    volume: float = 0.0
    pan: float | None = None


@dataclass(frozen=True)
class Mix:
    """How a film sounds. `width`, 0..1, is the pan of a board at the right edge of the picture."""

    pitch: Pitch = field(default_factory=Pitch)
    width: float = 1.0
    place: Instrument = Instrument("bright")
    undo: Instrument = Instrument("soft")
    collapse: Instrument = Instrument("wood")
    texture: Instrument = Instrument("soft")
    end: Instrument = Instrument("bell")
    callout: Instrument = Instrument("bell")
    searches: tuple[SearchMix, ...] = ()
    """The mixes of the first searches; the others have the default."""

    def search(self, number: int) -> SearchMix:
        """The mix of search number `number`, from 0."""
        return self.searches[number] if number < len(self.searches) else SearchMix()

    def pan(self, number: int, place: float) -> float:
        """The pan, -1 (left) to 1 (right), of search number `number` (from 0), the middle of whose
        board is at `place`, -1 to 1."""
        own_pan = self.search(number).pan
        return self.width * place if own_pan is None else own_pan


def amplitude(volume: float) -> float:
    """The factor of samples for a volume in dB; 0 at SILENT and below."""
    return 0.0 if volume <= SILENT else float(10 ** (volume / 20))


DEFAULT_MIX = "default"
"""The name of the built-in mix."""

_MAX_BYTES = 1 << 16
"""Bytes."""

_LOUDEST = 12.0
"""dB."""

_INSTRUMENTS = ("place", "undo", "collapse", "texture", "end", "callout")
_KEYS = ("scale", "root", "low", "high", "width", *_INSTRUMENTS, "search")


def load_mix(name: str) -> Mix:
    """The mix in the TOML file of this path, or the built-in one for DEFAULT_MIX. Raises
    SettingsError, with the place in the file, for a wrong file; ReadError for an unreadable one."""
    if found := sent(Mix, name):
        return found
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
        raise _wrong(file, (name,), table, f'write [{name}], and timbre = "bell" below it')
    _check_keys(file, table, ("timbre", "volume"), name)
    return Instrument(
        _choice(file, name, "timbre", default=usual.timbre, known=TIMBRES),
        _volume(file, name, "volume"),
    )


def _searches(file: TomlFile) -> tuple[SearchMix, ...]:
    tables = file.content.get("search", [])
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        remedy = "write [[search]] for each search, in their order"
        raise _wrong(file, ("search",), tables, remedy)
    searches = []
    for number, table in enumerate(tables):
        _check_keys(file, table, ("volume", "pan"), "search", number)
        pan = None
        if "pan" in table:
            pan = _number(file, "search", number, "pan", default=0.0, least=-1, most=1)
        searches.append(SearchMix(_volume(file, "search", number, "volume"), pan))
    return tuple(searches)


def _volume(file: TomlFile, *path: str | int) -> float:
    return _number(file, *path, default=0.0, least=SILENT, most=_LOUDEST)


def _check_keys(file: TomlFile, table: Any, known: Iterable[str], *path: str | int) -> None:
    for key in table:
        if key not in known:
            raise SettingsError(
                f"a mix has no {shown(key)}" + (f" in [{path[0]}]" if path else ""),
                place=file.place(*path, key),
                remedy=f"known: {', '.join(known)}",
            )


def _number(file: TomlFile, *path: str | int, default: float, least: float, most: float) -> float:
    remedy = f"write a number from {least:g} to {most:g}"
    number = _value(
        file,
        path,
        default,
        lambda value: type(value) in (int, float) and least <= value <= most,
        remedy,
    )
    return float(number)


def _choice(file: TomlFile, *path: str | int, default: str, known: Iterable[str]) -> str:
    remedy = f"known: {', '.join(known)}"
    return str(_value(file, path, default, lambda value: value in [*known], remedy))


def _value(
    file: TomlFile,
    path: tuple[str | int, ...],
    default: object,
    valid: Callable[[Any], bool],
    remedy: str,
) -> Any:
    """The value at `path`; `default` if the file has none. Raises SettingsError, with its place,
    for one that is not valid."""
    value: Any = file.content
    for part in path:
        if isinstance(value, dict) and part not in value:
            return default
        value = value[part]
    if not valid(value):
        raise _wrong(file, path, value, remedy)
    return value


def _wrong(
    file: TomlFile, path: tuple[str | int, ...], value: object, remedy: str
) -> SettingsError:
    return SettingsError(
        f"{path[-1]} = {shown(value)} is not valid in a mix", place=file.place(*path), remedy=remedy
    )
