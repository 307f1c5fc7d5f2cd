"""Cells of several macroblocks that come, go, and come again, are copied whole: from where the
atlas keeps them, with vectors in the range of clause A.3.1."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.amounts import long
from tests.support.filming import Filming
from undoku.h264.bits import escape
from undoku.h264.levels import LevelError, StreamLoad, coded_size, level_for
from undoku.h264.transform import QUANT, SCAN, quantise
from undoku.render.draw.canvas import Rect, Sprite


def looks(count: int, seed: int) -> list[Sprite]:
    """Cells of 3 × 3 macroblocks of noise."""
    random = np.random.default_rng(seed)
    return [Sprite(n, random.integers(0, 256, (48, 48, 3), np.uint8)) for n in range(count)]


@pytest.mark.parametrize("seed", [0, long(1), long(2), long(3)])
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


def test_of_a_cell_that_comes_back_only_what_changes_is_copied() -> None:
    """Its digit is in the middle column; the edges of both cells are the same."""
    one, other = looks(2, 3)
    pixels = one.pixels.copy()
    pixels[:, 16:32] = other.pixels[:, 16:32]
    film = turns([one, Sprite(1, pixels)], [0, 1, 0, 1, 0])
    film.check()
    assert [counts.coded for counts in film.counts[1:]] == [3, 0, 0, 0]
    assert film.counts[4].copied == 3


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


# The quantisation of residual blocks.


QP = 18


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # A small coefficient is dropped after zeros and kept beside others.
        ({0: 0.8, 1: -0.8}, {0: 1, 1: -1}),
        ({0: 3, 1: 0.8}, {0: 3, 1: 1}),
        ({10: 0.8}, {}),
        ({9: 3, 10: 0.8}, {9: 3, 10: 1}),
        # One of a step is kept wherever it is; levels above 1 are rounded to the nearest.
        *(({index: 1.05}, {index: 1}) for index in range(16)),
        ({0: 4.4, 3: -2.7}, {0: 4, 3: -3}),
    ],
)
def test_coefficients_of_so_many_steps_of_the_quantiser_have_these_levels(
    steps: dict[int, float], expected: dict[int, int]
) -> None:
    """By their index in scan order; those that are not named are zero."""
    block, levels = np.zeros(16, np.int32), np.zeros((27, 16), np.int32)
    for index, share in steps.items():
        at = int(SCAN[index])
        block[at] = round(share * (1 << (15 + QP // 6)) / int(QUANT[QP % 6, at]))
    assert quantise(block, levels, 0, 0, QP, 55) == len(expected)
    assert {index: levels[0, index] for index in np.flatnonzero(levels[0])} == expected


# The levels of H.264, and what does not fit into any.


@pytest.mark.parametrize(
    ("size", "fps", "remedy"),
    [
        ((16000, 16000), 60, "take at most 5936x5936"),
        ((8192, 4320), 60, "take at most 8176x4310"),
        ((1280, 720), 10_000, "take at most 828x464 or fewer frames per second"),
        ((2, 2), 10**9, "take fewer frames per second"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_valid_ones(
    size: tuple[int, int], fps: int, remedy: str
) -> None:
    """The message has the requested size and the largest possible one of about the same
    proportions, which is indeed possible."""
    with pytest.raises(LevelError) as caught:
        coded_size(*size, Fraction(fps))
    assert str(caught.value).startswith(f"{size[0]}x{size[1]} at {fps:g} frames per second is more")
    assert caught.value.remedy == remedy
    if found := re.search(r"(\d+)x(\d+)", remedy):
        width, height = map(int, found.groups())
        coded_size(width, height, Fraction(fps))
        with pytest.raises(LevelError):
            coded_size(width + 16, height + 16, Fraction(fps))


@pytest.mark.parametrize(
    ("size", "fps", "most", "number", "spare"),
    [
        ((1280, 720), 60, 62, 42, 32),
        ((1920, 1080), 60, 62, 51, 32),
        ((1080, 1920), 60, 62, 51, 32),
        ((2560, 1440), 60, 62, 52, 32),
        ((640, 360), 60, 62, 31, 32),
        ((160, 160), 30, 62, 31, 16),
        ((3840, 2160), 60, 62, 52, 16),
        ((7680, 4320), 60, 62, 61, 32),
        ((8192, 4304), 30, 62, 60, 5),
        # The atlas asks for no level above the highest allowed, and up to 4.2 for no more width.
        ((1920, 1080), 60, 42, 42, 0),
        ((1600, 900), 60, 42, 42, 20),
        ((1280, 720), 60, 42, 42, 32),
        ((1920, 1080), 60, 50, 50, 24),
        ((1920, 1080), 60, 51, 51, 32),
    ],
)
def test_the_level_is_the_least_that_suffices(
    size: tuple[int, int], fps: int, most: int, number: int, spare: int
) -> None:
    """Figures of table A-1 for common sizes; the atlas shrinks where it would cost a level."""
    coded = coded_size(*size, Fraction(fps), most)
    assert (coded.columns, coded.height) == (-(-size[0] // 16), -(-size[1] // 16))
    assert coded.width - coded.columns == spare
    load = StreamLoad(coded.width, coded.height, Fraction(fps))
    assert level_for(load, size, most).number == number


def test_large_pictures_raise_the_level() -> None:
    """MinCR bounds a picture's bytes, MaxBR those of a second."""
    small = StreamLoad(88, 45, Fraction(60))
    assert level_for(small, (1280, 720)).number == 40
    assert level_for(small._replace(largest=500_000), (1280, 720)).number == 41
    assert level_for(small._replace(busiest=4_000_000), (1280, 720)).number == 41
    assert level_for(small._replace(busiest=10_000_000), (1280, 720)).number == 50


@given(content=st.binary(max_size=60).map(lambda b: bytes(byte & 3 for byte in b)))
def test_no_nal_unit_holds_a_start_code(content: bytes) -> None:
    """Emulation prevention: no three bytes are 0, 0, 0..2, and the payload is read unchanged."""
    page = np.frombuffer(content + b"\x80", np.uint8)
    unit = np.zeros(200, np.uint8)
    unit[0] = 0x41
    size = escape(page, len(page), unit, 1)
    written = unit[1:size].tobytes()
    assert not re.search(rb"\0\0[\0-\2]", written)
    assert written.replace(b"\0\0\3", b"\0\0") == page.tobytes()
