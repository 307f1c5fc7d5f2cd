"""Activity-based search: the cell whose candidates change most often comes first.

After Michel and Van Hentenryck (2012). The activity of every cell begins at 1. After each guess,
the activity of a cell that had several candidates before it is multiplied by 0.999, and 1 is added
if the guess and its inference removed any of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean
from undoku.solver.problem.geometry_arrays import Candidates, Tables
from undoku.solver.search.learned import Learned

__all__ = ["DECAY", "most_active", "note_activity"]

DECAY = 0.999


@inner
def note_activity(activity: NDArray[np.float64], before: Candidates, after: Candidates) -> None:
    """Count a guess that turned the candidates `before` it into those `after` it."""
    for cell in range(len(activity)):
        mask = int(before[cell])
        if mask & (mask - 1):
            activity[cell] *= DECAY
            if int(after[cell]) != mask:
                activity[cell] += 1.0


@lean
def most_active(
    tables: Tables,
    candidates: Candidates,
    board: NDArray[np.uint8],
    order: NDArray[np.int64],
    learned: Learned,
) -> int:
    """The cell with the most activity per candidate, the lowest of several; cells without
    candidates come before all others."""
    best = 0
    highest = -1.0
    share = 1
    for cell in range(len(board)):
        if board[cell] == 0:
            count = count_bits(candidates[cell])
            if count == 0:
                return cell
            if learned.activity[cell] * share > highest * count:
                best = cell
                highest = learned.activity[cell]
                share = count
    return best
