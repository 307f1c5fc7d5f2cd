"""Rules of inference for two or three rows of a grid of zeros and ones: pairs, triples, and fish.

The candidates of a unit are such a grid, with a row for each cell and a column for each value, or
the other way round; so are the places of one value, with a row for each line of the board and a
column for each line across. If two rows have ones in two columns altogether, or three rows in
three, no other row can have one there.
"""

from __future__ import annotations

from undoku.h264.loops import I64, I64_2D, count_bits, inner
from undoku.solver.problem.problem import Tables
from undoku.solver.search.search_state import SearchArrays
from undoku.solver.search.singles import remove, take_stale


@inner
def _list_subsets(scratch: I64, size: int, most: int) -> int:
    """List the subsets of `most` (2 or 3) rows with ones in that many columns, each row in at least
    two. scratch[:size] holds the rows as masks of columns; for each subset the mask of its rows and
    that of its columns are written to scratch[2 * size:]. Returns the number of subsets."""
    listed = 0
    for row in range(size):
        if 2 <= count_bits(scratch[row]) <= most:
            scratch[size + listed] = row
            listed += 1
    end = 2 * size
    for i in range(listed):
        first = int(scratch[size + i])
        one = int(scratch[first])
        for j in range(i + 1, listed):
            second = int(scratch[size + j])
            two = one | int(scratch[second])
            # A pair takes its second row for the third one, too.
            for k in range(j + most - 2, j + 1 if most == 2 else listed):
                third = int(scratch[size + k])
                three = two | int(scratch[third])
                if count_bits(three) == most:
                    scratch[end] = 1 << first | 1 << second | 1 << third
                    scratch[end + 1] = three
                    end += 2
    return (end - 2 * size) // 2


@inner
def subsets_of_unit(
    unit: int, most: int, tables: Tables, arrays: SearchArrays, candidates: I64
) -> int:
    """If two cells of a unit have two candidates altogether, or three have three (`most`), the rest
    of the unit loses them (naked subsets); if two values have two cells, or three have three, these
    cells lose all others (hidden subsets)."""
    board, scratch, found = arrays.board, arrays.scratch, arrays.found
    size = tables.size
    count = 0
    for hidden in range(2 if tables.units[unit, size - 1] >= 0 else 1):
        scratch[:size] = 0
        for at in range(size):
            cell = int(tables.units[unit, at])
            if cell < 0:
                break
            if board[cell] == 0:
                mask = int(candidates[cell])
                if hidden:
                    for index in range(size):
                        scratch[index] |= (mask >> index & 1) << at
                else:
                    scratch[at] = mask
        for number in range(_list_subsets(scratch, size, most)):
            rows = int(scratch[2 * size + 2 * number])
            columns = int(scratch[2 * size + 2 * number + 1])
            cells = columns if hidden else rows
            for at in range(size):
                cell = int(tables.units[unit, at])
                if cell < 0:
                    break
                if board[cell] == 0 and cells >> at & 1 == hidden:
                    lost = int(candidates[cell]) & (~rows if hidden else columns)
                    count = remove(found, count, cell, lost, unit)
    return count


@inner
def fish(
    most: int,
    tables: Tables,
    candidates: I64,
    stale: I64,
    turn: int,
    scratch: I64,
    found: I64_2D,
) -> int:
    """If two or three rows (`most`) can hold a value only in as many columns, in at least two of
    them each, other rows can't hold it there; also with rows and columns exchanged."""
    size = tables.size
    count = 0
    if not take_stale(stale, turn) or not tables.lines:
        return 0
    # Rows are units 0..size-1, columns the next `size`; a row's i-th cell is in column i.
    for base in (0, size):
        for index in range(size):
            for line in range(size):
                mask = 0
                for at in range(size):
                    cell = tables.units[base + line, at]
                    mask |= (int(candidates[cell]) >> index & 1) << at
                scratch[line] = mask
            for number in range(_list_subsets(scratch, size, most)):
                lines = int(scratch[2 * size + 2 * number])
                across = int(scratch[2 * size + 2 * number + 1])
                reason = 0
                shift = 0
                for line in range(size):
                    if lines >> line & 1:
                        reason |= (base + line + (shift > 0)) << shift
                        shift += 16
                for line in range(size):
                    if lines >> line & 1 or not int(scratch[line]) & across:
                        continue
                    for at in range(size):
                        if int(scratch[line]) & across & 1 << at:
                            cell = int(tables.units[base + line, at])
                            count = remove(found, count, cell, 1 << index, reason)
    return count
