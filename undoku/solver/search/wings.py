"""The rule of inference for three cells with two candidates each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean
from undoku.solver.problem.geometry_arrays import Candidates, Tables
from undoku.solver.search.singles import remove

__all__ = ["xy_wing"]


@inner
def _next_bivalue(
    tables: Tables, candidates: Candidates, board: NDArray[np.uint8], cell: int, at: int
) -> int:
    """The index among the peers of `cell`, from `at` on, of a cell with two candidates of which it
    shares one with `cell`; -1 if there is none."""
    own = int(candidates[cell])
    while at < tables.peers.shape[1] and tables.peers[cell, at] >= 0:
        peer = int(tables.peers[cell, at])
        mask = int(candidates[peer])
        if board[peer] == 0 and count_bits(mask) == 2 and count_bits(mask & own) == 1:
            return at
        at += 1
    return -1


@lean
def xy_wing(
    tables: Tables,
    candidates: Candidates,
    board: NDArray[np.uint8],
    stale: NDArray[np.int64],
    turn: int,
    scratch: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """If a cell holds x or y, one of its peers x or z, and another one y or z, then one of the two
    peers holds z, so common peers of both can't hold it. Applies to the lowest such cell from which
    anything follows.
    """
    changed = 0
    for unit in range(len(tables.units)):
        changed |= stale[unit] & turn
        stale[unit] &= ~turn
    if not changed:
        return 0
    count = 0
    width = tables.peers.shape[1]
    for pivot in range(len(board)):
        own = int(candidates[pivot])
        if board[pivot] != 0 or count_bits(own) != 2:
            continue
        at = _next_bivalue(tables, candidates, board, pivot, 0)
        while at >= 0:
            first = int(tables.peers[pivot, at])
            other = _next_bivalue(tables, candidates, board, pivot, at + 1)
            while other >= 0:
                second = int(tables.peers[pivot, other])
                lost = int(candidates[first]) & int(candidates[second])
                if int(candidates[first]) ^ int(candidates[second]) == own and lost:
                    reason = -(1 + (pivot | (1 + first) << 16 | (1 + second) << 32))
                    # Both rows of peers ascend, so one pass finds the common ones.
                    of_first = 0
                    of_second = 0
                    while of_first < width and of_second < width:
                        cell = int(tables.peers[first, of_first])
                        seen = int(tables.peers[second, of_second])
                        if cell < 0 or seen < 0:
                            break
                        if cell == seen and int(candidates[cell]) & lost:
                            count = remove(found, count, cell, lost, reason)
                        of_first += cell <= seen
                        of_second += seen <= cell
                other = _next_bivalue(tables, candidates, board, pivot, other + 1)
            at = _next_bivalue(tables, candidates, board, pivot, at + 1)
        if count:
            return count
    return 0
