"""Counts of any trace, from its events alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from solver.compiled import compiled
from solver.trace import Events, Header, Outcome, Tally

__all__ = ["Counter", "tally_of"]

_GUESSES, _PLACES, _UNDOS, _BACKTRACKS, _DEAD_ENDS = range(5)
_DEPTH, _MAX_DEPTH, _FILLED, _SOLUTIONS, _RETREATING, _WAS_FULL = range(5, 11)
_REGISTERS = 11

_GUESS, _FORCED, _UNDO = 0, 1, 2


@compiled
def _count(
    events: NDArray[np.uint32],
    cells: int,
    board: NDArray[np.uint8],
    guessed: NDArray[np.uint8],
    solution: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> None:
    """Fold packed events into `registers`; `guessed` marks the cells that hold a guess."""
    for event in events:
        op = event & 0xFF
        cell = event >> 16
        if op <= _FORCED:
            board[cell] = (event >> 8) & 0xFF
            guessed[cell] = op == _GUESS
            registers[_PLACES] += 1
            registers[_FILLED] += 1
            registers[_RETREATING] = 0
            registers[_WAS_FULL] = registers[_FILLED] == cells
            if op == _GUESS:
                registers[_GUESSES] += 1
                registers[_DEPTH] += 1
                registers[_MAX_DEPTH] = max(registers[_MAX_DEPTH], registers[_DEPTH])
            if registers[_WAS_FULL]:
                if registers[_SOLUTIONS] == 0:
                    solution[:] = board
                registers[_SOLUTIONS] += 1
        elif op == _UNDO:
            if guessed[cell]:
                # The first guess taken back after a place met a dead end (or the search goes on
                # after a solution); each one after that has had every value below it fail.
                if registers[_RETREATING]:
                    registers[_BACKTRACKS] += 1
                elif not registers[_WAS_FULL]:
                    registers[_DEAD_ENDS] += 1
                registers[_RETREATING] = 1
                registers[_DEPTH] -= 1
                guessed[cell] = 0
            registers[_FILLED] -= 1
            board[cell] = 0
            registers[_UNDOS] += 1


class Counter:
    """Counts a trace chunk by chunk."""

    def __init__(self, header: Header) -> None:
        puzzle = header.puzzle
        self._header = header
        self._board = puzzle.board.copy()
        self._guessed = np.zeros(len(self._board), np.uint8)
        self._solution = np.zeros_like(self._board)
        self._registers = np.zeros(_REGISTERS, np.int64)
        self._registers[_FILLED] = int(np.count_nonzero(self._board))
        self._events = 0
        if self._registers[_FILLED] == len(self._board):
            self._solution[:] = self._board
            self._registers[_SOLUTIONS] = 1

    def add(self, events: Events) -> None:
        """Count `events`, (n,) of EVENT."""
        packed = np.ascontiguousarray(events).view(np.uint32)
        _count(
            packed, len(self._board), self._board, self._guessed, self._solution, self._registers
        )
        self._events += len(events)

    def tally(self, outcome: Outcome | None = None, seconds: float = 0.0) -> Tally:
        """The counts so far. Without an `outcome`, a solved board means solved and anything else
        capped: a trace that just stops has not shown that the search was over."""
        count = self._registers
        if outcome is None:
            complete = int(count[_FILLED]) == len(self._board)
            outcome = Outcome.SOLVED if complete else Outcome.CAPPED
        dead_ends = int(count[_DEAD_ENDS])
        if outcome is Outcome.EXHAUSTED and not count[_GUESSES] and not count[_SOLUTIONS]:
            dead_ends = 1  # the root itself had an empty domain in sight
        return Tally(
            outcome=outcome,
            solutions=int(count[_SOLUTIONS]),
            solution=tuple(self._solution.tolist()) if count[_SOLUTIONS] else None,
            guesses=int(count[_GUESSES]),
            places=int(count[_PLACES]),
            undos=int(count[_UNDOS]),
            backtracks=int(count[_BACKTRACKS]),
            dead_ends=dead_ends,
            max_depth=int(count[_MAX_DEPTH]),
            events=self._events,
            seconds=seconds,
        )


def tally_of(header: Header, chunks: Iterable[Events], outcome: Outcome | None = None) -> Tally:
    """The counts of a whole trace."""
    counter = Counter(header)
    for chunk in chunks:
        counter.add(chunk)
    return counter.tally(outcome)
