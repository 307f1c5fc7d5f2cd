"""The first pictures of a GIF, which are held back so that the colours that change most get low
numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I32, I64, U8, U8_2D, U64_2D, loop
from undoku.render.write.gif_picture import BOX, MAX_COLOURS, IndexedPicture

MAX_IMAGES = 256
MAX_PIXELS = 1 << 21


@loop
def _collect(
    picture: U8_2D,
    fresh: U8_2D,
    words: U64_2D,
    box: I64,
    places: I32,
    numbers: U8,
) -> None:
    """Copy the changed pixels of the box to `places` and `numbers` (see _Held), and clear their
    marks; `words` is the memory of `fresh` as 8-byte words."""
    left, top, right, bottom = int(box[0]), int(box[1]), int(box[2]), int(box[3])
    found = 0
    for y in range(top, bottom):
        for word in range(left >> 3, (right + 7) >> 3):
            if words[y, word] == 0:
                continue
            for x in range(word << 3, (word + 1) << 3):
                if fresh[y, x]:
                    if len(places):
                        places[found] = (y - top) * (right - left) + x - left
                    numbers[found] = picture[y, x]
                    found += 1
            words[y, word] = 0


@loop
def _write_back(
    picture: U8_2D,
    fresh: U8_2D,
    box: I64,
    places: I32,
    numbers: U8,
    new: U8,
) -> None:
    """Write the pixels back to the picture, with new[n] for each number n, and mark them."""
    left, top, width = int(box[0]), int(box[1]), int(box[2] - box[0])
    for number in range(len(numbers)):
        place = int(places[number]) if len(places) else number
        y, x = top + place // width, left + place % width
        picture[y, x] = new[numbers[number]]
        fresh[y, x] = 1


class _Held(NamedTuple):
    delay: int
    box: I64
    """(4,): left, top, right, bottom."""
    places: I32
    """(n,): indices of the changed pixels of the box, row by row; empty if all of them changed."""
    numbers: U8
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
        left, top, right, bottom = picture.box()
        changed, size = picture.changed, (right - left) * (bottom - top)
        held = _Held(
            delay,
            np.array((left, top, right, bottom), np.int64),
            np.empty(changed if changed < size else 0, np.int32),
            np.empty(changed, np.uint8),
        )
        _collect(picture.shown, picture.fresh, picture.words, held.box, held.places, held.numbers)
        picture.forget_box()
        self._held.append(held)
        self._pixels += changed

    def _order(self, colours: int) -> U8:
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
            _write_back(picture.shown, picture.fresh, held.box, held.places, held.numbers, new)
            picture.registers[BOX] = held.box
            yield held.delay
        self._held.clear()
