"""Cells of several macroblocks that come, go, and come again, are copied whole: from where the
atlas keeps them, with vectors in the range of clause A.3.1."""

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


ROUNDS, LOOKS, SIDE = 5, 5, 32


@pytest.fixture
def counting() -> Filming:
    """Squares of 2 × 2 macroblocks take turns at one place in the middle of a picture."""
    random = np.random.default_rng(7)
    looks = random.integers(0, 256, (LOOKS, SIDE, SIDE, 3), dtype=np.uint8)
    film = Filming(640, 352)
    film.take(key=True)
    for _ in range(ROUNDS):
        for look in looks:
            film.canvas.put(look, 320, 192)
            film.take()
    return film


def test_what_returns_is_copied_from_its_own_row_with_its_neighbours(counting: Filming) -> None:
    """One vector copies them all; without a vertical component it is half as long."""
    counting.check()
    for parts in counting.vectors()[-LOOKS:]:
        moved = [part for part in parts if (part.right, part.down) != (0, 0)]
        assert len({part.right for part in moved}) == 1
        assert {part.down for part in moved} == {0}
        assert len([part for part in moved if part.x < 640]) == 4


@pytest.mark.parametrize("size", [(2560, 96), (3840, 64), (96, 1440)])
def test_no_vector_leaves_the_range_however_large_the_picture_is(size: tuple[int, int]) -> None:
    """Sprites of 16, 24, 32 and 48 pixels come, go and come again at a few places near the four
    corners and in the middle, where the atlas on the right may be out of reach."""
    width, height = size
    random, film = np.random.default_rng(width), Filming(*size)
    sides = (16, 24, 32, 48)
    looks = [[random.integers(0, 256, (s, s, 3), np.uint8) for _ in range(9)] for s in sides]
    for number in range(20):
        for _ in range(4):
            kind, look, place = random.integers(0, (4, 9, 6)).tolist()
            x = 48 * round(place / 5 * (width // 48 - 1)) if width > height else 48 * (place % 2)
            y = 48 * round(place / 5 * (height // 48 - 1)) if height > width else 0
            sprite = Sprite(20 * sides[kind] + look, looks[kind][look])
            film.canvas.blit(sprite, x + 8 * (sides[kind] == 24), y)
        film.take(key=number == 0)
    far = max(abs(way) for parts in film.vectors() for part in parts for way in part[-2:])
    assert far > 4 * (1000 if width > height else 400)  # far copies are not given up
