"""Rules of inference along chains of candidates: the XY-wing, and whole units.

A unit is made generalised arc-consistent: an assignment of a unit is a matching of cells to values.
Régin (1994) finds every candidate that is in some matching from a single one: a candidate belongs
to another matching exactly if it is on a cycle, or on a path to a value that no cell needs, whose
steps lead from a cell to the matched value of another cell. Units are small, so cells are bits and
the cycles come from a transitive closure.
"""

from __future__ import annotations

from undoku.h264.loops import I64, I64_2D, U8, count_bits, inner, low_bit
from undoku.solver.problem.problem import Tables
from undoku.solver.search.search_state import SearchArrays
from undoku.solver.search.singles import remove, take_stale


@inner
def _next_bivalue(tables: Tables, candidates: I64, board: U8, cell: int, at: int) -> int:
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


@inner
def xy_wing(
    tables: Tables, candidates: I64, board: U8, stale: I64, turn: int, found: I64_2D
) -> int:
    """If a cell holds x or y, one of its peers x or z, and another one y or z, then one of the two
    peers holds z, so common peers of both can't hold it. Applies to the lowest such cell from which
    anything follows.
    """
    if not take_stale(stale, turn) or tables.aligned < len(tables.units):
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


@inner
def _match(tables: Tables, candidates: I64, unit: int, cells: int, scratch: I64) -> int:
    """Match every cell of a unit to a different value; returns 0 if this is impossible.
    scratch[:size] holds for each value its cell (the index in the unit), -1 for none;
    scratch[size:2 * size] the value of each cell. Each cell in turn takes a free value, or the
    value of another cell, which is then matched again: a breadth-first search for an augmenting
    path.
    """
    size = tables.size
    scratch[:size] = -1
    for root in range(cells):
        reached = 0  # values
        queue = 4 * size  # the queue of cells, in scratch[queue:]
        head = 0
        tail = 1
        scratch[queue] = root
        free = -1
        while head < tail and free < 0:
            at = int(scratch[queue + head])
            head += 1
            fresh = int(candidates[tables.units[unit, at]]) & ~reached
            reached |= fresh
            while fresh:
                index = low_bit(fresh)
                fresh &= fresh - 1
                scratch[2 * size + index] = at  # the cell from which the value was reached
                if scratch[index] < 0:
                    free = index
                    break
                scratch[queue + tail] = scratch[index]
                tail += 1
        if free < 0:
            return 0
        while True:
            at = int(scratch[2 * size + free])
            scratch[free] = at
            if at == root:
                scratch[size + at] = free
                break
            given_up = int(scratch[size + at])
            scratch[size + at] = free
            free = given_up
    return 1


@inner
def alldiff(unit: int, tables: Tables, arrays: SearchArrays, candidates: I64) -> int:
    """Remove every candidate that no assignment of the unit uses."""
    scratch, found = arrays.scratch, arrays.found
    size = tables.size
    count = 0
    cells = size
    while tables.units[unit, cells - 1] < 0:
        cells -= 1
    if not _match(tables, candidates, unit, cells, scratch):
        return -(1 + unit)
    taken = 0
    for at in range(cells):
        taken |= 1 << int(scratch[size + at])
    # reach[i] (in scratch[3 * size:]): the cells that an alternating path from i reaches; bit
    # 62: the path ends in an unmatched value.
    loose = 1 << 62
    for at in range(cells):
        wanted = int(candidates[tables.units[unit, at]])
        reach = loose if wanted & ~taken else 0
        wanted &= taken
        while wanted:
            reach |= 1 << int(scratch[low_bit(wanted)])
            wanted &= wanted - 1
        scratch[3 * size + at] = reach
    for via in range(cells):
        through = int(scratch[3 * size + via])
        for at in range(cells):
            if int(scratch[3 * size + at]) >> via & 1:
                scratch[3 * size + at] |= through
    for at in range(cells):
        cell = int(tables.units[unit, at])
        others = int(candidates[cell]) & taken & ~(1 << int(scratch[size + at]))
        useless = 0
        while others:
            index = low_bit(others)
            others &= others - 1
            reach = int(scratch[3 * size + int(scratch[index])])
            if not reach >> at & 1 and not reach & loose:
                useless |= 1 << index
        count = remove(found, count, cell, useless, unit)
    return count
