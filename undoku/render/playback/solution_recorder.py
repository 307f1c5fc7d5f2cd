"""The solutions of an exhaustive search: a compiled loop that stops at each full board."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean
from undoku.render.playback.player import Recorder
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import OP_GUESS, OP_UNDO
from undoku.solver.trace.state import DEPTH, FILLED, OPEN, STEPS, State

__all__ = ["FullBoard", "SolutionPlaces", "Solutions"]

_MAX_KEPT = 32
"""The number of solutions whose boards are stored, besides the last one."""


class FullBoard(NamedTuple):
    """A solution: for each cell its value, the number of guesses on the board when it was placed,
    and the op that placed it, as in `undoku.solver.trace.state.StateArrays`."""

    board: NDArray[np.uint8]
    depths: NDArray[np.int32]
    kinds: NDArray[np.uint8]


@lean
def _play_until_full(
    events: NDArray[np.uint32],
    start: int,
    board: NDArray[np.uint8],
    depths: NDArray[np.int32],
    kinds: NDArray[np.uint8],
    registers: NDArray[np.int64],
) -> int:
    """Apply packed events from index `start` on, up to the first one that fills the board; returns
    the index after it, or the number of events if none fills it."""
    for at in range(start, len(events)):
        event = events[at]
        op = event & 0xFF
        if op > OP_UNDO:
            continue
        cell = event >> 16
        registers[STEPS] += 1
        if op == OP_UNDO:
            if kinds[cell] == OP_GUESS:
                registers[DEPTH] -= 1
            board[cell] = 0
            kinds[cell] = OPEN
            registers[FILLED] -= 1
            continue
        if op == OP_GUESS:
            registers[DEPTH] += 1
        board[cell] = (event >> 8) & 0xFF
        kinds[cell] = op
        depths[cell] = registers[DEPTH]
        registers[FILLED] += 1
        if registers[FILLED] == len(board):
            return at + 1
    return len(events)


class _FullBoards:
    """Divides events after each one that completes a solution."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.state = State(puzzle)

    def parts(self, events: NDArray[np.uint32]) -> Iterator[tuple[NDArray[np.uint32], bool]]:
        """The events in parts, each with whether its last event completes a solution."""
        state, at = self.state, 0
        while at < len(events):
            start, steps = at, state.steps
            at = _play_until_full(
                events, at, state.board, state.depths, state.kinds, state.registers
            )
            full = state.filled == len(state.board) and state.steps > steps
            yield events[start:at], full and not state.conflicts()


class Solutions:
    """A recorder (`undoku.render.playback.player.Recorder`) of the full boards without a conflict:
    their number (`count`), the `first` ones, the `last` one, and the step after which it was
    complete."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._boards = _FullBoards(puzzle)
        self.count = 0
        self.first: list[FullBoard] = []
        self.last: FullBoard | None = None
        self.last_step = 0

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        for _, solved in self._boards.parts(events):
            if solved:
                state = self._boards.state
                self.count += 1
                self.last_step = state.steps
                self.last = FullBoard(state.board.copy(), state.depths.copy(), state.kinds.copy())
                if len(self.first) < _MAX_KEPT:
                    self.first.append(self.last)


class SolutionPlaces:
    """A recorder that passes events on to another one and calls `where` after each solution. The
    results are the `places`, each once, in order."""

    def __init__(self, puzzle: Puzzle, inner: Recorder, where: Callable[[], Hashable]) -> None:
        self._boards = _FullBoards(puzzle)
        self._inner = inner
        self._where = where
        self.places: dict[Hashable, None] = {}

    def skip(self, events: NDArray[np.uint32]) -> None:
        """Record packed events without a solution, which the other recorder has already
        received."""
        for _, solved in self._boards.parts(events):
            assert not solved

    def record(self, events: NDArray[np.uint32]) -> None:
        """Record packed events (n,) uint32."""
        for part, solved in self._boards.parts(events):
            self._inner.record(part)
            if solved:
                self.places[self._where()] = None
