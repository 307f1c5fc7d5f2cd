"""The resources that the placed values of a problem take, for compiled loops.

The loops over the units of a cell take their number, `width`, and whether units have shifts as
arguments: where a caller passes constants, the compiler unrolls them.
"""

from __future__ import annotations

from undoku.h264.loops import I64, I64_2D, inner

SUDOKU_WIDTH = 3
"""The units of each cell of most puzzles: row, column and box."""


@inner
def taken_values(
    cell: int, width: int, shifted: bool, units: I64_2D, shifts: I64_2D, taken: I64
) -> int:
    """The values whose resources are taken in one of a cell's units, as a mask: bit v-1 for value
    v. `units`, `shifts` are the tables of `undoku.solver.problem.problem.Tables`; in `taken`,
    (units,), bit r is set if resource r of the unit is taken."""
    values = 0
    for k in range(width):
        resources = taken[units[cell, k]]
        values |= resources >> shifts[cell, k] if shifted else resources
    return values


@inner
def set_taken(
    cell: int,
    bit: int,
    placed: bool,
    width: int,
    shifted: bool,
    units: I64_2D,
    shifts: I64_2D,
    taken: I64,
) -> None:
    """Take the resources of a value, `1 << value - 1`, in all units of a cell, or, unless it is
    `placed`, free them."""
    for k in range(width):
        resource = bit << shifts[cell, k] if shifted else bit
        if placed:
            taken[units[cell, k]] |= resource
        else:
            taken[units[cell, k]] &= ~resource
