"""Motion vectors stay in the range of clause A.3.1 in pictures that are wider or higher than it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.support.decoded_streams import check_vectors, headers, vectors
from tests.support.direct_films import write
from tests.support.sink_contexts import sink_context
from undoku.render.draw.canvas import Canvas, Frame, Rect, Sprite

SIZES = [(2560, 96), (3840, 64), (96, 1440)]


def film(width: int, height: int, frames: int = 20) -> Iterator[Frame]:
    """Sprites of 16, 24, 32 and 48 pixels that come, go and come again at a few places near the
    four corners and in the middle, where the atlas on the right may be out of reach."""
    random = np.random.default_rng(width)
    sprites = [
        [
            Sprite(20 * side + n, random.integers(0, 256, (side, side, 3), np.uint8))
            for n in range(9)
        ]
        for side in (16, 24, 32, 48)
    ]
    canvas = Canvas(width, height)
    canvas.fill(Rect(0, 0, width, height), (18, 20, 28))
    for _ in range(frames):
        for _ in range(4):
            size, look, place = random.integers(0, (4, 9, 6)).tolist()
            sprite = sprites[size][look]
            side = sprite.pixels.shape[0]
            x = 48 * round(place / 5 * (width // 48 - 1)) if width > height else 48 * (place % 2)
            y = 48 * round(place / 5 * (height // 48 - 1)) if height > width else 0
            canvas.blit(sprite, x + (0 if side == 48 else 8 * (side == 24)), y)
        yield canvas.frame()


@pytest.mark.parametrize("size", SIZES)
def test_no_vector_leaves_the_range_however_large_the_picture_is(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = tmp_path / "film.mp4"
    write(path, sink_context(*size, Fraction(30)), film(*size))
    pictures = vectors(path)
    check_vectors(headers(path)[0], pictures)
    far = max(abs(way) for parts in pictures for part in parts for way in part[-2:])
    assert far > 4 * (1000 if size[0] > size[1] else 400)  # far copies are not given up
