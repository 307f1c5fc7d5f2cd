"""Where the atlas keeps contents that return, such as the digits of a counter."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.filming import Filming

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
