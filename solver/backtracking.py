"""Runs a strategy on a puzzle: a trace that is searched anew each time it is read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from solver.errors import SettingsError
from solver.puzzle import Puzzle
from solver.strategy import Strategy
from solver.trace import CHUNK, EVENT, Events, Header, Outcome, Tally, Trace

__all__ = ["NO_LIMITS", "Limits", "SearchTrace", "search"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search stops. `max_nodes` >= 1 or None; `exhaustive` searches the whole tree for
    all solutions instead of stopping at the first."""

    max_nodes: int | None = None
    exhaustive: bool = False

    def __post_init__(self) -> None:
        if self.max_nodes is not None and self.max_nodes < 1:
            raise SettingsError(
                f"a limit of {self.max_nodes} nodes allows no search",
                remedy="give at least 1",
            )


NO_LIMITS = Limits()


def search(
    puzzle: Puzzle | str, strategy: Strategy | str = "row-major", limits: Limits = NO_LIMITS
) -> SearchTrace:
    """The trace of `strategy` on `puzzle`. Nothing runs until it is read.

    >>> trace = search("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5"
    ...                "....8..79", "mrv")
    >>> trace.tally().nodes
    52
    """
    return SearchTrace(Puzzle.of(puzzle), Strategy.of(strategy), limits)


class SearchTrace(Trace):
    """A search as a stream of events; deterministic, so reading it twice gives the same."""

    def __init__(self, puzzle: Puzzle, strategy: Strategy, limits: Limits = NO_LIMITS) -> None:
        self.header = Header(puzzle, str(strategy), exhaustive=limits.exhaustive)
        self.strategy = strategy
        self.limits = limits
        self._tally: Tally | None = None

    def chunks(self) -> Iterator[Events]:
        from solver import kernels  # loads numba, which takes half a second

        puzzle, geometry = self.header.puzzle, self.header.puzzle.geometry
        order = np.array(puzzle.empty_cells, np.int32)
        used = np.zeros(len(geometry.units), np.uint32)
        for number, unit in enumerate(geometry.units):
            for cell in unit.cells:
                if value := puzzle.givens[cell]:
                    used[number] |= np.uint32(1 << (value - 1))
        untried = np.zeros(len(order) + 1, np.uint32)
        board = puzzle.board.copy()
        solution = np.zeros(geometry.cells, np.uint8)
        packed = np.empty(CHUNK, np.uint32)
        registers = np.zeros(kernels.REGISTERS, np.int64)
        registers[kernels.NODE_LIMIT] = self.limits.max_nodes or 0
        started = time.perf_counter()
        seconds = 0.0
        events = 0
        while registers[kernels.PHASE] < kernels.PHASE_SOLVED:
            written = kernels.advance(
                self.strategy.cells == "mrv",
                self.limits.exhaustive,
                (1 << geometry.size) - 1,
                order,
                geometry.cell_units,
                used,
                untried,
                board,
                packed,
                solution,
                registers,
            )
            seconds += time.perf_counter() - started
            events += written
            if written:
                yield packed[:written].view(EVENT)
            started = time.perf_counter()

        outcome = {
            kernels.PHASE_SOLVED: Outcome.SOLVED,
            kernels.PHASE_EXHAUSTED: Outcome.EXHAUSTED,
            kernels.PHASE_CAPPED: Outcome.CAPPED,
        }[int(registers[kernels.PHASE])]
        found = int(registers[kernels.SOLUTIONS])
        guesses, undos = int(registers[kernels.GUESSES]), int(registers[kernels.UNDOS])
        self._tally = Tally(
            outcome=outcome,
            solutions=found,
            solution=tuple(solution.tolist()) if found else None,
            guesses=guesses,
            places=guesses,
            undos=undos,
            backtracks=int(registers[kernels.BACKTRACKS]),
            dead_ends=int(registers[kernels.DEAD_ENDS]),
            max_depth=int(registers[kernels.MAX_DEPTH]),
            events=events,
            seconds=seconds,
        )

    def tally(self) -> Tally:
        if self._tally is None:
            for _ in self.chunks():
                pass
        assert self._tally is not None
        return self._tally
