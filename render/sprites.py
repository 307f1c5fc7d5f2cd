"""Sprites: every cell, digit and line of text is drawn once and then copied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from render.canvas import Pixels, Sprite
from render.lettering import (
    LEVELS,
    Face,
    Mask,
    fitted,
    glyph_box,
    line_height,
    quantised,
    text_mask,
)
from render.theme import TINTS, Colour, Theme, mix
from solver.puzzle import SYMBOLS

__all__ = ["Align", "CellLook", "Kind", "Mark", "SpriteBook"]

from enum import Enum, auto


class Kind(Enum):
    """What a cell holds."""

    EMPTY = auto()
    GIVEN = auto()
    GUESS = auto()
    FORCED = auto()


class Mark(Enum):
    """What the present step does to a cell."""

    NONE = auto()
    TRYING = auto()
    UNDOING = auto()


class Align(Enum):
    LEFT = auto()
    CENTRE = auto()
    RIGHT = auto()


@dataclass(frozen=True, slots=True)
class CellLook:
    """All that a cell's picture depends on, apart from its size. `tint` is 0..TINTS - 1;
    `left` and `top` say whether the line on that side is a strong one."""

    kind: Kind
    value: int = 0
    tint: int = 0
    mark: Mark = Mark.NONE
    left: bool = False
    top: bool = False


def tint_of(depth: int, deepest: int) -> int:
    """The tint for a guess made at `depth` (1..deepest)."""
    return min(TINTS - 1, max(0, (depth - 1) * TINTS // max(1, deepest)))


class SpriteBook:
    """Draws sprites in a theme's colours and keeps them."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._kept: dict[object, Sprite] = {}

    def _keep(self, key: object, pixels: Pixels) -> Sprite:
        pixels.setflags(write=False)
        sprite = self._kept[key] = Sprite(len(self._kept), pixels)
        return sprite

    def cell(self, look: CellLook, side: int) -> Sprite:
        """A cell of `side` × `side` pixels, its lines on the left and upper edge included."""
        key = (look, side)
        if key not in self._kept:
            self._keep(key, _draw_cell(look, side, self.theme))
        return self._kept[key]

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
        if key not in self._kept:
            mask = text_mask(fitted(text, face, size, width), face, size)
            levels = np.zeros((height, width), np.uint8)
            spare = width - mask.shape[1]
            x = {Align.LEFT: 0, Align.CENTRE: spare // 2, Align.RIGHT: spare}[align]
            _stamp(levels, mask, x, (height - mask.shape[0]) // 2)
            self._keep(key, _inked(levels, ink, ground))
        return self._kept[key]


def strong_width(side: int) -> int:
    """The width in pixels of the line between two boxes, for cells of `side` pixels."""
    return max(2, round(side / 16))


def thin_width(side: int) -> int:
    """The width in pixels of the line between two cells of a box."""
    return max(1, round(side / 64))


@lru_cache(maxsize=64)
def _ramp(ink: Colour, ground: Colour) -> Pixels:
    """(LEVELS, 3): from ground to ink."""
    return np.array([mix(ground, ink, level / (LEVELS - 1)) for level in range(LEVELS)], np.uint8)


def _inked(levels: Mask, ink: Colour, ground: Colour) -> Pixels:
    pixels: Pixels = _ramp(ink, ground)[levels]
    return pixels


def _stamp(levels: Mask, mask: Mask, x: int, y: int) -> None:
    """Lay `mask` over `levels` at (x, y), clipped to it; the higher coverage stays."""
    height, width = levels.shape
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(mask.shape[1], width - x), min(mask.shape[0], height - y)
    if right <= left or bottom <= top:
        return
    under = levels[y + top : y + bottom, x + left : x + right]
    np.maximum(under, mask[top:bottom, left:right], out=under)


def _draw_cell(look: CellLook, side: int, theme: Theme) -> Pixels:
    ground, ink, face = _colours(look, theme)
    left = strong_width(side) if look.left else thin_width(side)
    top = strong_width(side) if look.top else thin_width(side)
    levels = np.zeros((side, side), np.uint8)
    # The digit sits at one place whatever the lines are, so that it never shifts.
    inner = thin_width(side)
    if look.value:
        size = _digit_size(side)
        symbol = SYMBOLS[look.value - 1]
        mask = text_mask(symbol, face, size)
        x0, y0, x1, y1 = glyph_box(symbol, face, size)
        _, top_of_eight, _, bottom_of_eight = glyph_box("8", face, size)
        centre = (side + inner) / 2
        x = round(centre - (x0 + x1) / 2)
        # All digits stand on the same line: the 8's height centres them.
        y = round(centre - (top_of_eight + bottom_of_eight) / 2)
        del y0, y1
        _stamp(levels, mask, x, y)
    if look.mark is Mark.UNDOING:
        _stamp(levels, _strike(side), 0, 0)
    pixels = _inked(levels, ink, ground)
    if look.mark is Mark.TRYING:
        _frame(pixels, left, top, max(1, round(side / 16)), theme.trying)
    pixels[:, :left] = theme.strong_line if look.left else theme.line
    pixels[:top, :] = theme.strong_line if look.top else theme.line
    if look.left:
        pixels[:, :left] = theme.strong_line
    return pixels


def _digit_size(side: int) -> int:
    """Pixels per em so that a digit takes about half of the cell's height."""
    return max(6, round(side * 0.64))


def _colours(look: CellLook, theme: Theme) -> tuple[Colour, Colour, Face]:
    """(ground, ink, face)"""
    if look.mark is Mark.TRYING:
        return theme.trying_cell, theme.trying, Face.BOLD
    if look.mark is Mark.UNDOING:
        return theme.undoing_cell, theme.undoing, Face.REGULAR
    if look.kind is Kind.GIVEN:
        return theme.given_cell, theme.given, Face.BOLD
    if look.kind is Kind.EMPTY:
        return theme.cell, theme.text, Face.REGULAR
    face = Face.OBLIQUE if look.kind is Kind.FORCED else Face.REGULAR
    return theme.scale_cells[look.tint], theme.scale[look.tint], face


def _frame(pixels: Pixels, left: int, top: int, width: int, colour: Colour) -> None:
    """A ring just inside the cell."""
    gap = width
    x, y = left + gap, top + gap
    end = pixels.shape[0] - gap
    pixels[y : y + width, x:end] = colour
    pixels[end - width : end, x:end] = colour
    pixels[y:end, x : x + width] = colour
    pixels[y:end, end - width : end] = colour


@lru_cache(maxsize=8)
def _strike(side: int) -> Mask:
    """A stroke from the lower left to the upper right, smooth by supersampling."""
    from PIL import Image, ImageDraw

    scale = 4
    picture = Image.new("L", (side * scale, side * scale))
    near, far = round(side * 0.22) * scale, round(side * 0.82) * scale
    ImageDraw.Draw(picture).line(
        (near, far, far, near), fill=255, width=max(1, round(side / 14)) * scale
    )
    small = picture.resize((side, side), Image.Resampling.BOX)
    return quantised(np.asarray(small))
