"""The compiled inner loops of the search.

Each is a resumable loop over preallocated arrays: it fills `events` until there is no room for
the next node, saves where it stands in `registers`, and goes on from there at the next call.

Arrays (n = cells to fill, u = units, k = units per cell):
    order     (n,) int32      the cells to fill, ascending; `mrv` permutes it
    units     (cells, k) int16  the units of a cell
    used      (u,) uint32     bit v-1 is set when the unit holds v
    untried   (n + 1,) uint32   per depth, the values not yet tried
    board     (cells,) uint8
    events    (m,) uint32     one EVENT each: op | value << 8 | cell << 16
    solution  (cells,) uint8  the first solution
    registers (REGISTERS,) int64
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.compiled import compiled

__all__ = [
    "BACKTRACKS",
    "DEAD_ENDS",
    "DEPTH",
    "GUESSES",
    "MAX_DEPTH",
    "NODE_LIMIT",
    "PHASE",
    "PHASE_CAPPED",
    "PHASE_ENTER",
    "PHASE_EXHAUSTED",
    "PHASE_SOLVED",
    "REGISTERS",
    "SOLUTIONS",
    "UNDOS",
    "advance",
    "low_bit",
]

DEPTH, PHASE, GUESSES, UNDOS, BACKTRACKS, DEAD_ENDS, MAX_DEPTH, SOLUTIONS, NODE_LIMIT = range(9)
REGISTERS = 9

PHASE_ENTER, PHASE_TRY, PHASE_SOLVED, PHASE_EXHAUSTED, PHASE_CAPPED = range(5)

_GUESS = 0
_UNDO = 2


@compiled
def low_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask below 2^32."""
    index = 0
    if mask & 0xFFFF == 0:
        mask >>= 16
        index = 16
    if mask & 0xFF == 0:
        mask >>= 8
        index += 8
    if mask & 0xF == 0:
        mask >>= 4
        index += 4
    if mask & 0x3 == 0:
        mask >>= 2
        index += 2
    return index + (1 - (mask & 1))


@compiled
def _bits(mask: int) -> int:
    """How many bits are set in a mask below 2^32."""
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return ((mask * 0x01010101) & 0xFFFFFFFF) >> 24


@compiled
def _fewest(
    order: NDArray[np.int32],
    units: NDArray[np.int16],
    used: NDArray[np.uint32],
    depth: int,
    full: int,
) -> None:
    """Bring the cell with the fewest candidates (ties: the lowest) to order[depth].

    order[depth:] holds the open cells in any order.
    """
    best = depth
    fewest = 64
    for at in range(depth, len(order)):
        cell = order[at]
        taken = 0
        for k in range(units.shape[1]):
            taken |= int(used[units[cell, k]])
        count = _bits(full & ~taken)
        if count < fewest or (count == fewest and cell < order[best]):
            best = at
            fewest = count
    chosen = order[best]
    order[best] = order[depth]
    order[depth] = chosen


@compiled
def advance(
    dynamic: bool,
    exhaustive: bool,
    full: int,
    order: NDArray[np.int32],
    units: NDArray[np.int16],
    used: NDArray[np.uint32],
    untried: NDArray[np.uint32],
    board: NDArray[np.uint8],
    events: NDArray[np.uint32],
    solution: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> int:
    """Go on with the search until it ends or `events` is full; returns how many were written.

    `dynamic` chooses each cell anew by fewest candidates; otherwise cells come as in `order`.
    `full` is the mask of all values. Values ascend. Ends in PHASE_SOLVED at the first solution
    unless `exhaustive`, in PHASE_EXHAUSTED after the whole tree, in PHASE_CAPPED when the next
    guess would exceed registers[NODE_LIMIT] nodes (0: no limit).
    """
    written = 0
    room = len(events)
    cells_to_fill = len(order)
    width = units.shape[1]
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
                    solution[:] = board
                solutions += 1
                if not exhaustive:
                    phase = PHASE_SOLVED
                    break
                untried[depth] = 0
            else:
                if dynamic:
                    _fewest(order, units, used, depth, full)
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
            value = low_bit(bit) + 1
            board[cell] = value
            events[written] = _GUESS | value << 8 | int(cell) << 16
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
            value = int(board[cell])
            keep = np.uint32(~(1 << (value - 1)) & 0xFFFFFFFF)
            for k in range(width):
                used[units[cell, k]] &= keep
            board[cell] = 0
            events[written] = _UNDO | value << 8 | int(cell) << 16
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
