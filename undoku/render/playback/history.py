"""The depths of a search, reduced to the columns of a picture: compiled loops over arrays.

`History` knows the number of steps. `DoublingHistory` does not: a column first covers one step.
When all columns are full, adjacent ones are merged in pairs, and each covers twice as many steps
from then on. The memory therefore does not depend on the length of the search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undoku.h264.loops import I32, I32_2D, I64, I64_2D, U8, U8_2D, group, inner, loop
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.steps import Steps

_DEPTH, _STEPS, _COLUMN, _TURN = range(4)
_SHIFT = _COLUMN

RESTARTED = -2
"""Marks a column with a restart, in place of its least depth, which is 0 there."""


@group
class HistoryArrays(NamedTuple):
    """The past of a search; `registers` (4,) int64 hold the state of the loop.

    low, high   (columns,) int32    the least and the largest depth in each column; low is RESTARTED
                                    if the search restarted in it
    nodes       (cells + 1,) int64  the number of guesses at each depth >= 1; 1 at depth 0, the root
    tries       (cells,) int64      how often a value was placed in the cell
    """

    low: I32
    high: I32
    nodes: I64
    tries: I64
    registers: I64


@loop
def take_note(steps: Steps, start: int, stop: int, total: int, history: HistoryArrays) -> None:
    """Record rows `start` to `stop` - 1. Step s of `total` (from 0) belongs to column s * columns
    // total; a column also covers the depth before its first step. If there are more columns than
    steps, a depth fills all columns before the one of the next step."""
    low, high, registers = history.low, history.high, history.registers
    columns = len(low)
    depth = registers[_DEPTH]
    step = registers[_STEPS]
    column = registers[_COLUMN]
    turn = registers[_TURN]
    least = most = depth  # of the current column
    if column >= 0 and columns:
        least, most = int(low[column]), int(high[column])
    for row in range(start, stop):
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
        depth = int(steps.depths[row])
        if steps.placed[row]:
            history.tries[steps.cells[row]] += 1
            if steps.decisions[row]:
                history.nodes[depth] += 1
        step += 1
        least, most = min(least, depth), max(most, depth)
        if steps.restarts[row]:
            least = RESTARTED
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


@inner
def columns_begun(history: HistoryArrays) -> int:
    """The number of columns that have begun."""
    return int(history.registers[_COLUMN]) + 1


class History:
    """An observer: see `undoku.solver.trace.steps.Observer`. Its arrays (`HistoryArrays`) are
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
        self._registers = np.array([0, 0, -1, 0], np.int64)
        self.arrays = HistoryArrays(
            self.low,
            self.high,
            self.nodes,
            self.tries,
            self._registers,
        )

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        take_note(steps, start, stop, self.total, self.arrays)

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return int(self._registers[_STEPS])

    @property
    def reached(self) -> int:
        """The number of columns that have begun."""
        return int(self._registers[_COLUMN]) + 1


@group
class DoublingArrays(NamedTuple):
    """The depths of k searches, a row for each. Column c covers the depths after steps c << shift
    to (c + 1) << shift, both included; shift is in column 2 of `registers`.

    low, high  (k, columns) int32  the least and the largest depth
    ends       (k, columns) int32  the last depth
    restarts   (k, columns) uint8  1 if the search restarted before one of the column's steps
    registers  (k, 3) int64        the depth, the number of steps so far, the shift
    """

    low: I32_2D
    high: I32_2D
    ends: I32_2D
    restarts: U8_2D
    registers: I64_2D


@loop
def note_depths(
    depths: I32,
    restarted: U8,
    start: int,
    stop: int,
    search: int,
    histories: DoublingArrays,
) -> None:
    """Record the depths of a search after the steps of rows `start` to `stop` - 1, and whether it
    restarted before them."""
    low, high = histories.low[search], histories.high[search]
    ends, restarts = histories.ends[search], histories.restarts[search]
    registers = histories.registers[search]
    columns = len(low)
    depth = registers[_DEPTH]
    step = registers[_STEPS]
    shift = registers[_SHIFT]
    for row in range(start, stop):
        before = depth
        depth = int(depths[row])
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
        restarts[column] |= restarted[row]
        low[column] = min(low[column], depth)
        high[column] = max(high[column], depth)
        ends[column] = depth
        step += 1
    registers[_DEPTH] = depth
    registers[_STEPS] = step
    registers[_SHIFT] = shift


@inner
def depth_of(search: int, histories: DoublingArrays) -> tuple[int, int, int]:
    """The current depth of a search, the number of its steps so far, and the shift."""
    registers = histories.registers[search]
    return int(registers[_DEPTH]), int(registers[_STEPS]), int(registers[_SHIFT])


class DoublingHistory:
    """An observer (`undoku.solver.trace.steps.Observer`) of the depths of search number `search`.
    The `arrays` of all searches are changed in place."""

    def __init__(self, search: int, arrays: DoublingArrays) -> None:
        self._search, self.arrays = search, arrays

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""
        note_depths(steps.depths, steps.restarts, start, stop, self._search, self.arrays)

    @property
    def depth(self) -> int:
        """The current depth."""
        return int(self.arrays.registers[self._search, _DEPTH])

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        return int(self.arrays.registers[self._search, _STEPS])

    @property
    def shift(self) -> int:
        """Each column covers 1 << shift steps."""
        return int(self.arrays.registers[self._search, _SHIFT])


def side_by_side(searches: int, columns: int) -> tuple[list[DoublingHistory], DoublingArrays]:
    """A history for each of several searches in an even number of columns, and their arrays."""
    rows = DoublingArrays(
        low=np.zeros((searches, columns), np.int32),
        high=np.zeros((searches, columns), np.int32),
        ends=np.zeros((searches, columns), np.int32),
        restarts=np.zeros((searches, columns), np.uint8),
        registers=np.zeros((searches, 3), np.int64),
    )
    return [DoublingHistory(number, rows) for number in range(searches)], rows
