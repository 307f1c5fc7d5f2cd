"""The past of a search, reduced to the size of a picture: a compiled loop over arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_GUESS,
    OP_RESTART,
    OP_RESTORE,
    OP_UNDO,
)

__all__ = ["RESTARTED", "History", "HistoryArrays", "columns_begun", "take_note"]

_DEPTH, _STEPS, _COLUMN, _TURN, _RESTARTED = range(5)

RESTARTED = -2
"""Marks a column with a restart, in place of its least depth, which is 0 there."""


class HistoryArrays(NamedTuple):
    """The past of a search; `registers` (5,) int64 hold the state of the loop.

    low, high   (columns,) int32    the least and the largest depth in each column; low is RESTARTED
                                    if the search restarted in it
    nodes       (cells + 1,) int64  the number of guesses at each depth >= 1; 1 at depth 0, the root
    tries       (cells,) int64      how often a value was placed in the cell
    removed     (cells,) uint32     candidates that inference removed, bit v - 1 for value v
    forced      (cells,) uint8      1 if inference placed the current value
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    nodes: NDArray[np.int64]
    tries: NDArray[np.int64]
    removed: NDArray[np.uint32]
    forced: NDArray[np.uint8]
    registers: NDArray[np.int64]


@lean
def take_note(events: NDArray[np.uint32], total: int, history: HistoryArrays) -> None:
    """Record packed events. Step s of `total` (from 0) belongs to column s * columns // total; a
    column also covers the depth before its first step. If there are more columns than steps, a
    depth fills all columns before the one of the next step."""
    low, high, nodes, tries = history.low, history.high, history.nodes, history.tries
    removed, forced, registers = history.removed, history.forced, history.registers
    columns = len(low)
    depth = registers[_DEPTH]
    step = registers[_STEPS]
    column = registers[_COLUMN]
    turn = registers[_TURN]
    least = most = depth  # of the current column
    if column >= 0 and columns:
        least, most = int(low[column]), int(high[column])
    for event in events:
        op = event & 0xFF
        cell = event >> 16
        if op > OP_RESTORE:
            if op == OP_RESTART:
                registers[_RESTARTED] = 1
            continue
        if op > OP_UNDO:
            bit = np.uint32(1) << np.uint32(((event >> 8) & 0xFF) - 1)
            if op == OP_ELIMINATE:
                removed[cell] |= bit
            else:
                removed[cell] &= ~bit
            continue
        if step >= turn and columns:
            begun = min(columns - 1, step * columns // total)
            if column >= 0:
                low[column], high[column] = least, most
            for between in range(column + 1, begun + 1):
                low[between] = high[between] = depth
            if begun > column:
                least = most = depth
            column = begun
            turn = ((column + 1) * total + columns - 1) // columns
        if op == OP_GUESS:
            depth += 1
            nodes[depth] += 1
            tries[cell] += 1
            forced[cell] = 0
        elif op == OP_FORCED:
            tries[cell] += 1
            forced[cell] = 1
        elif not forced[cell]:
            depth -= 1
        step += 1
        least, most = min(least, depth), max(most, depth)
        if registers[_RESTARTED]:
            least = RESTARTED
            registers[_RESTARTED] = 0
    if column >= 0 and columns:
        low[column], high[column] = least, most
    # If columns are narrower than steps, the last depth holds until the next step.
    for between in range(column + 1, min(columns, step * columns // total)):
        low[between] = high[between] = depth
        column = between
    registers[_DEPTH] = depth
    registers[_STEPS] = step
    registers[_COLUMN] = column
    registers[_TURN] = turn


@lean
def columns_begun(history: HistoryArrays) -> int:
    """The number of columns that have begun."""
    return int(history.registers[_COLUMN]) + 1


class History:
    """A recorder: see `undoku.render.playback.player.Recorder`. Its arrays (`HistoryArrays`) are
    changed in place.

    `total` steps (>= 1) are distributed over `columns`, which is 0 if depths are not drawn;
    columns that have not begun hold -1.
    """

    def __init__(self, puzzle: Puzzle, columns: int = 0, total: int = 1) -> None:
        cells = puzzle.geometry.cells
        self.total = max(1, total)
        self.low = np.full(columns, -1, np.int32)
        self.high = np.full(columns, -1, np.int32)
        self.nodes = np.zeros(cells + 2, np.int64)
        self.nodes[0] = 1
        self.tries = np.zeros(cells, np.int64)
        self.removed = np.zeros(cells, np.uint32)
        self._registers = np.array([0, 0, -1, 0, 0], np.int64)
        self.arrays = HistoryArrays(
            self.low,
            self.high,
            self.nodes,
            self.tries,
            self.removed,
            np.zeros(cells, np.uint8),
            self._registers,
        )

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        take_note(events, self.total, self.arrays)

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return int(self._registers[_STEPS])

    @property
    def reached(self) -> int:
        """The number of columns that have begun."""
        return int(self._registers[_COLUMN]) + 1
