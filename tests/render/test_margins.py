"""Margins that remain free for what an app shows over a film, and films for such platforms."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.command import Undoku
from tests.support.films import film_of
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, SettingsError, search
from undoku.render.delivery.fit import limits_for, suited
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
def test_cards_keep_the_margins_in_either_direction_of_reading(texts: str) -> None:
    film = made(EASY.grid, size="540x960", texts=texts, title_card="2s", every=3)
    timeline = film.timeline
    phases = [timeline.shot_at(frame).phase for frame in range(timeline.frames)]
    assert Phase.TITLE in phases and Phase.CARD in phases
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
