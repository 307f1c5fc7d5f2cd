"""Films are cut at ticks: what comes out is the same film, in other parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_films import RunFilm, run_films
from undoku.render.draw.canvas import Frame, Pixels, Rect
from undoku.render.draw.film_parts import divided, spanned, ticks_of
from undoku.render.draw.sprite_run import SpriteRun


def pictures(film: RunFilm) -> list[Pixels]:
    """One for each tick."""
    return [part.pixels.copy() for part in film.play(whole=False) for _ in range(ticks_of(part))]


def kept(part: Frame | SpriteRun, shown: Pixels) -> list[Pixels]:
    """The picture after `shown`, updated in the changed rectangles only."""
    found = []
    for frame in part.frames() if isinstance(part, SpriteRun) else (part,):
        for (x, y, width, height), _ in frame.changes:
            place = slice(y, y + height), slice(x, x + width)
            shown[place] = frame.pixels[place]
        found += [shown.copy()] * frame.ticks
    return found


@given(run_films(), st.lists(st.integers(-5, 90), max_size=6).map(sorted), st.integers(0, 20))
def test_a_divided_film_is_the_film_and_no_part_spans_a_cut(
    film: RunFilm, cuts: list[int], first: int
) -> None:
    expected = pictures(film)
    shown, found, at = np.zeros_like(expected[0]), [], first
    for part in divided(film.play(whole=True), cuts, first):
        assert not any(at < cut < at + ticks_of(part) for cut in cuts)
        at += ticks_of(part)
        found += kept(part, shown)
    assert at == first + len(expected)
    assert all(map(np.array_equal, found, expected))


@given(run_films(), st.integers(0, 60), st.integers(1, 60))
def test_a_span_begins_with_a_whole_frame_and_shows_what_the_film_shows(
    film: RunFilm, start: int, length: int
) -> None:
    """Everything before it is played, runs too."""
    expected = pictures(film)
    start = min(start, len(expected) - 1)
    span = range(start, min(start + length, len(expected)))
    shown = np.zeros_like(expected[0])
    parts = spanned(film.play(whole=True), span)
    first = next(parts)
    assert isinstance(first, Frame)
    assert [change.rect for change in first.changes] == [Rect(0, 0, film.width, film.height)]
    found = kept(first, shown)
    for part in parts:
        found += kept(part, shown)
    assert len(found) == len(span)
    assert all(np.array_equal(expected[at], one) for at, one in zip(span, found, strict=True))


@given(run_films())
def test_nothing_is_taken_that_lies_behind_a_span(film: RunFilm) -> None:
    """The film need not be drawn any further."""
    taken = []

    def watched() -> Iterator[Frame | SpriteRun]:
        for part in film.play(whole=True):
            taken.append(ticks_of(part))
            yield part

    list(spanned(watched(), range(1)))
    assert taken == [2]
