"""The compiled loops that apply events to a board, and the arrays on which they work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.search.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_GUESS,
    OP_LEARN,
    OP_PROBE,
    OP_RESTART,
    OP_UNDO,
)

__all__ = [
    "EVENTS",
    "FILLED",
    "GUESSED",
    "LAST_OP",
    "PLACED",
    "REGISTERS",
    "RESTARTING",
    "STEPS",
    "ReplayArrays",
    "advance_replay",
    "place_steps",
]

PLACED, FILLED, STEPS, EVENTS, GUESSED, RESTARTING, LAST_OP = range(7)
"""The places of numbers in `ReplayArrays.registers`: places on the board, filled cells, steps,
events, guesses on the board, whether a restart is being made, and the last allowed operation."""

REGISTERS = 7


class ReplayArrays(NamedTuple):
    """The arrays of a replay.

    given       (cells,) bool
    board       (cells,) uint8
    guessed     (cells,) bool: the cells of guesses on the board
    placed      (cells + 1,) int32: the cells of the places on the board, the latest last
    level       (cells × size,) int32: per candidate 0, or 1 + the number of places on the board
                when it was eliminated
    eliminated  (cells + 1,) int32: per number of places on the board, how many candidates have been
                eliminated since the latest of them
    registers   (REGISTERS,) int64
    """

    given: NDArray[np.bool_]
    board: NDArray[np.uint8]
    guessed: NDArray[np.bool_]
    placed: NDArray[np.int32]
    level: NDArray[np.int32]
    eliminated: NDArray[np.int32]
    registers: NDArray[np.int64]


@lean
def advance_replay(events: NDArray[np.uint32], size: int, arrays: ReplayArrays) -> int:
    """Apply packed events until one is invalid; returns the number of applied ones. Writes the
    value that is taken back into undos of value 0.
    """
    given, board, guessed, placed, level, eliminated, registers = arrays
    last = registers[LAST_OP]
    cells = len(board)
    for index in range(len(events)):
        event = events[index]
        op = event & 0xFF
        value = (event >> 8) & 0xFF
        cell = event >> 16
        if op > last:
            return index
        if op in (OP_RESTART, OP_LEARN):
            if value or (cell and op == OP_RESTART) or (op == OP_LEARN and not 0 < cell <= cells):
                return index
            registers[EVENTS] += 1
            if op == OP_RESTART:
                registers[RESTARTING] = 1
            continue
        if cell >= cells or value > size or (value == 0 and op != OP_UNDO):
            return index
        count = registers[PLACED]
        if op <= OP_FORCED:
            if given[cell] or board[cell] or level[cell * size + value - 1]:
                return index
            if registers[RESTARTING] and registers[GUESSED]:
                return index
            registers[RESTARTING] = 0
            guessed[cell] = op == OP_GUESS
            registers[GUESSED] += op == OP_GUESS
            board[cell] = value
            placed[count] = cell
            registers[PLACED] = count + 1
            registers[FILLED] += 1
            registers[STEPS] += 1
        elif op == OP_UNDO:
            if count == 0 or placed[count - 1] != cell or eliminated[count]:
                return index
            if value == 0:
                events[index] = event | (np.uint32(board[cell]) << 8)
            elif value != board[cell]:
                return index
            board[cell] = 0
            registers[GUESSED] -= guessed[cell]
            guessed[cell] = False
            registers[PLACED] = count - 1
            registers[FILLED] -= 1
            registers[STEPS] += 1
        elif op == OP_ELIMINATE:
            candidate = cell * size + value - 1
            if board[cell] or level[candidate]:
                return index
            level[candidate] = count + 1
            eliminated[count] += 1
        elif op == OP_PROBE:
            if board[cell] or level[cell * size + value - 1]:
                return index
        else:
            candidate = cell * size + value - 1
            if level[candidate] != count + 1:
                return index
            level[candidate] = 0
            eliminated[count] -= 1
        registers[EVENTS] += 1
    return len(events)


@lean
def place_steps(events: NDArray[np.uint32], board: NDArray[np.uint8], steps: int) -> int:
    """Apply packed events to `board` until `steps` steps are done; returns the number of steps
    done."""
    done = 0
    for event in events:
        if done == steps:
            break
        op = event & 0xFF
        if op <= OP_UNDO:
            board[event >> 16] = 0 if op == OP_UNDO else (event >> 8) & 0xFF
            done += 1
    return done
