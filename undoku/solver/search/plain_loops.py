"""The loops of searches without inference: in a fixed order, or by fewest candidates.

By fewest candidates, sets of cells are bitsets, and the number of candidates of every cell is held
in bit planes: plane p has the bits of all cells whose number has bit p set. A place then subtracts
one candidate from all peers at once, across the planes, and one pass from the highest plane to the
lowest finds the cells with the smallest number. (Bit-sliced counters are folklore; Warren,
"Hacker's Delight", describes the arithmetic.) No cell is processed individually. Where units have
shifts, a place takes other values from its peers: there each node counts the candidates of each
empty cell.

`advance` is the loop of searches. `undoku.solver.search.many_searches` runs it on many boards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.h264.loops import (
    I64,
    I64_2D,
    I64_3D,
    U8,
    U8_2D,
    ReadU8,
    count_bits,
    group,
    inner,
    loop,
    low_bit,
)
from undoku.solver.problem.problem import Problem, tables_of
from undoku.solver.problem.resources import (
    SUDOKU_WIDTH,
    Resources,
    free_values,
    resources_of,
    set_taken,
)
from undoku.solver.search.ops import OP_GUESS, OP_UNDO
from undoku.solver.search.search_state import (
    BACKTRACKS,
    DEAD_ENDS,
    DEPTH,
    GUESSED,
    GUESSES,
    MAX_DEPTH,
    NODE_LIMIT,
    PHASE,
    PHASE_CAPPED,
    PHASE_ENTER,
    PHASE_EXHAUSTED,
    PHASE_SOLVED,
    PHASE_TRY,
    SOLUTIONS,
    UNDOS,
    Output,
    keep_solution,
)

_WORD = 63
"""Bits in one word of a set of cells: the sign bit stays clear."""

_ASCENDING = np.empty((0, 0), np.uint8)


@group
class PlainArrays(NamedTuple):
    """A problem of n cells and u units, and the state of its search. By fewest candidates and
    without shifts there are w words in a set of cells and p bit planes; otherwise w is 0.

    size      values 1..size
    resources  those of the problem
    trials    (n or 0, size) uint8: the values of a cell in the order of trial, from 0; empty if all
              ascend
    filling   (1,) int64: the number of cells to fill
    order     (n + 1,) int64: per depth, the cell; with shifts, then the empty ones
    untried   (n + 1,) int64: per depth, the values not yet tried
    board     (n,) uint8
    peers     (n, w) int64: per cell, the cells that lose a candidate to it
    possible  (size, w) int64: per value, the cells that no placement excludes from it
    vacant    (w,) int64: the empty cells
    planes    (n + 1, p, w) int64: per depth, the bit planes of the candidate numbers
    touched   (n + 1, w) int64: per depth, the cells that lost a candidate to the guess
    best      (w,) int64: working memory: the cells that may still be the choice
    """

    size: int
    resources: Resources
    trials: U8_2D
    filling: I64
    order: I64
    untried: I64
    board: U8
    peers: I64_2D
    possible: I64_2D
    vacant: I64
    planes: I64_3D
    touched: I64_2D
    best: I64


def plain_arrays(
    problem: Problem, *, fewest: bool, trials: NDArray[np.uint8] = _ASCENDING
) -> PlainArrays:
    """The arrays of a problem, before `prepare`."""
    tables, cells = tables_of(problem), problem.cells
    words = -(-cells // _WORD) if fewest and not len(tables.cell_shifts) else 0
    peers = np.zeros((cells, words), np.int64)
    if words:
        cell, column = np.nonzero(tables.peers >= 0)
        peer = tables.peers[cell, column]
        np.bitwise_or.at(peers, (cell, peer // _WORD), 1 << peer % _WORD)
    return PlainArrays(
        size=tables.size,
        resources=resources_of(problem, np.zeros(cells, np.uint8)),
        trials=trials,
        filling=np.zeros(1, np.int64),
        order=np.zeros(cells + 1, np.int64),
        untried=np.zeros(cells + 1, np.int64),
        board=np.zeros(cells, np.uint8),
        peers=peers,
        possible=np.zeros((tables.size, words), np.int64),
        vacant=np.zeros(words, np.int64),
        planes=np.zeros((cells + 1, tables.size.bit_length(), words), np.int64),
        touched=np.zeros((cells + 1, words), np.int64),
        best=np.zeros(words, np.int64),
    )


@loop
def prepare(fewest: bool, arrays: PlainArrays, board: ReadU8) -> int:
    """Set the arrays to a board with 0 where a cell is empty, and the order to its empty cells,
    ascending; returns their number."""
    width, shifted = arrays.resources.width, len(arrays.resources.shifts) > 0
    arrays.resources.taken[:] = 0
    empty = 0
    for cell in range(len(board)):
        value = int(board[cell])
        arrays.board[cell] = value
        if value == 0:
            arrays.order[empty] = cell
            empty += 1
        else:
            set_taken(cell, 1 << (value - 1), True, width, shifted, arrays.resources)
    arrays.filling[0] = empty
    if fewest and not shifted:
        arrays.vacant[:] = 0
        arrays.possible[:, :] = 0
        arrays.planes[0, :, :] = 0
        for at in range(empty):
            cell = int(arrays.order[at])
            word = cell // _WORD
            bit = 1 << (cell % _WORD)
            free = free_values(cell, width, shifted, arrays.resources)
            arrays.vacant[word] |= bit
            for plane in range(arrays.planes.shape[1]):
                if count_bits(free) >> plane & 1:
                    arrays.planes[0, plane, word] |= bit
            while free:
                arrays.possible[low_bit(free), word] |= bit
                free &= free - 1
    return empty


@inner
def _first_value(arrays: PlainArrays, cell: int, values: int) -> int:
    """The value of a mask, not empty, that comes first in `trials`, from 0."""
    for index in arrays.trials[cell]:
        if values >> int(index) & 1:
            return int(index)
    return 0


@inner
def _fewest_by_count(arrays: PlainArrays, width: int, depth: int) -> int:
    """The cell with the fewest candidates, the lowest of several, counted cell by cell. The empty
    cells are those of the order from this depth on; the first of them moves to the cell's place."""
    order, least = arrays.order, 64 << 32
    for at in range(depth, arrays.filling[0]):
        cell = int(order[at])
        count = count_bits(free_values(cell, width, True, arrays.resources))
        least = min(least, count << 32 | cell << 16 | at)  # without a branch
    order[least & 0xFFFF] = order[depth]
    return least >> 16 & 0xFFFF


@inner
def _fewest_candidates(arrays: PlainArrays, width: int, shifted: bool, depth: int) -> int:
    """The cell with the fewest candidates, the lowest of several: of the vacant cells those without
    the highest bit, if there are any; of these the cells without the next bit, and so on."""
    if shifted:
        return _fewest_by_count(arrays, width, depth)
    best, planes = arrays.best, arrays.planes
    words = len(best)
    best[:] = arrays.vacant
    for plane in range(planes.shape[1] - 1, -1, -1):
        fewer = 0
        for word in range(words):
            fewer |= best[word] & ~planes[depth, plane, word]
        if fewer:
            for word in range(words):
                best[word] &= ~planes[depth, plane, word]
    word = 0
    while best[word] == 0:
        word += 1
    return word * _WORD + low_bit(best[word])


@inner
def _remove_candidates(arrays: PlainArrays, depth: int, cell: int, index: int) -> None:
    """Take value index + 1, the guess of a depth, from the candidates of the peers."""
    planes = arrays.planes
    arrays.vacant[cell // _WORD] ^= 1 << (cell % _WORD)
    for word in range(len(arrays.vacant)):
        lost = arrays.peers[cell, word] & arrays.possible[index, word]
        arrays.touched[depth, word] = lost
        arrays.possible[index, word] ^= lost
        for plane in range(planes.shape[1]):
            bits = planes[depth, plane, word]
            planes[depth + 1, plane, word] = bits ^ lost
            lost &= ~bits


@inner
def _return_candidates(arrays: PlainArrays, depth: int, cell: int, index: int) -> None:
    """Undo `_remove_candidates`."""
    arrays.vacant[cell // _WORD] ^= 1 << (cell % _WORD)
    for word in range(len(arrays.vacant)):
        arrays.possible[index, word] ^= arrays.touched[depth, word]


@loop
def advance(
    fewest: bool,
    solution_limit: int,
    recording: bool,
    room: int,
    arrays: PlainArrays,
    output: Output,
    registers: I64,
) -> int:
    """Continue the search until it ends or has written `room` events; returns their number.

    Takes the cell with the fewest candidates, or the next one of the order. Ends in PHASE_SOLVED
    when it has found `solution_limit` solutions (0: no limit), in PHASE_EXHAUSTED after the whole
    tree, in PHASE_CAPPED when the next guess would exceed registers[NODE_LIMIT] nodes (0: no
    limit). Events are written to output.events when `recording`, and only counted otherwise.
    """
    width, shifted = arrays.resources.width, len(arrays.resources.shifts) > 0
    # Constants in these calls, for which the compiler makes loops of their own.
    if width == SUDOKU_WIDTH and not shifted and not fewest:
        return _advance(
            False, SUDOKU_WIDTH, False, solution_limit, recording, room, arrays, output, registers
        )
    if width == SUDOKU_WIDTH and shifted:
        return _advance(
            fewest, SUDOKU_WIDTH, True, solution_limit, recording, room, arrays, output, registers
        )
    return _advance(
        fewest, width, shifted, solution_limit, recording, room, arrays, output, registers
    )


@inner
def _advance(
    fewest: bool,
    width: int,
    shifted: bool,
    solution_limit: int,
    recording: bool,
    room: int,
    arrays: PlainArrays,
    output: Output,
    registers: I64,
) -> int:
    """`advance` for cells with `width` units, which have shifts or not."""
    order, untried, board = arrays.order, arrays.untried, arrays.board
    labels, events = output.labels, output.events
    written = 0
    filling = arrays.filling[0]
    ascending = len(arrays.trials) == 0
    # Local variables are faster than an array.
    depth, phase, guesses = registers[DEPTH], registers[PHASE], registers[GUESSES]
    guessed, dead_ends = registers[GUESSED], registers[DEAD_ENDS]
    max_depth, solutions = registers[MAX_DEPTH], registers[SOLUTIONS]
    guess_limit = registers[NODE_LIMIT] - 1

    while written < room:
        is_first = phase == PHASE_ENTER
        if is_first:
            if depth == filling:
                if solutions == 0:
                    keep_solution(board, output)
                solutions += 1
                if solutions == solution_limit:
                    phase = PHASE_SOLVED
                    break
                untried[depth] = 0
            else:
                if fewest:
                    order[depth] = _fewest_candidates(arrays, width, shifted, depth)
                untried[depth] = free_values(order[depth], width, shifted, arrays.resources)
                if untried[depth] == 0:
                    dead_ends += 1
            phase = PHASE_TRY

        left = untried[depth]
        if left:
            if guess_limit >= 0 and guesses >= guess_limit:
                phase = PHASE_CAPPED
                break
            cell = order[depth]
            index = low_bit(left) if ascending else _first_value(arrays, cell, left)
            others = left ^ (1 << index)
            untried[depth] = others
            # The other candidates of the cell are those not yet tried, and those that failed.
            guessed += others != 0 or not is_first
            set_taken(cell, 1 << index, True, width, shifted, arrays.resources)
            board[cell] = index + 1
            if fewest and not shifted:
                _remove_candidates(arrays, depth, cell, index)
            if recording:
                events[written] = OP_GUESS | int(labels[index]) << 8 | cell << 16
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
            index = int(board[cell]) - 1
            set_taken(cell, 1 << index, False, width, shifted, arrays.resources)
            board[cell] = 0
            if fewest and not shifted:
                _return_candidates(arrays, depth, cell, index)
            if recording:
                events[written] = OP_UNDO | int(labels[index]) << 8 | cell << 16
            written += 1

    registers[DEPTH] = depth
    registers[PHASE] = phase
    registers[GUESSES] = guesses
    registers[GUESSED] = guessed
    registers[DEAD_ENDS] = dead_ends
    registers[MAX_DEPTH] = max_depth
    registers[SOLUTIONS] = solutions
    # A guess that is not on the board has been taken back, and it was a backtrack if it was neither
    # a dead end nor completed a solution; the last solution may still be on the board.
    registers[UNDOS] = guesses - depth
    if guesses:  # otherwise the dead end or the solution is the root, which is never taken back
        taken_back = guesses - depth + (phase == PHASE_SOLVED)
        registers[BACKTRACKS] = taken_back - dead_ends - solutions
    return written
