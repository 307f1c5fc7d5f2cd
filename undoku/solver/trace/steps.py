"""The steps of a trace, decoded: the one form in which everything else reads a search.

`fold` passes them to observers, which need not know the codes of events, what an undo takes back,
whether it was a decision, or how many decisions are on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from undoku.h264.loops import I32, I64, U8, U16, U32, group, loop
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_ELIMINATE, OP_GUESS, OP_RESTART, OP_UNDO
from undoku.solver.trace.trace import Events, Trace


@group
class Steps(NamedTuple):
    """The n steps in one chunk of m events; row r is step number `first` + r, counted from 0.

    events    (m,) uint32       packed: op | value << 8 | cell << 16
    starts    (n + 1,) int32    the index of the event of each step; at the end m
    cells     (n,) uint16
    values    (n,) uint8        the value that is placed or taken back
    placed    (n,) uint8        1 for a place, 0 for an undo
    decisions (n,) uint8        1 if the search placed the value, 0 if inference did
    depths    (n,) int32        the number of decisions on the board after the step
    restarts  (n,) uint8        1 if the search restarted directly before the step
    """

    first: int
    events: U32
    starts: I32
    cells: U16
    values: U8
    placed: U8
    decisions: U8
    depths: I32
    restarts: U8


NO_STEPS = Steps(
    0,
    np.empty(0, np.uint32),
    np.zeros(1, np.int32),
    np.empty(0, np.uint16),
    np.empty(0, np.uint8),
    np.empty(0, np.uint8),
    np.empty(0, np.uint8),
    np.empty(0, np.int32),
    np.empty(0, np.uint8),
)
"""No steps, of no events."""


class Observer(Protocol):
    """Receives every step of a search once, in order. It must not change the arrays; what it keeps
    of them it copies."""

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1."""


_DEPTH, _RESTARTED, _STEPS = range(3)

_MAX_EVENTS = 4096
"""The maximum number of events whose eliminations are listed. No step of a film that can be read
has more."""


@loop
def _decode(
    steps: Steps,
    board: U8,
    decided: U8,
    registers: I64,
) -> int:
    """Fill in the rows of packed events; returns their number. `board` and `decided` (cells,) are
    the values on the board and whether each is a decision; `registers` hold the decisions on it
    and whether a restart precedes the next step."""
    events = steps.events
    depth = registers[_DEPTH]
    row = 0
    for at in range(len(events)):
        event = events[at]
        op = event & 0xFF
        if op > OP_UNDO:
            if op == OP_RESTART:
                registers[_RESTARTED] = 1
            continue
        cell = event >> 16
        steps.starts[row] = at
        steps.cells[row] = cell
        if op == OP_UNDO:
            steps.placed[row] = 0
            steps.values[row] = board[cell]
            board[cell] = 0
            depth -= decided[cell]
        else:
            steps.placed[row] = 1
            steps.values[row] = board[cell] = (event >> 8) & 0xFF
            decided[cell] = op == OP_GUESS
            depth += decided[cell]
        steps.decisions[row] = decided[cell]
        steps.depths[row] = depth
        steps.restarts[row] = registers[_RESTARTED]
        registers[_RESTARTED] = 0
        row += 1
    steps.starts[row] = len(events)
    registers[_DEPTH] = depth
    return row


class StepReader:
    """Decodes the events of a search, chunk by chunk."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._board = puzzle.board.copy()
        self._decided = np.zeros(puzzle.problem.cells, np.uint8)
        self._registers = np.zeros(3, np.int64)

    def read(self, chunk: Events) -> Steps:
        """The steps of the next events, (m,) of EVENT, which are not copied."""
        count = len(chunk)
        columns = [np.empty(count + 1, column.dtype) for column in NO_STEPS[2:]]
        events = np.ascontiguousarray(chunk).view(np.uint32)
        first = int(self._registers[_STEPS])
        rows = Steps(first, events, *columns)
        count = _decode(rows, self._board, self._decided, self._registers)
        self._registers[_STEPS] += count
        starts, *columns = columns
        return Steps(first, events, starts[: count + 1], *(column[:count] for column in columns))


def steps_of(trace: Trace) -> Iterator[Steps]:
    """Read a trace, without storing it: the steps of one chunk after the other."""
    reader = StepReader(trace.header.puzzle)
    for chunk in trace.chunks():
        yield reader.read(chunk)


def fold(trace: Trace, observers: Sequence[Observer]) -> None:
    """Read a trace once for all observers."""
    for steps in steps_of(trace):
        for observer in observers:
            observer.record(steps, 0, len(steps.cells))


def eliminations(steps: Steps, start: int, stop: int) -> list[tuple[int, int, int]]:
    """The candidates that inference removes in the events `start` to `stop` - 1 of a chunk: (index
    of the event, cell, value). Only the last _MAX_EVENTS events are examined."""
    start = max(start, stop - _MAX_EVENTS)
    events = steps.events[start:stop]
    return [
        (start + index, int(events[index]) >> 16, int(events[index]) >> 8 & 0xFF)
        for index in np.flatnonzero((events & 0xFF) == OP_ELIMINATE).tolist()
    ]
