"""Counts of any trace, from its events alone."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.compiled import compiled
from solver.puzzle import Geometry
from solver.trace import Events, Header, Outcome, Tally

__all__ = ["Counter", "tally_of"]

_GUESSES, _PLACES, _UNDOS, _BACKTRACKS, _DEAD_ENDS = range(5)
_DEPTH, _MAX_DEPTH, _FILLED, _SOLUTIONS, _RETREATING, _WAS_FULL = range(5, 11)
_REGISTERS = 11

_GUESS, _FORCED, _UNDO = 0, 1, 2


@compiled
def _conflicts(board: NDArray[np.uint8], units: NDArray[np.int16]) -> bool:
    """Whether two cells of a unit hold the same value on a full board."""
    for unit in range(len(units)):
        seen = 0
        for cell in units[unit]:
            if cell < 0:
                break
            bit = 1 << int(board[cell])
            if seen & bit:
                return True
            seen |= bit
    return False


@compiled
def _count(
    events: NDArray[np.uint32],
    units: NDArray[np.int16],
    board: NDArray[np.uint8],
    guessed: NDArray[np.uint8],
    solution: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> None:
    """Fold packed events into `registers`; `guessed` marks the cells that hold a guess."""
    cells = len(board)
    for event in events:
        op = event & 0xFF
        cell = event >> 16
        if op <= _FORCED:
            board[cell] = (event >> 8) & 0xFF
            guessed[cell] = op == _GUESS
            registers[_PLACES] += 1
            registers[_FILLED] += 1
            registers[_RETREATING] = 0
            # A full board with a conflict is no solution: its solver placed before it looked.
            full = registers[_FILLED] == cells
            registers[_WAS_FULL] = full and not _conflicts(board, units)
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


@lru_cache(maxsize=32)
def _unit_table(geometry: Geometry) -> NDArray[np.int16]:
    """(units, k) int16: the cells of each unit, -1 after the last of a unit of fewer than k."""
    widest = max(len(unit.cells) for unit in geometry.units)
    table = np.full((len(geometry.units), widest), -1, np.int16)
    for number, unit in enumerate(geometry.units):
        table[number, : len(unit.cells)] = unit.cells
    return table


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
        self._units = _unit_table(puzzle.geometry)
        if self._registers[_FILLED] == len(self._board):
            self._solution[:] = self._board
            self._registers[_SOLUTIONS] = 1

    def add(self, events: Events) -> None:
        """Count `events`, (n,) of EVENT."""
        packed = np.ascontiguousarray(events).view(np.uint32)
        _count(packed, self._units, self._board, self._guessed, self._solution, self._registers)
        self._events += len(events)

    def tally(self, outcome: Outcome | None = None, seconds: float = 0.0) -> Tally:
        """The counts so far. Without an `outcome`, a solved board means solved (unless the search
        was to go on after it) and anything else capped: a trace that just stops has not shown that
        the search was over."""
        count = self._registers
        if outcome is None:
            full = int(count[_FILLED]) == len(self._board)
            solved = full and not _conflicts(self._board, self._units)
            ended = solved and not self._header.exhaustive
            outcome = Outcome.SOLVED if ended else Outcome.CAPPED
        dead_ends = int(count[_DEAD_ENDS])
        if outcome is Outcome.EXHAUSTED and not count[_PLACES] and not count[_SOLUTIONS]:
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
