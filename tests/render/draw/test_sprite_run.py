"""Runs of frames: what is played from one is what was put into it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_films import RunFilm, run_films
from undoku.render.draw.canvas import Canvas, Frame
from undoku.render.draw.film_parts import divided, frames_of, ticks_of
from undoku.render.draw.sprite_run import Sheet, SpriteRun


def picture(width: int, height: int, shade: int) -> np.ndarray:
    made = np.full((height, width, 3), shade, np.uint8)
    made[0, 0] = shade, 1, 2
    return made


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.integers(0, 6)), max_size=60),
    st.integers(0, 20),
)
def test_a_run_played_at_once_shows_its_last_frame_wherever_its_pictures_overlap(
    rows: list[tuple[int, int, int]], skipped: int
) -> None:
    """Pictures of equal sizes replace each other, those of other sizes only in part."""
    sheet = Sheet()
    for width, height, red in ((5, 4, 10), (5, 4, 70), (4, 5, 130), (1, 1, 190)):
        sheet.add([picture(width, height, red)])
    placed = np.array(rows, np.int32).reshape(-1, 3)
    begun = min(skipped, len(placed))
    first = np.arange(begun, len(placed) + 1, dtype=np.int64)
    runs = [SpriteRun(np.zeros((12, 12, 3), np.uint8), sheet, first, placed) for _ in range(2)]
    runs[0].play()
    for _ in runs[1].frames():
        pass
    np.testing.assert_array_equal(runs[0].pixels, runs[1].pixels)


@given(run_films(), st.lists(st.integers(-5, 90), max_size=6).map(sorted), st.integers(0, 20))
def test_no_part_of_a_divided_film_spans_a_cut_and_none_is_lost(
    film: RunFilm, cuts: list[int], first: int
) -> None:
    at = first
    for part in divided(film.play(whole=True), cuts, first):
        assert not any(at < cut < at + ticks_of(part) for cut in cuts)
        at += sum(frame.ticks for frame in frames_of([part]))
    assert at == first + sum(ticks_of(part) for part in film.play(whole=False))


def test_pictures_of_movements_stay_such_when_a_film_is_divided() -> None:
    frame = Canvas(16, 16).frame(3, passing=True)
    parts = [part for part in divided([frame], (1,)) if isinstance(part, Frame)]
    assert [(part.ticks, part.passing) for part in parts] == [(1, True), (2, True)]
