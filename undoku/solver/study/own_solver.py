"""Solvers of one's own in a study: programs that print traces, and functions of Python."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from undoku.errors import RunError, SettingsError, TraceError
from undoku.solver.problem.puzzle import Geometry, Puzzle
from undoku.solver.trace.stream import StreamTrace
from undoku.solver.trace.subjects import subject_of
from undoku.solver.trace.trace import Trace
from undoku.solver.trace.watch import watch


@dataclass(frozen=True, slots=True)
class OwnSolver:
    """A solver with the name under which a study counts it. `trace_of` returns its search of a
    puzzle; worker processes need a function that can be imported. Limits and seeds of a study do
    not apply to it."""

    name: str
    trace_of: Callable[[Puzzle], Trace]

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
    grid = watch(rows if isinstance(puzzle.geometry, Geometry) else cells, puzzle)
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
    return OwnSolver(Path(words[-1]).stem, partial(_printed, tuple(words)))


def _printed(words: Sequence[str], puzzle: Puzzle) -> Trace:
    command = shlex.join(words)
    try:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        raise RunError(f"{command!r} can't be started: {error.strerror}") from None
    assert process.stdin and process.stdout
    with process:
        with suppress(BrokenPipeError):  # a program need not read it
            process.stdin.write(f"{puzzle}\n".encode())
            process.stdin.close()
        try:
            trace = StreamTrace(process.stdout, command)
            trace.tally()
        except BaseException as error:
            # A program that prints something else may go on without end.
            if not isinstance(error, TraceError) or process.stdout.read(1):
                process.kill()
                raise
            if not process.wait():
                raise
        if code := process.wait():
            raise RunError(f"{command!r} ended with exit code {code} for {puzzle}")
    return trace
