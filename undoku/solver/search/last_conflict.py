"""The choice that has priority over all others: that of the last guess before the latest dead end.

A choice is written as cell orders write it: a cell, or -(1 + unit × size + value - 1).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner
from undoku.solver.problem.geometry_arrays import Tables

__all__ = ["NO_CHOICE", "is_open"]

NO_CHOICE = -(1 << 40)
"""There has been no dead end."""


@inner
def is_open(tables: Tables, board: NDArray[np.uint8], choice: int) -> int:
    """1 if a choice is still open: the cell is empty, or no cell of the unit holds the value;
    otherwise 0, also for NO_CHOICE."""
    if choice >= 0:
        return int(board[choice] == 0)
    if choice == NO_CHOICE:
        return 0
    unit = (-1 - choice) // tables.size
    value = (-1 - choice) % tables.size + 1
    for at in range(tables.size):
        if board[tables.units[unit, at]] == value:
            return 0
    return 1
