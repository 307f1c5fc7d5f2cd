"""Runs of frames: what is played from one is what was put into it."""

from __future__ import annotations

import numpy as np
import pytest
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


def test_pictures_that_are_kept_have_numbers_that_last() -> None:
    sheet = Sheet()
    first = sheet.add([picture(4, 4, 10)])
    sheet.keep()
    sheet.add([picture(6, 4, 20)])
    sheet.drop()
    again = sheet.add([picture(3, 3, 30)])
    assert (first, again, sheet.count, sheet.kept) == (0, 1, 2, 1)
    canvas = np.zeros((6, 6, 3), np.uint8)
    run = SpriteRun(canvas, sheet, np.array([0, 1, 2]), np.array([(0, 0, 0), (1, 3, 3)], np.int32))
    numbers = [frame.changes[0].sprite for frame in run.frames()]
    assert numbers[0] > 1 << 59
    assert numbers[1] == -1
    np.testing.assert_array_equal(canvas[3:, 3:], picture(3, 3, 30))
    edition = sheet.edition
    sheet.clear()
    assert sheet.edition != edition
    assert sheet.count == sheet.kept == sheet.bytes == 0


@pytest.mark.parametrize("shared", [False, True])
def test_a_run_is_played_alike_in_three_ways(shared: bool) -> None:
    """Also on a shared copy of a sheet, whose other pictures were replaced in the meantime."""
    sheet = Sheet()
    sheet.add([picture(4, 4, 10)])
    sheet.keep()
    sheet.add([picture(3, 5, 70)])
    given = sheet.shared_copy() if shared else sheet
    if shared:
        sheet.drop()
        sheet.add([picture(9, 9, 200)])
    placed = np.array([(0, 0, 0), (1, 5, 3), (1, 0, 4)], np.int32)
    expected = np.zeros((12, 12, 3), np.uint8)
    runs = [
        SpriteRun(np.zeros_like(expected), given, np.array([0, 2, 2, 3]), placed) for _ in range(3)
    ]
    expected[0:4, 0:4] = picture(4, 4, 10)
    expected[3:8, 5:8] = picture(3, 5, 70)
    frames = runs[2].frames()
    first = next(frames)
    np.testing.assert_array_equal(first.pixels, expected)
    assert [(*rect,) for rect, _ in first.changes] == [(0, 0, 4, 4), (5, 3, 3, 5)]
    assert next(frames).changes == ()
    assert [(*rect,) for rect, _ in next(frames).changes] == [(0, 4, 3, 5)]
    assert next(frames, None) is None
    expected[4:9, 0:3] = picture(3, 5, 70)
    runs[0].play()
    rects = [one.tolist() for one in runs[1].rects()]
    assert rects == [[[0, 0, 4, 4], [5, 3, 8, 8]], [], [[0, 4, 3, 9]]]
    for run in runs:
        np.testing.assert_array_equal(run.pixels, expected)


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


@pytest.mark.parametrize("count", [1, 255, 256, 257, 3000])
def test_a_sheet_grows_with_its_pictures(count: int) -> None:
    sheet = Sheet()
    for number in range(count):
        assert sheet.add([np.full((20, 30, 3), number % 256, np.uint8)]) == number
    assert sheet.bytes == count * 1800
    offset, width, height = sheet.shapes[count - 1].tolist()
    assert (width, height) == (30, 20)
    assert (sheet.pixels[offset : offset + 1800] == (count - 1) % 256).all()


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
