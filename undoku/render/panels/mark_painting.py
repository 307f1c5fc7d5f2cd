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
from undoku.render.draw.lettering import LEVELS, Face, text_mask
from undoku.render.draw.look import glyph
from undoku.render.timeline.notes import Rule

__all__ = ["MAX_FAILURES", "STRENGTHS", "CellMark", "RuleMarks", "Sign", "marked", "strength_of"]

STRENGTHS = 16
"""The number of steps in which marks grow and fade."""

_WANTED_SIZE = 0.7
"""The size of a digit that a cell needs, or that inference will write, relative to its side."""

_WANTED_SHARE = 0.12
"""The share of the colour of such a digit in the ground of its cell."""

_BEST_SHARE = 0.25
"""The share of the colour of its search in the ground of a cell that a rule takes next."""

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
    pixels = cell.copy()
    side, strength = len(cell), mark.strength / STRENGTHS
    match mark.sign:
        case Sign.LIT:
            pixels = _tinted(pixels, mark.colour, 0.25 * strength)
        case Sign.GLOW:
            _ring(pixels, max(2, side // 16), mark.colour, strength)
        case Sign.RING:
            _ring(pixels, max(2, side // 11), mark.colour, strength)
        case Sign.WEIGHT:
            inset, high = max(2, side // 12), max(2, side // 10)
            wide = round((side - 2 * inset) * mark.number / MAX_FAILURES)
            bar = pixels[side - inset - high : side - inset, inset : inset + wide]
            bar[:] = mark.colour
        case Sign.DOT | Sign.HEAD:
            head = mark.sign is Sign.HEAD
            if head:
                pixels = _tinted(pixels, mark.colour, 0.3)
            pixels = _disc(pixels, side * (0.26 if head else 0.09), mark.colour)
        case Sign.NUMBER:
            glow = mark.number >> 8
            if glow:
                pixels = _tinted(pixels, mark.colour, _BEST_SHARE * glow / STRENGTHS)
            face = Face.BOLD if glow else Face.REGULAR
            mask = text_mask(str(mark.number & 0xFF), face, round(side * 0.46))
            _stamp(pixels, mask, mark.colour, strength)
            if glow:
                _ring(pixels, max(2, side // 16), mark.colour, glow / STRENGTHS)
        case Sign.FORCED:
            lit = (mark.number >> 8) / STRENGTHS
            pixels = _tinted(pixels, mark.colour, _BEST_SHARE * lit)
            symbol = glyph(mark.number & 0xFF)
            mask = text_mask(symbol, Face.OBLIQUE, round(side * _WANTED_SIZE))
            _stamp(pixels, mask, mark.colour, strength)
            _ring(pixels, max(2, side // 16), mark.colour, lit)
        case Sign.WANTED:
            # The digit replaces the pencil marks: most pixels of an empty cell are its ground.
            pixels[:] = np.median(pixels.reshape(-1, pixels.shape[2]), axis=0)
            pixels = _tinted(pixels, mark.colour, _WANTED_SHARE)
            mask = text_mask(str(mark.number & 0xFF), Face.BOLD, round(side * _WANTED_SIZE))
            _stamp(pixels, mask, mark.colour, strength)
            _ring(pixels, max(2, side // 11), mark.colour, (mark.number >> 8) / STRENGTHS)
    return pixels


def _blend(pixels: Pixels, colour: Colour, share: np.ndarray | float) -> Pixels:
    """Pixels blended with a colour; `share` is its coverage of each pixel."""
    mixed = pixels + (np.array(colour, np.float32) - pixels) * share
    return np.rint(mixed).astype(np.uint8)


def _tinted(pixels: Pixels, colour: Colour, share: float) -> Pixels:
    return _blend(pixels, colour, share)


def _ring(pixels: Pixels, thickness: int, colour: Colour, strength: float) -> None:
    """A frame inside the cell's edge, drawn in place."""
    height, width, _ = pixels.shape
    ring = _ring_pixels(height, width, thickness)
    flat = pixels.reshape(-1, 3)
    flat[ring] = _blend(flat[ring], colour, strength)


@lru_cache(maxsize=64)
def _ring_pixels(height: int, width: int, thickness: int) -> NDArray[np.intp]:
    """The indices of the pixels of a frame, row by row. They are gathered, because each further
    call of numpy takes longer than the pixels of one side."""
    outside = np.ones((height, width), bool)
    outside[thickness:-thickness, thickness:-thickness] = False
    return np.flatnonzero(outside)


def _disc(pixels: Pixels, radius: float, colour: Colour) -> Pixels:
    """A smooth disc in the middle of the cell."""
    height, width, _ = pixels.shape
    row, column = np.indices((height, width))
    distance = np.hypot(row - (height - 1) / 2, column - (width - 1) / 2)
    share = np.clip(radius + 0.5 - distance, 0, 1)[..., None]
    return _blend(pixels, colour, share)


def _stamp(pixels: Pixels, mask: np.ndarray, colour: Colour, strength: float) -> None:
    """Letters in the middle of the cell, drawn in place."""
    height, width, _ = pixels.shape
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return
    ink = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high, wide = min(height, ink.shape[0]), min(width, ink.shape[1])
    top, left = (height - high) // 2, (width - wide) // 2
    window = pixels[top : top + high, left : left + wide]
    share = (ink[:high, :wide] / (LEVELS - 1) * strength)[..., None]
    window[:] = _blend(window, colour, share)


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
