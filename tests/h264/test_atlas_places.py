"""Where the atlas keeps contents that return, such as the digits of a counter."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.h264.filming import Filming

ROUNDS, LOOKS, SIDE = 5, 5, 32


@pytest.fixture(scope="module")
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


def test_what_returns_is_copied_from_its_own_row(counting: Filming) -> None:
    """A vector without a vertical component is half as long."""
    pictures = counting.read()[-LOOKS:]
    for picture in pictures:
        parts = [part for part in picture.parts if (part.x, part.y) == (320, 192)]
        assert [part.vector[1] for part in parts] == [0]


def test_neighbours_are_kept_together(counting: Filming) -> None:
    """One vector then copies them all."""
    pictures = counting.read()[-LOOKS:]
    for picture in pictures:
        vectors = {part.vector for part in picture.parts if part.vector != (0, 0)}
        shown = [part for part in picture.parts if part.x < 640 and part.vector != (0, 0)]
        assert len(vectors) == 1
        assert len(shown) == 4


@pytest.mark.parametrize("decoder", ["h264", "libopenh264"])
def test_decoders_show_what_was_coded(counting: Filming, decoder: str) -> None:
    counting.check(decoder)
