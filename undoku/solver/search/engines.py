"""The fastest compiled loop for a strategy, with its arrays prepared for a puzzle."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search import bookkeeping
from undoku.solver.search.engine import Engine, root_candidates
from undoku.solver.search.general_engine import GeneralEngine
from undoku.solver.search.strategy import FIXED_CELLS, Strategy

__all__ = ["engine_for"]


def engine_for(puzzle: Puzzle, strategy: Strategy, exhaustive: bool) -> Engine:
    """The fastest loop that makes the choices of `strategy`. Compiles it if necessary, which takes
    seconds the first time. Raises StrategyError if a part of another package can't be loaded.
    """
    cells = strategy.cells.partition(":")[0]
    values = strategy.values.partition(":")[0]
    as_listed = values in ("ascending", "descending", "random")
    as_listed = as_listed and not strategy.priority and not strategy.restart
    if as_listed and strategy.back == "chronological":
        fast: type[Engine] | None = None
        if cells in FIXED_CELLS and not strategy.inference:
            fast = _FixedEngine
        # A cell without candidates is the next choice anyway, so forward checking changes nothing.
        if cells == "mrv" and strategy.inference in ((), ("forward",)):
            fast = _FewestEngine
        if fast and not strategy.presolve:
            return fast(puzzle, strategy, exhaustive)
        # An order that depends on which cells are empty would differ after inference at the root.
        if fast and cells not in ("static", "random"):
            return _PresolvedEngine(puzzle, strategy, exhaustive, fast)
    return GeneralEngine(puzzle, strategy, exhaustive)


def _used(board: NDArray[np.uint8], puzzle: Puzzle) -> NDArray[np.uint32]:
    """(u,) uint32: bit v-1 is set when the unit holds v."""
    used = np.zeros(len(puzzle.geometry.units), np.uint32)
    for number, unit in enumerate(puzzle.geometry.units):
        for cell in unit.cells:
            if value := int(board[cell]):
                used[number] |= np.uint32(1 << (value - 1))
    return used


class _FixedEngine(Engine):
    def __init__(self, puzzle: Puzzle, strategy: Strategy, exhaustive: bool) -> None:
        from undoku.solver.search.fixed_order_loop import FixedOrderArrays

        super().__init__(puzzle, strategy, exhaustive)
        self._arrays = FixedOrderArrays(
            order=self.order,
            units=puzzle.geometry.cell_units,
            used=_used(self.board, puzzle),
            untried=np.zeros(len(self.order) + 1, np.uint32),
            board=self.board,
        )

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        from undoku.solver.search.fixed_order_loop import advance

        output = self._output(events)
        return advance(self.exhaustive, recording, room, self._arrays, output, self.registers)


class _FewestEngine(Engine):
    def __init__(self, puzzle: Puzzle, strategy: Strategy, exhaustive: bool) -> None:
        from undoku.solver.search.fewest_candidates_loop import WORD, FewestArrays, bitset

        super().__init__(puzzle, strategy, exhaustive)
        geometry, size, empty = puzzle.geometry, puzzle.size, len(self.order)
        words = -(-geometry.cells // WORD)
        candidates = root_candidates(self.board, puzzle)
        counts = [int(mask).bit_count() for mask in candidates]
        ruled_out: list[set[int]] = [set() for _ in range(size)]
        for cell, value in enumerate(self.board.tolist()):
            if value:
                ruled_out[value - 1].update(geometry.peers[cell])
        everywhere = set(range(geometry.cells))
        planes = np.zeros((empty + 1, size.bit_length(), words), np.int64)
        for plane in range(size.bit_length()):
            marked = [cell for cell, count in enumerate(counts) if count >> plane & 1]
            planes[0, plane] = bitset(marked, words)
        self._arrays = FewestArrays(
            peers=np.array([bitset(list(cells), words) for cells in geometry.peers], np.int64),
            units=geometry.cell_units,
            used=_used(self.board, puzzle),
            possible=np.array([bitset(list(everywhere - out), words) for out in ruled_out]),
            vacant=np.array(bitset(list(puzzle.empty_cells), words), np.int64),
            planes=planes,
            touched=np.zeros((empty + 1, words), np.int64),
            best=np.zeros(words, np.int64),
            chosen=np.zeros(empty + 1, np.int32),
            untried=np.zeros(empty + 1, np.uint32),
            board=self.board,
        )

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        from undoku.solver.search.fewest_candidates_loop import advance_mrv

        output = self._output(events)
        return advance_mrv(self.exhaustive, recording, room, self._arrays, output, self.registers)


class _PresolvedEngine(Engine):
    """The general loop runs the rules at the root; then a faster loop searches the puzzle with the
    values that they placed. If they eliminated candidates, which the faster loops do not support,
    the general loop continues."""

    def __init__(
        self, puzzle: Puzzle, strategy: Strategy, exhaustive: bool, fast: type[Engine]
    ) -> None:
        super().__init__(puzzle, strategy, exhaustive)
        self._puzzle, self._strategy, self._fast = puzzle, strategy, fast
        self._root: Engine = GeneralEngine(puzzle, strategy, exhaustive)
        self.registers, self.solution = self._root.registers, self._root.solution
        self.rules = self._root.rules
        self.reserve = self._root.reserve
        self._rest: Engine | None = None

    def compile(self) -> None:
        self._root.compile()
        self._fast(self._puzzle, self._strategy, self.exhaustive).compile()

    def advance(self, events: NDArray[np.uint32], room: int, recording: bool) -> int:
        if self._rest is not None:
            self._rest.reasons = self.reasons
            return self._rest.advance(events, room, recording)
        registers = self.registers
        limit = int(registers[bookkeeping.NODE_LIMIT])
        registers[bookkeeping.NODE_LIMIT] = 1  # stops before the first guess
        self._root.reasons = self.reasons
        written = self._root.advance(events, room, recording)
        registers[bookkeeping.NODE_LIMIT] = limit
        if int(registers[bookkeeping.PHASE]) != bookkeeping.PHASE_CAPPED:
            return written  # the search has ended, or there was no room to begin
        if registers[bookkeeping.OTHERS]:
            registers[bookkeeping.PHASE] = bookkeeping.PHASE_TRY
            self._rest = self._root
            return written
        placed = [int(self.labels[value - 1]) if value else 0 for value in self._root.board]
        puzzle = Puzzle(tuple(placed), self._puzzle.geometry)
        self._rest = self._fast(puzzle, self._strategy, self.exhaustive)
        self._rest.registers, self._rest.solution = registers, self.solution
        registers[bookkeeping.PHASE] = bookkeeping.PHASE_ENTER
        return written
