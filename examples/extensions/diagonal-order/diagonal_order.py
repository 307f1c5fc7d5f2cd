"""A cell order: diagonal by diagonal, from the top left corner, in plain Python; `compiled-order`
has the same order compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku import Part, PartKind
from undoku.solver.problem.problem import Tables
from undoku.solver.search.search_state import Learned

__all__ = ["PARTS", "diagonal"]

PARTS = (
    Part(
        PartKind.CELLS,
        "diagonal",
        "Takes the empty cells along the diagonals, from the top left corner.",
        "an example of an extension",
        "diagonal_order:diagonal",
    ),
)


def diagonal(
    tables: Tables,
    candidates: NDArray[np.int64],
    board: NDArray[np.uint8],
    order: NDArray[np.int64],
    learned: Learned,
) -> int:
    """The empty cell with the smallest sum of row and column; on a tie the one in the highest row.
    The arguments are those of `undoku.solver.search.dynamic_orders`."""
    best, least = 0, 1 << 30
    for cell in range(len(board)):
        if board[cell] == 0:
            distance = cell // tables.size + cell % tables.size
            if distance < least:
                best, least = cell, distance
    return best
