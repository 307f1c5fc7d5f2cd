"""What is encoded in threads comes out as if it were encoded at once."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.run_films import RunFilm, run_films
from tests.support.run_samples import CELLS, Kept, shape_of
from tests.support.sink_contexts import sink_context
from tests.support.threads import no_thread_left
from undoku.errors import EncoderError, OutputError
from undoku.h264 import parameters
from undoku.h264.gop_encoder import EncodedPart, GopEncoder
from undoku.h264.sprites import Change, Pixels
from undoku.render.draw.canvas import Canvas, Frame, Rect
from undoku.render.draw.film_parts import divided
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.write import threaded_encoder
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.film_samples import FilmSamples
from undoku.render.write.mp4_direct import DirectSink
from undoku.render.write.mp4_writer import Mp4Writer
from undoku.render.write.quality import encoder_settings
from undoku.render.write.sink import SinkContext
from undoku.render.write.staging import Staging
from undoku.render.write.threaded_encoder import ThreadedEncoder


@given(
    film=run_films(),
    cuts=st.sets(st.integers(1, 80)).map(sorted),
    key_interval=st.integers(1, 40),
    threads=st.integers(1, 3),
    most=st.sampled_from([0, 20_000]),
)
def test_runs_cut_anywhere_give_the_samples_of_their_frames_in_any_number_of_threads(
    film: RunFilm, cuts: list[int], key_interval: int, threads: int, most: int
) -> None:
    """Also where the sheet changes while an earlier run still waits, and in pictures that are
    encoded one group after the other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parameters, "MAX_MACROBLOCKS", most)
        same_in_threads(film, shape_of(film, key_interval), cuts, threads)


def same_in_threads(film: RunFilm, shape: SinkContext, cuts: list[int], threads: int) -> None:
    at_once, expected = FilmEncoder(shape.settings), Kept()
    for frame in film.play(whole=False):
        at_once.write(frame, expected)
    at_once.flush(expected)
    made, found = FilmSamples(shape.settings), Kept()
    encoder = ThreadedEncoder(made, found, threads)
    for number, part in enumerate(divided(film.play(whole=True), cuts)):
        encoder.write(part)
        if number == film.seed % 5:
            encoder.drain()
    encoder.end()
    made.flush(found)
    assert found.samples == expected.samples
    known = at_once.film
    assert (made.ticks, made.samples, made.keys) == (known.ticks, known.samples, known.keys)
    assert (made.bytes, made.counts) == (known.bytes, known.counts)
    assert made.parameters() == known.parameters()


@pytest.mark.parametrize(
    ("size", "count"), [((640, 360), 12), ((1280, 720), 3), ((1920, 1080), 1), ((3840, 2160), 1)]
)
def test_fewer_groups_of_large_pictures_are_encoded_at_the_same_time(
    size: tuple[int, int], count: int
) -> None:
    assert encoder_settings(sink_context(*size, Fraction(60)).settings).concurrent_groups == count


def test_groups_of_pictures_are_encoded_at_the_same_time_and_written_in_order() -> None:
    """The first group is held up until a later one is encoded."""
    shape = sink_context(64, 48, Fraction(60), key_interval=Fraction(1, 60))
    canvas, expected, found = Canvas(64, 48), Kept(), Kept()
    at_once, made = FilmEncoder(shape.settings), FilmSamples(shape.settings)
    later = Event()

    class _HeldUp(GopEncoder):
        number = 0

        def begin(self, number: int, known: NDArray[np.int64] | None) -> None:
            self.number = number
            super().begin(number, known)

        def encode_frame(
            self, pixels: Pixels, changes: Sequence[Change], ticks: int
        ) -> EncodedPart:
            if self.number == 1:
                assert later.wait(60)
            encoded = super().encode_frame(pixels, changes, ticks)
            if self.number == 3:
                later.set()
            return encoded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threaded_encoder, "GopEncoder", _HeldUp)
        threads = ThreadedEncoder(made, found, 2)
        for number in range(4):
            canvas.fill(Rect(8 * number, 0, 8, 48), (200, 50 * number, 90))
            frame = canvas.frame()
            at_once.write(frame, expected)
            threads.write(frame)
        threads.end()
    made.flush(found)
    at_once.flush(expected)
    assert [key for _, _, key in found.samples] == [True] * 4
    assert found.samples == expected.samples


def test_the_canvas_shows_the_last_frame_of_a_run_when_it_is_taken() -> None:
    canvas, sheet = np.zeros((48, 64, 3), np.uint8), Sheet()
    number = sheet.add(np.full((16, 16, 3), 200, np.uint8))
    threads = ThreadedEncoder(FilmSamples(sink_context(64, 48, Fraction(60)).settings), Kept(), 1)
    placed = np.array([(number, 0, 0), (number, 48, 32)], np.int32)
    threads.write(SpriteRun(canvas, sheet, np.array([0, 1, 2], np.int64), placed))
    assert canvas[:16, :16].min() == canvas[32:, 48:].min() == 200
    threads.close()


def test_a_frame_of_another_size_is_refused_at_once() -> None:
    threads = ThreadedEncoder(FilmSamples(sink_context(64, 48, Fraction(60)).settings), Kept(), 2)
    with pytest.raises(EncoderError, match="doesn't fit a film of 64x48"):
        threads.write(Frame(np.zeros((48, 48, 3), np.uint8), (), 1))


@pytest.mark.parametrize("group", [1, 2])
def test_an_error_in_any_thread_is_raised_and_ends_all_threads(group: int) -> None:
    shape = sink_context(64, 48, Fraction(60), key_interval=Fraction(1, 60))

    class _Failing(GopEncoder):
        def begin(self, number: int, known: NDArray[np.int64] | None) -> None:
            if number == group:
                raise MemoryError("no memory for a group")
            super().begin(number, known)

    canvas = Canvas(64, 48)
    with no_thread_left(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(threaded_encoder, "GopEncoder", _Failing)
        threads = ThreadedEncoder(FilmSamples(shape.settings), Kept(), 2)
        with pytest.raises(MemoryError, match="no memory for a group"):
            for number in range(20):
                canvas.fill(Rect(2 * number, 0, 2, 48), (200, 9 * number, 90))
                threads.write(canvas.frame())
            threads.end()
        threads.close()


def test_a_film_that_is_aborted_leaves_no_thread_and_no_file(tmp_path: Path) -> None:
    shape = sink_context(192, 144, Fraction(60), "draft", key_interval=Fraction(1, 6))
    with (
        no_thread_left(),
        pytest.raises(KeyboardInterrupt),
        DirectSink(Staging(tmp_path / "film.mp4"), shape) as sink,
    ):
        for number, part in enumerate(CELLS.play(whole=True)):
            if isinstance(part, SpriteRun):
                sink.write_run(part)
            else:
                sink.write(part)
            if number == 4:
                raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_ends_the_film_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Mp4Writer, "add", full)
    monkeypatch.setattr(Mp4Writer, "add_many", full)
    shape = sink_context(192, 144, Fraction(60), "draft")
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


def test_frames_are_taken_while_an_earlier_one_is_encoded() -> None:
    """Each is encoded as it was when it was taken, whatever was drawn since."""
    shape, gate, seen = sink_context(64, 48, Fraction(60)), Event(), []

    class _Waiting(GopEncoder):
        def encode_frame(
            self, pixels: Pixels, changes: Sequence[Change], ticks: int
        ) -> EncodedPart:
            gate.wait(60)
            seen.append(pixels.copy())
            return super().encode_frame(pixels, changes, ticks)

    canvas, expected = Canvas(64, 48), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threaded_encoder, "GopEncoder", _Waiting)
        threads = ThreadedEncoder(FilmSamples(shape.settings), Kept(), 1)
        for number in range(8):
            canvas.fill(Rect(8 * number, 4 * number, 8, 8), (200, number, 90))
            frame = canvas.frame()
            expected.append(frame.pixels.copy())
            threads.write(frame)
        assert not seen
        gate.set()
        threads.end()
    assert np.array_equal(seen, expected)
