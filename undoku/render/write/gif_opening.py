"""The first pictures of a GIF, which are held back so that the colours that change most get low
numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.write.gif_picture import BOX, MAX_COLOURS, IndexedPicture

MAX_IMAGES = 256
MAX_PIXELS = 1 << 21


class _Held(NamedTuple):
    delay: int
    box: tuple[int, int, int, int]
    """Left, top, right, bottom."""
    places: NDArray[np.int32]
    """(n,): indices of the changed pixels of the box, row by row."""
    numbers: NDArray[np.uint8]
    """(n,): their colour numbers."""


class Opening:
    """The first pictures, stored as the pixels that changed in each.

    The width of an image's codes depends on its highest colour number. Colours are first numbered
    in the order of their first occurrence. Renumbering them by the number of pictures in which they
    change makes files about 2 % smaller.
    """

    def __init__(self) -> None:
        self._held: list[_Held] = []
        self._pixels = 0

    @property
    def full(self) -> bool:
        return len(self._held) >= MAX_IMAGES or self._pixels >= MAX_PIXELS

    def hold(self, picture: IndexedPicture, delay: int) -> None:
        """Store the picture's changes, which then count as written; `delay` is in hundredths of a
        second."""
        left, top, right, bottom = box = picture.box()
        part = slice(top, bottom), slice(left, right)
        places = np.flatnonzero(picture.fresh[part].astype(np.bool_)).astype(np.int32)
        held = _Held(delay, box, places, picture.shown[part].reshape(-1)[places])
        picture.fresh[part] = 0
        picture.forget_box()
        self._held.append(held)
        self._pixels += len(places)

    def _order(self, colours: int) -> NDArray[np.uint8]:
        """(256,) uint8: the new number of each colour; those that change in most pictures come
        first."""
        uses = np.zeros(MAX_COLOURS, np.int64)
        for held in self._held[1:]:
            uses += np.bincount(held.numbers, minlength=len(uses)) > 0
        new = np.arange(MAX_COLOURS, dtype=np.uint8)
        falling = 1 + np.argsort(-uses[1:colours], kind="stable")
        new[falling] = np.arange(1, colours)
        return new

    def replay(self, picture: IndexedPicture) -> Iterator[int]:
        """Renumber the colours and replay the pictures one after the other, with the changes of
        each marked; yields their delays."""
        new = self._order(picture.colours)
        picture.renumber(new)
        for held in self._held:
            left, top, right, _ = picture.registers[BOX] = held.box
            down, across = np.divmod(held.places, right - left)
            picture.shown[top + down, left + across] = new[held.numbers]
            picture.fresh[top + down, left + across] = 1
            yield held.delay
        self._held.clear()
