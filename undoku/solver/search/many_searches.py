"""Many searches without inference in one call, without events: for studies, and for the generator
of puzzles."""

from __future__ import annotations

from undoku.h264.loops import I64, I64_2D, U8, U8_2D, ReadI16_2D, loop
from undoku.solver.search.plain_loops import PlainArrays, advance, prepare
from undoku.solver.search.search_state import (
    NODE_LIMIT,
    PHASE,
    PHASE_CAPPED,
    PHASE_EXHAUSTED,
    Output,
)

_NO_LIMIT = 1 << 62


@loop
def count_many(
    fewest: bool,
    exhaustive: bool,
    limit: int,
    boards: U8_2D,
    arrays: PlainArrays,
    output: Output,
    counts: I64_2D,
) -> None:
    """Count the search of every board into its row of `counts`.

    `limit` is the most nodes a search may have, 0 for no limit. `boards` is (m, n) uint8, 0 where a
    cell is empty; `arrays` are of `plain_arrays`, `output` is of `no_output`; `counts` is
    (m, REGISTERS) int64, a row of registers each, all 0.
    """
    for number in range(len(boards)):
        prepare(fewest, arrays, boards[number])
        counts[number, NODE_LIMIT] = limit
        solutions = 0 if exhaustive else 1
        advance(fewest, solutions, False, _NO_LIMIT, arrays, output, counts[number])


@loop
def remove_givens(
    limit: int,
    fewest_givens: int,
    board: U8,
    arrays: PlainArrays,
    output: Output,
    orbits: ReadI16_2D,
    undecided: U8,
    registers: I64,
    kept: U8,
) -> int:
    """Remove givens as long as the solution is unique; returns the number of givens left.

    `board` (n,) uint8 has one solution and is changed in place. A row of `orbits` (m, w) int16
    lists cells that are removed together, padded with -1; rows are tried in order, and a row that
    would leave fewer than `fewest_givens` is skipped. If the proof takes more than `limit` nodes,
    the givens stay, and the row is marked in `undecided` (m,) uint8. `output` is of `no_output`;
    `registers` (REGISTERS,) int64 and `kept` (w,) uint8 are working memory.
    """
    givens = 0
    for cell in range(len(board)):
        givens += board[cell] != 0
    for row in range(len(orbits)):
        present = 0
        for k in range(orbits.shape[1]):
            cell = orbits[row, k]
            kept[k] = 0
            if cell >= 0:
                kept[k] = board[cell]
                present += board[cell] != 0
                board[cell] = 0
        unique = False
        undecided[row] = 0
        if present and givens - present >= fewest_givens:
            prepare(True, arrays, board)
            registers[:] = 0
            registers[NODE_LIMIT] = limit
            advance(True, 2, False, _NO_LIMIT, arrays, output, registers)
            unique = registers[PHASE] == PHASE_EXHAUSTED
            undecided[row] = registers[PHASE] == PHASE_CAPPED
        if unique:
            givens -= present
        else:
            for k in range(orbits.shape[1]):
                if orbits[row, k] >= 0:
                    board[orbits[row, k]] = kept[k]
    return givens
