"""Animated PNG and WebP hold every frame's pixels and times exactly, with any decoder."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.support.changed_films import Scribble, by_ffmpeg, by_pillow, scribble
from tests.support.sink_contexts import sink_context
from undoku.errors import OutputError
from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.write.apng import ApngSink
from undoku.render.write.sink import Written
from undoku.render.write.staging import Staging
from undoku.render.write.webp import WebpSink

SINKS = {".apng": ApngSink, ".webp": WebpSink}
ABOUT = (("Title", "One puzzle & <two> orders"), ("Command", "undoku render"))
both = pytest.mark.parametrize("suffix", SINKS)


def write(path: Path, film: Scribble) -> Written:
    shape = sink_context(film.width, film.height, film.fps, "draft", ABOUT)
    with SINKS[path.suffix](Staging(path, overwrite=True), shape) as sink:
        for frame in film:
            sink.write(frame)
        return sink.finish()


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
    wanted, decoded = expected(film), by_pillow(path)
    assert written.frames == len(wanted) == len(decoded)
    assert abs(written.duration - film.duration) <= Fraction(1, 1000)
    assert written.bytes == path.stat().st_size
    at = 0.0
    for (picture, end), (read, milliseconds) in zip(wanted, decoded, strict=True):
        assert np.array_equal(picture, read)
        at += milliseconds
        assert abs(at - end * 1000) <= 1 + len(wanted) / 2  # Pillow rounds every delay


@both
@given(
    seed=st.integers(0, 1 << 32),
    width=st.integers(1, 50),
    height=st.integers(1, 50),
    frames=st.integers(1, 10),
    fps=st.sampled_from([Fraction(1, 2), Fraction(24000, 1001), *map(Fraction, (7, 25, 30, 60))]),
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
    film = scribble(
        seed, width, height, frames, fps=fps, colours=colours, longest=longest, fills=40
    )
    check(path, film, write(path, film))


@both
@pytest.mark.parametrize("colours", [60, 1500])
def test_ffmpeg_decodes_the_same_pictures_at_the_same_times(
    tmp_path: Path, suffix: str, colours: int
) -> None:
    film = scribble(8, 203, 117, 60, fps=Fraction(30), colours=colours, longest=3, fills=30)
    path = tmp_path / f"film{suffix}"
    check(path, film, write(path, film))
    wanted = expected(film)
    pictures, seconds = by_ffmpeg(path, film.width, film.height)
    assert len(pictures) == len(wanted)
    starts = [0.0, *(float(end) for _, end in wanted)]
    for (picture, _), read, second, start in zip(
        wanted, pictures, seconds, starts[:-1], strict=True
    ):
        assert np.array_equal(picture, read)
        assert second == pytest.approx(start, abs=0.001)


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


@both
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


@both
def test_long_holds_are_kept(tmp_path: Path, suffix: str) -> None:
    film = Scribble(
        6,
        5,
        Fraction(60),
        (
            (((Rect(0, 0, 6, 5), (1, 2, 3)),), 1),
            (((Rect(2, 1, 2, 2), (250, 2, 3)),), 5 * 60 * 3600),
        ),
    )
    path = tmp_path / f"film{suffix}"
    written = write(path, film)
    decoded = by_pillow(path)
    assert written.frames == len(decoded) > 2
    assert abs(written.duration - film.duration) <= Fraction(1, 1000)
    for picture, _ in decoded[1:]:
        assert np.array_equal(picture, film.pictures()[-1])


@both
def test_the_file_says_what_it_is_about_and_runs_for_ever(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film{suffix}"
    write(path, scribble(1, 20, 20, 4))
    with Image.open(path) as file:
        assert file.info["loop"] == 0
        if suffix == ".apng":
            assert file.text == dict(ABOUT)  # type: ignore[attr-defined]
        else:
            assert b"Title: One puzzle &amp; &lt;two&gt; orders\n" in file.info["xmp"]


def test_a_webp_larger_than_the_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="16384×9"):
        WebpSink(Staging(tmp_path / "film.webp"), sink_context(16384, 9, Fraction(25)))
    assert list(tmp_path.iterdir()) == []
