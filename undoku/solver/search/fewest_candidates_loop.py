"""The compiled loop of a search that takes the cell with the fewest candidates, without inference.

Sets of cells are bitsets, and the number of candidates of every cell is held in bit planes: plane p
has the bits of all cells whose number has bit p set. A place then subtracts one candidate from all
peers at once, across the planes, and one pass from the highest plane to the lowest finds the cells
with the smallest number. (Bit-sliced counters are folklore; Warren, "Hacker's Delight", describes
the arithmetic.) No cell is processed individually.
"""

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

__all__ = ["WORD", "FewestArrays", "advance_mrv", "bitset"]

WORD = 63
"""Bits in one word of a set of cells: the sign bit stays clear."""


def bitset(cells: list[int], words: int) -> list[int]:
    """The words of a set of cells, lowest cells first."""
    whole = sum(1 << cell for cell in cells)
    return [whole >> WORD * word & (1 << WORD) - 1 for word in range(words)]


class FewestArrays(NamedTuple):
    """The arrays of the loop: n cells to fill, w words in a set of cells, p bit planes.

    peers     (cells, w) int64
    units     (cells, k) int16  the units of a cell
    used      (u,) uint32     bit v-1 is set when the unit holds v
    possible  (size, w) int64   per value, the cells without a peer that holds it
    vacant    (w,) int64        the empty cells
    planes    (n + 1, p, w) int64   per depth, the bit planes of the candidate numbers
    touched   (n + 1, w) int64  per depth, the cells that lost a candidate to the guess
    best      (w,) int64        working memory: the cells that may still be the choice
    chosen    (n + 1,) int32    per depth, the cell
    untried   (n + 1,) uint32   per depth, the values not yet tried
    board     (cells,) uint8
    """

    peers: NDArray[np.int64]
    units: NDArray[np.int16]
    used: NDArray[np.uint32]
    possible: NDArray[np.int64]
    vacant: NDArray[np.int64]
    planes: NDArray[np.int64]
    touched: NDArray[np.int64]
    best: NDArray[np.int64]
    chosen: NDArray[np.int32]
    untried: NDArray[np.uint32]
    board: NDArray[np.uint8]


@lean
def advance_mrv(
    exhaustive: bool,
    recording: bool,
    room: int,
    arrays: FewestArrays,
    output: Output,
    registers: NDArray[np.int64],
) -> int:
    """Continue the search until it ends or has written `room` events; returns their number. See
    `undoku.solver.search.fixed_order_loop.advance`."""
    peers, units, used, possible, vacant, planes, touched, best, chosen, untried, board = arrays
    labels, events = output.labels, output.events
    written = 0
    to_fill = len(untried) - 1
    words = peers.shape[1]
    width = units.shape[1]
    high = planes.shape[1]
    full = (1 << len(labels)) - 1
    depth, phase, guesses, dead_ends, max_depth, solutions = load_counts(registers)
    guess_limit = registers[NODE_LIMIT] - 1

    while written < room:
        if phase == PHASE_ENTER:
            if depth == to_fill:
                if solutions == 0:
                    keep_solution(board, output)
                solutions += 1
                if not exhaustive:
                    phase = PHASE_SOLVED
                    break
                untried[depth] = 0
            else:
                # Keep the vacant cells without the highest bit, if there are any; of these the
                # cells without the next bit, and so on; the remaining cells have the smallest
                # number.
                for w in range(words):
                    best[w] = vacant[w]
                for plane in range(high - 1, -1, -1):
                    fewer = 0
                    for w in range(words):
                        fewer |= best[w] & ~planes[depth, plane, w]
                    if fewer:
                        for w in range(words):
                            best[w] &= ~planes[depth, plane, w]
                word = 0
                while best[word] == 0:
                    word += 1
                cell = word * WORD + low_bit(best[word])
                taken = 0
                for k in range(width):
                    taken |= int(used[units[cell, k]])
                open_values = full & ~taken
                chosen[depth] = cell
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
            cell = int(chosen[depth])
            for k in range(width):
                used[units[cell, k]] |= np.uint32(bit)
            at = low_bit(bit)
            for w in range(words):
                lost = peers[cell, w] & possible[at, w]
                touched[depth, w] = lost
                possible[at, w] ^= lost
                for plane in range(high):
                    bits = planes[depth, plane, w]
                    planes[depth + 1, plane, w] = bits ^ lost
                    lost &= ~bits
            vacant[cell // WORD] ^= 1 << (cell % WORD)
            board[cell] = at + 1
            if recording:
                events[written] = OP_GUESS | int(labels[at]) << 8 | cell << 16
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
            cell = int(chosen[depth])
            at = int(board[cell]) - 1
            keep = np.uint32(~(1 << at) & 0xFFFFFFFF)
            for k in range(width):
                used[units[cell, k]] &= keep
            for w in range(words):
                possible[at, w] ^= touched[depth, w]
            vacant[cell // WORD] ^= 1 << (cell % WORD)
            board[cell] = 0
            if recording:
                events[written] = OP_UNDO | int(labels[at]) << 8 | cell << 16
            written += 1

    store_counts(registers, depth, phase, guesses, dead_ends, max_depth, solutions)
    return written
