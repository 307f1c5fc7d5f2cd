"""The compiled loop of a search whose cells come in a fixed order.

It is a resumable loop over preallocated arrays, as every loop of a search is: it writes events
until there is no room for the next node, saves where it stands in `registers`, and goes on from
there at the next call.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import lean, low_bit
from solver.ops import OP_GUESS, OP_UNDO

__all__ = [
    "BACKTRACKS",
    "CUT",
    "DEAD_ENDS",
    "DEPTH",
    "FILLED",
    "FORCED",
    "GUESSES",
    "MAX_DEPTH",
    "NODE_LIMIT",
    "OTHERS",
    "PHASE",
    "PHASE_CAPPED",
    "PHASE_ENTER",
    "PHASE_EXHAUSTED",
    "PHASE_ROOT",
    "PHASE_SOLVED",
    "PHASE_TRY",
    "REGISTERS",
    "RETREATING",
    "SOLUTIONS",
    "TRAIL",
    "UNDOS",
    "WAVE",
    "WRITTEN",
    "advance",
]

# What every loop keeps between two calls.
DEPTH, PHASE, GUESSES, UNDOS, BACKTRACKS, DEAD_ENDS, MAX_DEPTH, SOLUTIONS, NODE_LIMIT = range(9)
# What only the loop with inference keeps.
FORCED, OTHERS, FILLED, TRAIL, RETREATING, WAVE, CUT, WRITTEN = range(9, 17)
REGISTERS = 17

PHASE_ENTER, PHASE_TRY, PHASE_ROOT, PHASE_SOLVED, PHASE_EXHAUSTED, PHASE_CAPPED = range(6)


@lean
def advance(
    exhaustive: bool,
    recording: bool,
    room: int,
    order: NDArray[np.int32],
    units: NDArray[np.int16],
    used: NDArray[np.uint32],
    untried: NDArray[np.uint32],
    board: NDArray[np.uint8],
    labels: NDArray[np.uint8],
    events: NDArray[np.uint32],
    solution: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> int:
    """Go on with the search until it ends or `room` events have happened; returns how many did.

    Ends in PHASE_SOLVED at the first solution unless `exhaustive`, in PHASE_EXHAUSTED after the
    whole tree, in PHASE_CAPPED when the next guess would exceed registers[NODE_LIMIT] nodes (0: no
    limit). Events are written to `events` when `recording`, and only counted otherwise.

    order     (n,) int32      the cells to fill, first to last
    units     (cells, k) int16  the units of a cell
    used      (u,) uint32     bit v-1 is set when the unit holds v
    untried   (n + 1,) uint32   per depth, the values not yet tried
    board     (cells,) uint8
    labels    (size,) uint8   the value that the loop's value v stands for, at v-1: the loop tries
                              its own values in ascending order, whatever order is meant
    events    (m,) uint32     one EVENT each: op | value << 8 | cell << 16
    solution  (cells,) uint8  the first solution
    registers (REGISTERS,) int64
    """
    written = 0
    cells_to_fill = len(order)
    width = units.shape[1]
    full = (1 << len(labels)) - 1
    depth = registers[DEPTH]
    phase = registers[PHASE]
    guesses = registers[GUESSES]
    undos = registers[UNDOS]
    backtracks = registers[BACKTRACKS]
    dead_ends = registers[DEAD_ENDS]
    max_depth = registers[MAX_DEPTH]
    solutions = registers[SOLUTIONS]
    guess_limit = registers[NODE_LIMIT] - 1

    while written < room:
        fresh = phase == PHASE_ENTER
        if fresh:
            if depth == cells_to_fill:
                if solutions == 0:
                    for at in range(len(board)):
                        solution[at] = labels[board[at] - 1]
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
            undos += 1
            if not fresh:
                backtracks += 1

    registers[DEPTH] = depth
    registers[PHASE] = phase
    registers[GUESSES] = guesses
    registers[UNDOS] = undos
    registers[BACKTRACKS] = backtracks
    registers[DEAD_ENDS] = dead_ends
    registers[MAX_DEPTH] = max_depth
    registers[SOLUTIONS] = solutions
    return written
