"""Films are cut at ticks: what comes out is the same film, in other parts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_films import RunFilm, run_films
from undoku.render.draw.canvas import Frame, Pixels
from undoku.render.draw.film_parts import divided, ticks_of
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
