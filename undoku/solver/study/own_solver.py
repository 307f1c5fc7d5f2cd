"""Solvers of one's own in a study: programs that print traces, and functions of Python."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from io import BufferedReader
from pathlib import Path
from threading import TIMEOUT_MAX, Timer
from typing import Any

import numpy as np

from undoku.errors import RunError, SettingsError, TraceError
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.trace.jsonl import LineReader
from undoku.solver.trace.search_trace import NO_LIMITS, Limits
from undoku.solver.trace.state import State
from undoku.solver.trace.stream import blocks
from undoku.solver.trace.subjects import subject_of
from undoku.solver.trace.trace import Events, Header, Op, Outcome, Tally, Trace
from undoku.solver.trace.watch import watch


@dataclass(frozen=True, slots=True)
class OwnSolver:
    """A solver with the name under which a study counts it. `trace_of` returns its search of a
    puzzle; worker processes need a function that can be imported. Of the limits of a study, that of
    nodes applies to it, and that of seconds to a program; seeds do not."""

    name: str
    trace_of: Callable[[Puzzle], Trace]

    def tally(self, puzzle: Puzzle, limits: Limits = NO_LIMITS) -> Tally:
        """The counts of its search, which is stopped, and counts as capped, before a guess that
        would exceed the limit of nodes, and, if a program makes it, at that of seconds."""
        trace = self.trace_of(puzzle)
        if isinstance(trace, _PrintedTrace):
            trace.max_seconds = limits.max_seconds
        if not limits.max_nodes:
            return trace.tally()
        state = State(puzzle)
        chunks = trace.chunks()
        try:
            for chunk in chunks:
                (guesses,) = np.nonzero(chunk["op"] == Op.GUESS)
                left = limits.max_nodes - 1 - state.decisions
                stop = guesses[left] if left < len(guesses) else len(chunk)
                state.apply_events(chunk[:stop].view(np.uint32))
                if stop < len(chunk):
                    return state.tally(Outcome.CAPPED)
        finally:
            if isinstance(chunks, Generator):
                chunks.close()
        return trace.tally()

    def __str__(self) -> str:
        return self.name

    def reseeded(self, run: int) -> OwnSolver:
        """The same solver: it has no seeds."""
        return self


def watched_function(solve: Callable[[Any], object]) -> OwnSolver:
    """A function that fills a grid, as `undoku.watch` follows it: a list of rows with 0 in empty
    cells; of a problem that is no board, a list of the values of its variables."""
    return OwnSolver(getattr(solve, "__name__", "solver"), partial(_watched, solve))


def _watched(solve: Callable[[Any], object], puzzle: Puzzle) -> Trace:
    size, cells = puzzle.size, list(puzzle.givens)
    rows = [cells[at : at + size] for at in range(0, len(cells), size)]
    grid = watch(rows if isinstance(puzzle.problem, Geometry) else cells, puzzle)
    solve(grid)
    trace = subject_of(grid)
    assert isinstance(trace, Trace)
    return trace


def program(command: str) -> OwnSolver:
    """A program that reads a puzzle, one line of marks, from its standard input and prints the
    trace of its search. Raises SettingsError for a command that can't be parsed."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SettingsError(f"{command!r} is not a command: {error}") from None
    if not words:
        raise SettingsError("the command of a solver is empty", remedy="name a program")
    return OwnSolver(Path(words[-1]).stem, partial(_PrintedTrace, tuple(words)))


class _PrintedTrace(Trace):
    """The trace that a program prints for a puzzle. It can be read once and is not stored; who
    stops reading it, closes its chunks, which ends the program. It is also ended after
    `max_seconds`; the trace is then cut."""

    max_seconds: float | None = None

    def __init__(self, words: Sequence[str], puzzle: Puzzle) -> None:
        self.header = Header(puzzle)
        self._words = words

    def chunks(self) -> Generator[Events, None, None]:
        command, puzzle = shlex.join(self._words), self.header.puzzle
        try:
            process = subprocess.Popen(
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise RunError(f"{command!r} can't be started: {error.strerror}") from None
        assert process.stdin and isinstance(process.stdout, BufferedReader)
        tally = State(puzzle).tally(Outcome.CAPPED)
        clock = Timer(min(self.max_seconds or 0, TIMEOUT_MAX), self._end, (process,))
        with ExitStack() as ending:
            ending.enter_context(process)
            ending.callback(clock.cancel)
            if self.max_seconds:
                clock.start()
            try:
                with suppress(BrokenPipeError):  # a program need not read it
                    process.stdin.write(f"{puzzle}\n".encode())
                    process.stdin.close()
                if process.stdout.peek(1) or not self.cut:
                    reader = LineReader(blocks(process.stdout, command), command)
                    if reader.header.puzzle != puzzle:
                        raise TraceError(
                            f"{command!r} prints a trace of another puzzle, {reader.header.puzzle}",
                            remedy=f"let it search the puzzle that it reads, {puzzle}",
                        )
                    yield from reader
                    tally = reader.tally
            except BaseException as error:
                # A program that prints something else may go on without end.
                wrong = isinstance(error, TraceError)
                if not wrong or process.stdout.read(1) or not process.wait() or self.cut:
                    self._end(process)
                    raise
            if (code := process.wait()) and not self.cut:
                raise RunError(f"{command!r} ended with exit code {code} for {puzzle}")
        self.counted = tally

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End a program, and those that it has started, which may outlive it."""
        if process.returncode is None:  # it has not been waited for, so its number is still its own
            self.cut = process.poll() is None
            with suppress(OSError):  # all have ended
                process.kill() if os.name == "nt" else os.killpg(process.pid, signal.SIGKILL)
