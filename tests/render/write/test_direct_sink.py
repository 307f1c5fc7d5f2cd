"""Films written without an encoder: two foreign decoders show what the canvas held."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support.amounts import few
from tests.support.board_films import HEIGHT, WIDTH, board_film, psnr
from tests.support.decoded_streams import (
    check_level,
    check_vectors,
    headers,
    vectors,
)
from tests.support.direct_films import decode, stored_pictures, write
from tests.support.film_decoders import DECODERS
from tests.support.film_index import film_index
from tests.support.run_films import RunFilm, run_films
from tests.support.sink_contexts import sink_context
from undoku.errors import SettingsError
from undoku.render.draw.canvas import Canvas, Frame, Rect
from undoku.render.draw.film_parts import frames_of
from undoku.render.write.encoder_choice import direct_refusal
from undoku.render.write.mp4_direct import DirectSink, DirectStream
from undoku.render.write.staging import Staging

SHAPE = sink_context(WIDTH, HEIGHT, Fraction(60), about=(("title", "Two boards"),))


@settings(
    few(6),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    film=run_films(),
    fps=st.sampled_from([Fraction(60), Fraction(30000, 1001), Fraction(1, 2)]),
    quality=st.sampled_from(["draft", "standard", "archive"]),
    variable_rate=st.booleans(),
)
@example(RunFilm(2, 2, 1, False, False, (("frames", 1),), 0), Fraction(60), "standard", False)
def test_any_film_decodes_alike_and_near_the_canvas(
    tmp_path: Path, film: RunFilm, fps: Fraction, quality: str, variable_rate: bool
) -> None:
    """Whatever is drawn: both decoders agree to the bit, and differ from the canvas by quantisation
    only, to which copying adds nothing. By ffmpeg's own reading every bit follows the syntax, and
    vectors stay in the picture and in the level's range."""
    shape = sink_context(film.width, film.height, fps, quality, variable_rate=variable_rate)
    path = tmp_path / f"{os.urandom(4).hex()}.mp4"
    written = write(path, shape, frames_of(film.play(whole=False)))
    first, second = (decode(path, shape, decoder) for decoder in DECODERS)
    assert np.array_equal(first, second)
    assert len(first) == written.frames
    # In a picture smaller than a macroblock the samples that are seen may have all its error.
    least = {"draft": 36, "standard": 42, "archive": 47}[quality]
    ticks = []
    stored = stored_pictures(frames_of(film.play(whole=False)), shape)
    for picture, (right, held) in zip(first, stored, strict=True):
        assert psnr(picture, right) > least - 6 * (right.size < 384)
        ticks.append(held)
    assert written.duration == sum(ticks) / fps
    sequence, parameters, *_ = headers(path)
    assert sequence["constraint_set1_flag"]
    names = ("colour_primaries", "transfer_characteristics", "matrix_coefficients")
    assert [sequence[name] for name in names] == [1, 1, 1]
    assert (sequence["video_full_range_flag"], sequence["aspect_ratio_idc"]) == (0, 1)
    rate = Fraction(sequence["time_scale"], 2 * sequence["num_units_in_tick"])
    assert rate == fps
    assert sequence["fixed_frame_rate_flag"] == (not variable_rate)
    assert 12 <= 26 + parameters["pic_init_qp_minus26"] <= 24
    check_vectors(sequence, vectors(path))
    index = film_index(path)
    assert index.durations == [held / fps for held in ticks]
    check_level(sequence, index.sizes, index.durations)


def test_a_picture_that_holds_is_repeated_by_small_samples_and_has_key_frames(
    tmp_path: Path,
) -> None:
    """At the interval exactly, so that a player finds one however long nothing changes."""
    canvas = Canvas(64, 64)
    canvas.fill(Rect(0, 0, 64, 64), (20, 20, 20))

    def frames() -> Iterator[Frame]:
        yield canvas.frame(90)
        yield canvas.frame(30)
        canvas.fill(Rect(0, 0, 9, 9), (20, 20, 20))  # drawn over, yet nothing changes
        yield canvas.frame()
        canvas.fill(Rect(0, 0, 9, 9), (90, 20, 20))
        yield canvas.frame(4)

    shape = sink_context(64, 64, Fraction(60), key_interval=Fraction(1, 2))
    written = write(tmp_path / "film.mp4", shape, frames())
    index = film_index(written.path)
    assert index.durations == [Fraction(1, 60)] * 125
    assert index.key_frames == [0, 30, 60, 90, 120]
    assert max(index.sizes[number] for number in range(121) if number % 30) <= 12
    decoded = decode(written.path, shape, "h264")
    assert (decoded[:121] == decoded[0]).all()
    assert (decoded[121:] == decoded[121]).all()
    assert not np.array_equal(decoded[0], decoded[121])


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_film_can_be_entered_at_every_key_frame(tmp_path: Path, decoder: str) -> None:
    """They are as far apart as requested, and decoding from each of them gives the same pictures as
    decoding from the start."""
    shape = sink_context(WIDTH, HEIGHT, Fraction(4), key_interval=Fraction(10))
    path = write(tmp_path / "film.mp4", shape, board_film(130)).path
    whole = decode(path, shape, "h264")
    keys = film_index(path).key_frames
    assert keys == [0, 40, 80, 120]
    for key in keys[1:]:
        part = decode(path, shape, decoder, "-ss", str(key / 4 - 0.05))
        assert np.array_equal(part, whole[key:])


def test_a_stream_holds_the_same_pictures(tmp_path: Path) -> None:
    shape = sink_context(WIDTH, HEIGHT, Fraction(4))
    whole = write(tmp_path / "film.mp4", shape, board_film(50, ticks=2))
    stream = io.BytesIO()
    sink = DirectStream(stream, shape)
    for frame in board_film(50, ticks=2):
        sink.write(frame)
    written = sink.finish()
    assert (written.frames, written.duration) == (whole.frames, whole.duration)
    assert written.bytes == len(stream.getvalue())
    assert stream.getvalue().count(b"moof") == 25
    (tmp_path / "stream.mp4").write_bytes(stream.getvalue())
    assert film_index(tmp_path / "stream.mp4").durations == [Fraction(1, 4)] * 100
    for decoder in DECODERS:
        assert np.array_equal(
            decode(tmp_path / "stream.mp4", shape, decoder), decode(whole.path, shape, decoder)
        )


@pytest.mark.parametrize(
    ("width", "height", "further", "sentence"),
    [
        (321, 180, {}, "odd side"),
        (320, 180, {"quality": "best"}, "no quality 'best'"),
        (16000, 16000, {}, "more than any level of H.264 allows"),
        (1280, 720, {"level": "3.1"}, "needs level 4.0 of H.264, more than the 3.1"),
    ],
)
def test_impossible_films_are_refused_before_they_are_drawn(
    tmp_path: Path, width: int, height: int, further: dict[str, Any], sentence: str
) -> None:
    shape = sink_context(width, height, Fraction(60), **further)
    if "quality" not in further:
        assert sentence in direct_refusal(shape.settings)
    with pytest.raises(SettingsError, match=sentence):
        DirectSink(Staging(tmp_path / "film.mp4"), shape)
    assert not list(tmp_path.iterdir())


def test_a_film_that_a_level_allows_is_not_refused() -> None:
    assert direct_refusal(SHAPE.settings) == ""
    assert direct_refusal(replace(SHAPE.settings, width=1280, height=720, level="4.2")) == ""
