"""Rules of inference for several cells, or values, of a unit: pairs, triples, the whole unit.

The whole unit is made generalised arc-consistent: an assignment of a unit is a matching of cells to
values. Régin (1994) finds every candidate that is in some matching from a single one: a candidate
belongs to another matching exactly if it is on a cycle, or on a path to a value that no cell needs,
whose steps lead from a cell to the matched value of another cell. Units are small, so cells are
bits and the cycles come from a transitive closure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean, low_bit
from undoku.solver.problem.problem import Candidates, Tables
from undoku.solver.search.singles import remove

__all__ = ["alldiff", "pairs", "triples"]

Board = NDArray[np.uint8]
Numbers = NDArray[np.int64]


@inner
def _open_sets(
    tables: Tables, candidates: Candidates, board: Board, unit: int, scratch: Numbers
) -> int:
    """Write to scratch[:size] per value the empty cells of a unit that can hold it, as a mask of
    their indices in the unit; returns the mask of the values that have any."""
    seen = 0
    for index in range(tables.size):
        scratch[index] = 0
    for at in range(tables.size):
        cell = tables.units[unit, at]
        if board[cell] == 0:
            mask = int(candidates[cell])
            seen |= mask
            for index in range(tables.size):
                scratch[index] |= (mask >> index & 1) << at
    return seen


@inner
def _keep(
    tables: Tables,
    candidates: Candidates,
    unit: int,
    cells: int,
    values: int,
    found: Numbers,
    count: int,
) -> int:
    """Record that the cells of a unit in the mask `cells` lose all candidates except `values`."""
    for at in range(tables.size):
        if cells >> at & 1:
            cell = int(tables.units[unit, at])
            lost = int(candidates[cell]) & ~values
            if lost:
                count = remove(found, count, cell, lost, unit)
    return count


@inner
def _lose(
    tables: Tables,
    candidates: Candidates,
    board: Board,
    unit: int,
    cells: int,
    values: int,
    found: Numbers,
    count: int,
) -> int:
    """Record that the empty cells of a unit outside the mask `cells` lose `values`."""
    for at in range(tables.size):
        cell = int(tables.units[unit, at])
        if cell < 0:
            break
        if not cells >> at & 1 and board[cell] == 0:
            lost = int(candidates[cell]) & values
            if lost:
                count = remove(found, count, cell, lost, unit)
    return count


@lean
def pairs(
    tables: Tables,
    candidates: Candidates,
    board: Board,
    stale: Numbers,
    turn: int,
    scratch: Numbers,
    found: Numbers,
) -> int:
    """If two cells have the same two candidates, the rest of the unit loses them (naked pair); if
    two values have the same two cells, these cells lose all others (hidden pair)."""
    size = tables.size
    count = 0
    for unit in range(tables.aligned):
        if not stale[unit] & turn:
            continue
        for first in range(size):
            cell = tables.units[unit, first]
            if cell < 0:
                break
            mask = int(candidates[cell])
            if board[cell] != 0 or count_bits(mask) != 2:
                continue
            for second in range(first + 1, size):
                other = tables.units[unit, second]
                if other < 0:
                    break
                if int(candidates[other]) == mask:
                    both = 1 << first | 1 << second
                    count = _lose(tables, candidates, board, unit, both, mask, found, count)
        if tables.units[unit, size - 1] >= 0:
            _open_sets(tables, candidates, board, unit, scratch)
            for first in range(size):
                cells = int(scratch[first])
                if count_bits(cells) != 2:
                    continue
                for second in range(first + 1, size):
                    if int(scratch[second]) == cells:
                        both = 1 << first | 1 << second
                        count = _keep(tables, candidates, unit, cells, both, found, count)
        if count:
            return count
        stale[unit] ^= turn
    return count


@lean
def triples(
    tables: Tables,
    candidates: Candidates,
    board: Board,
    stale: Numbers,
    turn: int,
    scratch: Numbers,
    found: Numbers,
) -> int:
    """If three cells have three candidates altogether, the rest of the unit loses them (naked
    triple); if three values have three cells altogether, these cells lose all others (hidden
    triple)."""
    size = tables.size
    count = 0
    for unit in range(tables.aligned):
        if not stale[unit] & turn:
            continue
        # The empty cells with two or three candidates, in scratch[size:]; then likewise values.
        listed = 0
        for at in range(size):
            cell = tables.units[unit, at]
            if cell < 0:
                break
            if board[cell] == 0 and 2 <= count_bits(candidates[cell]) <= 3:
                scratch[size + listed] = at
                listed += 1
        for i in range(listed):
            a = int(scratch[size + i])
            of_a = int(candidates[tables.units[unit, a]])
            for j in range(i + 1, listed):
                b = int(scratch[size + j])
                of_two = of_a | int(candidates[tables.units[unit, b]])
                if count_bits(of_two) > 3:
                    continue
                for k in range(j + 1, listed):
                    c = int(scratch[size + k])
                    of_three = of_two | int(candidates[tables.units[unit, c]])
                    if count_bits(of_three) == 3:
                        cells = 1 << a | 1 << b | 1 << c
                        count = _lose(
                            tables, candidates, board, unit, cells, of_three, found, count
                        )
        if tables.units[unit, size - 1] >= 0:
            _open_sets(tables, candidates, board, unit, scratch)
            listed = 0
            for index in range(size):
                if 2 <= count_bits(scratch[index]) <= 3:
                    scratch[size + listed] = index
                    listed += 1
            for i in range(listed):
                a = int(scratch[size + i])
                for j in range(i + 1, listed):
                    b = int(scratch[size + j])
                    in_two = int(scratch[a] | scratch[b])
                    if count_bits(in_two) > 3:
                        continue
                    for k in range(j + 1, listed):
                        c = int(scratch[size + k])
                        in_three = in_two | int(scratch[c])
                        if count_bits(in_three) == 3:
                            values = 1 << a | 1 << b | 1 << c
                            count = _keep(tables, candidates, unit, in_three, values, found, count)
        if count:
            return count
        stale[unit] ^= turn
    return count


@inner
def _match(tables: Tables, candidates: Candidates, unit: int, cells: int, scratch: Numbers) -> int:
    """Match every cell of a unit to a different value; returns 0 if this is impossible.
    scratch[:size] holds for each value its cell (the index in the unit), -1 for none;
    scratch[size:2 * size] the value of each cell. Each cell in turn takes a free value, or the
    value of another cell, which is then matched again: a breadth-first search for an augmenting
    path.
    """
    size = tables.size
    for index in range(size):
        scratch[index] = -1
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


@lean
def alldiff(
    tables: Tables,
    candidates: Candidates,
    board: NDArray[np.uint8],
    stale: Numbers,
    turn: int,
    scratch: Numbers,
    found: Numbers,
) -> int:
    """Remove every candidate that no assignment of the unit uses."""
    size = tables.size
    count = 0
    for unit in range(tables.aligned):
        if not stale[unit] & turn:
            continue
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
            if useless:
                count = remove(found, count, cell, useless, unit)
        if count:
            return count
        stale[unit] ^= turn
    return count
