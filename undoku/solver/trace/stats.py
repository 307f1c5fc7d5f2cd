"""Counts of any trace, from its events only."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from undoku.solver.trace.state import State
from undoku.solver.trace.trace import Events, Header, Outcome, Tally

__all__ = ["Counter", "tally_of"]


class Counter:
    """Counts a trace chunk by chunk."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._state = State(header.puzzle)
        self._events = 0

    def add(self, events: Events) -> None:
        """Count `events`, (n,) of EVENT."""
        self._state.apply(np.ascontiguousarray(events).view(np.uint32))
        self._events += len(events)

    def tally(self, outcome: Outcome | None = None, seconds: float = 0.0) -> Tally:
        """The counts so far. Without an `outcome`, a solved board means solved (unless the search
        is exhaustive) and anything else capped, because such a trace does not show that the search
        had ended."""
        state = self._state
        if outcome is None:
            solved = state.filled == len(state.board) and not state.conflicts()
            ended = solved and not self._header.exhaustive
            outcome = Outcome.SOLVED if ended else Outcome.CAPPED
        dead_ends = state.dead_ends
        if outcome is Outcome.EXHAUSTED and not state.guesses and not state.solutions:
            dead_ends = 1  # the root itself had a cell without candidates
        return Tally(
            outcome=outcome,
            solutions=state.solutions,
            solution=tuple(state.solution.tolist()) if state.solutions else None,
            guesses=state.guesses,
            places=state.places,
            undos=state.undos,
            backtracks=state.backtracks,
            dead_ends=dead_ends,
            max_depth=state.max_depth,
            events=self._events,
            restarts=state.restarts,
            seconds=seconds,
        )


def tally_of(header: Header, chunks: Iterable[Events], outcome: Outcome | None = None) -> Tally:
    """The counts of a whole trace."""
    counter = Counter(header)
    for chunk in chunks:
        counter.add(chunk)
    return counter.tally(outcome)
