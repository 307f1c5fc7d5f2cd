"""A picture of a film, with its duration."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from undoku.render.draw.canvas import Pixels


class Picture(NamedTuple):
    """A picture and its duration. `pixels` is (height, width, 3) uint8 RGB, or (height, width, 4)
    RGBA for a transparent film, always a new array; `seconds` is above 0, except for a single
    picture without a duration.
    """

    pixels: Pixels
    seconds: Fraction
