"""Key frames do not depend on earlier pictures."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from undoku.h264.levels import coded_size
from undoku.h264.picture_encoder import PictureEncoder
from undoku.render.draw.canvas import Change, Rect

WIDTH, HEIGHT = 112, 72
EVERYTHING = Change(Rect(0, 0, WIDTH, HEIGHT), -1)


def encoder() -> PictureEncoder:
    return PictureEncoder(coded_size(WIDTH, HEIGHT, Fraction(60)), (WIDTH, HEIGHT), 18)


def paint(pixels: NDArray[np.uint8], random: np.random.Generator) -> None:
    """A flat area, a pattern or noise (which is coded as raw samples) somewhere."""
    x, y = int(random.integers(WIDTH)), int(random.integers(HEIGHT))
    area = pixels[y : y + int(random.integers(1, 40)), x : x + int(random.integers(1, 40))]
    kind = int(random.integers(3))
    if kind == 0:
        area[:] = random.integers(256, size=3)
    elif kind == 1:
        area[:, ::3] = random.integers(256, size=3)
    else:
        area[:] = random.integers(256, size=area.shape)


@given(seed=st.integers(0, 2**32), between=st.booleans())
def test_a_key_frame_is_what_it_would_be_as_the_first_picture(seed: int, between: bool) -> None:
    """Whatever has changed since the one before, also with other pictures between them."""
    random = np.random.default_rng(seed)
    pixels = np.full((HEIGHT, WIDTH, 3), 20, np.uint8)
    film = encoder()
    for number in range(5):
        for _ in range(int(random.integers(0, 4))):
            paint(pixels, random)
        key = bytes(film.picture(pixels, [EVERYTHING], key=True))
        if number % 2 == 0:  # idr_pic_id tells even ones from odd ones
            alone = encoder()
            assert key == bytes(alone.picture(pixels, [EVERYTHING], key=True))
            assert (film.decoded() == alone.decoded()).all()
        if between:
            before = pixels.copy()
            paint(pixels, random)
            film.picture(pixels, [EVERYTHING], key=False)
            if number % 2:
                pixels[:] = before
