"""The rule of inference that looks at two lines together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.geometry_arrays import Candidates, Tables
from solver.inference.singles import remove
from solver.jit import count_bits, lean

__all__ = ["x_wing"]


@lean
def x_wing(
    tables: Tables,
    candidates: Candidates,
    board: NDArray[np.uint8],
    stale: NDArray[np.int64],
    turn: int,
    scratch: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """Where two rows can hold a value only in the same two columns, other rows can't hold it
    there; and with rows and columns exchanged."""
    size = tables.size
    count = 0
    changed = 0
    for unit in range(len(tables.units)):
        changed |= stale[unit] & turn
        stale[unit] &= ~turn
    if not changed or not tables.lines:
        return 0
    for across in range(2):
        # Rows are units 0..size-1, columns the next `size`; a row's i-th cell is in column i.
        base = across * size
        for index in range(size):
            for line in range(size):
                places = 0
                for at in range(size):
                    cell = tables.units[base + line, at]
                    places |= (int(candidates[cell]) >> index & 1) << at
                scratch[line] = places
            for first in range(size):
                places = int(scratch[first])
                if count_bits(places) != 2:
                    continue
                for second in range(first + 1, size):
                    if int(scratch[second]) != places:
                        continue
                    reason = (base + first) | (1 + base + second) << 16
                    for line in range(size):
                        lost = int(scratch[line]) & places
                        if line in (first, second) or not lost:
                            continue
                        for at in range(size):
                            if lost >> at & 1:
                                cell = int(tables.units[base + line, at])
                                count = remove(found, count, cell, 1 << index, reason)
    return count
