"""Settings for a film below a limit: what matters least is reduced first."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undoku.errors import SettingsError
from undoku.render.delivery.platforms import Dimensions, limits_of, platforms
from undoku.render.delivery.size_ladder import (
    GIF_RATES,
    VIDEO_RATES,
    Sample,
    SizeChoice,
    choices,
    fit,
    predicted,
)

WISH = SizeChoice(1280, 720, Fraction(50), Fraction(12), 54_843, Fraction(3))


def size_of(choice: SizeChoice) -> int:
    """Like a GIF: frames take more bytes if they show more steps, and fewer in smaller pictures."""
    per_frame = 150 + 300 * float(choice.steps_per_frame) ** 0.5
    return 20_000 + int(choice.frames * per_frame * (choice.width * choice.height) ** 0.5 / 500)


def test_a_film_that_fits_is_left_as_requested() -> None:
    found = fit(choices(WISH), size_of(WISH) * 2, size_of, size_of)
    assert (found.choice, found.passes) == (WISH, 1)


def test_frame_rate_goes_first_then_length_then_size_then_colours() -> None:
    ladder = choices(WISH)
    assert ladder[0] == WISH
    rates = [choice.fps for choice in ladder]
    assert rates == sorted(rates, reverse=True)
    slowest = ladder[len(GIF_RATES) - 1]
    assert slowest.fps == 10
    assert slowest.steps_per_frame * slowest.fps == WISH.steps_per_frame * WISH.fps
    shorter = ladder[len(GIF_RATES)]
    assert shorter.fps == 10
    assert shorter.steps_per_frame > slowest.steps_per_frame
    assert (ladder[-8].width, ladder[-4].width, ladder[-4].height) == (1280, 640, 360)
    assert [choice.colours for choice in ladder[-4:]] == [0, 31, 15, 7]
    assert replace(ladder[-1], colours=0) == ladder[-4]
    assert all(choice.width % 2 == choice.height % 2 == 0 for choice in ladder)


def test_colours_are_never_increased() -> None:
    few = choices(replace(WISH, colours=20))
    assert [choice.colours for choice in few] == [20] * (len(few) - 2) + [15, 7]
    assert {choice.colours for choice in choices(WISH, colours=())} == {0}
    assert str(few[-1]).endswith("7 colours")
    assert "colours" not in str(WISH)


def test_a_film_whose_length_was_requested_keeps_it() -> None:
    for choice in choices(WISH, keep_length=True):
        assert abs(choice.frames / choice.fps - WISH.frames / WISH.fps) < Fraction(3, 10)


@given(
    limit=st.integers(60_000, 20_000_000),
    wrong=st.floats(0.5, 1.6),
    steps=st.integers(100, 300_000),
    size=st.sampled_from([(640, 360), (1280, 720), (1080, 1920)]),
)
def test_a_fitted_film_is_below_the_limit_or_refused_with_the_nearest_size(
    limit: int, wrong: float, steps: int, size: tuple[int, int]
) -> None:
    """Also when predictions are a third too low or two thirds too high."""
    requested = SizeChoice(*size, Fraction(50), Fraction(4), steps, Fraction(2))
    rendered: list[SizeChoice] = []

    def render(choice: SizeChoice) -> int:
        rendered.append(choice)
        return int(size_of(choice) * wrong)

    candidates = choices(requested)
    try:
        found = fit(candidates, limit, size_of, render)
    except SettingsError as error:
        assert f"{min(map(render, candidates)):,} bytes" in str(error)
        assert min(map(render, candidates)) > limit
    else:
        assert found.bytes == render(found.choice) <= limit
        assert found.passes <= 4
        earlier = candidates[: candidates.index(found.choice)]
        if abs(wrong - 1) < 0.02:
            assert all(size_of(choice) > limit * 0.9 for choice in earlier)


def test_few_samples_are_taken() -> None:
    asked: list[SizeChoice] = []

    def predict(choice: SizeChoice) -> int:
        asked.append(choice)
        return size_of(choice)

    fit(choices(WISH), 2_000_000, predict, size_of)
    assert len(asked) == len(set(asked)) <= 6


def test_a_prediction_adds_the_frames_growth_to_the_first_frame() -> None:
    samples = [Sample(5000, 5000 + 10 * 400, 11), Sample(5200, 5200 + 20 * 500, 21)]
    assert predicted(samples, 1) == 5200
    assert predicted(samples, 301) == 5200 + 140_000


def test_an_impossible_limit_is_refused_with_the_nearest_possible() -> None:
    with pytest.raises(SettingsError, match=r"fits into 1,000 bytes; the nearest has [\d,]+ bytes"):
        fit(choices(WISH), 1000, size_of, size_of)


def test_a_platforms_limits_are_kept_before_anything_is_rendered() -> None:
    x = limits_of("x", "picture")
    wide = SizeChoice(1920, 1080, Fraction(50), Fraction(1), 2000)
    for choice in choices(wide, x):
        assert choice.frames <= 350
        assert choice.width <= 1280
        assert x.broken_by(choice.dimensions()) == ()
    assert (choices(wide, x)[0].width, choices(wide, x)[0].height) == (1280, 720)
    mastodon = choices(WISH, limits_of("mastodon", "picture"))[0]
    assert 1_000_000 - (1_000_000 - mastodon.width * mastodon.height) * 0.1 > 990_000
    assert mastodon.width * mastodon.height < 1_000_000
    fast = SizeChoice(1280, 720, Fraction(120), Fraction(1), 2000)
    assert choices(fast, limits_of("x", "video"), rates=VIDEO_RATES)[0].fps == 60


def test_a_limit_that_no_settings_meet_is_refused() -> None:
    wide = SizeChoice(1280, 720, Fraction(60), Fraction(1), 2000)
    with pytest.raises(SettingsError, match=r"1280×720 is 1\.78 times as wide as high") as caught:
        choices(wide, limits_of("shorts", "video"))
    assert "--size" in caught.value.remedy
    long = SizeChoice(640, 360, Fraction(50), Fraction(1), 200_000)
    with pytest.raises(SettingsError, match="allow a shorter film"):
        choices(long, limits_of("x", "picture"), keep_length=True)


def test_every_figure_has_a_source_and_a_date() -> None:
    for platform in platforms():
        for media in ("picture", "video"):
            try:
                limits = limits_of(platform, media)
            except SettingsError as error:
                assert media == "picture"
                assert "accepts only videos" in str(error)
                continue
            for figure in limits.figures.values():
                assert figure.at_most > 0
                assert figure.source
                assert figure.dated >= date(2026, 1, 1)


def test_the_stricter_of_two_figures_holds_and_breaches_are_named() -> None:
    github = limits_of("github", "picture")
    assert github.at_most("bytes") == 5_000_000
    assert github.at_most("frames") is None
    film = Dimensions(1280, 720, Fraction(50), 500, Fraction(10), 6_000_000)
    assert github.broken_by(film) == (
        "6,000,000 bytes, where GitHub: README files, issues, comments takes at most "
        "5,000,000 bytes",
    )


def test_an_unknown_platform_is_refused_with_a_near_one() -> None:
    with pytest.raises(SettingsError, match="did you mean mastodon"):
        limits_of("mastadon", "video")
    with pytest.raises(SettingsError, match="choose one of github, x"):
        limits_of("zzz", "video")
