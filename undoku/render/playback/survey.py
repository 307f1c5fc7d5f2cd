"""What is measured of a whole search in one pass: its tree if it is small, its turning points, and
the numbers of candidates of its choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.render.playback.history import History
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_ELIMINATE, OP_FORCED, OP_GUESS, OP_RESTORE, OP_UNDO
from undoku.solver.trace.trace import Trace

__all__ = ["MAX_NODES", "Choices", "Survey", "Tree", "TurningPoints", "survey"]

MAX_NODES = 400
"""The maximum number of nodes of a tree that is shown node by node."""

_COUNT, _CURRENT = range(2)


@lean
def _grow(
    events: NDArray[np.uint32],
    parents: NDArray[np.int32],
    forced: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> None:
    """Record packed events, until there are too many nodes."""
    most = len(parents)
    count = registers[_COUNT]
    current = registers[_CURRENT]
    for event in events:
        if count > most:
            break
        op = event & 0xFF
        cell = event >> 16
        if op == OP_GUESS:
            forced[cell] = 0
            if count < most:
                parents[count] = current
                current = count
            count += 1
        elif op == OP_FORCED:
            forced[cell] = 1
        elif op == OP_UNDO and not forced[cell]:
            current = parents[current]
    registers[_COUNT] = count
    registers[_CURRENT] = current


class Tree:
    """A recorder (`undoku.render.playback.player.Recorder`) of trees with up to `most` nodes."""

    def __init__(self, puzzle: Puzzle, most: int) -> None:
        self.parents = np.zeros(most, np.int32)
        self._forced = np.zeros(puzzle.geometry.cells, np.uint8)
        self._registers = np.array([1, 0], np.int64)

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        _grow(events, self.parents, self._forced, self._registers)

    @property
    def count(self) -> int:
        """The number of nodes so far, including the root; more than `most` if there are too
        many."""
        return int(self._registers[_COUNT])

    @property
    def whole(self) -> bool:
        """Whether all nodes were recorded."""
        return self.count <= len(self.parents)

    @property
    def current(self) -> int:
        """The number of the current node."""
        return int(self._registers[_CURRENT])


_STEP, _FILLED, _WRONG, _RUN, _RUN_STEP, _DROP, _DROP_STEP = range(7)
_WRONG_STEP, _WRONG_EVENT, _WRONG_STEPS, _LONGEST_STEP, _LONGEST_EVENT, _CORRECT_STEP, _OVER = (
    range(7, 14)
)
_REGISTERS = 14


@lean
def _follow(
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
        _follow(events, self.solution, self._board, self._registers)

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
def _count(events: NDArray[np.uint32], choices: _Arrays, undone: int) -> int:
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
        self._undone = _count(events, self._arrays, self._undone)


@dataclass(frozen=True, slots=True)
class Survey:
    """`history` has the number of nodes at each depth and of tries in each cell at the end of the
    search; `tree` has all nodes if there are few."""

    history: History
    tree: Tree


def survey(trace: Trace) -> Survey:
    """Read a trace once, without storing it."""
    puzzle = trace.header.puzzle
    found = Survey(History(puzzle), Tree(puzzle, MAX_NODES))
    for chunk in trace.chunks():
        events = np.ascontiguousarray(chunk).view(np.uint32)
        found.history.record(events)
        found.tree.record(events)
    return found
