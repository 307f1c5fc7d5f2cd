"""Films written directly in which boards move: vectors predict what is not equal to anything, and
the quantiser keeps the error of every picture within its limit."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.support.filming import Filming
from tests.support.plain_loops import plain_and_compiled
from undoku.render.draw.canvas import Canvas, Rect

WIDTH, HEIGHT = 480, 272
DARK = (18, 20, 28)


def board(seed: int, side: int = 192) -> NDArray[np.uint8]:
    """A board of square cells, each with a shape of random pixels in the middle."""
    random = np.random.default_rng(seed)
    pixels = np.full((side, side, 3), 40, np.uint8)
    pixels[::24] = pixels[:, ::24] = 150
    for top in range(6, side, 24):
        for left in range(6, side, 24):
            shape = random.integers(0, 2, (6, 5, 1)).repeat(2, 0).repeat(2, 1)
            pixels[top : top + 12, left : left + 10][shape[..., 0] == 1] = 230
    return pixels


def place(canvas: Canvas, pixels: NDArray[np.uint8], x: int, y: int) -> None:
    canvas.fill(Rect(0, 0, canvas.width, canvas.height), DARK)
    canvas.put(pixels, x, y)


def moved(
    *places: tuple[int, int],
    qp: int = 20,
    limit: int = 1 << 60,
    side: int = 192,
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Filming:
    """A film of a board at these places."""
    filming, pixels = Filming(*size, qp, limit), board(1, side)
    for number, (x, y) in enumerate(places):
        place(filming.canvas, pixels, x, y)
        filming.take(key=number == 0)
    return filming


@pytest.mark.parametrize("by", [(1, 0), (9, -1), (-25, 3), (40, -6), (2, 24)])
def test_a_board_that_moves_takes_a_fraction_of_its_bytes(by: tuple[int, int]) -> None:
    filming = moved((136, 40), (136 + by[0], 40 + by[1]))
    key, picture = map(len, filming.units)
    assert picture < key / 4


def test_faint_specks_that_move_leave_nothing_behind() -> None:
    """Their squares are a small error, but on a flat background they would be seen."""
    filming, specks = Filming(WIDTH, HEIGHT, 28), np.full((192, 192, 3), DARK, np.uint8)
    specks[5::16, 5::16] += np.uint8(14)
    specks[::48] = specks[:, ::48] = 200
    for number, x in enumerate((230, 221, 196, 156, 116, 91, 82)):
        place(filming.canvas, specks, x, 40 + number)
        filming.take(key=number == 0)
    off = abs(filming.luma().astype(np.int64) - filming.wanted_luma())
    assert off[:, 82 + 192 + 16 :].max() <= 2


@pytest.mark.parametrize("decibels", [38, 45, 50])
def test_no_picture_has_a_larger_error_than_its_limit(decibels: int) -> None:
    limit = int(255**2 / 10 ** (decibels / 10) * WIDTH * HEIGHT)
    filming, first, second = Filming(WIDTH, HEIGHT, 28, limit), board(1), board(2, 120)
    for number in range(12):
        place(filming.canvas, first, 20 + 7 * number, 40 - number)
        filming.canvas.put(second, 340 - 11 * number, 60 + 5 * number)
        filming.take(key=number in (0, 7))
        assert filming.error() <= limit
    filming.check()
    written = [one for picture in filming.macroblocks() for one in picture if one.kind != "S"]
    assert len({one.qp for one in written}) > 1


@pytest.mark.parametrize("qp", [12, 20, 28])
def test_passing_pictures_are_coarse_and_the_one_after_them_is_not(qp: int) -> None:
    """A board becomes smaller, so that no vector predicts it."""
    large = Image.fromarray(board(1, 240))
    limit = int(255**2 / 10**5 * WIDTH * HEIGHT)
    fine, coarse = (Filming(WIDTH, HEIGHT, qp, limit) for _ in range(2))
    for number in range(8):
        side = 240 - 9 * number
        small = np.asarray(large.resize((side, side), Image.Resampling.BOX))
        for filming in (fine, coarse):
            place(filming.canvas, small, 100 + 5 * number, 10)
            filming.take(key=number == 0, passing=filming is coarse and 0 < number < 7)
        assert coarse.error() <= limit * (10 if 0 < number < 7 else 1)
    sizes = [sum(map(len, filming.units[1:])) for filming in (coarse, fine)]
    assert sizes[0] < 0.85 * sizes[1]
    coarse.check()


@pytest.mark.parametrize(
    ("side", "limit"), [(16, 4000), (32, 24_000), (160, 40_000), (160, 150_000)]
)
def test_dense_contents_on_an_empty_board_stay_within_the_limit(side: int, limit: int) -> None:
    """Their errors are not forecast: what was coded before was far less dense. The first of a few
    macroblocks takes all of the limit, so it is coded again."""
    filming = Filming(WIDTH, HEIGHT, 28, limit)
    place(filming.canvas, np.full((192, 192, 3), 40, np.uint8), 136, 40)
    filming.take(key=True)
    dense = np.random.default_rng(5).integers(0, 256, (side, side, 3), np.uint8)
    filming.canvas.put(dense, 144, 48)
    filming.take()
    assert filming.error() <= limit
    filming.check()


def test_a_key_frame_repeats_no_bits_that_have_another_quantiser() -> None:
    """The first key frame needs a finer quantiser than the second, which shows less."""
    limit = moved((136, 40), qp=28).error() // 2
    filming = moved((136, 40), qp=28, limit=limit)
    filming.canvas.fill(Rect(136, 40, 192, 160), DARK)
    filming.take(key=True)
    filming.check()
    first, second = ({one.qp for one in picture} for picture in filming.macroblocks())
    assert max(first) < max(second) == 28


def test_plain_and_compiled_movements_have_the_same_bytes() -> None:
    plain, compiled = plain_and_compiled("""
        import sys
        import numpy as np
        from tests.h264.test_movements import moved
        np.seterr(over="ignore")  # the fingerprint's products wrap on purpose
        film = moved((8, 8), (17, 7), qp=28, limit=60_000, side=48, size=(80, 64))
        for unit in film.units:
            sys.stdout.buffer.write(unit)
    """)
    assert plain == compiled and len(plain) > 100
