"""Margins that remain free for what an app shows over a film, and films for such platforms."""

from __future__ import annotations

import json
import runpy
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from tests.support.command import Undoku
from tests.support.films import film_of
from tests.support.puzzles import EASY, MEDIUM
from tests.support.system import ROOT
from undoku import Limits, SettingsError, compare, read_frames, search
from undoku.render.delivery.fit import limits_for, suited
from undoku.render.draw.theme import theme_names
from undoku.render.film.film import Film
from undoku.render.settings.number_kinds import Margins
from undoku.render.settings.settings import settings_of
from undoku.render.timeline.timeline import Phase

SHORTS = limits_for(Path("film.mp4"), None, "shorts")


def made(puzzle: str = MEDIUM.grid, **options: object) -> Film:
    film = film_of("row-major", "mrv", puzzle=puzzle, **options)  # type: ignore[arg-type]
    return film.with_settings(suited(SHORTS, film.settings, any_size="size" not in options))


def assert_free(film: Film, frames: list[int]) -> None:
    """Nothing but background outside of x 48..960, y 200..1440 of 1080×1920."""
    width, height = film.settings.width, film.settings.height
    left, right = round(width * 48 / 1080), round(width * 960 / 1080)
    top, bottom = round(height * 200 / 1920), round(height * 1440 / 1920)
    inside = slice(top, bottom), slice(left, right)
    shots = [film.timeline.shot_at(frame) for frame in frames]
    drawn = 0
    for frame in film.draw(shots):
        assert (frame.pixels[inside] != film.theme.background).any()
        outside = frame.pixels.copy()
        outside[inside] = film.theme.background
        assert (outside == film.theme.background).all()
        drawn += 1
    assert drawn == len(frames)


def test_nothing_of_a_story_for_shorts_lies_below_what_the_app_shows() -> None:
    """In each beat: title, boards, sentences, charts, bar, speed and end card."""
    film = made()
    assert (film.settings.width, film.settings.height) == (1080, 1920)
    assert_free(film, [beat.end - 1 for beat in film.timeline.beats])
    for act in film.acts:
        for region in act.script.layout.regions():
            assert region.x >= 48 and region.right <= 960
            assert region.y >= 200 and region.bottom <= 1440


@pytest.mark.parametrize("texts", ["", "he"])
def test_the_card_keeps_the_margins_in_either_direction_of_reading(texts: str) -> None:
    film = made(EASY.grid, size="540x960", texts=texts, every=3)
    timeline = film.timeline
    assert timeline.shot_at(timeline.frames - 1).phase is Phase.CARD
    assert_free(film, [0, timeline.intro, timeline.frames - timeline.card - 1, timeline.frames - 1])


def test_dots_on_a_log_scale_keep_the_margins() -> None:
    """They are as wide as high, and stand for totals that are far apart: 17,536 and 11 steps."""
    traces = [search(MEDIUM.grid, "row-major"), search(EASY.grid, "mrv", Limits(10))]
    film = Film(
        traces, suited(SHORTS, settings_of({"size": "540x960", "every": 500}), any_size=False)
    )
    assert_free(film, [film.timeline.frames - 1])


@pytest.mark.parametrize(
    ("platform", "options", "expected"),
    [
        ("shorts", {}, True),
        ("reels", {}, True),
        ("tiktok", {}, True),
        ("shorts", {"size": "540x960"}, True),
        ("shorts", {"size": "1080x1080"}, False),  # a square stands between the app's texts
        ("shorts", {"margins": 0, "size": "540x960"}, False),
        ("github", {"size": "720x1280"}, False),  # which covers nothing
        ("youtube", {"size": "720x1280"}, False),
    ],
)
def test_a_tall_film_for_shorts_has_margins_unless_others_were_requested(
    platform: str, options: dict[str, object], expected: bool
) -> None:
    limits = limits_for(Path("film.mp4"), None, platform)
    settings = suited(limits, settings_of(options), any_size="size" not in options)
    assert any(settings.margins) == expected
    assert not expected or settings.margins == SHORTS.margins


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("5", (5, 5, 5, 5)),
        (2.5, (Fraction(5, 2),) * 4),
        ("4, 10.5, 11, 25", (4, Fraction(21, 2), 11, 25)),
        ([0, 10, 0, 20], (0, 10, 0, 20)),
    ],
)
def test_margins_are_one_percentage_or_four(given: object, value: tuple[object, ...]) -> None:
    assert settings_of({"margins": given}).margins == value
    assert Margins().restore(Margins().store(settings_of({"margins": given}).margins)) == value


@pytest.mark.parametrize("given", ["", "1,2", "-3", "4;5", [1, 2, 3], 41, True, "99"])
def test_other_margins_are_refused(given: object) -> None:
    with pytest.raises(SettingsError, match=r"percent|number"):
        settings_of({"margins": given})


@pytest.mark.parametrize(
    ("words", "size"),
    [
        (["--for", "youtube"], "1920×1080"),
        (["--for", "youtube", "--size", "3840x2160"], "3840×2160"),
        (["--for", "tiktok"], "1080×1920"),
        (["--for", "tiktok", "--size", "540x540"], "540×540"),
    ],
)
def test_a_film_for_a_platform_has_its_size_unless_another_is_requested(
    tmp_path: Path, undoku: Undoku, words: list[str], size: str
) -> None:
    done = undoku(
        "render", EASY.grid, *words, "-o", "film.mp4", "--dry-run", "--json", cwd=tmp_path
    )
    shown = json.loads(done.stdout)
    assert f"{shown['width']}×{shown['height']}" == size


# Contact sheets, one picture a second, that `make sheets` makes of films of many kinds.


SCRIPT = ROOT / "examples" / "sheets" / "contact_sheets.py"


ORANGE = (255, 176, 80)
SHEETS = SimpleNamespace(**runpy.run_path(str(SCRIPT)))


def test_a_sheet_shows_the_picture_at_each_second(tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    compare(EASY.grid, ["mrv"], film, size="320x180", duration="3.5s")
    moments = list(SHEETS.by_second(film))
    assert [float(second) for second, _ in moments] == [0, 1, 2, 3, 3.5]
    for second, shown in moments[:-1]:
        end = Fraction()
        for picture in read_frames(film):
            end += picture.seconds
            if end > second:
                assert np.array_equal(picture.pixels, np.asarray(shown))
                break
    sheet = SHEETS.sheet_of([film])
    assert sheet.width == 8 + 5 * 398


def test_films_of_a_sheet_may_be_in_a_folder_that_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FILMS", "SHEETS"):
        monkeypatch.setitem(SHEETS.make.__globals__, name, tmp_path / name)
    (tmp_path / "SHEETS").mkdir()
    film = tmp_path / "FILMS" / "several" / "a.gif"
    command = f"undoku render {EASY.grid} -s mrv --size 320x180 --duration 1s -q -o {film}"
    assert SHEETS.make("several", "several/*.gif", command).stat().st_size
    assert film.exists()


def test_a_rare_colour_stays_on_a_sheet_of_many_shades() -> None:
    shades = np.linspace(0, 255, 800 * 600, dtype=np.uint8).reshape(600, 800)
    pixels = np.stack([shades, shades[::-1], shades[:, ::-1]], axis=-1)
    pixels[300:306, 400:406] = ORANGE
    written = SHEETS.small_webp(Image.fromarray(pixels))
    assert len(written) <= SHEETS.MAX_BYTES
    with Image.open(BytesIO(written)) as picture:
        shown = np.asarray(picture.convert("RGB"), np.int16)[303, 403]
    assert np.abs(shown - ORANGE).max() <= 24


def test_the_page_has_a_small_sheet_of_each_film() -> None:
    named = SHEETS.commands().keys()
    assert len(named) >= 20
    assert f"for theme in {' '.join(theme_names())}; do" in SHEETS.commands()["themes"][1]
    written = {path.stem: path for path in SHEETS.SHEETS.iterdir()}
    assert written.keys() == named
    assert all(f"media/sheets/{name}.webp" in SHEETS.PAGE.read_text("utf-8") for name in named)
    assert all(path.stat().st_size <= SHEETS.MAX_BYTES for path in written.values())
