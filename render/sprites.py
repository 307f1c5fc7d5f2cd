"""Sprites: every cell, digit and line of text is drawn once and then copied."""

from __future__ import annotations

from enum import Enum, auto

import numpy as np

from render.canvas import Pixels, Sprite
from render.cells import draw_cell, ramp, stamp
from render.lettering import Face, fitted, line_height, text_mask
from render.looks import CellLook
from render.theme import Colour, Theme

__all__ = ["Align", "SpriteBook"]

_MOST_CELLS = 64 << 20
"""Bytes of cell pictures that are kept. Boards seldom show so many; when they do, all are drawn
anew, under new numbers."""


class Align(Enum):
    LEFT = auto()
    CENTRE = auto()
    RIGHT = auto()


class SpriteBook:
    """Draws sprites in a theme's colours and keeps them."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._cells: dict[tuple[CellLook, int], Sprite] = {}
        self._cell_bytes = 0
        self._texts: dict[object, Sprite] = {}
        self._made = 0

    def _sprite(self, pixels: Pixels) -> Sprite:
        pixels.setflags(write=False)
        self._made += 1
        return Sprite(self._made - 1, pixels)

    def cell(self, look: CellLook, side: int) -> Sprite:
        """A cell of `side` × `side` pixels, its lines on the left and upper edge included."""
        key = (look, side)
        kept = self._cells.get(key)
        if kept is None:
            if self._cell_bytes > _MOST_CELLS:
                self._cells.clear()
                self._cell_bytes = 0
            kept = self._cells[key] = self._sprite(draw_cell(look, side, self.theme))
            self._cell_bytes += kept.pixels.nbytes
        return kept

    def text(
        self,
        text: str,
        face: Face,
        size: int,
        ink: Colour,
        width: int,
        *,
        height: int = 0,
        align: Align = Align.LEFT,
        ground: Colour | None = None,
    ) -> Sprite:
        """One line of text on `ground`, in a box of `width` × `height` pixels (by default the
        line's height), shortened with an ellipsis where it doesn't fit."""
        ground = self.theme.ground if ground is None else ground
        height = height or line_height(face, size)
        key = (text, face, size, ink, width, height, align, ground)
        if key not in self._texts:
            mask = text_mask(fitted(text, face, size, width), face, size)
            levels = np.zeros((height, width), np.uint8)
            spare = width - mask.shape[1]
            x = {Align.LEFT: 0, Align.CENTRE: spare // 2, Align.RIGHT: spare}[align]
            stamp(levels, mask, x, (height - mask.shape[0]) // 2)
            self._texts[key] = self._sprite(ramp(ink, ground)[levels])
        return self._texts[key]
