"""Draws ghosts: the pictures of cells in which several digits stood in turn. A fast film needs
thousands of them, so that each is put together from what it shares with others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Pixels
from render.drawing.cells import GHOST_STRENGTHS, cell_colours, digit_mask, draw_cell, ramp
from render.style.cell_look import PAYLOAD, unpacked
from render.style.theme import Theme
from solver.jit import lean

__all__ = ["Ghosts"]

_VALUES = 25
_SHARES = PAYLOAD + 2
_SHARE_BITS = (1 << 2 * _VALUES) - 1


@lean
def _lay(
    picture: NDArray[np.uint8],
    digits: NDArray[np.uint8],
    shares: int,
    colours: NDArray[np.uint8],
    levels: NDArray[np.uint8],
) -> None:
    """Lay digits over `picture` (side * side, 3): those of `digits` (values, strengths, side *
    side) whose two bits of `shares` are not 0. The greatest coverage of each pixel, found in
    `levels` (side * side,), says which of `colours` (LEVELS, 3) it gets; 0 leaves it as it is."""
    levels[:] = 0
    value = 0
    while shares:
        strength = shares & 3
        if strength:
            for place in range(len(levels)):
                levels[place] = max(levels[place], digits[value, strength, place])
        shares >>= 2
        value += 1
    for place in range(len(levels)):
        level = levels[place]
        if level:
            for part in range(3):
                picture[place, part] = colours[level, part]


class Ghosts:
    """Ghosts in cells of `side` × `side` pixels, in a theme's colours. Each is the picture of the
    cell without digits, drawn as any other, under digits in the strengths of their shares."""

    def __init__(self, theme: Theme, side: int) -> None:
        self._theme = theme
        self._side = side
        self._grounds: dict[int, tuple[Pixels, Pixels]] = {}
        self._digits = np.zeros((_VALUES, len(GHOST_STRENGTHS), side * side), np.uint8)
        self._known = 0
        self._levels = np.zeros(side * side, np.uint8)

    def draw(self, look: int) -> Pixels:
        """(side, side, 3): the picture of a look (`render.style.cell_look.packed`) that is a ghost.
        It has no ring: what digits may touch must be drawn below them."""
        shares = look >> _SHARES & _SHARE_BITS
        ground = look & ~(_SHARE_BITS << _SHARES)
        if shares & ~self._known:
            self._learn(ground, shares)
        found = self._grounds.get(ground)
        if found is None:
            under, ink, _ = cell_colours(unpacked(ground), self._theme)
            picture = draw_cell(unpacked(ground), self._side, self._theme)
            found = self._grounds[ground] = picture, ramp(ink, under)
        picture = found[0].copy()
        _lay(picture.reshape(-1, 3), self._digits, shares, found[1], self._levels)
        return picture

    def _learn(self, ground: int, shares: int) -> None:
        """Draw the digits of these shares."""
        _, _, face = cell_colours(unpacked(ground), self._theme)
        for value in range(_VALUES):
            if shares >> 2 * value & 3:
                self._known |= 3 << 2 * value
                for strength, share in enumerate(GHOST_STRENGTHS):
                    digit = digit_mask(value + 1, face, self._side, share)
                    self._digits[value, strength] = digit.reshape(-1)
