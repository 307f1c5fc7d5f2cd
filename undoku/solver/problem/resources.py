"""The resources that the placed values of a problem take, for compiled loops.

The loops over the units of a cell take their number, `width`, and whether units have shifts as
arguments: where a caller passes constants, the compiler unrolls them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I64, U8, group, inner
from undoku.solver.problem.problem import Problem, tables_of

SUDOKU_WIDTH = 3
"""The units of each cell of most puzzles: row, column and box."""


@group
class Resources(NamedTuple):
    """The resources of a problem of n cells and u units, and which of them are taken.

    width                   the number of units of a cell
    units   (n * width,)    the units of each cell, one cell after the other
    shifts  (n * width,)    the shift of the cell in each of them; empty if all are 0
    domains (n,) int64      the values that a cell may take at all
    taken   (u,) int64      bit r is set while a cell of the unit takes resource r: value - 1 +
                            shift
    """

    width: int
    units: I64
    shifts: I64
    domains: I64
    taken: I64


def resources_of(problem: Problem, board: U8) -> Resources:
    """The resources of a problem, those of a board without conflict, (cells,) with 0 where a cell
    is empty, taken."""
    tables = tables_of(problem)
    taken = np.zeros(len(tables.units), np.int64)
    filled = np.flatnonzero(board)
    bits = 1 << board[filled, None].astype(np.int64) - 1
    if len(tables.cell_shifts):
        bits = bits << tables.cell_shifts[filled]
    np.bitwise_or.at(taken, tables.cell_units[filled], bits)
    units, shifts = tables.cell_units, tables.cell_shifts.reshape(-1)
    return Resources(units.shape[1], units.reshape(-1), shifts, tables.domains, taken)


@inner
def free_values(cell: int, width: int, shifted: bool, resources: Resources) -> int:
    """The values of a cell's domain whose resources are free in all of its units, as a mask: bit
    v-1 for value v."""
    taken = 0
    for k in range(width):
        used = resources.taken[resources.units[cell * width + k]]
        taken |= used >> resources.shifts[cell * width + k] if shifted else used
    return int(resources.domains[cell]) & ~taken


@inner
def set_taken(
    cell: int, bit: int, placed: bool, width: int, shifted: bool, resources: Resources
) -> None:
    """Take the resources of a value, `1 << value - 1`, in all units of a cell, or, unless it is
    `placed`, free them."""
    for k in range(width):
        unit = resources.units[cell * width + k]
        resource = bit << resources.shifts[cell * width + k] if shifted else bit
        if placed:
            resources.taken[unit] |= resource
        else:
            resources.taken[unit] &= ~resource
