"""Themes, which are read from small TOML files."""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path

from undoku.errors import SettingsError
from undoku.render.draw.colour_space import Colour, contrast, interpolated, mix
from undoku.toml_reading import TomlFile, named_file, names_in, parse_toml, read_bytes, sent, shown

TINTS = 4
"""The number of tints for depths: as many as differ visibly in lightness, while digits are legible
on all of them."""

EXTRA_SHARE = 0.06
"""The share of the text colour in the background of a cell in an extra unit."""

HEATS = 4
"""The number of backgrounds that show how much a cell changes within a frame; 0 is the calmest."""

SHADES = 7
"""The number of backgrounds that show how often a cell was tried; 0 is for never."""

SEARCHES = 6
"""The maximum number of searches that a film shows."""

PASSING_SHARE = 0.12
"""The share of the colour of a try in the background of a cell that is tried among fast steps."""

READABLE = 4.5
"""The minimum contrast of text with its background (WCAG 2.2, AA)."""

_MAX_BYTES = 64 << 10
"""The largest size of a theme file in bytes; the built-in themes have about 1 KiB."""

_MAX_TITLE = 200
"""Characters."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")

_VALUES = (
    (60, 100, 210),
    (200, 60, 160),
    (110, 220, 230),
    (150, 150, 150),
    (70, 50, 160),
    (221, 204, 119),
    (120, 25, 60),
)
"""Blue, pink, cyan, grey, indigo; yellow, wine. The first five differ for all kinds of colour
blindness, and from the orange of wrong values."""

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)

_FOLDER = Path(__file__).parent / "themes"


@dataclass(frozen=True)
class Theme:
    """The colours of a film. `tints`, the colours of digits, go from shallow to deep, like
    `tint_cells`, the backgrounds of their cells; without these, a background contains a share of
    its tint, `tint_share` (0..1). `tries` go from a cell that was tried once to the one that was
    tried most, by default to the deepest tint. `searches` are the colours of the first search, the
    second and so on, by default distributed over the tints. `values` are the colours of values that
    are colours, as on maps."""

    name: str
    title: str
    background: Colour
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
    values: tuple[Colour, ...] = _VALUES
    own_background: Colour | None = None
    """The background for which the theme was made, if another one is used."""

    def on(self, background: Colour) -> Theme:
        """The same theme on another background. All other colours are unchanged."""
        return replace(
            self, background=background, own_background=self.own_background or self.background
        )

    @cached_property
    def scale(self) -> tuple[Colour, ...]:
        """TINTS colours from shallow to deep at perceptually equal distances."""
        return interpolated(self.tints, TINTS)

    @cached_property
    def scale_cells(self) -> tuple[Colour, ...]:
        """The background for each colour of `scale`."""
        if self.tint_cells:
            return interpolated(self.tint_cells, TINTS)
        return tuple(mix(self.cell, tint, self.tint_share) for tint in self.scale)

    @cached_property
    def heats(self) -> tuple[Colour, ...]:
        """HEATS backgrounds of cells, from calm to always changing."""
        return tuple(mix(self.cell, self.undoing_cell, heat / (HEATS - 1)) for heat in range(HEATS))

    @cached_property
    def shades(self) -> tuple[Colour, ...]:
        """SHADES backgrounds of cells, from never tried to tried most."""
        if self.tries:
            return (self.cell, *interpolated(self.tries, SHADES - 1))
        return interpolated((self.cell, self.tints[-1]), SHADES)

    def search_colour(self, number: int) -> Colour:
        """The colour that represents search `number`, from 0, and nothing else."""
        colours = self.searches or interpolated(self.tints, SEARCHES)
        return colours[number % len(colours)]

    def value_colour(self, value: int) -> Colour:
        """The colour of a value, from 1, where values are colours. If there are too few colours,
        they repeat; the letters of the values differ."""
        return self.values[(value - 1) % len(self.values)]

    @cached_property
    def passing_cell(self) -> Colour:
        """The background of a cell that is tried among fast steps. Its lightness hardly differs
        from that of other cells, so that it does not flash."""
        return mix(self.cell, self.trying_cell, PASSING_SHARE)

    def with_extra(self, background: Colour) -> Colour:
        """The background `background` of a cell, tinted for an extra unit."""
        return mix(background, self.text, EXTRA_SHARE)

    @cached_property
    def shade_inks(self) -> tuple[Colour, ...]:
        """The text colour on each of `shades`: the theme's if its contrast suffices, otherwise
        black or white, one of which is legible on any colour."""
        return tuple(self.ink_on(shade) for shade in self.shades)

    def ink_on(self, shade: Colour) -> Colour:
        """A text colour that is legible on `shade`, chosen as in `shade_inks`."""
        for inks in ((self.text, self.own_background or self.background), (_BLACK, _WHITE)):
            ink = max(inks, key=lambda colour: contrast(colour, shade))
            if contrast(ink, shade) >= READABLE:
                break
        return ink


def theme_names() -> list[str]:
    return names_in(_FOLDER)


def load_theme(name: str) -> Theme:
    """The theme with this name, or in the TOML file with this path.

    Raises SettingsError, with the place in the file, for an unknown name or a wrong file;
    ReadError for an unreadable file.

    >>> undoku.load_theme("blackboard").title
    'Chalk on a green board'
    """
    if found := sent(Theme, name):
        return found
    path = named_file(name, _FOLDER, "theme")
    raw, source = read_bytes(path, _MAX_BYTES, "a theme")
    return _parsed(path.stem, raw, source)


@lru_cache(maxsize=16)
def _parsed(name: str, raw: bytes, source: str) -> Theme:
    """The theme in the file `source`, which may have changed since it was last read."""
    return _theme(name, parse_toml(raw, source))


_FORMER_KEYS = {"ground": "background"}


def _theme(name: str, file: TomlFile) -> Theme:
    known = {
        each.name: str(each.type)
        for each in fields(Theme)
        if each.name not in ("name", "own_background")
    }
    keys = {_FORMER_KEYS.get(key, key): key for key in file.content}
    optional = {each.name for each in fields(Theme) if each.default is not MISSING}
    for field, key in keys.items():
        if field not in known:
            raise SettingsError(
                f"there is no colour {shown(key)}",
                place=file.place(key),
                remedy=f"known: {', '.join(known)}",
            )
    for key in known:
        if key not in keys and key not in optional:
            raise SettingsError(f"{key!r} is missing", place=file.place(), remedy="add it")
    values = {field: _value(file, key, known[field]) for field, key in keys.items()}
    return Theme(name=name, **values)  # type: ignore[arg-type]  # each was checked


def _value(file: TomlFile, key: str, kind: str) -> object:
    """The value of a key of a theme, which must be valid for its type `kind`. Raises
    SettingsError."""
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
    if not isinstance(value, str) or len(value) > _MAX_TITLE or not value.isprintable():
        raise _wrong(file, key, remedy=f"write a line of text of at most {_MAX_TITLE} characters")
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
        f"{key} = {shown(file.content[key])} is not valid in a theme",
        place=file.place(key),
        remedy=remedy,
    )
