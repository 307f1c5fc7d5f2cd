"""Motion vectors stay in the range of clause A.3.1 in pictures that are wider or higher than it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.filming import Filming
from undoku.render.draw.canvas import Sprite


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
