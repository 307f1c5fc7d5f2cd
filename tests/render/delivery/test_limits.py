"""Films below a limit or for a platform: what matters least is reduced first, sizes are predicted,
and what no film can meet is refused."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.films import sink_context
from tests.support.puzzles import EASY, HARD, MEDIUM
from undoku import Limits, SettingsError, search
from undoku.render.delivery.film_sound import soundtrack_of
from undoku.render.delivery.fit import (
    candidates,
    first_within,
    suited,
    write_fitted,
)
from undoku.render.delivery.forecast import AFTER, LONG, Forecast
from undoku.render.delivery.platforms import PlatformLimit, PlatformLimits, limits_of
from undoku.render.draw.canvas import Canvas, Frame, Rect
from undoku.render.film.fade import faded
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.write.formats import format_of
from undoku.render.write.sink import open_sink
from undoku.render.write.sound_samples import integrated_loudness

GIF, MP4 = format_of(Path("film.gif")), format_of(Path("film.mp4"))

ANY = PlatformLimits("any", {})


def film(*, nodes: int = 27_500, **options: Any) -> Film:
    """Two times as many steps as nodes at 50 frames and 600 steps a second, unless the options say
    otherwise."""
    usual = {"size": "1280x720", "fps": 50, "intro": 0, "hold": 3, "card": 0}
    speed = {} if "duration" in options else {"steps_per_frame": 12}
    settings = settings_of({**usual, **speed, **options})
    return Film([search(HARD.grid, "row-major", Limits(nodes))], settings)


def ladder(**options: Any) -> list[FilmSettings]:
    return [one.settings for one in candidates(film(**options), ANY, GIF)]


def rate(settings: FilmSettings) -> Fraction:
    assert settings.pace.steps_per_frame
    return settings.pace.steps_per_frame


def test_frame_rate_goes_first_then_length_then_size_then_colours() -> None:
    first, *others = found = ladder()
    assert first.fps == 50
    assert rate(first) == 12
    assert [one.fps for one in found] == sorted((one.fps for one in found), reverse=True)
    slowest = next(one for one in others if one.fps == 10)
    assert rate(slowest) * slowest.fps == rate(first) * first.fps
    shorter = others[others.index(slowest) + 1]
    assert shorter.fps == 10
    assert rate(shorter) > rate(slowest)
    assert [one.width for one in found[-8:]] == [1280, 1066, 960, 852, 640, 640, 640, 640]
    assert [one.colours for one in found[-4:]] == [0, 31, 15, 7]
    assert all(one.width % 2 == one.height % 2 == 0 for one in found)


def test_colours_are_never_increased() -> None:
    found = [one.colours for one in ladder(colours=20)]
    assert found == [20] * (len(found) - 2) + [15, 7]
    videos = candidates(film(), ANY, MP4)
    assert {one.settings.colours for one in videos} == {0}


def test_a_film_whose_length_was_requested_keeps_it() -> None:
    for one in candidates(film(duration=20), ANY, GIF):
        assert abs(one.timeline.duration - 20) <= Fraction(1, 10)


@given(
    limit=st.integers(60_000, 20_000_000),
    wrong=st.floats(0.5, 1.6),
    sizes=st.lists(st.integers(10_000, 30_000_000), min_size=1, max_size=30, unique=True),
)
def test_a_fitted_film_is_below_the_limit_or_refused_with_the_nearest_size(
    limit: int, wrong: float, sizes: list[int]
) -> None:
    """Also when predictions are a third too low or two thirds too high; few films are predicted and
    written."""
    films = sorted(sizes, reverse=True)
    predicted, written = [], []

    def predict(size: int) -> int:
        predicted.append(size)
        return size

    def write(size: int) -> int:
        written.append(size)
        return int(size * wrong)

    try:
        found = first_within(films, limit, predict, write)
    except SettingsError as error:
        assert len(written) <= 2
        assert f"fits into {limit:,} bytes; the nearest has {write(films[-1]):,} bytes" in str(
            error
        )
        assert write(films[-1]) > limit
    else:
        assert written[-1] == found and len(written) <= 2
        assert write(found) <= limit
        if abs(wrong - 1) < 0.02:
            assert all(size > limit * 0.9 for size in films[: films.index(found)])
    assert len(predicted) == len(set(predicted)) <= 12


def test_a_platforms_limits_are_kept_before_anything_is_rendered() -> None:
    x = limits_of("x", "picture")
    found = candidates(film(nodes=1000, size="1920x1080", steps_per_frame=1, hold=0), x, GIF)
    assert all(one.timeline.frames <= 350 and not x.broken_by(one) for one in found)
    assert (found[0].settings.width, found[0].settings.height) == (1280, 720)
    wide = film(size="1920x1080")
    large = candidates(wide, limits_of("mastodon", "picture"), GIF)[0].settings
    assert 990_000 < large.width * large.height < 1_000_000
    fast = candidates(film(nodes=1000, fps=120, steps_per_frame=1), limits_of("x", "video"), MP4)
    assert fast[0].settings.fps == 60


@pytest.mark.parametrize(("more", "broken"), [(0, 0), (-1, 1)])
def test_a_film_may_reach_a_limit_and_not_exceed_it(more: int, broken: int) -> None:
    made = film(nodes=1000, size="320x180")
    figure = PlatformLimit("frames", made.timeline.frames + more, "nowhere", date.min)
    assert len(PlatformLimits("any", {"frames": figure}).broken_by(made)) == broken


def test_a_limit_that_no_settings_meet_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"1280×720 is 1\.78 times as wide as high") as caught:
        candidates(film(), limits_of("shorts", "video"), MP4)
    assert "--size" in caught.value.remedy
    with pytest.raises(SettingsError, match=r"frames, where X takes .*allow a shorter film"):
        candidates(film(size="640x360", duration=300), limits_of("x", "picture"), GIF)


@pytest.mark.parametrize(("asked", "given"), [("6.2", "4.2"), ("4.0", "4.0")])
def test_a_film_for_televisions_has_their_level_unless_a_lower_one_is_asked_for(
    asked: str, given: str
) -> None:
    settings = suited(limits_of("tv", "video"), settings_of({"level": asked}), any_size=True)
    assert settings.level == given


@pytest.mark.parametrize(
    ("platform", "lufs"),
    [("youtube", -14), *(long(*x) for x in (("shorts", -14), ("tiktok", -14), ("x", -16)))],
)
def test_a_film_is_as_loud_as_its_platform_plays_others(platform: str, lufs: int) -> None:
    settings = settings_of({"sound": True, "duration": "12s"})
    suits = suited(limits_of(platform, "video"), settings, any_size=True)
    traces = [search(EASY.grid, strategy) for strategy in ("row-major", "mrv")]
    soundtrack = soundtrack_of(Film(traces, suits))
    assert soundtrack
    heard = integrated_loudness(block.mix for block in soundtrack.blocks())
    assert heard == pytest.approx(lufs, abs=0.3)


def test_a_platform_that_is_unknown_or_takes_no_pictures_is_refused_with_a_remedy() -> None:
    with pytest.raises(SettingsError, match="did you mean mastodon"):
        limits_of("mastadon", "video")
    with pytest.raises(SettingsError, match="choose one of github, x"):
        limits_of("zzz", "video")
    with pytest.raises(SettingsError, match="accepts only videos"):
        limits_of("youtube", "picture")


def test_a_gif_comes_in_under_its_limit_and_says_what_it_gave_up(
    undoku: Undoku, tmp_path: Path
) -> None:
    """Whatever its name is."""
    size = ("--size", "320x180", "--fps", "25", "--duration", "2s", "--max-size", "30k")
    done = undoku("render", MEDIUM.grid, "-o", "100%.gif", *size, "--json", cwd=tmp_path, code=0)
    output = json.loads(done.stdout)["outputs"][0]
    assert [path.name for path in tmp_path.iterdir()] == ["100%.gif"]
    assert output["bytes"] == (tmp_path / "100%.gif").stat().st_size <= 30_000
    assert abs(output["duration_s"] - 2) <= 1 / output["fps"]
    assert output["chosen"].startswith(f"320×180, {output['fps']:.4g} frames/s, ")
    assert f"100%.gif: made to fit as {output['chosen']}" in done.stderr


def test_a_film_that_fits_is_left_as_requested(undoku: Undoku, tmp_path: Path) -> None:
    film = ("render", EASY.grid, "--size", "320x180", "--fps", "10", "--duration", "1s")
    undoku(*film, "-o", "plain.gif", cwd=tmp_path, code=0)
    fitted = undoku(*film, "-o", "fitted.gif", "--max-size", "5MB", cwd=tmp_path, code=0)
    assert "made to fit" not in fitted.stderr
    one, two = ((tmp_path / name).read_bytes() for name in ("plain.gif", "fitted.gif"))
    assert one[one.index(b"!\xf9") :] == two[two.index(b"!\xf9") :]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # X takes GIFs of at most 350 frames: 7 seconds at 60 frames a second are too many.
        (("-o", "a.gif", "--for", "x", "--duration", "7s", "--size", "320x180"), (320, 180, 7)),
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
    monkeypatch.setattr(film, "parts_from", lambda first, runs: iter(flicker(Canvas(400, 300), 90)))
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


def test_limits_too_small_for_the_boards_are_refused(tmp_path: Path) -> None:
    figures = {"width": PlatformLimit("width", 40, "nowhere", date.min)}
    film = Film([search(EASY.grid, "mrv")], FilmSettings(320, 180, Fraction(25)))
    with pytest.raises(SettingsError, match="do not fit into any picture within the limits"):
        write_fitted(film, tmp_path / "film.gif", PlatformLimits("Tiny", figures))
    assert list(tmp_path.iterdir()) == []


# What is said of a film that takes long, before it is written.


@pytest.mark.parametrize(
    ("done", "seconds", "said"),
    [
        (125, AFTER / 2, []),  # too early to tell
        (250, LONG / 4 - 0.1, []),  # four times this is short
        (250, AFTER + 3, ["1,000 frames will take about 24 s and 8 MB"]),
        (50, AFTER + 3, []),  # the beginning alone tells little
        (50, 4 * AFTER, ["1,000 frames will take about 240 s and 40 MB"]),
    ],
)
def test_a_long_run_is_told_once_with_its_time_and_size(
    tmp_path: Path, done: int, seconds: float, said: list[str]
) -> None:
    """`done` of 1,000 frames are written, 2 MB."""
    heard: list[str] = []
    now = iter([0.0, seconds, seconds + 1])
    with open_sink(tmp_path / "film.apng", sink_context(320, 320, Fraction(25))) as sink:
        sink.staging.temporary.write_bytes(bytes(2_000_000))
        forecast = Forecast([sink], heard.append, lambda: next(now))
        forecast(done, 1000)
        if said:
            forecast(done + 1, 1000)
    assert heard == said
