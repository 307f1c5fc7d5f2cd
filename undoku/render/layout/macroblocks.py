"""Slight shifts of numbers after which their digits cover few macroblocks."""

from __future__ import annotations

from collections.abc import Iterable

from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box

_SIDE = 16
"""The width and height of a macroblock in pixels."""

_TALLEST = "0"
"""A digit that is as wide and as high as any other, except for some faint pixels."""


def slight_shifts(pitch: int, before: int, after: int) -> range:
    """Shifts in pixels that are hardly visible, for digits that are `pitch` pixels wide: back by at
    most `before` (>= 0), and on by at most `after` (>= 0), where there is room."""
    most = max(1, pitch // 8)
    return range(-min(most, before), min(most, after) + 1)


def column_shift(last: int, pitch: int, size: int, shifts: Iterable[int]) -> int:
    """The slightest of these shifts to the right, in pixels, after which the last digit of a number
    shares no column of macroblocks with the digit before it; 0 if there is none. The last digit
    changes most often. Its macroblocks then have ten contents instead of a hundred.

    Digits are `pitch` pixels wide, in letters of `size` pixels per em; the last one begins at the
    column `last`."""
    left, _, right, _ = glyph_box(_TALLEST, Face.REGULAR, size)
    for shift in sorted(shifts, key=abs):
        begins, ends_before = last + left + shift, last - pitch + right - 1 + shift
        if ends_before // _SIDE < begins // _SIDE:
            return shift
    return 0


def row_shift(top: int, size: int, shifts: Iterable[int]) -> int:
    """The slightest of these shifts downwards, in pixels, after which digits are in as few rows of
    macroblocks as possible. They are in letters of `size` pixels per em, whose line begins at the
    row `top`."""
    _, upper, _, lower = glyph_box(_TALLEST, Face.REGULAR, size)

    def rows(shift: int) -> int:
        return (top + lower - 1 + shift) // _SIDE - (top + upper + shift) // _SIDE

    return min(sorted(shifts, key=abs), key=rows)
