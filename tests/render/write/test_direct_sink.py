"""Films written without an encoder: two foreign decoders show what the canvas held."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings

from tests.support.board_films import HEIGHT, WIDTH, board_film, psnr
from tests.support.decoded_streams import (
    check_level,
    check_vectors,
    headers,
    macroblocks,
    vectors,
)
from tests.support.direct_films import decode, drawn, films, stored_pictures, write
from tests.support.film_decoders import DECODERS
from tests.support.film_index import film_index
from tests.support.sink_contexts import sink_context
from undoku.errors import EncoderError, SettingsError
from undoku.render.draw.canvas import Canvas, Change, Frame, Rect
from undoku.render.write.encoder_choice import direct_refusal
from undoku.render.write.mp4_direct import DirectSink, DirectStream
from undoku.render.write.sink import SinkContext, Written
from undoku.render.write.staging import Staging

SHAPE = sink_context(WIDTH, HEIGHT, Fraction(60), about=(("title", "Two boards"),))


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(film=films())
@example(film=(sink_context(2, 2, Fraction(60), "standard"), [([(1, 0, 0, 1, 1, 0)], 1)], 0))
def test_any_film_decodes_alike_and_near_the_canvas(tmp_path: Path, film: Any) -> None:
    """Whatever is drawn: both decoders agree to the bit, and differ from the canvas by quantisation
    only, to which copying adds nothing."""
    shape = film[0]
    path = tmp_path / f"{os.urandom(4).hex()}.mp4"
    written = write(path, shape, drawn(*film))
    first, second = (decode(path, shape, decoder) for decoder in DECODERS)
    assert np.array_equal(first, second)
    assert len(first) == written.frames
    assert written.duration == sum(ticks for _, ticks in film[1]) / shape.settings.fps
    # In a picture smaller than a macroblock the samples that are seen may have all its error.
    least = {"draft": 36, "standard": 42, "archive": 47}[shape.settings.quality]
    for picture, (right, _) in zip(first, stored_pictures(drawn(*film), shape), strict=True):
        assert psnr(picture, right) > least - 6 * (right.size < 384)


@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(film=films())
def test_every_bit_follows_the_syntax(tmp_path: Path, film: Any) -> None:
    """By ffmpeg's own reading of the headers, and of the vectors, which stay in the picture and in
    the level's range."""
    context = film[0]
    path = tmp_path / f"{os.urandom(4).hex()}.mp4"
    write(path, context, drawn(*film))
    sequence, picture, *_ = headers(path)
    assert sequence["constraint_set1_flag"]
    names = ("colour_primaries", "transfer_characteristics", "matrix_coefficients")
    assert [sequence[name] for name in names] == [1, 1, 1]
    assert (sequence["video_full_range_flag"], sequence["aspect_ratio_idc"]) == (0, 1)
    rate = Fraction(sequence["time_scale"], 2 * sequence["num_units_in_tick"])
    assert rate == context.settings.fps
    assert sequence["fixed_frame_rate_flag"] == (not context.settings.variable_rate)
    assert 12 <= 26 + picture["pic_init_qp_minus26"] <= 24
    check_vectors(sequence, vectors(path))
    index = film_index(path)
    check_level(sequence, index.sizes, index.durations)


def test_contents_that_return_are_copied(tmp_path: Path) -> None:
    """A content that was lost and comes back is kept: from then on it is copied."""
    canvas = Canvas(64, 64)
    canvas.fill(Rect(0, 0, 64, 64), (20, 20, 20))
    looks = np.random.default_rng(1).integers(0, 256, (4, 16, 16, 3), np.uint8)

    def frames() -> Any:
        yield canvas.frame()
        for number in range(60):
            canvas.put(looks[number % 4], 16, 32)
            yield canvas.frame()

    write(tmp_path / "film.mp4", sink_context(64, 64, Fraction(60)), frames())
    assert all(size < 28 for size in film_index(tmp_path / "film.mp4").sizes[16:])
    for picture in macroblocks(tmp_path / "film.mp4")[16:]:
        assert [one.kind for one in picture if one.kind != "S"] == [">"]


def _holding(path: Path, *, variable_rate: bool, key_interval: Fraction | None = None) -> Written:
    """A film at 60 frames per second: a picture of 121 ticks, and one of four."""
    canvas = Canvas(64, 64)
    canvas.fill(Rect(0, 0, 64, 64), (20, 20, 20))
    holds = [canvas.frame(90), canvas.frame(30)]
    shape = sink_context(
        64, 64, Fraction(60), variable_rate=variable_rate, key_interval=key_interval
    )
    with DirectSink(Staging(path), shape) as sink:
        for frame in holds:
            sink.write(frame)
        canvas.fill(Rect(0, 0, 9, 9), (20, 20, 20))  # drawn over, yet nothing changes
        sink.write(canvas.frame())
        canvas.fill(Rect(0, 0, 9, 9), (90, 20, 20))
        sink.write(canvas.frame(4))
        return sink.finish()


def test_a_film_has_a_constant_rate_and_a_sample_for_each_tick(tmp_path: Path) -> None:
    """Pictures that hold included: they are repeated by samples of a few bytes."""
    written = _holding(tmp_path / "film.mp4", variable_rate=False)
    assert (written.frames, written.duration) == (125, Fraction(125, 60))
    index = film_index(written.path)
    assert index.durations == [Fraction(1, 60)] * 125
    assert max(index.sizes[1:121]) <= 12
    for decoder in DECODERS:
        decoded = decode(written.path, sink_context(64, 64, Fraction(60)), decoder)
        assert (decoded[:121] == decoded[0]).all()
        assert (decoded[121:] == decoded[121]).all()
        assert not np.array_equal(decoded[0], decoded[121])


def test_a_picture_that_holds_for_long_has_key_frames_too(tmp_path: Path) -> None:
    """At the interval exactly, so that a player finds one however long nothing changes."""
    written = _holding(tmp_path / "film.mp4", variable_rate=False, key_interval=Fraction(1, 2))
    assert film_index(written.path).key_frames == [0, 30, 60, 90, 120]
    decoded = decode(written.path, sink_context(64, 64, Fraction(60)), "h264")
    assert (decoded[:121] == decoded[0]).all()


def test_a_picture_that_holds_is_one_long_frame_at_a_variable_rate(tmp_path: Path) -> None:
    written = _holding(tmp_path / "film.mp4", variable_rate=True)
    assert written.frames == 2
    assert written.duration == Fraction(125, 60)
    assert film_index(written.path).durations == [Fraction(121, 60), Fraction(4, 60)]


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


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    written = write(tmp_path / "film.mp4", SHAPE, board_film(40, ticks=3))
    film = film_index(written.path)
    assert film.index_first
    assert (film.profile, film.colour) == ("Constrained Baseline", (1, 1, 1, 1))
    assert (film.width, film.height) == (written.width, written.height) == (WIDTH, HEIGHT)
    assert film.frames == written.frames == 120
    assert film.duration == written.duration == Fraction(2)
    assert b"Two boards" in written.path.read_bytes()
    assert written.bytes == written.path.stat().st_size


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
    for decoder in DECODERS:
        assert np.array_equal(
            decode(tmp_path / "stream.mp4", shape, decoder), decode(whole.path, shape, decoder)
        )


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        (sink_context(321, 180, Fraction(60)), "odd side"),
        (sink_context(320, 180, Fraction(60), "best"), "no quality 'best'"),
        (sink_context(16000, 16000, Fraction(60)), "more than any level of H.264 allows"),
    ],
)
def test_impossible_films_are_refused(tmp_path: Path, shape: SinkContext, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        DirectSink(Staging(tmp_path / "film.mp4"), shape)
    assert not list(tmp_path.iterdir())


def test_frames_of_another_size_and_films_without_frames_are_refused(tmp_path: Path) -> None:
    wrong = Frame(np.zeros((20, 20, 3), np.uint8), (Change(Rect(0, 0, 20, 20)),))
    with DirectSink(Staging(tmp_path / "film.mp4"), SHAPE) as sink:
        with pytest.raises(EncoderError, match="doesn't fit"):
            sink.write(wrong)
        with pytest.raises(EncoderError, match="would have no frame"):
            sink.finish()
    assert not list(tmp_path.iterdir())


def test_a_film_above_all_levels_is_refused_before_it_is_drawn() -> None:
    assert direct_refusal(SHAPE.settings) == ""
    assert "odd side" in direct_refusal(sink_context(321, 180, Fraction(60)).settings)
    assert "any level" in direct_refusal(sink_context(16000, 16000, Fraction(60)).settings)
    assert direct_refusal(replace(SHAPE.settings, width=1280, height=720, level="4.2")) == ""
    refused = direct_refusal(replace(SHAPE.settings, width=1280, height=720, level="3.1"))
    assert "needs level 4.0 of H.264, more than the 3.1 that was asked for" in refused
