"""What is encoded in a thread comes out as if it were encoded at once."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from render.drawing.canvas import Canvas, Frame, Rect
from render.drawing.cutting import divided
from render.drawing.sprite_run import Sheet, SpriteRun
from render.sinks.contract import FilmShape
from render.sinks.h264.film_encoder import FilmEncoder, SampleWriter
from render.sinks.h264.threaded_encoder import ThreadedEncoder
from render.sinks.mp4.direct_sink import DirectSink
from render.sinks.mp4.writer import Mp4Writer
from render.sinks.staging import Staging
from solver.errors import EncoderError, OutputError
from tests.support.run_films import RunFilm, run_films
from tests.support.run_samples import CELLS, Kept, shape_of


@given(
    film=run_films(),
    cuts=st.sets(st.integers(1, 80)).map(sorted),
    key_interval=st.integers(1, 40),
)
def test_runs_cut_anywhere_give_the_samples_of_their_frames(
    film: RunFilm, cuts: list[int], key_interval: int
) -> None:
    """Also where the sheet changes while an earlier run still waits."""
    shape = shape_of(film, key_interval)
    at_once, expected = FilmEncoder(shape), Kept()
    for frame in film.play(whole=False):
        assert isinstance(frame, Frame)
        at_once.write(frame, expected)
    at_once.flush(expected)
    encoder, found = FilmEncoder(shape), Kept()
    thread = ThreadedEncoder(encoder, found, shape)
    for part in divided(film.play(whole=True), cuts):
        if isinstance(part, SpriteRun):
            thread.write_run(part)
        else:
            thread.write(part)
    thread.drain()
    thread.close()
    encoder.flush(found)
    assert found.samples == expected.samples


def test_the_canvas_shows_the_last_frame_of_a_run_when_it_is_taken() -> None:
    canvas, sheet = np.zeros((48, 64, 3), np.uint8), Sheet()
    number = sheet.add(np.full((16, 16, 3), 200, np.uint8))
    shape = FilmShape(64, 48, Fraction(60))
    thread = ThreadedEncoder(FilmEncoder(shape), Kept(), shape)
    placed = np.array([(number, 0, 0), (number, 48, 32)], np.int32)
    thread.write_run(SpriteRun(canvas, sheet, np.array([0, 1, 2], np.int64), placed))
    assert canvas[:16, :16].min() == canvas[32:, 48:].min() == 200
    thread.close()


def test_a_frame_of_another_size_is_refused_at_once() -> None:
    shape = FilmShape(64, 48, Fraction(60))
    thread = ThreadedEncoder(FilmEncoder(shape), Kept(), shape)
    with pytest.raises(EncoderError, match="doesn't fit a film of 64x48"):
        thread.write(Frame(np.zeros((48, 48, 3), np.uint8), (), 1))


def test_a_disk_that_is_full_ends_the_film_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Mp4Writer, "add", full)
    monkeypatch.setattr(Mp4Writer, "add_many", full)
    shape = FilmShape(192, 144, Fraction(60), "draft")
    with (
        pytest.raises(OutputError, match=r"No space left|full"),
        DirectSink(Staging(tmp_path / "film.mp4"), shape) as sink,
    ):
        for part in CELLS.play(whole=True):
            if isinstance(part, SpriteRun):
                sink.write_run(part)
            else:
                sink.write(part)
        sink.finish()
    assert not list(tmp_path.iterdir())


class _Gate:
    """An encoder that waits until it is opened, and keeps the canvas of each frame."""

    def __init__(self) -> None:
        self.open = Event()
        self.seen: list[NDArray[np.uint8]] = []

    def write(self, frame: Frame, _: SampleWriter) -> None:
        self.open.wait(10)
        self.seen.append(frame.pixels.copy())

    def write_run(self, run: SpriteRun, writer: SampleWriter) -> None:
        for frame in run.frames():
            self.write(frame, writer)


def test_frames_are_taken_while_an_earlier_one_is_encoded() -> None:
    """Each is encoded as it was when it was taken, whatever was drawn since."""
    canvas, gate = Canvas(64, 48), _Gate()
    thread = ThreadedEncoder(gate, Kept(), FilmShape(64, 48, Fraction(60)))
    expected = []
    for number in range(8):
        canvas.fill(Rect(8 * number, 4 * number, 8, 8), (200, number, 90))
        frame = canvas.frame()
        expected.append(frame.pixels.copy())
        thread.write(frame)
    assert not gate.seen
    gate.open.set()
    thread.drain()
    thread.close()
    assert np.array_equal(gate.seen, expected)
