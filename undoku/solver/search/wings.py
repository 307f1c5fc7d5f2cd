"""Rules of inference across units: lines (fish, as sudoku solvers call them) and the XY-wing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean
from undoku.solver.problem.problem import Candidates, Tables
from undoku.solver.search.singles import remove

__all__ = ["swordfish", "x_wing", "xy_wing"]


@inner
def _changed(stale: NDArray[np.int64], turn: int) -> int:
    """Whether anything has changed since the last call of the rule; clears the marks."""
    changed = 0
    for unit in range(len(stale)):
        changed |= stale[unit] & turn
        stale[unit] &= ~turn
    return changed


@inner
def _list_places(
    tables: Tables, candidates: Candidates, base: int, index: int, places: NDArray[np.int64]
) -> None:
    """Write for each of the `size` lines from unit `base` on the cells that can hold a value, as a
    mask of indices in the line."""
    size = tables.size
    for line in range(size):
        mask = 0
        for at in range(size):
            cell = tables.units[base + line, at]
            mask |= (int(candidates[cell]) >> index & 1) << at
        places[line] = mask


@inner
def _clear(
    tables: Tables,
    base: int,
    index: int,
    kept: int,
    across: int,
    places: NDArray[np.int64],
    reason: int,
    found: NDArray[np.int64],
    count: int,
) -> int:
    """Record that all lines except those in the mask `kept` lose a value at the indices
    `across`."""
    size = tables.size
    for line in range(size):
        lost = int(places[line]) & across
        if kept >> line & 1 or not lost:
            continue
        for at in range(size):
            if lost >> at & 1:
                cell = int(tables.units[base + line, at])
                count = remove(found, count, cell, 1 << index, reason)
    return count


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
    """If two rows can hold a value only in the same two columns, other rows can't hold it there;
    also with rows and columns exchanged."""
    size = tables.size
    count = 0
    if not _changed(stale, turn) or not tables.lines:
        return 0
    # Rows are units 0..size-1, columns the next `size`; a row's i-th cell is in column i.
    for base in (0, size):
        for index in range(size):
            _list_places(tables, candidates, base, index, scratch)
            for first in range(size):
                places = int(scratch[first])
                if count_bits(places) != 2:
                    continue
                for second in range(first + 1, size):
                    if int(scratch[second]) != places:
                        continue
                    reason = (base + first) | (1 + base + second) << 16
                    kept = 1 << first | 1 << second
                    count = _clear(tables, base, index, kept, places, scratch, reason, found, count)
    return count


@lean
def swordfish(
    tables: Tables,
    candidates: Candidates,
    board: NDArray[np.uint8],
    stale: NDArray[np.int64],
    turn: int,
    scratch: NDArray[np.int64],
    found: NDArray[np.int64],
) -> int:
    """If three rows can hold a value only in the same three columns, in two or three of them each,
    other rows can't hold it there; also with rows and columns exchanged."""
    size = tables.size
    count = 0
    if not _changed(stale, turn) or not tables.lines:
        return 0
    for base in (0, size):
        for index in range(size):
            _list_places(tables, candidates, base, index, scratch)
            for first in range(size):
                one = int(scratch[first])
                if not 2 <= count_bits(one) <= 3:
                    continue
                for second in range(first + 1, size):
                    two = one | int(scratch[second])
                    if not 2 <= count_bits(scratch[second]) <= 3 or count_bits(two) > 3:
                        continue
                    for third in range(second + 1, size):
                        three = two | int(scratch[third])
                        if not 2 <= count_bits(scratch[third]) <= 3 or count_bits(three) != 3:
                            continue
                        reason = (base + first) | (1 + base + second) << 16
                        reason |= (1 + base + third) << 32
                        kept = 1 << first | 1 << second | 1 << third
                        count = _clear(
                            tables, base, index, kept, three, scratch, reason, found, count
                        )
    return count


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
    if not changed or tables.aligned < len(tables.units):
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
