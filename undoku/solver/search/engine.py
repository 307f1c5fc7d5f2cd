"""The base of all resumable searches: registers, board, output."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search import bookkeeping
from undoku.solver.search.bookkeeping import Output
from undoku.solver.search.fixed_orders import fixed_cells, value_labels
from undoku.solver.search.strategy import Strategy
from undoku.solver.search.strategy_part import Part

__all__ = ["Engine", "root_candidates"]


class Engine(ABC):
    """One resumable search. `registers` (bookkeeping.REGISTERS,) int64 hold its state, `solution`
    (cells,) uint8 the first solution. `reserve` is the number of events for which the loop needs
    room before it continues. `reasons` is empty, or receives the reasons of events: see
    `undoku.solver.search.bookkeeping.Output`; `rules` are the parts to which the numbers in it
    refer.
    """

    reserve = 1
    rules: tuple[Part, ...] = ()
    reasons: NDArray[np.int64] = np.empty((0, 2), np.int64)

    def __init__(self, puzzle: Puzzle, strategy: Strategy, exhaustive: bool) -> None:
        self.exhaustive = exhaustive
        self.registers = np.zeros(bookkeeping.REGISTERS, np.int64)
        self.registers[bookkeeping.PHASE] = bookkeeping.PHASE_ENTER
        self.solution = np.zeros(puzzle.geometry.cells, np.uint8)
        self.order = np.array(fixed_cells(puzzle, strategy), np.int32)
        self.labels = np.array(value_labels(puzzle.size, strategy), np.uint8)
        # The loops number values in the order of trial; this is the board in these numbers.
        inner = np.zeros(puzzle.size + 1, np.uint8)
        inner[self.labels] = np.arange(1, puzzle.size + 1, dtype=np.uint8)
        self.board: NDArray[np.uint8] = inner[puzzle.board]

    @abstractmethod
    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        """Continue until the search ends or fewer than `reserve` of `room` events are left; returns
        the number of events. Writes them to `events`, (room,), if `recording`."""

    def _output(self, events: NDArray[np.uint32]) -> Output:
        return Output(self.labels, events, self.solution, self.reasons[: len(events)])

    def compile(self) -> None:
        """Compile the loop if necessary, so that the time of its searches can be measured."""
        self.advance(np.empty(1, np.uint32), 0, True)  # goes nowhere

    @property
    def finished(self) -> bool:
        return int(self.registers[bookkeeping.PHASE]) >= bookkeeping.PHASE_SOLVED


def root_candidates(board: NDArray[np.uint8], puzzle: Puzzle) -> NDArray[np.int64]:
    """(cells,) int64: the candidates at the root, with values numbered as in the loops."""
    full = (1 << puzzle.size) - 1
    candidates = np.zeros(len(board), np.int64)
    for cell, value in enumerate(board.tolist()):
        mask = 1 << (value - 1) if value else full
        if not value:
            for peer in puzzle.geometry.peers[cell]:
                if board[peer]:
                    mask &= ~(1 << (int(board[peer]) - 1))
        candidates[cell] = mask
    return candidates
