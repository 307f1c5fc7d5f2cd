"""Runs are coded as their frames would be one by one, to the byte."""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_films import RunFilm, run_films
from tests.support.run_samples import CELLS, Kept, shape_of
from tests.support.sink_contexts import sink_context
from undoku.errors import EncoderError
from undoku.h264 import picture_encoder
from undoku.render.draw.canvas import Change, Frame, Rect
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.mp4_direct import DirectSink, DirectStream
from undoku.render.write.sink import SinkContext
from undoku.render.write.staging import Staging


def written(film: RunFilm, shape: SinkContext, *, whole: bool) -> tuple[Any, ...]:
    encoder, muxer = FilmEncoder(shape.settings), Kept()
    for part in film.play(whole=whole):
        encoder.write(part, muxer)
        pixels = part.pixels
    encoder.flush(muxer)
    made = encoder.film
    counts = made.samples, made.keys, made.ticks, made.bytes, made.counts, made.parameters()
    return muxer.samples, counts, encoder.decoded().tobytes(), pixels.tobytes()


@given(film=run_films(), key_interval=st.integers(1, 40))
def test_a_run_is_coded_as_its_frames_one_by_one(film: RunFilm, key_interval: int) -> None:
    shape = shape_of(film, key_interval)
    runs, frames = (written(film, shape, whole=whole) for whole in (True, False))
    for found, expected in zip(runs, frames, strict=True):
        assert found == expected


@given(film=run_films(), batch=st.integers(0, 2000))
def test_samples_that_are_handed_over_often_are_the_same(film: RunFilm, batch: int) -> None:
    shape = shape_of(film)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picture_encoder, "BATCH_BYTES", batch)
        found = written(film, shape, whole=True)
    assert found == written(film, shape, whole=False)


@pytest.mark.parametrize("variable_rate", [False, True])
def test_the_file_is_the_same(tmp_path: Path, variable_rate: bool) -> None:
    shape = sink_context(192, 144, Fraction(60), "draft", variable_rate=variable_rate)
    for whole in (True, False):
        with DirectSink(Staging(tmp_path / f"{whole}.mp4"), shape) as sink:
            for part in CELLS.play(whole=whole):
                if isinstance(part, SpriteRun):
                    sink.write_run(part)
                else:
                    sink.write(part)
            sink.finish()
    assert (tmp_path / "True.mp4").read_bytes() == (tmp_path / "False.mp4").read_bytes()


def test_the_stream_is_the_same() -> None:
    shape = sink_context(192, 144, Fraction(60), "draft", key_interval=Fraction(1))
    streams = io.BytesIO(), io.BytesIO()
    for stream in streams:
        sink = DirectStream(stream, shape)
        for part in CELLS.play(whole=stream is streams[0]):
            if isinstance(part, SpriteRun):
                sink.write_run(part)
            else:
                sink.write(part)
        sink.finish()
    assert streams[0].getvalue() == streams[1].getvalue()
    assert streams[0].getvalue().count(b"moof") > 4


def test_frames_that_change_nothing_lengthen_the_previous_one_at_a_variable_rate() -> None:
    """Also the one from before the run."""
    canvas, sheet = np.zeros((48, 64, 3), np.uint8), Sheet()
    number = sheet.add(np.full((16, 16, 3), 200, np.uint8))
    shape = sink_context(64, 48, Fraction(60), variable_rate=True)
    encoder, muxer = FilmEncoder(shape.settings), Kept()
    encoder.write(Frame(canvas, (Change(Rect(0, 0, 64, 48)),), 2), muxer)
    first = np.array([0, 0, 0, 1, 1, 2, 2], np.int64)
    placed = np.array([(number, 16, 0), (number, 16, 0)], np.int32)
    encoder.write(SpriteRun(canvas, sheet, first, placed), muxer)
    encoder.flush(muxer)
    unit = encoder.film.timescale // 60
    assert [(ticks, key) for _, ticks, key in muxer.samples] == [
        (4 * unit, True),
        (4 * unit, False),
    ]
    assert (canvas[:16, 16:32] == 200).all()


def test_a_run_of_another_size_or_after_the_end_is_refused(tmp_path: Path) -> None:
    run = SpriteRun(
        np.zeros((48, 66, 3), np.uint8), Sheet(), np.zeros(2, np.int64), np.empty((0, 3), np.int32)
    )
    sink = DirectSink(Staging(tmp_path / "film.mp4"), sink_context(64, 48, Fraction(60)))
    with pytest.raises(EncoderError, match="doesn't fit"):
        sink.write_run(run)
    sink.abort()
    with pytest.raises(EncoderError, match="closed"):
        sink.write_run(run)
