"""The marks on cells of a board, and those that show the rule of a search."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, auto
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Pixels
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import LEVELS, glyph_box, text_mask
from undoku.render.draw.look import glyph
from undoku.render.timeline.notes import Rule

STRENGTHS = 16
"""The number of steps in which marks grow and fade."""

_WANTED_SIZE = 0.7
"""The size of a digit that a cell needs, or that inference will write, relative to its side."""

_WANTED_SHARE = 0.12
"""The share of the colour of such a digit in the background of its cell."""

_BEST_SHARE = 0.25
"""The share of the colour of its search in the background of a cell that a rule takes next."""

MAX_FAILURES = 8
"""The failures of a cell's units with which its bar is as wide as the cell."""


class Sign(IntEnum):
    DOT = auto()
    HEAD = auto()
    NUMBER = auto()
    WANTED = auto()
    FORCED = auto()
    RING = auto()
    LIT = auto()
    GLOW = auto()
    WEIGHT = auto()
    OPTION = auto()
    """The dot of the only option of an empty cell, which pulses; if it is filled, a ring."""


class CellMark(NamedTuple):
    """A mark: its sign, its strength 0..STRENGTHS, its colour, and its number, for a NUMBER or a
    WANTED or FORCED digit with its glow << 8."""

    sign: Sign
    strength: int
    colour: Colour
    number: int = 0


def strength_of(share: float) -> int:
    """The strength 0..STRENGTHS that is nearest to a share of the full one."""
    return max(0, min(STRENGTHS, round(share * STRENGTHS)))


def marked(cell: Pixels, mark: CellMark) -> Pixels:
    """The picture of a cell (height, width, 3) with a mark on it."""
    side, strength, colour = len(cell), mark.strength / STRENGTHS, mark.colour
    number, glow = mark.number & 0xFF, (mark.number >> 8) / STRENGTHS
    thin, thick = max(2, side // 16), max(2, side // 11)
    match mark.sign:
        case Sign.LIT:
            return _blend(cell, colour, 0.25 * strength)
        case Sign.GLOW:
            return _ring(cell, thin, colour, strength)
        case Sign.RING:
            return _ring(cell, thick, colour, strength)
        case Sign.WEIGHT:
            pixels, inset, high = cell.copy(), max(2, side // 12), max(2, side // 10)
            wide = round((side - 2 * inset) * mark.number / MAX_FAILURES)
            pixels[side - inset - high : side - inset, inset : inset + wide] = colour
            return pixels
        case Sign.OPTION:
            return _disc(_ring(cell, thin, colour, 1), side * (0.08 + 0.16 * strength), colour)
        case Sign.DOT:
            return _disc(cell, side * 0.09, colour)
        case Sign.HEAD:
            return _disc(_blend(cell, colour, 0.3), side * 0.26, colour)
        case Sign.NUMBER:
            pixels, face = _blend(cell, colour, _BEST_SHARE * glow), Face.REGULAR
            pixels = _stamp(
                pixels, str(number), Face.BOLD if glow else face, side * 0.46, colour, strength
            )
            return _ring(pixels, thin, colour, glow)
        case Sign.FORCED:
            pixels, size = _blend(cell, colour, _BEST_SHARE * glow), side * _WANTED_SIZE
            pixels = _stamp(pixels, glyph(number), Face.OBLIQUE, size, colour, strength)
            return _ring(pixels, thin, colour, glow)
        case Sign.WANTED:
            # The digit replaces the pencil marks: most pixels of an empty cell are its background.
            background = np.median(cell.reshape(-1, 3), axis=0).astype(np.uint8)
            size = side * _WANTED_SIZE
            pixels = _blend(np.broadcast_to(background, cell.shape), colour, _WANTED_SHARE)
            pixels = _stamp(pixels, str(number), Face.BOLD, size, colour, strength)
            return _ring(pixels, thick, colour, glow)


def _blend(pixels: np.ndarray, colour: Colour, share: np.ndarray | float) -> Pixels:
    """Pixels blended with a colour; `share` is its coverage of each pixel."""
    mixed = pixels + (np.array(colour, np.float32) - pixels) * share
    return np.asarray(np.rint(mixed), np.uint8)


def _ring(pixels: Pixels, thickness: int, colour: Colour, strength: float) -> Pixels:
    """With a frame inside the cell's edge."""
    height, width, _ = pixels.shape
    ring = _ring_pixels(height, width, thickness)
    flat = pixels.reshape(-1, 3).copy()
    flat[ring] = _blend(flat[ring], colour, strength)
    return flat.reshape(pixels.shape)


@lru_cache(maxsize=64)
def _ring_pixels(height: int, width: int, thickness: int) -> NDArray[np.intp]:
    """The indices of the pixels of a frame, row by row. They are gathered, because each further
    call of numpy takes longer than the pixels of one side."""
    outside = np.ones((height, width), bool)
    outside[thickness:-thickness, thickness:-thickness] = False
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


class RuleMarks:
    """The marks of a rule, in the `colour` of its search; numbers that are not among the best have
    the colour `muted`."""

    def __init__(self, rule: Rule, colour: Colour, muted: Colour) -> None:
        self._rule, self._colour, self._muted = rule, colour, muted
        self._stage: tuple[int, ...] = ()
        self._last: Mapping[int, CellMark] = {}

    def after(self, at: int, frames: int) -> Mapping[int, CellMark]:
        """The marks by cell, after `at` of the `frames` frames of a beat: a sweep through the fixed
        order, or the numbers of options. As long as nothing changes, the same object."""
        order = self._rule.order
        if order:
            # The sweep takes four fifths of the beat; its trail remains visible for the rest.
            stage: tuple[int, ...] = (len(order) * at * 5 // (4 * frames),)
        else:
            stage = strength_of(4 * at / frames), strength_of(4 * at / frames - 1.5)
        if stage != self._stage:
            self._stage = stage
            self._last = self._swept(*stage) if order else self._options(*stage)
        return self._last

    def _swept(self, reached: int) -> Mapping[int, CellMark]:
        """The marks of a sweep that has reached the `reached`th cell of the order."""
        order = self._rule.order
        marks = {cell: CellMark(Sign.DOT, STRENGTHS // 2, self._colour) for cell in order[:reached]}
        if reached < len(order):
            marks[order[reached]] = CellMark(Sign.HEAD, STRENGTHS, self._colour)
        return marks

    def _options(self, shown: int, glow: int) -> Mapping[int, CellMark]:
        """The marks of the numbers of options, or of the digits that inference writes, with the
        strength of all numbers and the glow of the best ones."""
        best_ink = mix(self._muted, self._colour, glow / STRENGTHS)
        marks, forced = {}, dict(self._rule.forced)
        for cell, count in self._rule.options:
            if cell in forced:
                # Its number of options would look as if its digit were not forced.
                number = forced[cell] | glow << 8
                marks[cell] = CellMark(Sign.FORCED, shown, self._colour, number)
                continue
            best = cell in self._rule.best and glow > 0
            ink = best_ink if best else self._muted
            marks[cell] = CellMark(Sign.NUMBER, shown, ink, count | (glow << 8 if best else 0))
        return marks
