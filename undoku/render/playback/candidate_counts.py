"""The number of candidates of the chosen cells: a compiled loop over arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_ELIMINATE, OP_GUESS, OP_RESTORE, OP_UNDO

__all__ = ["Choices"]


class _Arrays(NamedTuple):
    """u = units, k = units per cell.

    of_cell   (cells, k) int16   the units of each cell
    holds     (u, values) uint8  how often a unit holds each value; column 0 is not used
    board     (cells,) uint8
    removed   (cells,) uint32    candidates that inference removed, bit v - 1 for value v
    counts    (values,) int64    the number of nodes whose chosen cell had 0, 1, 2, … candidates
    """

    of_cell: NDArray[np.int16]
    holds: NDArray[np.uint8]
    board: NDArray[np.uint8]
    removed: NDArray[np.uint32]
    counts: NDArray[np.int64]


@lean
def _fold(events: NDArray[np.uint32], choices: _Arrays, undone: int) -> int:
    """Count packed events. `undone` is the cell of the preceding event if that was an undo,
    otherwise -1; returns the same for the last event. A guess directly after an undo of its cell is
    the next value of the same node, not a new choice."""
    of_cell, holds, board = choices.of_cell, choices.holds, choices.board
    removed, counts = choices.removed, choices.counts
    width = of_cell.shape[1]
    for event in events:
        op = event & 0xFF
        cell = int(event >> 16)
        value = int((event >> 8) & 0xFF)
        if op > OP_RESTORE:
            continue
        if op > OP_UNDO:
            bit = np.uint32(1) << np.uint32(value - 1)
            if op == OP_ELIMINATE:
                removed[cell] |= bit
            else:
                removed[cell] &= ~bit
            continue
        if op == OP_UNDO:
            value = int(board[cell])
            board[cell] = 0
            for k in range(width):
                if k == 0 or of_cell[cell, k] != of_cell[cell, 0]:
                    holds[of_cell[cell, k], value] -= 1
            undone = cell
            continue
        if op == OP_GUESS and cell != undone:
            found = 0
            for candidate in range(1, holds.shape[1]):
                free = not removed[cell] >> np.uint32(candidate - 1) & np.uint32(1)
                for k in range(width):
                    free = free and not holds[of_cell[cell, k], candidate]
                found += int(free)
            counts[found] += 1
        board[cell] = value
        for k in range(width):
            if k == 0 or of_cell[cell, k] != of_cell[cell, 0]:
                holds[of_cell[cell, k], value] += 1
        undone = -1
    return undone


class Choices:
    """A recorder: see `undoku.render.playback.player.Recorder`. `counts` (size + 1,) int64 is the
    number of nodes whose chosen cell had 0, 1, 2, … candidates."""

    def __init__(self, puzzle: Puzzle) -> None:
        geometry = puzzle.geometry
        self.counts = np.zeros(geometry.size + 1, np.int64)
        holds = np.zeros((len(geometry.units), geometry.size + 1), np.uint8)
        for number, unit in enumerate(geometry.units):
            for cell in unit.cells:
                if puzzle.givens[cell]:
                    holds[number, puzzle.givens[cell]] += 1
        removed = np.zeros(geometry.cells, np.uint32)
        self._arrays = _Arrays(
            geometry.cell_units, holds, puzzle.board.copy(), removed, self.counts
        )
        self._undone = -1

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        self._undone = _fold(events, self._arrays, self._undone)
