"""The marks on cells of a board."""

from __future__ import annotations

from enum import IntEnum, auto
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import CellLook
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import LEVELS, glyph_box, text_mask
from undoku.solver.problem.appearance import SYMBOLS, Form

STRENGTHS = 16
"""The number of steps in which marks grow and fade."""

_SMALL = 20
"""Cells of fewer pixels have a thinner glow."""

_WANTED_SIZE = 0.7
"""The size of a digit that a cell needs, relative to its side."""

_WANTED_SHARE = 0.12
"""The share of the colour of such a digit in the background of its cell."""


class Sign(IntEnum):
    WANTED = auto()
    WRONG = auto()
    """The cell is filled with the colour; its digit has that of the background."""
    NARROWED = auto()
    """The cell changes from how it looks with the value `number`, too, as an option."""
    RING = auto()
    LIT = auto()
    GLOW = auto()
    OPTION = auto()
    """The dot of the only option of an empty cell, which pulses; if it is filled, a ring."""


class CellMark(NamedTuple):
    """A mark: its sign, its strength 0..STRENGTHS, its colour, and the number of a WANTED digit,
    with its glow << 8, or of the option that a NARROWED cell loses, 0 for none."""

    sign: Sign
    strength: int
    colour: Colour
    number: int = 0


def strength_of(share: float) -> int:
    """The strength 0..STRENGTHS that is nearest to a share of the full one."""
    return max(0, min(STRENGTHS, round(share * STRENGTHS)))


def marked(
    cell: Pixels, look: CellLook, mark: CellMark, background: Colour, before: Pixels | None = None
) -> Pixels:
    """The picture of a cell (height, width, 3) of this look with a mark on it, in a picture with
    this background. `before` is the one from which a NARROWED cell changes. A cell of several
    fields has one ring around all of them, and a symbol in one of them."""
    side, strength, colour = len(cell), mark.strength / STRENGTHS, mark.colour
    number, glow = mark.number & 0xFF, (mark.number >> 8) / STRENGTHS
    thin, thick = max(2, side // 16), max(2, side // 11)
    match mark.sign:
        case Sign.LIT:
            return _blend(cell, colour, 0.25 * strength)
        case Sign.GLOW:
            return _ring(cell, look, thin if side >= _SMALL else 1, colour, strength)
        case Sign.RING:
            return _ring(cell, look, thick, colour, strength)
        case Sign.OPTION:
            ringed = _ring(cell, look, thin, colour, 1)
            radius = side * (0.08 + 0.16 * strength)
            return ringed if look.bare else _disc(ringed, radius, colour)
        case Sign.NARROWED:
            changing = cell if before is None else _blend(before, cell, strength)
            return _ring(changing, look, thick, colour, 1)
        case Sign.WRONG:
            filled, size = np.full_like(cell, colour), side * _WANTED_SIZE
            symbol = look.symbol(look.value)
            if not look.bare:
                filled = _stamp(filled, symbol, Face.BOLD, size, background, 1)
            return _blend(cell, filled, strength)
        case Sign.WANTED:
            # The digit replaces the pencil marks: most pixels of an empty cell are its background.
            usual = np.median(cell.reshape(-1, 3), axis=0).astype(np.uint8)
            size = side * _WANTED_SIZE
            pixels = _blend(np.broadcast_to(usual, cell.shape), colour, _WANTED_SHARE)
            if not look.bare:
                pixels = _stamp(pixels, SYMBOLS[number - 1], Face.BOLD, size, colour, strength)
            return _ring(pixels, look, thick, colour, glow)


def _blend(pixels: np.ndarray, colour: Colour | Pixels, share: np.ndarray | float) -> Pixels:
    """Pixels blended with a colour or other pixels; `share` is the coverage of each pixel."""
    mixed = pixels + (np.array(colour, np.float32) - pixels) * share
    return np.asarray(np.rint(mixed), np.uint8)


def _ring(
    pixels: Pixels, look: CellLook, thickness: int, colour: Colour, strength: float
) -> Pixels:
    """With a frame inside the edge of a cell of this look, or of its disc."""
    height, width, _ = pixels.shape
    ring = _ring_pixels(height, width, -1 if look.form is Form.NODES else look.sides, thickness)
    flat = pixels.reshape(-1, 3).copy()
    flat[ring] = _blend(flat[ring], colour, strength)
    return flat.reshape(pixels.shape)


@lru_cache(maxsize=64)
def _ring_pixels(height: int, width: int, sides: int, thickness: int) -> NDArray[np.intp]:
    """The indices of the pixels of a frame on `sides`, or of a circle for -1, row by row. They are
    gathered, because each further call of numpy takes longer than the pixels of one side."""
    if sides < 0:
        row, column = np.indices((height, width)) + 0.5
        far = np.hypot(row - height / 2, column - width / 2)
        return np.flatnonzero((far > height / 2 - thickness) & (far < height / 2))
    outside = np.ones((height, width), bool)
    left, top, right, bottom = (thickness * (sides >> side & 1) for side in range(4))
    outside[top : height - bottom, left : width - right] = False
    return np.flatnonzero(outside)


def _disc(pixels: Pixels, radius: float, colour: Colour) -> Pixels:
    """With a smooth disc in the middle of the cell."""
    height, width, _ = pixels.shape
    row, column = np.indices((height, width))
    distance = np.hypot(row - (height - 1) / 2, column - (width - 1) / 2)
    share = np.clip(radius + 0.5 - distance, 0, 1)[..., None]
    return _blend(pixels, colour, share)


def _stamp(
    pixels: Pixels, text: str, face: Face, size: float, colour: Colour, strength: float
) -> Pixels:
    """With letters in the middle of the cell."""
    left, top, right, bottom = glyph_box(text, face, round(size))
    ink = text_mask(text, face, round(size))[top:bottom, left:right]
    height, width, _ = pixels.shape
    high, wide = min(height, bottom - top), min(width, right - left)
    y, x = (height - high) // 2, (width - wide) // 2
    share = np.zeros((height, width, 1))
    share[y : y + high, x : x + wide, 0] = ink[:high, :wide] / (LEVELS - 1) * strength
    return _blend(pixels, colour, share)
