"""The compiled loop of a search whose cells come in a fixed order, without inference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean, low_bit
from undoku.solver.search.bookkeeping import (
    NODE_LIMIT,
    PHASE_CAPPED,
    PHASE_ENTER,
    PHASE_EXHAUSTED,
    PHASE_SOLVED,
    PHASE_TRY,
    Output,
    keep_solution,
    load_counts,
    store_counts,
)
from undoku.solver.search.ops import OP_GUESS, OP_UNDO

__all__ = ["FixedOrderArrays", "advance"]


class FixedOrderArrays(NamedTuple):
    """The arrays of the loop.

    order     (n,) int32      the cells to fill, first to last
    units     (cells, k) int16  the units of a cell
    used      (u,) uint32     bit v-1 is set when the unit holds v
    untried   (n + 1,) uint32   per depth, the values not yet tried
    board     (cells,) uint8
    """

    order: NDArray[np.int32]
    units: NDArray[np.int16]
    used: NDArray[np.uint32]
    untried: NDArray[np.uint32]
    board: NDArray[np.uint8]


@lean
def advance(
    exhaustive: bool,
    recording: bool,
    room: int,
    arrays: FixedOrderArrays,
    output: Output,
    registers: NDArray[np.int64],
) -> int:
    """Continue the search until it ends or has written `room` events; returns their number.

    Ends in PHASE_SOLVED at the first solution unless `exhaustive`, in PHASE_EXHAUSTED after the
    whole tree, in PHASE_CAPPED when the next guess would exceed registers[NODE_LIMIT] nodes (0: no
    limit). Events are written to output.events when `recording`, and only counted otherwise.
    """
    order, units, used, untried, board = arrays
    labels, events = output.labels, output.events
    written = 0
    cells_to_fill = len(order)
    width = units.shape[1]
    full = (1 << len(labels)) - 1
    depth, phase, guesses, dead_ends, max_depth, solutions = load_counts(registers)
    guess_limit = registers[NODE_LIMIT] - 1

    while written < room:
        if phase == PHASE_ENTER:
            if depth == cells_to_fill:
                if solutions == 0:
                    keep_solution(board, output)
                solutions += 1
                if not exhaustive:
                    phase = PHASE_SOLVED
                    break
                untried[depth] = 0
            else:
                cell = order[depth]
                taken = 0
                for k in range(width):
                    taken |= int(used[units[cell, k]])
                open_values = full & ~taken
                untried[depth] = open_values
                if open_values == 0:
                    dead_ends += 1
            phase = PHASE_TRY

        left = int(untried[depth])
        if left:
            if guess_limit >= 0 and guesses >= guess_limit:
                phase = PHASE_CAPPED
                break
            bit = left & -left
            untried[depth] = left ^ bit
            cell = order[depth]
            for k in range(width):
                used[units[cell, k]] |= np.uint32(bit)
            at = low_bit(bit)
            board[cell] = at + 1
            if recording:
                events[written] = OP_GUESS | int(labels[at]) << 8 | int(cell) << 16
            written += 1
            guesses += 1
            depth += 1
            max_depth = max(max_depth, depth)
            phase = PHASE_ENTER
        else:
            if depth == 0:
                phase = PHASE_EXHAUSTED
                break
            depth -= 1
            cell = order[depth]
            at = int(board[cell]) - 1
            keep = np.uint32(~(1 << at) & 0xFFFFFFFF)
            for k in range(width):
                used[units[cell, k]] &= keep
            board[cell] = 0
            if recording:
                events[written] = OP_UNDO | int(labels[at]) << 8 | int(cell) << 16
            written += 1

    store_counts(registers, depth, phase, guesses, dead_ends, max_depth, solutions)
    return written
