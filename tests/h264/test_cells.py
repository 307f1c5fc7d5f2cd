"""Cells of several macroblocks that come, go, and come again, are copied whole."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.filming import Filming
from undoku.render.draw.canvas import Rect, Sprite


def looks(count: int, seed: int) -> list[Sprite]:
    """Cells of 3 × 3 macroblocks of noise."""
    random = np.random.default_rng(seed)
    return [Sprite(n, random.integers(0, 256, (48, 48, 3), np.uint8)) for n in range(count)]


@pytest.mark.parametrize("seed", range(4))
def test_cells_that_are_copied_whole_are_decoded_as_believed(seed: int) -> None:
    """Kept and brought back between pictures, crossed by other drawing, over a key frame."""
    random, cells, film = np.random.default_rng(seed), looks(30, seed), Filming(192, 144, 20)
    for number in range(150):
        for _ in range(random.integers(0, 4)):
            column, row, look = random.integers(0, (4, 3, 30)).tolist()
            film.canvas.blit(cells[look], 48 * column, 48 * row)
        if random.random() < 0.1:
            x, y = random.integers(0, (180, 130)).tolist()
            film.canvas.fill(Rect(x, y, 9, 7), (200, 10, 10))
        film.take(key=number in (0, 100))
    film.check()


def turns(cells: list[Sprite], order: list[int]) -> Filming:
    """Cells at one place, one after the other."""
    film = Filming(192, 144, 20)
    for number, look in enumerate(order):
        film.canvas.blit(cells[look], 48, 48)
        film.take(key=number == 0)
    return film


def test_a_cell_that_comes_back_takes_one_vector_and_no_new_picture() -> None:
    """Of its nine macroblocks five are written, and four follow from these."""
    film = turns(looks(2, 3), [0, 1, 0, 1, 0])
    assert [counts.coded for counts in film.counts[1:]] == [9, 0, 0, 0]  # the other cell is new
    assert film.counts[4].copied == 5
    assert len(film.units[1]) > 1000
    assert len(film.units[4]) <= 32


def test_of_cells_that_take_turns_the_atlas_keeps_as_many_as_it_has_room_for() -> None:
    """Three of seven. Were the one that was unused for longest overwritten each time, none would
    be left when it comes back."""
    film = turns(looks(7, 5), 12 * [*range(7)])
    assert sum(counts.coded for counts in film.counts[-6 * 7 :]) <= 6 * 9 * (7 - 3)
