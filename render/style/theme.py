"""Themes, which are read from small TOML files, and perceptually even scales of tints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path

from render.toml.reading import TomlFile, parse_toml, read_bytes, shown
from solver.errors import SettingsError

__all__ = [
    "HEATS",
    "SEARCHES",
    "SHADES",
    "TINTS",
    "Colour",
    "Theme",
    "contrast",
    "lab",
    "lend_theme",
    "load_theme",
    "mix",
    "theme_names",
]

Colour = tuple[int, int, int]
"""Red, green, blue, 0..255, sRGB."""

TINTS = 4
"""The number of tints for depths: as many as differ visibly in lightness, while digits are legible
on all of them."""

EXTRA_SHARE = 0.06
"""The share of the text colour in the background of a cell that is in an extra unit."""

HEATS = 4
"""Grounds that tell how much a cell changes within a frame, 0 the calm one."""

SHADES = 7
"""Grounds that tell how often a cell was tried, 0 for never."""

SEARCHES = 6
"""The most searches that a film shows."""

PASSING_SHARE = 0.12
"""How much of its ground a cell takes on that is tried among fast steps."""

READABLE = 4.5
"""The least contrast of text with its ground (WCAG 2.2, AA)."""

_LARGEST = 64 << 10
"""Bytes of a theme's file at most: the themes here have 1 KiB."""

_LONGEST_TITLE = 200
"""Characters."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)

_FOLDER = Path(__file__).parent / "themes"


@dataclass(frozen=True)
class Theme:
    """The colours of a film. `tints`, of digits, run from shallow to deep, as do `tint_cells`, the
    grounds of their cells; without these, a ground takes a share of its tint, `tint_share` (0..1).
    `tries` run from a cell that was tried once
    to the one that was tried most, by default to the deepest tint. `searches` are the colours of
    the first search, the second and so on, by default spread over the tints."""

    name: str
    title: str
    ground: Colour
    text: Colour
    muted: Colour
    track: Colour
    accent: Colour
    cell: Colour
    given_cell: Colour
    given: Colour
    line: Colour
    strong_line: Colour
    trying_cell: Colour
    trying: Colour
    undoing_cell: Colour
    undoing: Colour
    tints: tuple[Colour, ...]
    tint_cells: tuple[Colour, ...] = ()
    tint_share: float = 0.14
    tries: tuple[Colour, ...] = ()
    searches: tuple[Colour, ...] = ()
    own_ground: Colour | None = None
    """The ground that the theme was made for, where it stands on another one."""

    def on(self, ground: Colour) -> Theme:
        """The same theme on another background. All other colours are unchanged."""
        return replace(self, ground=ground, own_ground=self.own_ground or self.ground)

    @cached_property
    def scale(self) -> tuple[Colour, ...]:
        """TINTS colours from shallow to deep, evenly spaced for the eye."""
        return interpolated(self.tints, TINTS)

    @cached_property
    def scale_cells(self) -> tuple[Colour, ...]:
        """The ground under each colour of `scale`."""
        if self.tint_cells:
            return interpolated(self.tint_cells, TINTS)
        return tuple(mix(self.cell, tint, self.tint_share) for tint in self.scale)

    @cached_property
    def heats(self) -> tuple[Colour, ...]:
        """HEATS grounds of cells, from calm to never at rest."""
        return tuple(mix(self.cell, self.undoing_cell, heat / (HEATS - 1)) for heat in range(HEATS))

    @cached_property
    def shades(self) -> tuple[Colour, ...]:
        """SHADES grounds of cells, from never tried to tried most."""
        if self.tries:
            return (self.cell, *interpolated(self.tries, SHADES - 1))
        return interpolated((self.cell, self.tints[-1]), SHADES)

    def search_colour(self, number: int) -> Colour:
        """The colour that stands for search `number`, from 0, and for nothing else."""
        colours = self.searches or interpolated(self.tints, SEARCHES)
        return colours[number % len(colours)]

    @cached_property
    def passing_cell(self) -> Colour:
        """The ground of a cell that is tried among fast steps: it hardly differs in lightness."""
        return mix(self.cell, self.trying_cell, PASSING_SHARE)

    def with_extra(self, ground: Colour) -> Colour:
        """The ground of a cell that is in an extra unit."""
        return mix(ground, self.text, EXTRA_SHARE)

    @cached_property
    def shade_inks(self) -> tuple[Colour, ...]:
        """The ink on each of `shades`: the theme's own where that can be read, else black or
        white, one of which can be read on any colour."""
        return tuple(self.ink_on(shade) for shade in self.shades)

    def ink_on(self, shade: Colour) -> Colour:
        """The ink that can be read on any colour, as in `shade_inks`."""
        for inks in ((self.text, self.own_ground or self.ground), (_BLACK, _WHITE)):
            ink = max(inks, key=lambda colour: contrast(colour, shade))
            if contrast(ink, shade) >= READABLE:
                break
        return ink


def theme_names() -> list[str]:
    return list(_names())


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


_LENT: dict[str, Theme] = {}


def lend_theme(name: str, theme: Theme) -> None:
    """From now on `name` means this theme in this process: its file lies on another machine."""
    _LENT[name] = theme


def load_theme(name: str) -> Theme:
    """The theme of this name, or the one in the TOML file of this path.

    Raises SettingsError, with the place in the file, for an unknown name or a wrong file;
    ReadError for an unreadable file.
    """
    path = Path(name)
    if name in _LENT:
        return _LENT[name]
    if path.suffix != ".toml":
        path = _FOLDER / f"{name}.toml"
        if name not in _names():
            raise SettingsError(
                f"there is no theme {shown(name)}",
                remedy=f"known: {', '.join(theme_names())}, or the path of a .toml file",
            )
    raw, source = read_bytes(path, _LARGEST, "a theme")
    return _parsed(path.stem, raw, source)


@lru_cache(maxsize=16)
def _parsed(name: str, raw: bytes, source: str) -> Theme:
    """The theme in the file `source`, which may have changed since it was last asked for."""
    return _theme(name, parse_toml(raw, source))


def _theme(name: str, file: TomlFile) -> Theme:
    known = {
        field.name: str(field.type)
        for field in fields(Theme)
        if field.name not in ("name", "own_ground")
    }
    optional = {field.name for field in fields(Theme) if field.default is not MISSING}
    for key in file.content:
        if key not in known:
            raise SettingsError(
                f"there is no colour {shown(key)}",
                place=file.place(key, key=True),
                remedy=f"known: {', '.join(known)}",
            )
    for key in known:
        if key not in file.content and key not in optional:
            raise SettingsError(f"{key!r} is missing", place=file.place(), remedy="add it")
    values = {key: _value(file, key, known[key]) for key in file.content}
    return Theme(name=name, **values)  # type: ignore[arg-type]  # each was checked


def _value(file: TomlFile, key: str, kind: str) -> object:
    """The value of a key of a theme that is of this type. Raises SettingsError."""
    value = file.content[key]
    if kind == "Colour":
        return _colour(file, key)
    if kind.startswith("tuple"):
        if not isinstance(value, list) or len(value) < 2:
            raise _wrong(
                file, key, remedy='write two colours or more, as in ["#1b202b", "#fff0e0"]'
            )
        return tuple(_colour(file, key, number) for number in range(len(value)))
    if kind == "float":
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= 1:
            raise _wrong(file, key, remedy="write a number of 0 to 1")
        return float(value)
    if not isinstance(value, str) or len(value) > _LONGEST_TITLE or not value.isprintable():
        raise _wrong(
            file, key, remedy=f"write a line of text of at most {_LONGEST_TITLE} characters"
        )
    return value


def _colour(file: TomlFile, *path: str | int) -> Colour:
    value = file.content
    for part in path:
        value = value[part]  # type: ignore[index]  # keys of tables, numbers in lists
    if isinstance(value, str) and _HEX.fullmatch(value):
        packed = int(value[1:], 16)
        return packed >> 16, packed >> 8 & 0xFF, packed & 0xFF
    raise SettingsError(
        f"{path[0]} = {shown(value)} is not a colour",
        place=file.place(*path),
        remedy='write "#rrggbb", as in "#1b202b"',
    )


def _wrong(file: TomlFile, key: str, *, remedy: str) -> SettingsError:
    return SettingsError(
        f"{key} = {shown(file.content[key])} is not what a theme needs",
        place=file.place(key),
        remedy=remedy,
    )


def mix(ground: Colour, ink: Colour, share: float) -> Colour:
    """`ground` covered by `ink` to a share of 0..1, as a screen blends the edge of a letter."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(ground, ink, strict=True))
    return red, green, blue


def contrast(first: Colour, second: Colour) -> float:
    """The contrast ratio of two colours, 1..21 (WCAG 2.2, "contrast ratio")."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def _encoded(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else float(1.055 * part ** (1 / 2.4) - 0.055)


# The OKLab space of Björn Ottosson (2020): equal steps in it look equal.
_TO_CONES = ((0.4122214708, 0.5363325363, 0.0514459929),
             (0.2119034982, 0.6806995451, 0.1073969566),
             (0.0883024619, 0.2817188376, 0.6299787005))  # fmt: skip
_TO_LAB = ((0.2104542553, 0.7936177850, -0.0040720468),
           (1.9779984951, -2.4285922050, 0.4505937099),
           (0.0259040371, 0.7827717662, -0.8086757660))  # fmt: skip
_FROM_LAB = ((1.0, 0.3963377774, 0.2158037573),
             (1.0, -0.1055613458, -0.0638541728),
             (1.0, -0.0894841775, -1.2914855480))  # fmt: skip
_FROM_CONES = ((4.0767416621, -3.3077115913, 0.2309699292),
               (-1.2684380046, 2.6097574011, -0.3413193965),
               (-0.0041960863, -0.7034186147, 1.7076147010))  # fmt: skip


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: Colour) -> list[float]:
    """Lightness, green to red, blue to yellow: a colour in OKLab, where equal steps look equal."""
    cones = _times(_TO_CONES, [_linear(part / 255) for part in colour])
    return _times(_TO_LAB, [cone ** (1 / 3) for cone in cones])


def _rgb(lab: Sequence[float]) -> Colour:
    linear = _times(_FROM_CONES, [cone**3 for cone in _times(_FROM_LAB, lab)])
    red, green, blue = (round(255 * _encoded(min(1.0, max(0.0, part)))) for part in linear)
    return red, green, blue


def interpolated(stops: Sequence[Colour], count: int) -> tuple[Colour, ...]:
    """`count` >= 2 colours from the first stop to the last, on straight lines in OKLab."""
    labs = [lab(stop) for stop in stops]
    colours = []
    for number in range(count):
        at = number * (len(stops) - 1) / (count - 1)
        left = min(int(at), len(stops) - 2)
        share = at - left
        colours.append(
            _rgb([a + (b - a) * share for a, b in zip(labs[left], labs[left + 1], strict=True)])
        )
    return tuple(colours)
