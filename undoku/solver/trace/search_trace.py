"""Runs a strategy on a puzzle: a trace whose search runs again each time it is read."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING
from warnings import warn

import numpy as np

from undoku.errors import SettingsError
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.problem.sources import as_puzzle
from undoku.solver.search import search_state
from undoku.solver.search.applicability import idle_parts
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.trace import (
    CHUNK,
    EVENT,
    Events,
    Header,
    Inferences,
    Outcome,
    Tally,
    Trace,
)
from undoku.toml_reading import shown

if TYPE_CHECKING:
    from undoku.solver.search.engines import Engine

_PAUSE = 0.05
"""Seconds between two readings of the clock, and between two opportunities for an interrupt."""

_MAX_KEPT = 2
"""The maximum number of chunks, 1 MiB each, of a search whose events are kept for further reading.
A longer one runs again."""

_FIRST_ROOM = 1 << 12
"""Events until the clock is first read, before the speed of a strategy is known."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search. `max_nodes` >= 1 or None. `max_seconds` > 0 or None: the time spent
    searching, without compiling and without the time that the reader of the events takes between
    two chunks. `exhaustive` searches the whole tree for all solutions instead of stopping at the
    first.
    """

    max_nodes: int | None = None
    exhaustive: bool = False
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        nodes = self.max_nodes
        if nodes is not None and not (isinstance(nodes, int) and 0 < nodes < 1 << 63):
            raise SettingsError(
                f"the limit of nodes must be a whole number from 1 to 2^63 - 1, not {shown(nodes)}",
            )
        if not isinstance(self.exhaustive, bool):
            raise SettingsError(f"exhaustive must be true or false, not {shown(self.exhaustive)}")
        seconds = self.max_seconds
        if seconds is not None and not (isinstance(seconds, Real) and 0 < seconds < math.inf):
            raise SettingsError(f"the limit of seconds must be more than 0, not {shown(seconds)}")


NO_LIMITS = Limits()


def search(
    puzzle: Puzzle | str, strategy: Strategy | str = "row-major", limits: Limits = NO_LIMITS
) -> SearchTrace:
    """The trace of `strategy` on `puzzle`. Nothing runs until it is read. Warns of parts of the
    strategy that change nothing on such a problem.

    >>> trace = search("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5"
    ...                "....8..79", "mrv")
    >>> trace.tally().nodes
    52
    """
    given, chosen = as_puzzle(puzzle), Strategy.of(strategy)
    for name, reason in idle_parts(given.problem, chosen).items():
        warn(f"{name} changes nothing on this problem: {reason}", RuntimeWarning, stacklevel=3)
    return SearchTrace(given, chosen, limits)


class SearchTrace(Trace):
    """A search as a stream of events; deterministic, so each reading gives the same events. Those
    of a short search are kept.

    A search that reached `max_seconds` stops at the same node when it is read again. One without
    limits can have `patience`, in seconds, > 0, and `patience_nodes`, >= 1: if its first reading
    takes longer, or reaches more nodes, the search is stopped, and has the limit of nodes that it
    reached from then on.
    """

    patience: float | None = None
    patience_nodes: int | None = None

    def __init__(self, puzzle: Puzzle, strategy: Strategy, limits: Limits = NO_LIMITS) -> None:
        exhaustive = limits.exhaustive or strategy.exhaustive
        version = 2 if strategy.needs_version_2 else 1
        self.header = Header(puzzle, str(strategy), exhaustive=exhaustive, version=version)
        self.strategy = strategy
        self.limits = limits
        self._node_limit = limits.max_nodes or 0
        self._timed_out = False
        self._short: list[Events] | None = None
        """The chunks of a short search that has been read once."""

    def chunks(self) -> Iterator[Events]:
        if self._short is not None:
            yield from self._short
            return
        read: list[Events] = []
        for chunk, _, is_last in self._chunks(explaining=False):
            if len(read) < _MAX_KEPT:
                read.append(chunk.copy())
                if is_last:
                    self._short = read
            yield chunk

    def explained_chunks(self) -> Iterator[tuple[Events, Inferences | None]]:
        if not self.strategy.eliminates:
            return super().explained_chunks()
        return ((chunk, reasons) for chunk, reasons, _ in self._chunks(explaining=True))

    def _chunks(self, *, explaining: bool) -> Iterator[tuple[Events, Inferences | None, bool]]:
        """Search: each chunk with its reasons, and whether it is the last one."""
        engine, clock = self._begin()
        packed = np.empty(max(CHUNK, engine.reserve), np.uint32)
        reasons = np.empty((len(packed) if explaining else 0, 2), np.int64)
        rules = tuple(part.name for part in engine.rules)
        filled = 0
        while not engine.finished:
            engine.reasons = reasons[filled:]
            filled += clock.advance(engine, packed[filled:], recording=True)
            self._report_progress(engine, clock)
            if filled and (engine.finished or len(packed) - filled < engine.reserve):
                inferences = Inferences(rules, reasons[:filled]) if explaining else None
                yield packed[:filled].view(EVENT), inferences, engine.finished
                filled = 0
        self._end(engine, clock)

    @property
    def lost_patience(self) -> bool:
        """Whether the search was stopped because its first reading exceeded its patience."""
        return self._timed_out and self.limits.max_seconds is None

    def tally(self) -> Tally:
        """The counts. The first call runs the search without writing events."""
        if self.counted is None:
            engine, clock = self._begin()
            nowhere = np.empty(1, np.uint32)
            while not engine.finished:
                clock.advance(engine, nowhere, recording=False)
                self._report_progress(engine, clock)
            self._end(engine, clock)
        assert self.counted is not None
        return self.counted

    def _begin(self) -> tuple[Engine, _Clock]:
        from undoku.solver.search.engines import Engine

        puzzle = self.header.puzzle
        engine = Engine(puzzle.problem, puzzle.board, self.strategy, self.header.exhaustive)
        limit = self._node_limit or self.patience_nodes or 0
        engine.registers[search_state.NODE_LIMIT] = limit
        # A search that ended in time must not exceed the limit when it runs again on a busier
        # machine.
        known = self._timed_out or self.counted is not None
        return engine, _Clock(None if known else self.limits.max_seconds or self.patience)

    def _report_progress(self, engine: Engine, clock: _Clock) -> None:
        if self.progress:
            self.progress(_counts(engine, clock, Outcome.CAPPED))

    def _end(self, engine: Engine, clock: _Clock) -> None:
        registers = engine.registers
        capped = int(registers[search_state.PHASE]) == search_state.PHASE_CAPPED
        if clock.timed_out or (capped and not self._node_limit):
            self._timed_out = True
            self._node_limit = int(registers[search_state.NODE_LIMIT])
            if self.limits.max_seconds is None:
                self.limits = replace(self.limits, max_nodes=self._node_limit)
        outcome = {
            search_state.PHASE_SOLVED: Outcome.SOLVED,
            search_state.PHASE_EXHAUSTED: Outcome.EXHAUSTED,
            search_state.PHASE_CAPPED: Outcome.CAPPED,
        }[int(registers[search_state.PHASE])]
        self.counted = _counts(engine, clock, outcome)


class _Clock:
    """Measures the time of a search, and ends it at its limit."""

    def __init__(self, limit: float | None) -> None:
        self.seconds = 0.0
        self.timed_out = False
        self._limit = limit
        self._room = _FIRST_ROOM

    def advance(
        self,
        engine: Engine,
        events: np.ndarray[tuple[int], np.dtype[np.uint32]],
        *,
        recording: bool,
    ) -> int:
        """Continue the search for about one interval between readings of the clock; returns the
        number of events."""
        room = max(self._room, engine.reserve)
        if recording:
            room = min(room, len(events))
        started = time.perf_counter()
        written = engine.advance(events, room, recording)
        took = time.perf_counter() - started
        self.seconds += took
        if took < _PAUSE / 2 and self._room < 1 << 40:
            self._room *= 2
        elif took > _PAUSE:
            self._room = max(self._room // 2, 1)
        if self._limit is not None and self.seconds >= self._limit and not self.timed_out:
            # The search ends by itself at its next guess, as it does at a limit of nodes.
            self.timed_out = not engine.finished
            if self.timed_out:
                engine.registers[search_state.NODE_LIMIT] = (
                    engine.registers[search_state.GUESSES] + 1
                )
        return written


def _counts(engine: Engine, clock: _Clock, outcome: Outcome) -> Tally:
    """The counts of the search so far."""
    registers = engine.registers
    found, decisions = int(registers[search_state.SOLUTIONS]), int(registers[search_state.GUESSES])
    places = decisions + int(registers[search_state.FORCED])
    undos = int(registers[search_state.UNDOS])
    return Tally(
        outcome=outcome,
        solutions=found,
        solution=tuple(engine.solution.tolist()) if found else None,
        decisions=decisions,
        guessed=int(registers[search_state.GUESSED]),
        places=places,
        undos=undos,
        backtracks=int(registers[search_state.BACKTRACKS]),
        dead_ends=int(registers[search_state.DEAD_ENDS]),
        max_depth=int(registers[search_state.MAX_DEPTH]),
        events=places + undos + int(registers[search_state.OTHERS]),
        restarts=int(registers[search_state.RESTARTS]),
        seconds=clock.seconds,
    )
