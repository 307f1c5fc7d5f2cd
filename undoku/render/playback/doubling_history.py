"""The depths of a search of unknown length in a fixed number of columns: a compiled loop.

A column first covers one step. When all columns are full, adjacent ones are merged in pairs, and
each covers twice as many steps from then on. The memory therefore does not depend on the length of
the search, which need not be known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_FORCED, OP_GUESS, OP_RESTART, OP_UNDO

__all__ = ["DoublingArrays", "DoublingHistory", "depth_of", "note_depths", "side_by_side"]

_DEPTH, _STEPS, _SHIFT, _RESTARTED = range(4)


class DoublingArrays(NamedTuple):
    """The depths of a search. Column c covers the depths after steps c << shift to (c + 1) <<
    shift, both included; shift is registers[2].

    low, high  (columns,) int32  the least and the largest depth
    ends       (columns,) int32  the last depth
    restarts   (columns,) uint8  1 if the search restarted before one of the column's steps
    forced     (cells,) uint8    1 if inference placed the current value
    registers  (4,) int64        the depth, the number of steps so far, the shift, and 1 if a
                                 restart precedes the next step
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    ends: NDArray[np.int32]
    restarts: NDArray[np.uint8]
    forced: NDArray[np.uint8]
    registers: NDArray[np.int64]


@lean
def note_depths(events: NDArray[np.uint32], history: DoublingArrays) -> None:
    """Record packed events (n,) uint32."""
    low, high, ends, restarts, forced, registers = history
    columns = len(low)
    depth = registers[_DEPTH]
    step = registers[_STEPS]
    shift = registers[_SHIFT]
    for event in events:
        op = event & 0xFF
        if op == OP_RESTART:
            registers[_RESTARTED] = 1
        if op > OP_UNDO:
            continue
        cell = event >> 16
        before = depth
        if op == OP_GUESS:
            depth += 1
            forced[cell] = 0
        elif op == OP_FORCED:
            forced[cell] = 1
        elif not forced[cell]:
            depth -= 1
        column = step >> shift
        if column == columns:
            for half in range(columns // 2):
                low[half] = min(low[2 * half], low[2 * half + 1])
                high[half] = max(high[2 * half], high[2 * half + 1])
                ends[half] = ends[2 * half + 1]
                restarts[half] = restarts[2 * half] | restarts[2 * half + 1]
            shift += 1
            column = columns // 2
        if column << shift == step:
            low[column] = high[column] = before
            restarts[column] = 0
        if registers[_RESTARTED]:
            restarts[column] = 1
            registers[_RESTARTED] = 0
        low[column] = min(low[column], depth)
        high[column] = max(high[column], depth)
        ends[column] = depth
        step += 1
    registers[_DEPTH] = depth
    registers[_STEPS] = step
    registers[_SHIFT] = shift


@lean
def depth_of(history: DoublingArrays) -> tuple[int, int, int]:
    """The current depth, the number of steps so far, and the shift."""
    registers = history.registers
    return int(registers[_DEPTH]), int(registers[_STEPS]), int(registers[_SHIFT])


class DoublingHistory:
    """A recorder (`undoku.render.playback.player.Recorder`) of depths in `columns` columns, an even
    number. Its `arrays` are changed in place."""

    def __init__(self, puzzle: Puzzle, columns: int, arrays: DoublingArrays | None = None) -> None:
        """`arrays` may be a row of larger arrays, with the same number of columns."""
        self.arrays = arrays or DoublingArrays(
            low=np.zeros(columns, np.int32),
            high=np.zeros(columns, np.int32),
            ends=np.zeros(columns, np.int32),
            restarts=np.zeros(columns, np.uint8),
            forced=np.zeros(puzzle.geometry.cells, np.uint8),
            registers=np.zeros(4, np.int64),
        )

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        note_depths(events, self.arrays)

    @property
    def depth(self) -> int:
        """The current depth."""
        return int(self.arrays.registers[_DEPTH])

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return int(self.arrays.registers[_STEPS])

    @property
    def shift(self) -> int:
        """Each column covers 1 << shift steps."""
        return int(self.arrays.registers[_SHIFT])


def side_by_side(
    puzzles: Sequence[Puzzle], columns: int
) -> tuple[list[DoublingHistory], DoublingArrays]:
    """A history for each of these puzzles, and the arrays of all: row n belongs to history n."""
    cells = max((puzzle.geometry.cells for puzzle in puzzles), default=0)
    rows = DoublingArrays(
        low=np.zeros((len(puzzles), columns), np.int32),
        high=np.zeros((len(puzzles), columns), np.int32),
        ends=np.zeros((len(puzzles), columns), np.int32),
        restarts=np.zeros((len(puzzles), columns), np.uint8),
        forced=np.zeros((len(puzzles), cells), np.uint8),
        registers=np.zeros((len(puzzles), 4), np.int64),
    )
    histories = [
        DoublingHistory(puzzle, columns, DoublingArrays._make(array[row] for array in rows))
        for row, puzzle in enumerate(puzzles)
    ]
    return histories, rows
