"""Films are cut at ticks; that they are the same films in other parts is shown where parts are
written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_films import RunFilm, run_films
from undoku.render.draw.film_parts import divided, frames_of, ticks_of


@given(run_films(), st.lists(st.integers(-5, 90), max_size=6).map(sorted), st.integers(0, 20))
def test_no_part_of_a_divided_film_spans_a_cut_and_none_is_lost(
    film: RunFilm, cuts: list[int], first: int
) -> None:
    at = first
    for part in divided(film.play(whole=True), cuts, first):
        assert not any(at < cut < at + ticks_of(part) for cut in cuts)
        at += sum(frame.ticks for frame in frames_of([part]))
    assert at == first + sum(ticks_of(part) for part in film.play(whole=False))
