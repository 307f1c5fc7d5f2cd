"""Films written directly in which boards move: vectors predict what is not equal to anything, and
the quantiser keeps the error of every picture within its limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tests.support.amounts import few, long
from tests.support.filming import Filming
from tests.support.plain_loops import plain_and_compiled
from undoku.render.draw.canvas import Canvas, Rect, Sprite

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


@pytest.mark.parametrize("decibels", [38, long(45), 50])
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


@pytest.mark.parametrize("qp", [long(12), 20, long(28)])
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


# Films written directly whose sprites are not aligned to macroblocks: macroblocks are assembled
# from quarters that were seen before.


def noise(seed: int, height: int, width: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


orders = st.tuples(st.integers(0, 7), st.integers(0, 159), st.integers(0, 95), st.integers(0, 9))


@few(8)
@given(
    grid=st.sampled_from([8, 8, 4, 1]),
    frames=st.lists(st.lists(orders, max_size=4), min_size=2, max_size=16),
    key=st.integers(1, 15),
    seed=st.integers(0, 9),
)
def test_sprites_at_any_position_are_decoded_as_expected(
    grid: int, frames: Any, key: int, seed: int
) -> None:
    """At multiples of 8, of 4, and of 1; over the picture's edges, which are not whole macroblocks,
    and over key frames. All planes, the atlas included, by two decoders."""
    random = np.random.default_rng(seed)
    looks = [noise(seed + n, *(8 * random.integers(1, 6, 2)).tolist()) for n in range(8)]
    filming = Filming(152, 88)
    filming.take(key=True)
    for number, drawn in enumerate(frames):
        for look, right, down, tint in drawn:
            x, y = min(right, 151) // grid * grid, min(down, 87) // grid * grid
            pixels = looks[look][: 88 - y, : 152 - x]
            filming.canvas.put(np.ascontiguousarray(pixels), x, y)
            if tint == 0:
                filming.canvas.fill(Rect(x, y, min(9, 152 - x), min(5, 88 - y)), (200, 9, 9))
        filming.take(key=number == key)
    filming.check()


def _moved(x: int, y: int) -> Filming:
    """A sprite of two macroblocks a side before a picture that has no quarter twice, then the same
    sprite at (x, y) too."""
    filming = Filming(192, 96)
    filming.canvas.put(noise(0, 96, 192), 0, 0)
    sprite = Sprite(1, noise(1, 32, 32))
    filming.canvas.blit(sprite, 16, 16)
    filming.take(key=True)
    filming.canvas.blit(sprite, x, y)
    filming.take()
    return filming


@pytest.mark.parametrize(
    ("at", "coded"),
    [
        *((at, 0) for at in ((104, 48), (96, 40), (104, 40), (152, 56), (100, 48))),
        ((96, 44), 2),
        ((108, 36), 4),
    ],
)
def test_a_block_from_another_multiple_of_four_is_copied(at: tuple[int, int], coded: int) -> None:
    """Partly covered macroblocks are assembled from unchanged parts and copies: of halves and
    quarters, or of blocks of four pixels, but for corners that take more vectors than the level
    allows two consecutive macroblocks (MaxMvsPer2Mb)."""
    filming = _moved(*at)
    assert filming.counts[1].coded == coded
    assert coded or len(filming.units[1]) < 90
    filming.check()
    assert (4 * (16 - at[0]), 4 * (16 - at[1])) in {part[-2:] for part in filming.vectors()[1]}


def test_macroblocks_that_need_16_vectors_are_coded() -> None:
    """A row of macroblocks shows blocks of 4x4 pixels from everywhere: two would have 32."""
    random = np.random.default_rng(4)
    filming = Filming(192, 96)
    picture = noise(0, 96, 192)
    filming.canvas.put(picture, 0, 0)
    filming.take(key=True)
    for row in (32, 36, 40, 44):
        for column in range(0, 192, 4):
            x, y = 4 * random.integers(0, 48), 4 * random.integers(0, 8)
            filming.canvas.put(picture[y : y + 4, x : x + 4].copy(), column, row)
    filming.take()
    assert (filming.counts[1].copied, filming.counts[1].coded) == (0, 12)
    filming.check()


def test_quarters_that_are_new_alone_get_a_residual() -> None:
    """Of a macroblock of which three quarters were seen, these are copied; the fourth is coded."""
    look = noise(5, 16, 16)
    filming = Filming(96, 96)
    filming.canvas.put(look, 40, 40)
    filming.take(key=True)
    changed = look.copy()
    changed[8:, 8:] = noise(6, 8, 8)
    filming.canvas.put(changed, 64, 16)
    size = filming.take()
    assert filming.counts[1].coded == 1
    assert (4 * -24, 4 * 24) in {part[-2:] for part in filming.vectors()[1]}
    # The same without anything to copy takes much more.
    filming.canvas.put(noise(7, 16, 16), 16, 64)
    assert filming.take() > 2.5 * size
    filming.check()


def test_an_assembled_macroblock_is_indexed_as_a_whole() -> None:
    """Afterwards one vector copies it from the place where it was assembled."""
    filming = _moved(104, 40)
    sprite = noise(1, 32, 32)
    filming.canvas.put(sprite, 104, 40 - 32)
    filming.take()
    filming.check()
    assert (16, 16, 0, 4 * 32) in {part[2:] for part in filming.vectors()[2]}


LOOKS = [noise(n, 16, 16) for n in range(3)]


@pytest.fixture
def returning() -> Filming:
    """Macroblocks that have come back, and so are kept; the last of them is seen."""
    filming = Filming(96, 48)
    for number in range(9):
        filming.canvas.put(LOOKS[number % 3], 32, 16)
        filming.take(key=number == 0)
    return filming


def test_quarters_are_found_in_the_atlas(returning: Filming) -> None:
    """A part of a macroblock that is no longer seen appears eight pixels further: it is copied from
    the invisible columns."""
    filming = returning
    filming.canvas.put(LOOKS[1], 56, 16)
    filming.take()
    assert filming.counts[-1].coded == 0
    columns = filming.size.columns
    sources = {
        part.x + part.right // 4
        for part in filming.vectors()[-1]
        if part.x < 16 * columns and part.right
    }
    assert max(sources) >= 16 * columns
    filming.check()


def test_a_key_frame_forgets_the_atlas_but_not_what_is_seen(returning: Filming) -> None:
    filming = returning
    filming.take(key=True)
    filming.canvas.put(LOOKS[1], 56, 16)
    filming.take()
    assert filming.counts[-1].coded == 2  # look 1 was in the atlas alone
    filming.canvas.put(LOOKS[2], 8, 16)  # at 32 it still stands
    filming.take()
    assert filming.counts[-1].coded == 0
    filming.check()
