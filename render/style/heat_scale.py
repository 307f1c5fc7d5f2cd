"""The logarithmic scale of how often a cell was tried."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.style.theme import SHADES

__all__ = ["HeatStep", "scale", "stops"]

_CLASSES = SHADES - 1


class HeatStep(NamedTuple):
    """A shade, 0..SHADES - 1, and the tries that it stands for, `least` to `most`."""

    shade: int
    least: int
    most: int


def _bounds(most: int) -> list[int]:
    """Where each class of counts from 1 to `most` begins: at equal ratios, rounded to one digit
    that counts, each higher than the one before."""
    found = [1]
    for number in range(1, _CLASSES):
        exact = most ** (number / _CLASSES)
        ten = 10 ** max(0, len(str(int(exact))) - 1)
        bound = max(found[-1] + 1, round(exact / ten) * ten)
        if bound <= most:
            found.append(bound)
    return found


def stops(most: int) -> NDArray[np.int64]:
    """(SHADES - 1,) int64, ascending: a cell has as many shades above the first as there are stops
    that its tries have reached. `most` (>= 0) is what the cell that was tried most will have; few
    counts have shades that lie far apart."""
    bounds = _bounds(max(1, most))
    return np.array([bounds[k * len(bounds) // _CLASSES] for k in range(_CLASSES)], np.int64)


def scale(most: int) -> list[HeatStep]:
    """What each shade that occurs stands for, from never to `most`."""
    bounds, found = _bounds(max(1, most)), stops(most)
    steps = [HeatStep(0, 0, 0)]
    for number, bound in enumerate(bounds):
        end = bounds[number + 1] - 1 if number + 1 < len(bounds) else max(1, most)
        steps.append(HeatStep(int(np.searchsorted(found, bound, side="right")), bound, end))
    return steps
