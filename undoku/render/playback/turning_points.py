"""The turning points of a search: a compiled loop over arrays.

solution  (cells,) uint8   the first solution, all 0 if none is known
board     (cells,) uint8
registers int64
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_UNDO

__all__ = ["TurningPoints"]

_STEP, _FILLED, _WRONG, _RUN, _RUN_STEP, _DROP, _DROP_STEP = range(7)
_WRONG_STEP, _WRONG_EVENT, _WRONG_STEPS, _LONGEST_STEP, _LONGEST_EVENT, _CORRECT_STEP, _OVER = (
    range(7, 14)
)
_REGISTERS = 14


@lean
def _fold(
    events: NDArray[np.uint32],
    solution: NDArray[np.uint8],
    board: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> None:
    """Record packed events, up to the first full board that is the solution."""
    for event in events:
        if registers[_OVER]:
            return
        op = event & 0xFF
        if op > OP_UNDO:
            continue
        cell = event >> 16
        step = registers[_STEP]
        registers[_STEP] = step + 1
        if op != OP_UNDO:
            value = (event >> 8) & 0xFF
            board[cell] = value
            registers[_FILLED] += 1
            registers[_RUN] = 0
            if value != solution[cell]:
                if registers[_WRONG] == 0:
                    registers[_WRONG_STEP] = step
                    registers[_WRONG_EVENT] = event
                registers[_WRONG] += 1
            elif registers[_WRONG] == 0 and registers[_FILLED] == len(board):
                registers[_OVER] = 1
            continue
        if registers[_RUN] == 0:
            registers[_RUN_STEP] = step
        registers[_RUN] += 1
        if registers[_RUN] > registers[_DROP]:
            registers[_DROP] = registers[_RUN]
            registers[_DROP_STEP] = registers[_RUN_STEP]
        if board[cell] != solution[cell]:
            registers[_WRONG] -= 1
            if registers[_WRONG] == 0:
                registers[_CORRECT_STEP] = step + 1
                length = step + 1 - registers[_WRONG_STEP]
                if length > registers[_WRONG_STEPS]:
                    registers[_WRONG_STEPS] = length
                    registers[_LONGEST_STEP] = registers[_WRONG_STEP]
                    registers[_LONGEST_EVENT] = registers[_WRONG_EVENT]
        board[cell] = 0
        registers[_FILLED] -= 1


class TurningPoints:
    """A recorder: see `undoku.render.playback.player.Recorder`. Steps are numbered as in a shot: n
    is the state after n steps. `solution` holds one value per cell; None if none is known."""

    def __init__(self, puzzle: Puzzle, solution: tuple[int, ...] | None) -> None:
        cells = puzzle.geometry.cells
        self.solution = np.array(solution or (0,) * cells, np.uint8)
        self._board = puzzle.board.copy()
        self._registers = np.zeros(_REGISTERS, np.int64)
        self._registers[_FILLED] = np.count_nonzero(self._board)

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        _fold(events, self.solution, self._board, self._registers)

    @property
    def steps(self) -> int:
        """The number of recorded steps, up to the solution."""
        return int(self._registers[_STEP])

    @property
    def longest_undo_run(self) -> tuple[int, int]:
        """(step, undos) of the longest run of undos; step is the state before it."""
        return int(self._registers[_DROP_STEP]), int(self._registers[_DROP])

    @property
    def longest_error(self) -> tuple[int, int, int, int]:
        """(step, steps, cell, value) of the wrong value that stayed on the board longest, among
        those placed when all other values were correct: the state after it was placed, and the
        number of steps until its undo, 0 if no value was wrong."""
        event = int(self._registers[_LONGEST_EVENT])
        step = int(self._registers[_LONGEST_STEP]) + 1
        return step, int(self._registers[_WRONG_STEPS]), event >> 16, event >> 8 & 0xFF

    @property
    def last_error_end(self) -> int:
        """The step after which no wrong value was placed."""
        return int(self._registers[_CORRECT_STEP])

    @property
    def solved(self) -> bool:
        """Whether the search reached the solution."""
        return bool(self._registers[_OVER])
