"""The loops of searches without inference: a fixed order, fewest candidates, and counting.

The loop with fewest candidates holds sets of cells as bitsets, and the number of candidates of
every cell in bit planes: plane p has the bits of all cells whose number has bit p set. A place then
subtracts one candidate from all peers at once, across the planes, and one pass from the highest
plane to the lowest finds the cells with the smallest number. (Bit-sliced counters are folklore;
Warren, "Hacker's Delight", describes the arithmetic.) No cell is processed individually.

The loops that only count make the same choices as those that write events, so their counts are
the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import count_bits, inner, lean, low_bit
from undoku.solver.search.ops import OP_GUESS, OP_UNDO
from undoku.solver.search.search_state import (
    NODE_LIMIT,
    PHASE,
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

__all__ = [
    "WORD",
    "CountingArrays",
    "FewestArrays",
    "FixedOrderArrays",
    "advance",
    "advance_mrv",
    "bitset",
    "count_many",
    "counting_arrays",
    "fill",
    "remove_givens",
]


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
    `undoku.solver.search.plain_loops.advance`."""
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


class CountingArrays(NamedTuple):
    """The arrays of the loops, for a board with at most c empty cells.

    units     (c, k) int16    the units of a cell
    used      (u,) int64      bit v-1 is set when the unit holds v
    order     (c,) int32      the cells to fill, ascending; `mrv` permutes it
    untried   (c + 1,) int64  per depth, the values not yet tried
    placed    (c + 1,) int64  per depth, the bit of the value that is placed
    """

    units: NDArray[np.int16]
    used: NDArray[np.int64]
    order: NDArray[np.int32]
    untried: NDArray[np.int64]
    placed: NDArray[np.int64]


def counting_arrays(units: NDArray[np.int16]) -> CountingArrays:
    """Arrays for boards whose cells have these units, (cells, k) int16."""
    cells = len(units)
    return CountingArrays(
        units=units,
        used=np.zeros(int(units.max()) + 1, np.int64),
        order=np.zeros(cells, np.int32),
        untried=np.zeros(cells + 1, np.int64),
        placed=np.zeros(cells + 1, np.int64),
    )


@inner
def _taken(arrays: CountingArrays, cell: int) -> int:
    """The values in the units of a cell, as a mask."""
    taken = 0
    for k in range(arrays.units.shape[1]):
        taken |= arrays.used[arrays.units[cell, k]]
    return taken


@inner
def _fewest(arrays: CountingArrays, empty: int, depth: int, full: int) -> None:
    """Move the cell with the fewest candidates (ties: the lowest) to order[depth]."""
    order = arrays.order
    best = depth
    fewest = 64
    for at in range(depth, empty):
        cell = int(order[at])
        count = count_bits(full & ~_taken(arrays, cell))
        if count < fewest or (count == fewest and cell < order[best]):
            best = at
            fewest = count
            if (
                count == 0
            ):  # nothing is placed here, so the choice among several does not change the counts
                break
    order[best], order[depth] = order[depth], order[best]


@inner
def _prepare(arrays: CountingArrays, board: NDArray[np.uint8]) -> int:
    """Fill `used` and `order` for a board; returns the number of empty cells."""
    units, used = arrays.units, arrays.used
    for unit in range(len(used)):
        used[unit] = 0
    empty = 0
    for cell in range(len(board)):
        value = int(board[cell])
        if value == 0:
            arrays.order[empty] = cell
            empty += 1
        else:
            for k in range(units.shape[1]):
                used[units[cell, k]] |= 1 << (value - 1)
    return empty


@inner
def _count(
    dynamic: bool,
    solution_limit: int,
    full: int,
    limit: int,
    empty: int,
    arrays: CountingArrays,
    registers: NDArray[np.int64],
) -> None:
    """Search until `solution_limit` solutions are found (0: all), the tree ends, or the next guess
    would exceed `limit` nodes (0: no limit), and store its outcome and its counts in
    `registers`."""
    units, used, order, untried, placed = arrays
    width = units.shape[1]
    depth = 0
    solutions = guesses = dead_ends = max_depth = 0
    entering = True
    while True:
        if entering:
            if depth == empty:
                solutions += 1
                if solutions == solution_limit:
                    phase = PHASE_SOLVED
                    break
                untried[depth] = 0
            else:
                if dynamic:
                    _fewest(arrays, empty, depth, full)
                untried[depth] = full & ~_taken(arrays, int(order[depth]))
                if untried[depth] == 0:
                    dead_ends += 1
        left = untried[depth]
        if left:
            if limit > 0 and guesses + 1 >= limit:
                phase = PHASE_CAPPED
                break
            bit = left & -left
            untried[depth] = left ^ bit
            cell = order[depth]
            for k in range(width):
                used[units[cell, k]] |= bit
            placed[depth] = bit
            guesses += 1
            depth += 1
            max_depth = max(max_depth, depth)
            entering = True
        else:
            if depth == 0:
                phase = PHASE_EXHAUSTED
                break
            depth -= 1
            cell = order[depth]
            keep = ~placed[depth]
            for k in range(width):
                used[units[cell, k]] &= keep
            entering = False
    store_counts(registers, depth, phase, guesses, dead_ends, max_depth, solutions)


@lean
def count_many(
    dynamic: bool,
    exhaustive: bool,
    size: int,
    limit: int,
    boards: NDArray[np.uint8],
    arrays: CountingArrays,
    counts: NDArray[np.int64],
) -> None:
    """Count the search of every board into its row of `counts`.

    `dynamic` chooses the cell with the fewest candidates, otherwise cells come row by row; values
    ascend. `limit` is the most nodes a search may have, 0 for no limit. `boards` is (n, c) uint8,
    the givens, 0 where a cell is empty; `arrays` are of `counting_arrays`; `counts` is
    (n, REGISTERS) int64, a row of registers each.
    """
    full = (1 << size) - 1
    solution_limit = 0 if exhaustive else 1
    for number in range(len(boards)):
        empty = _prepare(arrays, boards[number])
        _count(dynamic, solution_limit, full, limit, empty, arrays, counts[number])


@lean
def fill(
    size: int,
    limit: int,
    board: NDArray[np.uint8],
    arrays: CountingArrays,
    ranks: NDArray[np.uint8],
) -> bool:
    """Complete `board` in place, by fewest candidates; returns whether this took at most `limit`
    nodes. The values of a cell are tried in the order of its row of `ranks` (cells, size) uint8,
    from 0.
    """
    units, used, order, untried, _ = arrays
    width = units.shape[1]
    full = (1 << size) - 1
    empty = _prepare(arrays, board)
    depth = nodes = 0
    entering = True
    while depth < empty:
        if entering:
            _fewest(arrays, empty, depth, full)
            untried[depth] = full & ~_taken(arrays, int(order[depth]))
        cell = order[depth]
        if untried[depth]:
            nodes += 1
            if nodes > limit:
                return False
            value = 0
            while untried[depth] >> int(ranks[cell, value]) & 1 == 0:
                value += 1
            bit = 1 << int(ranks[cell, value])
            untried[depth] ^= bit
            for k in range(width):
                used[units[cell, k]] |= bit
            board[cell] = ranks[cell, value] + 1
            depth += 1
            entering = True
        else:
            if depth == 0:
                return False
            depth -= 1
            cell = order[depth]
            for k in range(width):
                used[units[cell, k]] &= ~(1 << (int(board[cell]) - 1))
            board[cell] = 0
            entering = False
    return True


@lean
def remove_givens(
    size: int,
    limit: int,
    fewest: int,
    board: NDArray[np.uint8],
    arrays: CountingArrays,
    orbits: NDArray[np.int16],
    undecided: NDArray[np.uint8],
    registers: NDArray[np.int64],
    kept: NDArray[np.uint8],
) -> int:
    """Remove givens as long as the solution is unique; returns the number of givens left.

    `board` (cells,) uint8 has one solution and is changed in place. A row of `orbits` (n, w) int16
    lists cells that are removed together, padded with -1; rows are tried in order, and a row that
    would leave fewer than `fewest` givens is skipped. If the proof takes more than `limit` nodes,
    the givens stay, and the row is marked in `undecided` (n,) uint8. `registers` (REGISTERS,) int64
    and `kept` (w,) uint8 are scratch.
    """
    cells = len(board)
    full = (1 << size) - 1
    givens = 0
    for cell in range(cells):
        if board[cell]:
            givens += 1
    for row in range(len(orbits)):
        present = 0
        for k in range(orbits.shape[1]):
            cell = orbits[row, k]
            kept[k] = 0
            if cell >= 0:
                kept[k] = board[cell]
                board[cell] = 0
                if kept[k]:
                    present += 1
        unique = False
        undecided[row] = 0
        if present and givens - present >= fewest:
            empty = _prepare(arrays, board)
            _count(True, 2, full, limit, empty, arrays, registers)
            unique = registers[PHASE] == PHASE_EXHAUSTED
            undecided[row] = registers[PHASE] == PHASE_CAPPED
        if unique:
            givens -= present
        else:
            for k in range(orbits.shape[1]):
                if orbits[row, k] >= 0:
                    board[orbits[row, k]] = kept[k]
    return givens
