"""The way back from the last picture of a film to its first one, so that it can be repeated without
a seam."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from undoku.render.draw.canvas import Change, Frame, Pixels, Rect
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.timeline.easing import eased

SEAM = Fraction(3, 5)
"""The length of the way back in seconds."""

_ROWS = 18
"""The number of rows of tiles."""


def returning(parts: Iterable[Frame | SpriteRun], frames: int) -> Iterator[Frame | SpriteRun]:
    """A film, which begins with a frame, and after it `frames` frames in which its first picture
    comes back tile by tile, the last tile first: like the boards when they are rewound, and without
    a colour that the film does not have."""
    first: Pixels | None = None
    for part in parts:
        if first is None:
            first = part.pixels.copy()
        yield part
    assert first is not None
    pixels = part.pixels
    height, width, _ = first.shape
    side = -(-height // _ROWS)
    tiles = [
        Rect(x, y, min(side, width - x), min(side, height - y))
        for y in range(0, height, side)
        for x in range(0, width, side)
    ][::-1]
    shown = 0
    for number in range(1, frames + 1):
        # The frame after the last one is the first one of the film.
        begin, shown = shown, int(len(tiles) * eased(number / (frames + 1)))
        for tile in tiles[begin:shown]:
            area = np.s_[tile.y : tile.bottom, tile.x : tile.right]
            pixels[area] = first[area]
        yield Frame(pixels, tuple(map(Change, tiles[begin:shown])))
