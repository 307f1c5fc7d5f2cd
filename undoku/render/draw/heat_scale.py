"""The logarithmic scale of how often a cell was tried."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.theme import SHADES

__all__ = ["HeatStep", "scale", "stops"]

_CLASSES = SHADES - 1


class HeatStep(NamedTuple):
    """A shade, 0..SHADES - 1, and the numbers of tries that it represents, `least` to `most`."""

    shade: int
    least: int
    most: int


def _bounds(most: int) -> list[int]:
    """The smallest number of each class of counts from 1 to `most`: at equal ratios, rounded to one
    significant digit, and ascending."""
    found = [1]
    for number in range(1, _CLASSES):
        exact = most ** (number / _CLASSES)
        ten = 10 ** max(0, len(str(int(exact))) - 1)
        bound = max(found[-1] + 1, round(exact / ten) * ten)
        if bound <= most:
            found.append(bound)
    return found


def stops(most: int) -> NDArray[np.int64]:
    """(SHADES - 1,) int64, ascending: the shade of a cell is the number of stops that are at most
    its number of tries. `most` (>= 0) is the largest number of tries of a cell at the end. If there
    are few different counts, their shades differ strongly."""
    bounds = _bounds(max(1, most))
    return np.array([bounds[k * len(bounds) // _CLASSES] for k in range(_CLASSES)], np.int64)


def scale(most: int) -> list[HeatStep]:
    """The numbers of tries for each shade that occurs, from 0 to `most`."""
    bounds, found = _bounds(max(1, most)), stops(most)
    steps = [HeatStep(0, 0, 0)]
    for number, bound in enumerate(bounds):
        end = bounds[number + 1] - 1 if number + 1 < len(bounds) else max(1, most)
        steps.append(HeatStep(int(np.searchsorted(found, bound, side="right")), bound, end))
    return steps
