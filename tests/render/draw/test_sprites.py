"""Sprites: the memory that drawn lines of text take."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undoku.render.draw.sprite_index
from tests.support.films import RunFilm, run_films
from undoku.render.draw.canvas import Canvas, Frame, Rect, Sprite
from undoku.render.draw.easel import Easel
from undoku.render.draw.film_parts import divided, frames_of, snapshot_part, ticks_of
from undoku.render.draw.fonts import Face
from undoku.render.draw.sprite_index import SpriteIndex
from undoku.render.draw.sprite_run import Sheet, SpriteRun
from undoku.render.draw.sprites import Area, SpriteBook
from undoku.render.draw.theme import load_theme
from undoku.render.timeline.notes import FILM, Note, NoteKind

THEME = load_theme("dark")


def test_large_lines_of_text_are_kept_up_to_a_number_of_bytes() -> None:
    """60 pictures of 1.8 MB each, as films of 3840×2160 have them, in less than 48 MB."""
    book = SpriteBook(THEME)
    tracemalloc.start()
    try:
        for number in range(60):
            book.text(str(number), Face.BOLD, 200, THEME.text, 2400, height=250)
        assert tracemalloc.get_traced_memory()[0] < 48 << 20
    finally:
        tracemalloc.stop()


# What panels draw is recorded as shapes, but only what is still visible.


BOOK = SpriteBook(THEME)
RED, BLUE = (200, 0, 0), (0, 0, 200)


def easel() -> Easel:
    made = Easel(64, 48, THEME)
    made.fill(Rect(0, 0, 64, 48), THEME.background)
    return made


def test_covered_drawings_are_dropped() -> None:
    made = easel()
    sprite = BOOK.text("5", Face.REGULAR, 14, THEME.text, 20)
    made.blit(sprite, 4, 4)
    made.fill(Rect(4, 30, 8, 8), RED)
    made.fill(Rect(0, 0, 64, 48), BLUE)
    assert made.drawing().drawn == (Area(Rect(0, 0, 64, 48), BLUE),)


# Pictures of runs are found by what they show, and each is drawn once.


@pytest.mark.parametrize("stride", [(1 << 31) + 1, 1 << 40])
def test_very_many_pictures_are_all_found_and_fast(stride: int) -> None:
    """Where those in front crowd, the others lie apart: a search ends at the first empty row."""
    index = SpriteIndex()
    kind = index.kind("grey", lambda key: Sprite(key, np.zeros((1, 1, 3), np.uint8)))
    for _ in range(2):
        numbers = [index.number(key * stride, kind) for key in range(60_000)]
        assert numbers == list(range(60_000))
    empty = np.flatnonzero(index.arrays.table[:, 2] == 0)
    behind = empty[empty > undoku.render.draw.sprite_index.FIRST_ROWS]
    assert np.diff(behind).max() < 100


@given(st.integers(0, 1000), st.integers(1, 200), st.integers(1, 5))
def test_a_notice_changes_on_its_turns_alone(start: int, frames: int, sentences: int) -> None:
    text = "\n".join(f"{n}." for n in range(sentences))
    notice = Note(start, start + frames, FILM, NoteKind.CALLOUT, text)

    shown = ["", *map(notice.line_at, range(start, notice.end)), ""]
    turns = [n for n, (before, now) in enumerate(pairwise(shown), start) if before != now]
    assert set(turns) <= set(notice.line_starts)
    if frames >= sentences:
        assert sorted(turns) == notice.line_starts


def test_a_picture_that_is_drawn_over_is_copied_once_for_a_thread() -> None:
    """Where a layout changes, the whole picture was copied up to four times."""
    canvas = Canvas(64, 32)
    whole = Rect(0, 0, 64, 32)
    for colour in range(3):
        canvas.fill(whole, (colour, 0, 0))
        canvas.fill(Rect(8, 8, 16, 16), (0, colour, 0))
    copied = snapshot_part(canvas.frame(), np.zeros_like(canvas.pixels))
    assert sum(pixels.nbytes for _, pixels in copied.changed) == canvas.pixels.nbytes
    copied.place()
    assert np.array_equal(copied.part.pixels, canvas.pixels)


# Runs of frames: what is played from one is what was put into it.


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
