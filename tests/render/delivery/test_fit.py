"""Films made to fit: under the limit, as close to the request as possible, or refused."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support.command import Undoku
from tests.support.puzzles import EASY, MEDIUM
from undoku import SettingsError, search
from undoku.render.delivery.fit import write_fitted
from undoku.render.delivery.platforms import PlatformLimit, PlatformLimits
from undoku.render.draw.canvas import Canvas, Frame, Rect
from undoku.render.film.fade import faded
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings


def test_a_gif_comes_in_under_its_limit_and_says_what_it_gave_up(
    undoku: Undoku, tmp_path: Path
) -> None:
    size = ("--size", "320x180", "--fps", "50", "--duration", "4s", "--max-size", "60k")
    done = undoku("render", MEDIUM.grid, "-o", "film.gif", *size, "--json", cwd=tmp_path, code=0)
    output = json.loads(done.stdout)["outputs"][0]
    assert output["bytes"] == (tmp_path / "film.gif").stat().st_size <= 60_000
    assert abs(output["duration_s"] - 4) <= 1 / output["fps"]
    assert output["chosen"].startswith(f"320×180, {output['fps']:.4g} frames/s, ")
    assert f"film.gif: made to fit as {output['chosen']}" in done.stderr


def test_a_name_with_a_per_cent_sign_is_fitted_as_any(undoku: Undoku, tmp_path: Path) -> None:
    small = ("--size", "320x180", "--fps", "10", "--duration", "1s", "--max-size", "5MB")
    undoku("render", EASY.grid, "-o", "100%.gif", *small, cwd=tmp_path, code=0)
    assert [path.name for path in tmp_path.iterdir()] == ["100%.gif"]


def test_a_film_that_fits_is_left_as_requested(undoku: Undoku, tmp_path: Path) -> None:
    film = ("render", EASY.grid, "--size", "320x180", "--fps", "25", "--duration", "2s")
    undoku(*film, "-o", "plain.gif", cwd=tmp_path, code=0)
    fitted = undoku(*film, "-o", "fitted.gif", "--max-size", "5MB", cwd=tmp_path, code=0)
    assert "made to fit" not in fitted.stderr
    one, two = ((tmp_path / name).read_bytes() for name in ("plain.gif", "fitted.gif"))
    assert one[one.index(b"!\xf9") :] == two[two.index(b"!\xf9") :]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # X takes GIFs of at most 350 frames: 12 seconds at 60 frames a second are too many.
        (("-o", "a.gif", "--for", "x", "--duration", "12s", "--size", "320x180"), (320, 180, 12)),
        (("-o", "a.mp4", "--for", "shorts", "--duration", "1s"), (1080, 1920, 1)),
    ],
)
def test_a_film_for_a_platform_keeps_its_limits_and_has_its_shape(
    undoku: Undoku, tmp_path: Path, words: tuple[str, ...], expected: tuple[int, int, int]
) -> None:
    done = undoku("render", EASY.grid, *words, "--json", cwd=tmp_path, code=0)
    output = json.loads(done.stdout)["outputs"][0]
    assert (output["width"], output["height"], output["duration_s"]) == expected
    assert output["frames"] <= 350


def flicker(canvas: Canvas, frames: int) -> list[Frame]:
    """The whole picture alternates between black and white, fifteen times a second."""
    made = []
    for number in range(frames):
        if number % 2 == 0:
            shade = 255 * (number // 2 % 2)
            canvas.fill(Rect(0, 0, canvas.width, canvas.height), (shade, shade, shade))
        frame = canvas.frame()
        made.append(Frame(frame.pixels.copy(), frame.changes, 1))
    return made


@pytest.mark.parametrize("flash_safe", [False, True])
def test_a_films_setting_decides_whether_it_is_faded(
    flash_safe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = FilmSettings(400, 300, Fraction(60), flash_safe=flash_safe)
    film = Film([search(EASY.grid, "mrv")], settings)
    monkeypatch.setattr(film, "parts_from", lambda runs: iter(flicker(Canvas(400, 300), 90)))
    meter = film.meter()
    for frame in film.frames():
        meter.watch(frame)
    assert meter.flashes().safe == flash_safe


def test_fading_keeps_the_time_and_ends_with_the_same_picture() -> None:
    canvas = Canvas(32, 16)
    canvas.fill(Rect(0, 0, 32, 16), (10, 20, 30))
    first = canvas.frame(5)
    canvas.fill(Rect(4, 4, 8, 8), (200, 100, 0))
    frames = [Frame(first.pixels.copy(), first.changes, 5), canvas.frame(100)]
    shown = np.zeros((16, 32, 3), np.uint8)
    ticks = 0
    for frame in faded(frames, 1 / 4):
        for (x, y, width, height), _ in frame.changes:
            shown[y : y + height, x : x + width] = frame.pixels[y : y + height, x : x + width]
        assert (shown == frame.pixels).all()
        ticks += frame.ticks
    assert ticks == 105
    assert (shown == canvas.pixels).all()


def test_json_reports_how_much_a_film_flashes(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku("render", EASY.grid, "-o", "a.gif", "--size", "320x180", "--duration", "2s",
                  "--json", "--flash-safe", cwd=tmp_path)  # fmt: skip
    measured = json.loads(done.stdout)["flashes"]
    assert measured == {"most_in_a_second": 0.0, "red_in_a_second": 0.0, "safe": True}


def test_limits_too_small_for_the_boards_are_refused(tmp_path: Path) -> None:
    figures = {"width": PlatformLimit("width", 40, "nowhere", date.min)}
    film = Film([search(EASY.grid, "mrv")], FilmSettings(320, 180, Fraction(25)))
    with pytest.raises(SettingsError, match="do not fit into any picture within the limits"):
        write_fitted(film, tmp_path / "film.gif", PlatformLimits("Tiny", figures))
    assert list(tmp_path.iterdir()) == []


def test_a_film_with_other_settings_measures_its_searches_no_second_time() -> None:
    film = Film([search(MEDIUM.grid, "mrv")], FilmSettings(640, 360))
    surveys, tallies = film.surveys, film.tallies
    other = film.with_settings(FilmSettings(1280, 720))
    assert other.surveys is surveys
    assert other.tallies is tallies
    assert (other.layout.width, other.command) == (1280, film.command)
