"""The memory of a search, for cell orders that depend on its past."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Learned"]


class Learned(NamedTuple):
    """The memory of one search, which backtracking does not change.

    weights   (u,) int64: 1 + how often a unit took a cell's last candidate
    activity  (cells,) float64: see `undoku.solver.search.activity`; used by that order only
    dice      (2,) int64: see `undoku.solver.search.random_choices`
    """

    weights: NDArray[np.int64]
    activity: NDArray[np.float64]
    dice: NDArray[np.int64]
