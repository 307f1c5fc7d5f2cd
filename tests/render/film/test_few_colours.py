"""Films in few colours: the same in every frame, the nearest to the theme's, exact in files; one
palette of 255 holds all colours of a film of even pace, and the main ones of a story."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.support.amounts import long
from tests.support.changed_films import by_ffmpeg, by_pillow
from tests.support.command import Undoku
from tests.support.films import film_of
from tests.support.puzzles import MEDIUM
from undoku import Limits, SettingsError, compare
from undoku.render.delivery.fit import candidates, limits_for, write_fitted
from undoku.render.delivery.write import write_film, write_still
from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.colour_space import Colour, contrast, lab
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.film.film import Film
from undoku.render.film.palette import Palette, all_colours, palette_of
from undoku.render.film.quantise import posterised
from undoku.render.settings.settings import FilmSettings
from undoku.render.write.file_info import about_of
from undoku.render.write.formats import format_of

NUMBERS = (2, 7, 15, 31, 100)


def packed(pixels: Pixels) -> np.ndarray:
    wide = pixels.astype(np.uint32)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def becomes_of(palette: Palette) -> dict[int, int]:
    """The colour that represents each colour of the theme."""
    return dict(zip(palette.known.tolist(), palette.becomes.tolist(), strict=True))


def film(colours: int, **given: object) -> Film:
    wanted = {"size": "320x180", "fps": 25, "steps_per_frame": 9, "intro": 0, "hold": 0, "card": 0}
    options = {**wanted, "colours": colours, **given}
    return film_of("row-major", "mrv", limits=Limits(150), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "most"),
    [(name, NUMBERS[number % len(NUMBERS)]) for number, name in enumerate(theme_names())],
)
def test_a_palette_holds_no_more_colours_than_requested(name: str, most: int) -> None:
    """And those are colours of the theme, which are shown as themselves."""
    palette = Palette(load_theme(name), most)
    assert set(palette.known.tolist()) == all_colours(load_theme(name)).keys()
    assert len(palette.colours) == most
    becomes = becomes_of(palette)
    assert set(becomes.values()) == set(palette.colours.tolist())
    assert all(becomes[colour] == colour for colour in palette.colours.tolist())


@pytest.mark.parametrize("name", theme_names())
def test_the_most_colours_change_only_shades_that_cannot_be_told_apart(name: str) -> None:
    """0.02 in OKLab is about a just noticeable difference."""
    palette = Palette(load_theme(name), 255)
    changed = palette.becomes != palette.known
    assert changed.sum() < 20
    for before, after in zip(palette.known[changed], palette.becomes[changed], strict=True):
        first, second = (lab((c >> 16, c >> 8 & 255, c & 255)) for c in map(int, (before, after)))
        assert math.dist(first, second) < 0.01


@pytest.mark.parametrize("name", theme_names())
@pytest.mark.parametrize("most", [7, pytest.param(15, marks=pytest.mark.long), 31])
def test_colours_that_viewers_must_distinguish_stay_different(name: str, most: int) -> None:
    """Undone cells and others, digits and backgrounds, down to the smallest number of colours."""
    theme = load_theme(name)
    palette = palette_of(theme, most)
    becomes = becomes_of(palette)

    def shown(colour: Colour) -> Colour:
        rgb = becomes[colour[0] << 16 | colour[1] << 8 | colour[2]]
        return rgb >> 16, rgb >> 8 & 255, rgb & 255

    assert len({shown(theme.cell), shown(theme.undoing_cell), shown(theme.trying_cell)}) == 3
    for ink, background in (
        (theme.text, theme.background),
        (theme.given, theme.given_cell),
        (theme.trying, theme.trying_cell),
        (theme.scale[0], theme.scale_cells[0]),
        (theme.scale[-1], theme.scale_cells[-1]),
    ):
        assert contrast(shown(ink), shown(background)) > contrast(ink, background) / 2 > 1.5


@pytest.mark.parametrize(("suffix", "most"), [("gif", 7), long("webp", 31), long("apng", 31)])
def test_files_hold_the_reduced_canvas_exactly(tmp_path: Path, suffix: str, most: int) -> None:
    """Every frame is the film's own, each colour always replaced by the same one."""
    path = tmp_path / f"film.{suffix}"
    reduced = film(most)
    palette = palette_of(reduced.theme, most)
    becomes = becomes_of(palette)
    wanted = []
    for frame in film(0).frames():
        colours, places = np.unique(packed(frame.pixels), return_inverse=True)
        shown = np.array([becomes[colour] for colour in colours.tolist()], np.uint32)
        wanted.append(shown[places].reshape(frame.pixels.shape[:2]))
    write_film(reduced, [path])
    found = [packed(picture) for picture, _ in by_pillow(path)]
    kept = [one for one, before in zip(wanted, [None, *wanted], strict=False)
            if before is None or (one != before).any()]  # fmt: skip
    assert len(found) == len(kept) > 20
    for got, right in zip(found, kept, strict=True):
        assert (got == right).all()
    assert len(np.unique(np.array(found))) <= most
    if suffix != "webp":  # ffmpeg reads no animated WebP
        again = by_ffmpeg(path, 320, 180)[0]
        assert len(again) >= len(kept)
        assert {packed(picture).tobytes() for picture in again} == {p.tobytes() for p in kept}


@given(
    colours=st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=12),
    most=st.integers(2, 40),
)
def test_a_colour_of_no_theme_is_shown_as_the_nearest(colours: list[Colour], most: int) -> None:
    palette = palette_of(load_theme("dark"), most)
    canvas = Canvas(12, 4)
    for number, colour in enumerate(colours):
        canvas.fill(Rect(number, 0, 1, 4), colour)
    (frame,) = posterised([canvas.frame()], palette)
    known = becomes_of(palette)
    for number, (red, green, blue) in enumerate(colours):
        got = int(packed(frame.pixels)[0, number])
        rgb = red << 16 | green << 8 | blue
        distances = [
            2 * (red - (c >> 16)) ** 2
            + 4 * (green - (c >> 8 & 255)) ** 2
            + 3 * (blue - (c & 255)) ** 2
            for c in palette.colours.tolist()
        ]
        assert got == known.get(rgb, int(palette.colours[int(np.argmin(distances))]))


def test_a_picture_and_a_filmstrip_have_few_colours_too(undoku: Undoku, tmp_path: Path) -> None:
    write_still(film(15), 40, [tmp_path / "step.png"])
    assert len(np.unique(packed(by_pillow(tmp_path / "step.png")[0][0]))) <= 15
    done = undoku("render", MEDIUM.grid, "-s", "mrv", "--filmstrip", "4", "--size", "480x270",
                  "--colours", "15", "-o", "strip.png", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert 5 < len(np.unique(packed(by_pillow(tmp_path / "strip.png")[0][0]))) <= 15


@pytest.mark.parametrize("suffix", ["gif", long("webp"), long("apng")])
def test_colours_are_reduced_last(undoku: Undoku, tmp_path: Path, suffix: str) -> None:
    """A limit that the smallest picture just misses is met with fewer colours; the film records
    their number, and is made again with the same ones."""
    asked = film(0, steps_per_frame=12, size="400x360")
    path = tmp_path / f"film.{suffix}"
    allowed = candidates(asked, limits_for(path, None, None), format_of(path))
    floor = next(one.settings for one in allowed if one.settings.colours == 31)
    assert (floor.width, floor.fps) == (200, Fraction(10))
    least = [
        _bytes(asked, path.with_name(f"size.{suffix}"), replace(floor, colours=colours))
        for colours in (0, 7)
    ]
    limit = (least[0] + least[1]) // 2
    fitted = write_fitted(asked, path, limits_for(path, limit, None))
    colours = fitted.settings.colours
    assert colours in (7, 15, 31)
    assert fitted.chosen.endswith(f", {colours} colours")
    assert (fitted.settings.width, fitted.settings.fps) == (200, Fraction(10))
    assert path.stat().st_size <= limit
    shown = np.array([packed(picture) for picture, _ in by_pillow(path)])
    assert len(np.unique(shown)) <= colours
    recipe = json.loads(about_of(path)["recipe"])
    assert recipe["settings"]["colours"] == colours
    done = undoku("render", "--again", path.name, "-o", f"again.{suffix}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    again = np.array([packed(picture) for picture, _ in by_pillow(tmp_path / f"again.{suffix}")])
    assert (again == shown).all()
    with pytest.raises(SettingsError, match=r"the nearest has [\d,]+ bytes: .* 7 colours"):
        write_fitted(asked, tmp_path / f"b.{suffix}", limits_for(path, least[1] // 2, None))


def _bytes(asked: Film, path: Path, settings: FilmSettings) -> int:
    report = write_film(asked.with_settings(settings), [path], overwrite=True)
    return report.outputs[0].bytes


PALETTE = 255
"""A GIF's 256, one of them clear."""


def colours_in(pixels: Any) -> set[int]:
    wide = np.asarray(pixels).reshape(-1, 3).astype(np.uint32)
    return set(np.unique(wide[:, 0] << 16 | wide[:, 1] << 8 | wide[:, 2]).tolist())


@pytest.mark.parametrize("overlay", [False, True])
@pytest.mark.parametrize("name", theme_names())
def test_all_colours_of_a_film_of_three_searches_fit_one_palette(name: str, overlay: bool) -> None:
    assert len(all_colours(load_theme(name), overlay=overlay, searches=3)) <= PALETTE - 5


LARGE = "1280x720"


FILMS: dict[str, dict[str, Any]] = {
    "steps": {"size": "480x270", "steps_per_frame": 1},
    "ghosts": {"size": "480x480", "steps_per_frame": 20},
    "slow": {"size": LARGE, "steps_per_frame": "1/2", "panels": "counters,depth,tree,why,heat"},
    "overlay": {"size": "480x480", "steps_per_frame": 20, "heat": "overlay"},
    "slow overlay": {"size": LARGE, "steps_per_frame": "1/2", "heat": "overlay"},
    "smaller overlay": {"size": "960x540", "steps_per_frame": "1/2", "heat": "overlay"},
    "fast overlay": {"size": LARGE, "steps_per_frame": 2, "heat": "overlay"},
}
ALWAYS = ("slow", "overlay", "ghosts")
"""The films that `make test` draws, in one dark and one light theme."""


@pytest.mark.parametrize(
    ("name", "given"),
    [
        pytest.param(
            name,
            given,
            id=f"{film}-{name}",
            marks=() if film in ALWAYS and name in ("dark", "light") else pytest.mark.long,
        )
        for name in theme_names()
        for film, given in FILMS.items()
    ],
)
def test_no_film_has_a_colour_that_its_theme_does_not_have(
    name: str, given: dict[str, Any]
) -> None:
    limits = Limits(20 if given["size"] in (LARGE, "960x540") else 200)
    options: dict[str, Any] = {"fps": 25, "theme": name, "intro": 0, **given}
    found: set[int] = set()
    for frame in film_of("row-major", "mrv", limits=limits, **options).frames():
        for (x, y, width, height), _ in frame.changes:
            found |= colours_in(frame.pixels[y : y + height, x : x + width])
    assert len(found) > 40
    assert found <= all_colours(load_theme(name), overlay="heat" in given).keys()


def test_a_palette_with_all_colours_loses_none(tmp_path: Any) -> None:
    """The last frame of a GIF is the PNG's, colour for colour."""
    compare(MEDIUM.grid, ["mrv"], tmp_path / "a.gif", tmp_path / "a.png", size="320x180", fps=25,
            duration="2s", theme="light")  # fmt: skip
    with Image.open(tmp_path / "a.gif") as film, Image.open(tmp_path / "a.png") as still:
        film.seek(getattr(film, "n_frames", 1) - 1)
        assert (np.asarray(film.convert("RGB")) == np.asarray(still.convert("RGB"))).all()
