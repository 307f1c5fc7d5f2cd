"""Sets of levels: the guesses that caused a removal or a failure.

A level is the depth of a guess (a decision level). The conflict set of a failure contains the
guesses that contributed to it: the union of the sets of all removed candidates, any of which would
have prevented it. Conflict-directed backjumping (Prosser 1993) goes back to its highest level.
"""

from __future__ import annotations

from undoku.h264.loops import I64, I64_2D, high_bit, inner, low_bit
from undoku.solver.problem.problem import Tables

WORD = 62
"""Levels in one word of a set."""


@inner
def highest_level(levels: I64) -> int:
    """The highest level in a set, -1 for the empty set."""
    for word in range(len(levels) - 1, -1, -1):
        left = int(levels[word])
        if left:
            return word * WORD + high_bit(left)
    return -1


@inner
def add_removal_levels(
    removal_levels: I64_2D,
    cell: int,
    removed: int,
    size: int,
    levels: I64,
) -> None:
    """Add to `levels` the guesses that removed the candidates of `cell` in the mask `removed`."""
    for word in range(len(levels)):
        joined = 0
        left = removed
        while left:
            joined |= int(removal_levels[cell * size + low_bit(left), word])
            left &= left - 1
        levels[word] |= joined


@inner
def add_reason_levels(
    tables: Tables,
    candidates: I64,
    removal_levels: I64_2D,
    reason: int,
    levels: I64,
) -> None:
    """Add to `levels` the guesses that removed candidates of the units or cells of a reason: see
    `undoku.solver.search.singles`."""
    by_cells = reason < 0
    if by_cells:
        reason = -1 - reason
    for part in (reason & 0xFFFF, (reason >> 16 & 0xFFFF) - 1, (reason >> 32) - 1):
        if part < 0:
            continue
        for at in range(1 if by_cells else tables.units.shape[1]):
            cell = part if by_cells else int(tables.units[part, at])
            if cell < 0:
                break
            removed = ((1 << tables.size) - 1) & ~int(candidates[cell])
            add_removal_levels(removal_levels, cell, removed, tables.size, levels)
