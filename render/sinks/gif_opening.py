"""Holds the first pictures of a GIF back, so that the colours that change most get low numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.sinks import gif_colours
from render.sinks.gif_picture import NumberedPicture

__all__ = ["Opening"]

MOST_IMAGES = 256
MOST_PIXELS = 1 << 21


class _Held(NamedTuple):
    delay: int
    box: tuple[int, int, int, int]
    places: NDArray[np.int32]
    """(n,): the changed pixels, row by row."""
    numbers: NDArray[np.uint8]
    """(n,): their colours."""


class Opening:
    """The first pictures, as the pixels that changed in each.

    The codes of an image are as wide as its highest colour number asks for. Colours get numbers as
    they are first seen, which is the order of the first picture; by the number of pictures in
    which they change, films become some two parts in a hundred smaller.
    """

    def __init__(self) -> None:
        self._held: list[_Held] = []
        self._pixels = 0

    @property
    def full(self) -> bool:
        return len(self._held) >= MOST_IMAGES or self._pixels >= MOST_PIXELS

    def hold(self, picture: NumberedPicture, delay: int) -> None:
        """Take the picture's changes, which then count as written."""
        left, top, right, bottom = box = picture.box()
        fresh = picture.fresh[top:bottom, left:right]
        places = np.flatnonzero(fresh).astype(np.int32)
        numbers = picture.shown[top:bottom, left:right].ravel()[places]
        fresh[:] = 0
        picture.forget_box()
        self._held.append(_Held(delay, box, places, numbers))
        self._pixels += len(places)

    def _order(self, colours: int) -> NDArray[np.uint8]:
        """(256,) uint8: the new number of each, those that change in most pictures first."""
        uses = np.zeros(gif_colours.MOST_COLOURS, np.int64)
        for held in self._held[1:]:
            uses[np.unique(held.numbers)] += 1
        new = np.arange(gif_colours.MOST_COLOURS, dtype=np.uint8)
        falling = 1 + np.argsort(-uses[1:colours], kind="stable")
        new[falling] = np.arange(1, colours)
        return new

    def replay(self, picture: NumberedPicture) -> Iterator[int]:
        """Deal the numbers anew, and bring the pictures back one after the other, with what
        changed in each marked; yields their delays."""
        new = self._order(picture.colours)
        picture.renumber(new)
        for held in self._held:
            left, top, right, _ = held.box
            rows, columns = np.divmod(held.places, right - left)
            picture.shown[top + rows, left + columns] = new[held.numbers]
            picture.fresh[top + rows, left + columns] = 1
            picture.registers[gif_colours.LEFT : gif_colours.BOTTOM + 1] = held.box
            yield held.delay
        self._held.clear()
