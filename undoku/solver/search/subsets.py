"""Rules of inference for two or three cells, or values, of a unit together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean
from undoku.solver.problem.geometry_arrays import Candidates, Tables
from undoku.solver.search.singles import remove

__all__ = ["pairs", "triples"]

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
    for unit in range(len(tables.units)):
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
    for unit in range(len(tables.units)):
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
