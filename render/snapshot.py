"""The state that a frame shows: folds a trace's events into board, depth and counters."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.compiled import compiled
from solver.trace import Op, Outcome, Trace

__all__ = ["Player", "Snapshot"]

_STEPS, _PLACES, _UNDOS, _BACKTRACKS, _DEAD_ENDS, _DEPTH, _MAX_DEPTH = range(7)
_FILLED, _RETREATING, _WAS_FULL, _LAST_OP, _LAST_CELL, _LAST_VALUE = range(7, 13)
_REGISTERS = 13

_GUESS, _FORCED, _UNDO = 0, 1, 2


@compiled
def _fold(
    events: NDArray[np.uint32],
    start: int,
    until: int,
    board: NDArray[np.uint8],
    depths: NDArray[np.int32],
    forced: NDArray[np.uint8],
    changed: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> int:
    """Apply packed events from `start` on, up to the one before step number `until` (from 0) and
    all inference after it; returns the index of the first event that was not applied."""
    cells = len(board)
    for at in range(start, len(events)):
        event = events[at]
        op = event & 0xFF
        if op > _UNDO:
            continue
        if registers[_STEPS] == until:
            return at
        cell = event >> 16
        value = (event >> 8) & 0xFF
        if op == _UNDO:
            value = board[cell]
            if not forced[cell]:
                # A guess taken back right after a place met a dead end; after another guess was
                # taken back it is a backtrack: every value below it has failed.
                if registers[_RETREATING]:
                    registers[_BACKTRACKS] += 1
                elif not registers[_WAS_FULL]:
                    registers[_DEAD_ENDS] += 1
                registers[_RETREATING] = 1
                registers[_DEPTH] -= 1
            board[cell] = 0
            registers[_FILLED] -= 1
            registers[_UNDOS] += 1
        else:
            board[cell] = value
            forced[cell] = op == _FORCED
            if op == _GUESS:
                registers[_DEPTH] += 1
                registers[_MAX_DEPTH] = max(registers[_MAX_DEPTH], registers[_DEPTH])
            depths[cell] = registers[_DEPTH]
            registers[_FILLED] += 1
            registers[_PLACES] += 1
            registers[_RETREATING] = 0
            registers[_WAS_FULL] = registers[_FILLED] == cells
        changed[cell] = 1
        registers[_STEPS] += 1
        registers[_LAST_OP] = op
        registers[_LAST_CELL] = cell
        registers[_LAST_VALUE] = value
    return len(events)


@dataclass(eq=False)
class Snapshot:
    """One search as it stands. The arrays are changed in place as the film goes on.

    `board` (cells,) uint8, 0 where empty; `depths` (cells,) int32, the guesses in force when the
    cell was placed; `forced` (cells,) uint8, 1 where inference placed it; `changed` (cells,) uint8,
    1 where a step of the present frame touched the cell.
    """

    board: NDArray[np.uint8]
    depths: NDArray[np.int32]
    forced: NDArray[np.uint8]
    changed: NDArray[np.uint8]
    registers: NDArray[np.int64] = field(default_factory=lambda: np.zeros(_REGISTERS, np.int64))
    total: int = 0
    """The steps of the whole search."""
    outcome: Outcome = Outcome.SOLVED
    """How it will have ended."""
    cut: bool = False
    """Whether the recorded trace ends before its search did."""

    @property
    def steps(self) -> int:
        return int(self.registers[_STEPS])

    @property
    def backtracks(self) -> int:
        return int(self.registers[_BACKTRACKS])

    @property
    def dead_ends(self) -> int:
        return int(self.registers[_DEAD_ENDS])

    @property
    def depth(self) -> int:
        return int(self.registers[_DEPTH])

    @property
    def max_depth(self) -> int:
        return int(self.registers[_MAX_DEPTH])

    @property
    def finished(self) -> bool:
        return self.steps >= self.total

    @property
    def last(self) -> tuple[Op, int, int] | None:
        """The last step as (op, cell, value), or None before the first."""
        if not self.steps:
            return None
        op, cell, value = (int(number) for number in self.registers[_LAST_OP:])
        return Op(op), cell, value


class Player:
    """Plays one trace: brings its snapshot to any later step, holding one chunk at a time."""

    def __init__(self, trace: Trace) -> None:
        board = trace.header.puzzle.board.copy()
        tally = trace.tally()
        self.header = trace.header
        self.snapshot = Snapshot(
            board,
            np.zeros(len(board), np.int32),
            np.zeros_like(board),
            np.zeros_like(board),
            total=tally.steps,
            outcome=tally.outcome,
            cut=bool(getattr(trace, "cut", False)),
        )
        self.snapshot.registers[_FILLED] = int(np.count_nonzero(board))
        self._chunks = trace.chunks()
        self._events: NDArray[np.uint32] = np.empty(0, np.uint32)
        self._at = 0

    def advance(self, step: int) -> Snapshot:
        """Bring the snapshot to the state after `step` steps (never back); `changed` then marks
        what the steps since the last call touched."""
        snapshot = self.snapshot
        snapshot.changed[:] = 0
        if step <= snapshot.steps:
            return snapshot
        while True:
            self._at = _fold(
                self._events,
                self._at,
                step,
                snapshot.board,
                snapshot.depths,
                snapshot.forced,
                snapshot.changed,
                snapshot.registers,
            )
            if self._at < len(self._events):
                return snapshot
            chunk = next(self._chunks, None)
            if chunk is None:
                return snapshot
            self._events, self._at = np.ascontiguousarray(chunk).view(np.uint32), 0
