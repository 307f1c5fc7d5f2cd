"""Sets of levels: the guesses that caused the removal of a candidate.

A level is the depth of a guess. Conflict-directed backjumping needs the guesses that contributed to
a failure: the union of the sets of all removed candidates that would have prevented it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.geometry_arrays import Candidates, Tables
from solver.jit import inner, low_bit

__all__ = ["WORD", "because", "explain", "level_of"]

WORD = 62
"""Levels in one word of a set."""


@inner
def level_of(levels: NDArray[np.int64]) -> int:
    """The highest level in a set, -1 for the empty set."""
    for word in range(len(levels) - 1, -1, -1):
        left = int(levels[word])
        if left:
            level = word * WORD - 1
            while left:
                left >>= 1
                level += 1
            return level
    return -1


@inner
def because(
    why: NDArray[np.int64], cell: int, gone: int, size: int, levels: NDArray[np.int64]
) -> None:
    """Add to `levels` the guesses that removed the candidates of `cell` in the mask `gone`."""
    for word in range(len(levels)):
        joined = 0
        left = gone
        while left:
            joined |= int(why[cell * size + low_bit(left), word])
            left &= left - 1
        levels[word] |= joined


@inner
def explain(
    tables: Tables,
    candidates: Candidates,
    why: NDArray[np.int64],
    reason: int,
    levels: NDArray[np.int64],
) -> None:
    """Add to `levels` the guesses that caused the candidates of a reason.
    `solver.inference.singles` describes reasons."""
    full = (1 << tables.size) - 1
    if reason < 0:
        reason = -1 - reason
        for cell in (reason & 0xFFFF, (reason >> 16 & 0xFFFF) - 1, (reason >> 32) - 1):
            if cell >= 0:
                because(why, cell, full & ~int(candidates[cell]), tables.size, levels)
        return
    for unit in (reason & 0xFFFF, (reason >> 16 & 0xFFFF) - 1, (reason >> 32) - 1):
        if unit < 0:
            continue
        for at in range(tables.size):
            cell = int(tables.units[unit, at])
            if cell < 0:
                break
            because(why, cell, full & ~int(candidates[cell]), tables.size, levels)
