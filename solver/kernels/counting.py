"""Compiled searches that only count: many puzzles in one call, no event written.

They make the same choices as the search that writes events, so that their counts are the same.

Arrays (c = cells, u = units, k = units per cell, d = largest number of empty cells + 1):
    boards    (n, c) uint8    givens, 0 where a cell is empty
    units     (c, k) int16    the units of a cell
    used      (u,) int64      bit v-1 is set when the unit holds v
    order     (c,) int32      the cells to fill, ascending; `mrv` permutes it
    untried   (d,) int64      per depth, the values not yet tried
    counts    (n, COUNTS) int64
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.jit import compiled

__all__ = [
    "BACKTRACKS",
    "COUNTS",
    "DEAD_ENDS",
    "ENDED_CAPPED",
    "ENDED_EXHAUSTED",
    "ENDED_SOLVED",
    "ENDING",
    "GUESSES",
    "MAX_DEPTH",
    "SOLUTIONS",
    "UNDOS",
    "count_many",
    "fill",
    "thin",
]

ENDING, SOLUTIONS, GUESSES, UNDOS, BACKTRACKS, DEAD_ENDS, MAX_DEPTH = range(7)
COUNTS = 7

ENDED_SOLVED, ENDED_EXHAUSTED, ENDED_CAPPED = range(3)


@compiled
def _bits(mask: int) -> int:
    """How many bits are set in a mask below 2^32."""
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return ((mask * 0x01010101) & 0xFFFFFFFF) >> 24


@compiled
def _taken(cell: int, units: NDArray[np.int16], used: NDArray[np.int64]) -> int:
    taken = 0
    for k in range(units.shape[1]):
        taken |= used[units[cell, k]]
    return taken


@compiled
def _fewest(
    order: NDArray[np.int32],
    empty: int,
    units: NDArray[np.int16],
    used: NDArray[np.int64],
    depth: int,
    full: int,
) -> None:
    """Bring the cell with the fewest candidates (ties: the lowest) to order[depth]."""
    best = depth
    fewest = 64
    for at in range(depth, empty):
        cell = order[at]
        count = _bits(full & ~_taken(cell, units, used))
        if count < fewest or (count == fewest and cell < order[best]):
            best = at
            fewest = count
            if count == 0:  # nothing is placed here, so which of several it is changes no count
                break
    order[best], order[depth] = order[depth], order[best]


@compiled
def _prepare(
    board: NDArray[np.uint8],
    units: NDArray[np.int16],
    used: NDArray[np.int64],
    order: NDArray[np.int32],
) -> int:
    """Fill `used` and `order` for a board; returns the number of empty cells."""
    used[:] = 0
    empty = 0
    for cell in range(len(board)):
        value = board[cell]
        if value == 0:
            order[empty] = cell
            empty += 1
        else:
            for k in range(units.shape[1]):
                used[units[cell, k]] |= 1 << (int(value) - 1)
    return empty


@compiled
def _count(
    dynamic: bool,
    enough: int,
    full: int,
    limit: int,
    empty: int,
    order: NDArray[np.int32],
    units: NDArray[np.int16],
    used: NDArray[np.int64],
    untried: NDArray[np.int64],
    placed: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Search until `enough` solutions are found (0: all), the tree ends, or the next guess would
    exceed `limit` nodes (0: none). `placed` is (d,) int64 scratch: the value bit at each depth."""
    width = units.shape[1]
    depth = 0
    solutions = guesses = undos = backtracks = dead_ends = max_depth = 0
    fresh = True
    while True:
        if fresh:
            if depth == empty:
                solutions += 1
                if solutions == enough:
                    counts[ENDING] = ENDED_SOLVED
                    break
                untried[depth] = 0
            else:
                if dynamic:
                    _fewest(order, empty, units, used, depth, full)
                untried[depth] = full & ~_taken(order[depth], units, used)
                if untried[depth] == 0:
                    dead_ends += 1
        left = untried[depth]
        if left:
            if limit > 0 and guesses + 1 >= limit:
                counts[ENDING] = ENDED_CAPPED
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
            fresh = True
        else:
            if depth == 0:
                counts[ENDING] = ENDED_EXHAUSTED
                break
            depth -= 1
            cell = order[depth]
            keep = ~placed[depth]
            for k in range(width):
                used[units[cell, k]] &= keep
            undos += 1
            if not fresh:
                backtracks += 1
            fresh = False
    counts[SOLUTIONS] = solutions
    counts[GUESSES] = guesses
    counts[UNDOS] = undos
    counts[BACKTRACKS] = backtracks
    counts[DEAD_ENDS] = dead_ends
    counts[MAX_DEPTH] = max_depth


@compiled
def count_many(
    dynamic: bool,
    exhaustive: bool,
    size: int,
    limit: int,
    boards: NDArray[np.uint8],
    units: NDArray[np.int16],
    counts: NDArray[np.int64],
) -> None:
    """Count the search of every board into its row of `counts`.

    `dynamic` chooses the cell with the fewest candidates, otherwise cells come row by row; values
    ascend. `limit` is the most nodes a search may have, 0 for no limit.
    """
    cells = boards.shape[1]
    used = np.zeros(int(units.max()) + 1, np.int64)
    order = np.zeros(cells, np.int32)
    untried = np.zeros(cells + 1, np.int64)
    placed = np.zeros(cells + 1, np.int64)
    full = (1 << size) - 1
    for number in range(len(boards)):
        empty = _prepare(boards[number], units, used, order)
        _count(
            dynamic, 0 if exhaustive else 1, full, limit, empty,
            order, units, used, untried, placed, counts[number],
        )  # fmt: skip


@compiled
def fill(
    size: int,
    limit: int,
    board: NDArray[np.uint8],
    units: NDArray[np.int16],
    ranks: NDArray[np.uint8],
) -> bool:
    """Complete `board` in place, by fewest candidates; returns whether it was done within `limit`
    nodes. A cell tries its values as its row of `ranks` (cells, size) uint8, from 0, lists them.
    """
    cells, width = units.shape
    used = np.zeros(int(units.max()) + 1, np.int64)
    order = np.zeros(cells, np.int32)
    untried = np.zeros(cells + 1, np.int64)
    full = (1 << size) - 1
    empty = _prepare(board, units, used, order)
    depth = nodes = 0
    fresh = True
    while depth < empty:
        if fresh:
            _fewest(order, empty, units, used, depth, full)
            untried[depth] = full & ~_taken(order[depth], units, used)
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
            fresh = True
        else:
            if depth == 0:
                return False
            depth -= 1
            cell = order[depth]
            for k in range(width):
                used[units[cell, k]] &= ~(1 << (int(board[cell]) - 1))
            board[cell] = 0
            fresh = False
    return True


@compiled
def thin(
    size: int,
    limit: int,
    fewest: int,
    board: NDArray[np.uint8],
    units: NDArray[np.int16],
    orbits: NDArray[np.int16],
    undecided: NDArray[np.uint8],
) -> int:
    """Take givens away while the solution stays the only one; returns how many are left.

    `board` (cells,) uint8 has one solution and is changed in place. A row of `orbits` (n, w) int16
    lists cells that go together, padded with -1; rows are tried in order, and one that would leave
    fewer than `fewest` givens is passed over. Where the proof takes more than `limit` nodes the
    givens stay, and the row is marked in `undecided` (n,) uint8.
    """
    cells = len(board)
    used = np.zeros(int(units.max()) + 1, np.int64)
    order = np.zeros(cells, np.int32)
    untried = np.zeros(cells + 1, np.int64)
    placed = np.zeros(cells + 1, np.int64)
    counts = np.zeros(COUNTS, np.int64)
    kept = np.zeros(orbits.shape[1], np.uint8)
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
            empty = _prepare(board, units, used, order)
            _count(
                True, 2, full, limit, empty,
                order, units, used, untried, placed, counts,
            )  # fmt: skip
            unique = counts[ENDING] == ENDED_EXHAUSTED
            undecided[row] = counts[ENDING] == ENDED_CAPPED
        if unique:
            givens -= present
        else:
            for k in range(orbits.shape[1]):
                if orbits[row, k] >= 0:
                    board[orbits[row, k]] = kept[k]
    return givens
