"""Themes: readable, distinct, and refused when they are wrong."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.system import ROOT
from undoku import ReadError, SettingsError
from undoku.render.draw.cell_look import CellKind, CellLook
from undoku.render.draw.cells import cell_colours, draw_cell
from undoku.render.draw.colour_space import Colour, contrast, lab, mix
from undoku.render.draw.theme import READABLE, SEARCHES, TINTS, Theme, load_theme, theme_names

THEMES = ROOT / "undoku" / "render" / "draw" / "themes"


def pairs(theme: Theme) -> dict[str, tuple[Colour, Colour]]:
    """All pairs of text and background that a film shows."""
    named = {
        "text": (theme.text, theme.background),
        "muted": (theme.muted, theme.background),
        "accent": (theme.accent, theme.background),
        "failed": (theme.undoing, theme.background),
        "given": (theme.given, theme.given_cell),
        "trying": (theme.trying, theme.trying_cell),
        "undoing": (theme.undoing, theme.undoing_cell),
    }
    for tint in range(TINTS):
        named[f"tint {tint}"] = (theme.scale[tint], theme.scale_cells[tint])
    return named


@pytest.mark.parametrize("name", theme_names())
def test_every_text_stands_out_from_its_background(name: str) -> None:
    """WCAG AA: 4.5 for text of any size; AAA: 7."""
    least = 7 if name == "high-contrast" else 4.5
    for what, (ink, background) in pairs(load_theme(name)).items():
        assert contrast(ink, background) >= least, f"{what}: {contrast(ink, background):.2f}"


# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear light.
BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
               (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
               (0.004733, 0.691367, 0.303900)),
}  # fmt: skip


def seen_by(kind: str, colour: Colour) -> Colour:
    linear = [
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    ]
    red, green, blue = (
        sum(factor * part for factor, part in zip(row, linear, strict=True)) for row in BLIND[kind]
    )

    def encoded(part: float) -> int:
        part = min(1.0, max(0.0, part))
        return round(
            255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
        )

    return encoded(red), encoded(green), encoded(blue)


@pytest.mark.parametrize("kind", BLIND)
@pytest.mark.parametrize("name", theme_names())
def test_trying_and_undoing_differ_for_every_kind_of_colour_blindness(name: str, kind: str) -> None:
    """As perceived, their backgrounds differ by more than ten just noticeable differences."""
    theme = load_theme(name)
    assert apart(theme.trying_cell, theme.undoing_cell, kind) > 0.15


@pytest.mark.parametrize("kind", ["usual", *BLIND])
@pytest.mark.parametrize("name", theme_names())
def test_colours_of_values_differ_and_are_not_that_of_wrong_ones(name: str, kind: str) -> None:
    """By seven just noticeable differences; the letters of further values differ."""
    theme = load_theme(name)
    colours = [theme.undoing, *theme.values[:5]]
    assert all(apart(*pair, kind) > 0.07 for pair in itertools.combinations(colours, 2))


@pytest.mark.parametrize("name", theme_names())
def test_given_guessed_and_forced_digits_differ_without_colour(name: str) -> None:
    """In weight or slant: where each pixel is either background or ink, no two are the same."""
    theme = load_theme(name)
    for side, value in itertools.product((16, 24, 48), range(1, 10)):
        masks = set()
        for kind in (CellKind.GIVEN, CellKind.GUESS, CellKind.FORCED):
            look = CellLook(kind, value)
            background = cell_colours(look, theme)[0]
            masks.add((draw_cell(look, side, theme) == background).all(2).tobytes())
        assert len(masks) == 3


NEIGHBOURS = 1.35
"""The minimum contrast of two tints that stand for neighbouring depths."""


@pytest.mark.parametrize("kind", ["usual", *BLIND])
@pytest.mark.parametrize("name", theme_names())
def test_tints_can_be_distinguished_by_their_lightness_alone(name: str, kind: str) -> None:
    """Digits and backgrounds get lighter with the depth, or darker, by a step that is visible with
    every kind of colour blindness, with which digits can be read, too."""
    theme = load_theme(name)

    def seen(colours: Sequence[Colour]) -> list[Colour]:
        return [colour if kind == "usual" else seen_by(kind, colour) for colour in colours]

    inks, cells = seen(theme.scale), seen(theme.scale_cells)
    black = (0, 0, 0)
    rising = contrast(theme.background, black) < contrast(theme.text, black)
    for tints in (inks, cells):
        levels = [contrast(tint, black) for tint in tints]
        assert levels == sorted(levels, reverse=not rising)
        assert min(contrast(a, b) for a, b in itertools.pairwise(tints)) >= NEIGHBOURS
    assert min(contrast(ink, cell) for ink, cell in zip(inks, cells, strict=True)) >= 4.5


def theme_with(folder: Path, key: str, line: str) -> Path:
    """A file of the dark theme with this line in place of that of a key."""
    own = folder / "mine.toml"
    lines = (THEMES / "dark.toml").read_text().splitlines()
    kept = [one for one in lines if not one.startswith(f"{key} ")]
    own.write_text("\n".join([line, *kept]), "utf-8")
    return own


def test_a_theme_can_give_the_backgrounds_of_tints_or_a_share_of_them(tmp_path: Path) -> None:
    theme = load_theme(str(theme_with(tmp_path, "tint_cells", "")))
    shares = [mix(theme.cell, tint, 0.14) for tint in theme.scale]
    assert list(theme.scale_cells) == shares
    assert theme.scale == load_theme("dark").scale


def test_an_unknown_theme_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="known: blackboard, colour-blind, dark"):
        load_theme("drak")


def test_the_users_own_theme_is_read_from_its_path(tmp_path: Path) -> None:
    for key in ("background", "ground"):  # "ground" is the former name
        theme = load_theme(str(theme_with(tmp_path, "background", f'{key} = "#000000"')))
        assert theme.background == (0, 0, 0)
    assert theme.name == "mine"


@pytest.mark.parametrize(
    "colour",
    ["#-fffff", "#+fffff", "# fffff", "#1_2_34", "#١٢٣٤٥٦", "#12345", "#1234567", "123456",
     "#12345g", "#12345\\n", "", "#" * 7, "#ffffff" * 1000],
)  # fmt: skip
@pytest.mark.parametrize("key", ["accent", "tints"])
def test_a_colour_is_a_hash_and_six_ascii_hex_digits(tmp_path: Path, key: str, colour: str) -> None:
    """A sign, a blank, an underscore and digits of other scripts are parts of numbers to Python;
    the message is as short for a long text."""
    wrong = f'"{colour}"' if key == "accent" else f'["#ffffff", "{colour}"]'
    own = theme_with(tmp_path, key, f"{key} = {wrong}")
    with pytest.raises(SettingsError, match=f"{key} = .* is not a colour; write") as caught:
        load_theme(str(own))
    assert f", {key}, line " in str(caught.value.place).replace("[1]", "")
    assert len(str(caught.value)) < 400 + len(str(own))


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("", "'background' is missing"),
        ('background = "red"', "'red' is not a colour"),
        ('grund = "#12151c"', "there is no colour 'grund'"),
        ("tint_share = 7", "tint_share = 7"),
        ('title = "', "not valid TOML"),
        ("tint_share = true", "write a number of 0 to 1"),
        ("tint_share = nan", "write a number of 0 to 1"),
        ("tint_share = inf", "write a number of 0 to 1"),
        (f"tint_share = 0x{'f' * 20_000}", "write a number of 0 to 1"),
        ('tints = ["#ffffff"]', "two colours or more"),
        ("tints = {}", "two colours or more"),
        ('title = "\\u001b[2J"', "a line of text"),
        (f'title = "{"long" * 100}"', "a line of text"),
        ("title = 2024-02-30", "it is not valid TOML"),
        ("title = 2024-02-29", "a line of text"),
        (f"title = {'9' * 5000}", "thousands of digits"),
    ],
)
def test_a_mistake_in_a_theme_is_one_short_sentence(tmp_path: Path, line: str, remedy: str) -> None:
    key = line.partition(" ")[0]
    own = theme_with(tmp_path, "background" if key in ("", "grund") else key, line)
    with pytest.raises(SettingsError, match=remedy) as caught:
        load_theme(str(own))
    assert len(str(caught.value)) < 400 + len(str(own))


def test_a_theme_of_a_gigabyte_is_not_read(tmp_path: Path) -> None:
    """The file is sparse; its size alone refuses it."""
    own = tmp_path / "mine.toml"
    with own.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(SettingsError, match="longer than 64 KiB, too long for a theme"):
        load_theme(str(own))


def test_a_theme_file_that_is_not_there_is_a_read_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no file"):
        load_theme(str(tmp_path / "none.toml"))
    with pytest.raises(ReadError, match="can't be read"):
        load_theme("a\0b.toml")


@pytest.mark.parametrize("kind", ["usual", *BLIND])
@pytest.mark.parametrize("name", theme_names())
def test_searches_can_be_told_apart_and_from_what_has_a_meaning(name: str, kind: str) -> None:
    """With every kind of colour blindness: by hue or, where hues look alike, by lightness. Most
    films have two searches: nobody takes their colours for "done" or "taken back"."""
    theme, usual = load_theme(name), kind == "usual"
    colours = [theme.search_colour(number) for number in range(SEARCHES)]
    for number, colour in enumerate(colours):
        first_two = number < 2
        assert min(contrast(colour, under) for under in (theme.background, theme.cell)) >= READABLE
        for earlier in colours[:number]:
            least = (0.16 if first_two else 0.14) if usual else (0.085 if first_two else 0.075)
            assert apart(colour, earlier, kind) >= least
        for meaning in (theme.accent, theme.undoing):
            least = (0.18 if first_two else 0.14) if usual else (0.065 if first_two else 0.06)
            assert apart(colour, meaning, kind) >= least
        if usual:  # from early guesses
            assert apart(colour, theme.scale[0], kind) >= (0.1 if first_two else 0.08)


def apart(first: Colour, second: Colour, kind: str) -> float:
    """The distance of two colours as eyes of this kind see them."""
    one, other = ((first, second) if kind == "usual"
                  else (seen_by(kind, colour) for colour in (first, second)))  # fmt: skip
    return math.dist(lab(one), lab(other))
