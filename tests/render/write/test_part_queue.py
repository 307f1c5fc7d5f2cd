"""What is written in a thread comes out as if it were written at once."""

from __future__ import annotations

from threading import Event, Timer

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.run_films import RunFilm, run_films
from undoku.errors import OutputError
from undoku.render.delivery.write import write_frames
from undoku.render.draw.canvas import Canvas, Frame
from undoku.render.draw.film_parts import divided
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.write.part_queue import ThreadedWriter


class _Kept:
    """A writer that keeps each frame as a picture, at most `most`. It waits until `gate` is
    opened, if there is one."""

    def __init__(self, gate: Event | None = None, most: int = 10_000) -> None:
        self._gate, self._most = gate, most
        self.seen: list[NDArray[np.uint8]] = []

    def write(self, frame: Frame) -> None:
        if self._gate:
            self._gate.wait(10)
        if len(self.seen) == self._most:
            raise OutputError("no further frame")
        self.seen += [frame.pixels.copy()] * frame.ticks

    def write_run(self, run: SpriteRun) -> None:
        for frame in run.frames():
            self.write(frame)


@given(film=run_films(), cuts=st.sets(st.integers(1, 80)).map(sorted))
def test_runs_cut_anywhere_give_the_pictures_of_their_frames(
    film: RunFilm, cuts: list[int]
) -> None:
    """Also where the sheet changes while an earlier run still waits."""
    at_once, found = _Kept(), _Kept()
    write_frames(film.play(whole=False), at_once, None, 0)
    thread = ThreadedWriter(found)
    write_frames(divided(film.play(whole=True), cuts), thread, None, 0)
    thread.drain()
    thread.close()
    assert np.array_equal(found.seen, at_once.seen)


def test_an_error_ends_the_film_and_nothing_is_written_after_it() -> None:
    canvas, writer = Canvas(64, 48), _Kept(most=2)
    thread = ThreadedWriter(writer)
    with pytest.raises(OutputError, match="no further frame"):
        for _ in range(8):
            thread.write(canvas.frame())
        thread.drain()
    with pytest.raises(OutputError, match="no further frame"):
        thread.drain()
    thread.close()
    assert len(writer.seen) == 2


def test_a_thread_that_is_closed_does_not_write_the_rest_of_a_long_run() -> None:
    canvas, sheet, gate = np.zeros((48, 64, 3), np.uint8), Sheet(), Event()
    number = sheet.add([np.full((16, 16, 3), 200, np.uint8)])
    placed = np.full((1000, 3), (number, 0, 0), np.int32)
    writer = _Kept(gate)
    thread = ThreadedWriter(writer)
    thread.write_run(SpriteRun(canvas, sheet, np.arange(1001), placed))
    Timer(0.1, gate.set).start()
    thread.close()
    assert len(writer.seen) < 100
