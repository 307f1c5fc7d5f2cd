"""Numbers are placed such that few macroblocks change with their digits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.puzzles import MEDIUM
from undoku import Limits, search
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box, line_height
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.layout.macroblocks import column_shift, row_shift, slight_shifts
from undoku.render.panels.counters import CounterPanel
from undoku.render.playback.player import Player
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace

SIDE = 16


def columns_of(begin: int, size: int) -> set[int]:
    """The columns of macroblocks that a digit covers whose slot begins at `begin`."""
    left, _, right, _ = glyph_box("0", Face.REGULAR, size)
    return {x // SIDE for x in range(begin + left, begin + right)}


def rows_of(top: int, size: int) -> set[int]:
    _, upper, _, lower = glyph_box("0", Face.REGULAR, size)
    return {y // SIDE for y in range(top + upper, top + lower)}


@given(
    st.integers(0, 4000),
    st.sampled_from([(12, 16), (20, 32), (23, 36), (32, 48)]),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_the_last_digit_is_alone_in_its_macroblocks_where_a_slight_shift_suffices(
    last: int, digits: tuple[int, int], room_before: int, room_after: int
) -> None:
    pitch, size = digits
    shifts = slight_shifts(pitch, room_before, room_after)
    assert shifts[0] >= -room_before
    assert shifts[-1] <= room_after

    def alone(shift: int) -> bool:
        before = columns_of(last - pitch + shift, size)
        return before.isdisjoint(columns_of(last + shift, size))

    suffices = [shift for shift in shifts if alone(shift)]
    found = column_shift(last, pitch, size, shifts)
    assert abs(found) == min(map(abs, suffices), default=0)
    assert not suffices or found in suffices


@pytest.mark.parametrize("size", [(1280, 720), (640, 360), (1080, 1920)])
def test_numbers_stay_within_their_places(size: tuple[int, int]) -> None:
    """So that the digits of counters beside each other never overlap."""
    settings = FilmSettings(*size, pace=Pace(Fraction(1)))
    film = Film([search(MEDIUM.grid, "row-major", Limits(13_000))] * 2, settings)
    scene = Scene(film.script)
    players = [Player(trace, scene.recorders(n)) for n, trace in enumerate(film.traces)]
    height = line_height(Face.REGULAR, film.layout.text.number)
    for step in (7, 99, 12_345):
        scene.paint(film.shot_of_step(step), [player.advance(step) for player in players])
        panels = [each for each in scene.panels if isinstance(each, CounterPanel)]
        for panel, block in zip(panels, film.layout.blocks, strict=True):
            numbers = panel.numbers.arrays
            for box, (left, right), (_, y, _) in zip(
                block.counters, numbers.ends.tolist(), numbers.places.tolist(), strict=False
            ):
                assert box.x <= left < right <= box.right
                assert box.y <= y
                assert y + height <= box.bottom


@given(st.integers(0, 4000), st.sampled_from([16, 20, 32, 48]), st.integers(0, 16))
def test_digits_are_in_the_fewest_rows_that_a_shift_permits(top: int, size: int, most: int) -> None:
    found = row_shift(top, size, range(most + 1))
    fewest = min(len(rows_of(top + shift, size)) for shift in range(most + 1))
    assert len(rows_of(top + found, size)) == fewest
    assert all(len(rows_of(top + shift, size)) > fewest for shift in range(found))


def test_the_last_of_five_digits_is_in_macroblocks_of_its_own() -> None:
    """At the usual size, and in two rows of macroblocks."""
    settings = FilmSettings(pace=Pace(Fraction(1)), panels=("board", "counters"))
    film = Film([search(MEDIUM.grid, "row-major", Limits(13_000))] * 2, settings)
    box = film.layout.blocks[0].counters[0]

    def changed(step: int, other: int) -> tuple[set[int], set[int]]:
        """The columns and rows of macroblocks in which the numbers of steps differ."""
        one, two = (film.still(film.shot_of_step(at))[0].pixels for at in (step, other))
        rows, columns = (one != two).any(2)[box.y : box.bottom, box.x : box.right].nonzero()
        return (
            {(box.x + x) // SIDE for x in columns.tolist()},
            {(box.y + y) // SIDE for y in rows.tolist()},
        )

    last, rows = changed(12_345, 12_346)
    tens, _ = changed(12_335, 12_345)
    assert last.isdisjoint(tens)
    assert len(rows) == 2
