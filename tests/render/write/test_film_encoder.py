"""Films are encoded as if frame by frame, however they come in runs and in how many threads."""

from __future__ import annotations

import io
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.support.run_films import RunFilm, run_films
from tests.support.run_samples import Kept, encoded, shape_of
from tests.support.sink_contexts import sink_context
from tests.support.threads import no_thread_left
from undoku.h264 import parameters, picture_encoder
from undoku.h264.gop_encoder import GopEncoder
from undoku.render.draw.canvas import Canvas, Change, Frame, Rect
from undoku.render.draw.film_parts import divided
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.write import film_encoder
from undoku.render.write.film_encoder import FilmEncoder
from undoku.render.write.mp4_writer import Mp4Writer

SHORT_GROUPS = sink_context(64, 48, Fraction(60), key_interval=Fraction(1, 60))


def growing(frames: int) -> list[Frame]:
    """Frames with a coloured area that grows, each on pixels of its own."""
    canvas, found = Canvas(64, 48), []
    for number in range(frames):
        canvas.fill(Rect(2 * number, 0, 2, 48), (200, 9 * number, 90))
        frame = canvas.frame()
        found.append(Frame(frame.pixels.copy(), frame.changes))
    return found


@given(
    film=run_films(),
    cuts=st.sets(st.integers(1, 80)).map(sorted),
    key_interval=st.integers(1, 40),
    threads=st.integers(1, 3),
    most=st.sampled_from([0, 20_000]),
    batch=st.integers(0, 2000),
)
def test_runs_cut_anywhere_give_the_samples_of_their_frames_in_any_number_of_threads(
    film: RunFilm, cuts: list[int], key_interval: int, threads: int, most: int, batch: int
) -> None:
    """Also where the sheet changes while an earlier run still waits, in pictures of which one group
    is encoded after the other, and whenever the loop returns its samples."""
    shape = shape_of(film, key_interval)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parameters, "MAX_MACROBLOCKS", most)
        expected = encoded(shape, film.play(whole=False))
        patch.setattr(picture_encoder, "BATCH_BYTES", batch)
        assert encoded(shape, divided(film.play(whole=True), cuts), threads) == expected


@pytest.mark.parametrize("group", [1, 2])
def test_an_error_in_any_thread_is_raised_and_ends_all_threads(group: int) -> None:
    class _Failing(GopEncoder):
        def begin(self, number: int, known: NDArray[np.int64] | None) -> None:
            if number == group:
                raise MemoryError("no memory for a group")
            super().begin(number, known)

    with no_thread_left(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(film_encoder, "GopEncoder", _Failing)
        film = FilmEncoder(SHORT_GROUPS.settings, Kept(), 2)
        with pytest.raises(MemoryError, match="no memory for a group"):
            for frame in growing(20):
                film.write(frame)
            film.end()
        film.close()


def test_frames_that_change_nothing_lengthen_the_previous_one_at_a_variable_rate() -> None:
    """Also the one from before the run. When the run is taken, the canvas shows its last frame."""
    canvas, sheet, kept = np.zeros((48, 64, 3), np.uint8), Sheet(), Kept()
    number = sheet.add([np.full((16, 16, 3), 200, np.uint8)])
    film = FilmEncoder(sink_context(64, 48, Fraction(60), variable_rate=True).settings, kept, 1)
    film.write(Frame(canvas, (Change(Rect(0, 0, 64, 48)),), 2))
    first = np.array([0, 0, 0, 1, 1, 2, 2], np.int64)
    placed = np.array([(number, 16, 0), (number, 16, 0)], np.int32)
    film.write(SpriteRun(canvas, sheet, first, placed))
    assert (canvas[:16, 16:32] == 200).all()
    film.end()
    held = 4 * film.timescale // 60
    assert [sample[1:] for sample in kept.samples] == [(held, True), (held, False)]


@pytest.mark.parametrize(
    ("size", "fps", "seconds"),
    [((640, 360), 30, 20), ((1280, 720), 60, 20), ((1920, 1080), 60, 11.8), ((3840, 2160), 60, 5)],
)
def test_larger_and_faster_films_have_nearer_key_frames(
    size: tuple[int, int], fps: int, seconds: float
) -> None:
    """What a player must decode to seek takes about as long for all, but key frames are never
    nearer than five seconds."""
    film = FilmEncoder(sink_context(*size, Fraction(fps)).settings, Kept(), 1)
    assert film.key_interval / fps == pytest.approx(seconds, rel=0.03)


@given(
    samples=st.lists(st.tuples(st.integers(1, 1000), st.integers(1, 9)), min_size=1, max_size=60),
    window=st.integers(1, 30),
)
def test_the_load_of_a_film_is_its_largest_sample_and_its_busiest_window(
    samples: list[tuple[int, int]], window: int
) -> None:
    sizes, durations = np.array(samples, np.int64).T
    writer = Mp4Writer(io.BytesIO())
    writer.add(memoryview(b""), sizes, durations, np.zeros(len(sizes), np.bool_))
    starts = np.cumsum(durations) - durations
    within = [sizes[(starts > at - window) & (starts <= at)].sum() for at in starts]
    assert writer.load(window) == (sizes.max(), max(within))
