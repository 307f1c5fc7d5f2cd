"""Sprites: every digit and line of text is drawn once and then copied."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

import numpy as np

from undoku.render.draw.canvas import Canvas, Pixels, Rect, Sprite
from undoku.render.draw.cell_look import CellLook
from undoku.render.draw.cells import draw_cell, ramp, stamp
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted, line_height, text_mask, text_width
from undoku.render.draw.sprite_index import SpriteIndex
from undoku.render.draw.theme import Theme
from undoku.texts.language import spoken

_MAX_TEXT_BYTES = 8 << 20
"""The maximum size of the lines of text in the cache."""


class Align(Enum):
    LEFT = auto()
    CENTRE = auto()
    RIGHT = auto()

    @property
    def as_read(self) -> Align:
        """The alignment on the screen: left and right are exchanged if the current language is
        written from right to left."""
        if self is Align.CENTRE or not spoken().right_to_left:
            return self
        return Align.RIGHT if self is Align.LEFT else Align.LEFT


class Area(NamedTuple):
    """A rectangle of one colour."""

    rect: Rect
    colour: Colour


class Cell(NamedTuple):
    """A cell of a board, as `undoku.render.draw.cells.draw_cell` draws it."""

    rect: Rect
    look: CellLook


class BoxedText(NamedTuple):
    """A line of text in a box, as `SpriteBook.text` draws it."""

    rect: Rect
    text: str
    face: Face
    size: int
    ink: Colour
    background: Colour
    align: Align


class SpriteBook:
    """Draws sprites in the colours of a theme. Lines of text are cached here, all other sprites in
    `index`."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.index = SpriteIndex()
        self._texts: dict[object, Sprite] = {}
        self._text_bytes = 0
        self._made = 0

    def sprite(self, pixels: Pixels, content: Area | Cell | BoxedText | None = None) -> Sprite:
        """A picture as a sprite, and what it shows."""
        pixels.setflags(write=False)
        self._made += 1
        return Sprite(self._made - 1, pixels, content)

    def area(self, width: int, height: int, colour: Colour) -> Sprite:
        """A new sprite: a rectangle of one colour."""
        content = Area(Rect(0, 0, width, height), colour)
        return self.sprite(np.full((height, width, 3), colour, np.uint8), content)

    def cell(self, side: int, look: CellLook) -> Sprite:
        """A new sprite: a cell of a board whose squares have `side` × `side` pixels."""
        pixels = draw_cell(look, side, self.theme)
        return self.sprite(pixels, Cell(Rect(0, 0, side, side), look))

    def write(
        self,
        canvas: Canvas,
        at: tuple[int, int],
        text: str,
        face: Face,
        size: int,
        ink: Colour,
        width: int = 0,
        *,
        height: int = 0,
        align: Align = Align.LEFT,
        background: Colour | None = None,
    ) -> int:
        """Draw one line of text, as `text` returns it, at (x, y) on a canvas; by default the box is
        as wide as the text. Returns the right edge of the box."""
        width = width or text_width(text, face, size)
        box = self.text(
            text, face, size, ink, width, height=height, align=align, background=background
        )
        canvas.blit(box, *at)
        return at[0] + width

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
        background: Colour | None = None,
    ) -> Sprite:
        """One line of text on `background`, in a box of `width` × `height` pixels (by default the
        line's height), shortened with an ellipsis if it does not fit. LEFT is the side
        where a line begins: the right side in languages written from right to left."""
        align = align.as_read
        background = self.theme.background if background is None else background
        height = height or line_height(face, size)
        key = (text, face, size, ink, width, height, align, background)
        if key not in self._texts:
            self._text_bytes += 3 * width * height
            if self._text_bytes > _MAX_TEXT_BYTES:
                self._texts.clear()
                self._text_bytes = 3 * width * height
            mask = text_mask(fitted(text, face, size, width), face, size)
            levels = np.zeros((height, width), np.uint8)
            spare = width - mask.shape[1]
            x = {Align.LEFT: 0, Align.CENTRE: spare // 2, Align.RIGHT: spare}[align]
            stamp(levels, mask, x, (height - mask.shape[0]) // 2)
            box = Rect(0, 0, width, height)
            content = BoxedText(box, text, face, size, ink, background, align)
            pixels = ramp(ink, background).take(levels, axis=0)
            self._texts[key] = self.sprite(pixels, content)
        return self._texts[key]
