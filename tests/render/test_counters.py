"""Counters show true numbers: in full, or shortened where a full one has no room."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.canvas import Rect
from render.layout import arrange
from render.lettering import Face, text_width
from render.panels.counters import CounterPanel, _branching, _shortened
from render.pipeline import Film
from render.settings import FilmSettings
from render.snapshot import Player
from render.sprites import SpriteBook
from render.theme import load_theme
from render.timeline import Pace
from solver import Limits, Op, search
from tests.puzzles import MEDIUM


def slow_branching(events: list[tuple[int, int, int]]) -> Fraction:
    """Children per node that has any, from the tree after these events."""
    children, path = [0], [0]
    for op, _, _ in events:
        if op == Op.UNDO:
            path.pop()
        else:
            children[path[-1]] += 1
            path.append(len(children))
            children.append(0)
    parents = [count for count in children if count]
    return Fraction(sum(parents), max(1, len(parents)))


@pytest.mark.parametrize("strategy", ["row-major", "mrv"])
def test_branching_is_that_of_a_slow_account_after_every_step(strategy: str) -> None:
    trace = search(MEDIUM.grid, strategy, Limits(150))
    player, events = Player(trace), trace.read().tolist()
    for step in range(trace.tally().steps + 1):
        found = _branching(player.advance(step))
        assert found == f"{float(slow_branching(events[:step])):.2f}", step


UNITS = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@given(st.integers(0, 10**14))
def test_a_shortened_number_is_cut_and_never_says_more_than_was_counted(number: int) -> None:
    forms = _shortened(f"{number:,}")
    assert bool(forms) == (number >= 1000)
    for form in forms:
        value = Fraction(form[:-1]) * UNITS[form[-1]]
        assert value <= number < value + UNITS[form[-1]]
    assert [len(form) for form in forms] == sorted((len(form) for form in forms), reverse=True)


@cache
def panel() -> CounterPanel:
    layout = arrange(640, 360, 4)
    return CounterPanel(0, layout.blocks[0], SpriteBook(load_theme("dark")), layout.text)


@given(st.integers(0, 10**12), st.integers(48, 120))
def test_a_number_is_shortened_exactly_where_it_has_no_room(number: int, width: int) -> None:
    counters, full = panel(), f"{number:,}"
    shown = counters._fitting(full, width)
    assert shown
    assert sum(counters._advances(shown)) <= width
    assert (shown == full) == (sum(counters._advances(full)) <= width)


def test_a_long_search_in_a_small_picture_shows_its_steps_in_millions() -> None:
    """The frame before and after a number becomes too long for its place differ in the label's
    line by nothing but the number."""
    trace = search(MEDIUM.grid, "random:7", Limits(700_000))
    film = Film([trace] * 4, FilmSettings(640, 360, Fraction(60), Pace(duration=Fraction(6))))
    steps = film.layout.blocks[0].counters[0]
    total = f"{film.tallies[0].steps:,}"
    assert text_width(total, Face.REGULAR, film.layout.text.number) > steps.width
    last = film.timeline.shot_at(film.timeline.intro + film.timeline.race)
    frame, _ = film.still(last)
    inside = Rect(steps.x, steps.y, steps.width, steps.height)
    ink = frame.pixels[inside.y : inside.bottom, inside.x : inside.right].max(2) > 100
    columns = ink[-film.layout.text.number :].any(0).nonzero()[0]
    assert columns.min() > 0
    assert columns.max() < inside.width - 1
