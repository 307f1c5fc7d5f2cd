"""Themes: readable, distinct, and refused when they are wrong."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

from render.style.theme import (
    TINTS,
    Colour,
    Theme,
    contrast,
    interpolated,
    lab,
    load_theme,
    mix,
    theme_names,
)
from solver import ReadError, SettingsError

THEMES = Path(__file__).parent.parent.parent.parent / "render" / "style" / "themes"


def pairs(theme: Theme) -> dict[str, tuple[Colour, Colour]]:
    """All pairs of text and ground that a film shows."""
    named = {
        "text": (theme.text, theme.ground),
        "muted": (theme.muted, theme.ground),
        "accent": (theme.accent, theme.ground),
        "failed": (theme.undoing, theme.ground),
        "given": (theme.given, theme.given_cell),
        "trying": (theme.trying, theme.trying_cell),
        "undoing": (theme.undoing, theme.undoing_cell),
    }
    for tint in range(TINTS):
        named[f"tint {tint}"] = (theme.scale[tint], theme.scale_cells[tint])
    return named


@pytest.mark.parametrize("name", theme_names())
def test_every_text_stands_out_from_its_ground(name: str) -> None:
    """WCAG AA: 4.5 for text of any size."""
    for what, (ink, ground) in pairs(load_theme(name)).items():
        assert contrast(ink, ground) >= 4.5, f"{what}: {contrast(ink, ground):.2f}"


def test_high_contrast_is_what_its_name_says() -> None:
    """WCAG AAA: 7 for text of any size."""
    for what, (ink, ground) in pairs(load_theme("high-contrast")).items():
        assert contrast(ink, ground) >= 7, f"{what}: {contrast(ink, ground):.2f}"


def test_the_scale_of_colour_blind_rises_in_lightness() -> None:
    """So that it reads in grey too."""
    lightness = [lab(colour)[0] for colour in load_theme("colour-blind").scale]
    assert all(b > a for a, b in itertools.pairwise(lightness))


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
    """As seen, their grounds are further apart than a just noticeable difference tenfold."""
    theme = load_theme(name)
    first = lab(seen_by(kind, theme.trying_cell))
    second = lab(seen_by(kind, theme.undoing_cell))
    assert math.dist(first, second) > 0.15


@pytest.mark.parametrize("name", theme_names())
def test_tints_are_evenly_spaced(name: str) -> None:
    """No step between neighbouring tints is more than three times another."""
    labs = [lab(colour) for colour in load_theme(name).scale]
    steps = [math.dist(a, b) for a, b in itertools.pairwise(labs)]
    assert min(steps) > 0.01
    assert max(steps) < 3 * min(steps)


def test_interpolation_keeps_its_ends() -> None:
    ends: tuple[Colour, Colour] = ((10, 200, 30), (250, 0, 128))
    assert interpolated(ends, 5)[0] == ends[0]
    assert interpolated(ends, 5)[-1] == ends[1]


def test_mixing_covers_by_the_share() -> None:
    assert mix((0, 0, 0), (255, 100, 50), 0) == (0, 0, 0)
    assert mix((0, 0, 0), (255, 100, 50), 1) == (255, 100, 50)
    assert mix((0, 0, 0), (200, 100, 50), 0.5) == (100, 50, 25)


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)


def test_an_unknown_theme_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="known: blackboard, colour-blind, dark"):
        load_theme("drak")


def test_a_theme_of_ones_own_is_read_from_its_path(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text((THEMES / "dark.toml").read_text().replace("#12151c", "#000000"))
    theme = load_theme(str(own))
    assert theme.ground == (0, 0, 0)
    assert theme.name == "mine"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('ground = "#12151c"', "", "'ground' is missing"),
        ('ground = "#12151c"', 'ground = "red"', "'red' is no colour"),
        ('ground = "#12151c"', 'grund = "#12151c"', "there is no colour 'grund'"),
        ("tint_share = 0.16", "tint_share = 7", "tint_share = 7"),
        ('title = "', 'title = "\n', "no TOML"),
    ],
)
def test_a_wrong_theme_is_refused_by_its_key(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    own = tmp_path / "mine.toml"
    text = (THEMES / "dark.toml").read_text()
    assert before in text
    own.write_text(text.replace(before, after, 1))
    with pytest.raises(SettingsError, match=message):
        load_theme(str(own))


def test_a_theme_file_that_is_not_there_is_a_read_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="can't be read"):
        load_theme(str(tmp_path / "none.toml"))
