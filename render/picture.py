"""A picture of a film, with the time that it stands."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from render.drawing.canvas import Pixels

__all__ = ["Picture"]


class Picture(NamedTuple):
    """A picture and how long it stands.

    `pixels` is (height, width, 3) uint8 RGB, (height, width, 4) RGBA without a ground, a copy of
    its own; `seconds` is above 0, but 0 where a file holds one picture and no time.
    """

    pixels: Pixels
    seconds: Fraction
