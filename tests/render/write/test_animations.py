"""GIF, animated PNG and WebP hold every frame's pixels and times exactly, with any decoder."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.support.changed_films import (
    ABOUT,
    SINKS,
    Scribble,
    by_ffmpeg,
    by_pillow,
    scribble,
    write,
)
from tests.support.run_films import RunFilm, run_films
from tests.support.sink_contexts import sink_context
from undoku.errors import OutputError
from undoku.render.delivery.write import write_frames
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.apng import ApngSink
from undoku.render.write.file_info import about_of
from undoku.render.write.sink import Written
from undoku.render.write.staging import Staging

every_format = pytest.mark.parametrize("suffix", SINKS)
true_colour = pytest.mark.parametrize("suffix", [".apng", ".webp"])


def expected(film: Scribble) -> list[tuple[NDArray[np.uint8], Fraction]]:
    """(picture, seconds until it ends), equal neighbours joined."""
    found: list[tuple[NDArray[np.uint8], Fraction]] = []
    ticks = 0
    for picture, (_, stands) in zip(film.pictures(), film.frames, strict=True):
        ticks += stands
        if found and np.array_equal(found[-1][0], picture):
            found.pop()
        found.append((picture, ticks / film.fps))
    return found


def check(path: Path, film: Scribble, written: Written) -> None:
    """A GIF has hundredths of a second; of the other delays Pillow rounds each."""
    wanted, decoded = expected(film), by_pillow(path)
    assert written.frames == len(wanted) == len(decoded)
    step, off = (10, 5.0) if path.suffix == ".gif" else (1, 1 + len(wanted) / 2)
    assert abs(written.duration - film.duration) <= Fraction(step, 1000)
    assert written.bytes == path.stat().st_size
    at = 0.0
    for (picture, end), (read, milliseconds) in zip(wanted, decoded, strict=True):
        assert np.array_equal(picture, read)
        at += milliseconds
        assert abs(at - end * 1000) <= off


@every_format
@given(
    seed=st.integers(0, 1 << 32),
    width=st.integers(1, 60),
    height=st.integers(1, 60),
    frames=st.integers(1, 12),
    fps=st.sampled_from([Fraction(1, 2), Fraction(24000, 1001), *map(Fraction, (7, 25, 33, 60))]),
    colours=st.sampled_from([1, 20, 250, 254, 255, 256, 1000]),
    longest=st.integers(1, 60),
)
def test_every_picture_and_delay_of_any_film_is_decoded_as_drawn(
    tmp_path_factory: pytest.TempPathFactory,
    suffix: str,
    seed: int,
    width: int,
    height: int,
    frames: int,
    fps: Fraction,
    colours: int,
    longest: int,
) -> None:
    path = tmp_path_factory.mktemp("film") / f"film{suffix}"
    if suffix == ".gif":  # black is one colour more: the canvas before the first fill
        fps, colours = min(fps, Fraction(50)), min(colours, 254)
    film = scribble(
        seed, width, height, frames, fps=fps, colours=colours, longest=longest, fills=40
    )
    check(path, film, write(path, film))


@pytest.mark.parametrize(
    ("suffix", "colours"),
    [
        (".gif", 200),
        *((suffix, colours) for suffix in (".apng", ".webp") for colours in (60, 1500)),
    ],
)
def test_ffmpeg_decodes_the_same_pictures_at_the_same_times(
    tmp_path: Path, suffix: str, colours: int
) -> None:
    film = scribble(8, 203, 117, 60, fps=Fraction(30), colours=colours, longest=3, fills=30)
    path = tmp_path / f"film{suffix}"
    check(path, film, write(path, film))
    wanted = expected(film)
    starts = [0.0, *(float(end) for _, end in wanted)][:-1]
    pictures, seconds = by_ffmpeg(path, film.width, film.height)
    assert seconds == pytest.approx(starts, abs=0.0051 if suffix == ".gif" else 0.001)
    for (picture, _), read in zip(wanted, pictures, strict=True):
        assert np.array_equal(picture, read)


@every_format
@settings(max_examples=15)
@given(film=run_films())
def test_a_film_of_runs_is_the_same_file_as_one_of_frames(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, film: RunFilm
) -> None:
    """Also where a format has no time for all frames: at 60 a second a GIF leaves some out."""
    folder = tmp_path_factory.mktemp("runs")
    context = sink_context(film.width, film.height, Fraction(60) if film.seed % 2 else Fraction(25))
    for whole in (True, False):
        with SINKS[suffix](Staging(folder / f"{whole}"), context) as sink:
            write_frames(film.play(whole=whole), sink, None, 0)
            sink.finish()
    assert (folder / "True").read_bytes() == (folder / "False").read_bytes()


def test_a_picture_that_brings_the_256th_colour_turns_the_film_to_true_colour(
    tmp_path: Path,
) -> None:
    canvas = Canvas(256, 2)
    path = tmp_path / "film.apng"
    pictures = []
    with ApngSink(Staging(path), sink_context(256, 2, Fraction(10))) as sink:
        for column in range(256):
            canvas.fill(Rect(column, 0, 1, 2), (column, 255 - column, 7))
            pictures.append(canvas.pixels.copy())
            sink.write(canvas.frame())
        sink.finish()
    for wanted, (read, _) in zip(pictures, by_pillow(path), strict=True):
        assert np.array_equal(wanted, read)
    with Image.open(path) as file:
        assert file.mode == "RGBA"


@true_colour
def test_rates_that_browsers_slow_down_are_sampled(tmp_path: Path, suffix: str) -> None:
    canvas = Canvas(240, 2)
    path = tmp_path / f"film{suffix}"
    with SINKS[suffix](Staging(path), sink_context(240, 2, Fraction(240))) as sink:
        for column in range(240):
            canvas.fill(Rect(column, 0, 1, 2), (255, 255, 255))
            sink.write(canvas.frame())
        written = sink.finish()
    assert written.fps == Fraction(1000, 11)
    assert abs(written.duration - 1) <= Fraction(6, 1000)
    decoded = by_pillow(path)
    assert min(milliseconds for _, milliseconds in decoded) >= 11
    assert (decoded[-1][0] == 255).all()


@pytest.mark.parametrize(
    ("suffix", "hold"),
    [(".apng", 5 * 3600), (".webp", 5 * 3600), *((".gif", hold / 100) for hold in
     (65535, 65536, 65537, 65538, 131071, 200000))],
)  # fmt: skip
def test_a_hold_longer_than_the_format_allows_is_split(
    tmp_path: Path, suffix: str, hold: float
) -> None:
    ticks = int(hold * 50)
    fills = (((Rect(0, 0, 6, 5), (1, 2, 3)),), 2), (((Rect(2, 1, 2, 2), (250, 2, 3)),), ticks)
    film = Scribble(6, 5, Fraction(50), fills)
    path = tmp_path / f"film{suffix}"
    written = write(path, film)
    (_, first), *rest = by_pillow(path)
    assert written.frames == 1 + len(rest)
    assert abs(written.duration - film.duration) <= Fraction(1, 1000)
    assert first + sum(delay for _, delay in rest) == pytest.approx(float(film.duration * 1000))
    assert len(rest) > 1 or hold <= 655.35
    assert min(delay for _, delay in rest) >= 20
    for picture, _ in rest:
        assert np.array_equal(picture, film.pictures()[-1])


@every_format
@pytest.mark.parametrize(("plays", "loop"), [(0, 0), (1, None), (3, 2)])
def test_the_file_says_what_it_is_about_and_how_often_it_plays(
    tmp_path: Path, suffix: str, plays: int, loop: int | None
) -> None:
    """A GIF counts repetitions after the first run."""
    path = tmp_path / f"film{suffix}"
    write(path, scribble(1, 20, 20, 4), plays)
    assert about_of(path) == dict(ABOUT)
    with Image.open(path) as file:
        assert file.info.get("loop") == (loop if suffix == ".gif" else plays)


@pytest.mark.parametrize(("suffix", "width"), [(".gif", 65536), (".webp", 16384)])
def test_a_picture_too_large_for_the_format_is_refused(
    tmp_path: Path, suffix: str, width: int
) -> None:
    with pytest.raises(OutputError, match=f"{width}×9"):
        SINKS[suffix](Staging(tmp_path / "film"), sink_context(width, 9, Fraction(25)))
    assert list(tmp_path.iterdir()) == []
