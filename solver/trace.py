"""What happened in a search: the event dtype, the header, the tally, and the trace as a stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_GUESS,
    OP_LEARN,
    OP_PROBE,
    OP_RESTART,
    OP_RESTORE,
    OP_UNDO,
)
from solver.puzzle import Puzzle
from solver.reasons import NO_REASONS, Reasons
from solver.strategies.strategy import Strategy

__all__ = [
    "CHUNK",
    "EVENT",
    "Events",
    "Header",
    "Inferences",
    "Op",
    "Outcome",
    "Tally",
    "Trace",
    "is_step",
]

EVENT = np.dtype([("op", "u1"), ("value", "u1"), ("cell", "<u2")])
"""One event: four bytes."""

CHUNK = 1 << 18
"""The most events in one chunk: 1 MiB, which stays in the second-level cache."""

Events = NDArray[np.void]
"""(n,) of EVENT."""


class Op(IntEnum):
    """What an event does. Steps come first, so that `op <= Op.UNDO` means "a step"."""

    GUESS = OP_GUESS
    """Place a value that the strategy chose."""
    FORCED = OP_FORCED
    """Place a value that inference left as the only one."""
    UNDO = OP_UNDO
    """Take a placed value back; the event repeats the value."""
    ELIMINATE = OP_ELIMINATE
    """Inference removes a candidate."""
    RESTORE = OP_RESTORE
    """Going back returns a candidate."""
    RESTART = OP_RESTART
    """All guesses will be taken back, and the search begins again. Its cell and value are 0."""
    LEARN = OP_LEARN
    """A nogood is recorded: a set of guesses that can't all stand. Its cell says how many they are,
    its value is 0."""
    PROBE = OP_PROBE
    """Inference puts a value into a cell to see what follows, and takes it away again."""


def is_step(events: Events) -> NDArray[np.bool_]:
    """(n,) bool: which events are steps (place or undo), what a viewer counts."""
    steps: NDArray[np.bool_] = events["op"] <= Op.UNDO
    return steps


class Outcome(StrEnum):
    """How a search ended."""

    SOLVED = "solved"
    """At its first solution."""
    EXHAUSTED = "exhausted"
    """There is no further solution: the whole tree was searched."""
    CAPPED = "capped"
    """A limit of nodes or time was hit, or a recorded trace ends before its search did."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a trace is about, known before its first event. `given_label` is what somebody wants
    the search to be called in films, "" where nobody said. `version` is that of the trace format:
    2 where restarts, nogoods or probes may happen. `description` is the solver's own sentence about
    what it does, "" where it has none."""

    puzzle: Puzzle
    strategy: str = ""
    title: str = ""
    exhaustive: bool = False
    given_label: str = ""
    version: int = 1
    description: str = ""

    @property
    def name(self) -> str:
        """What tables and reports call this search: its title, else its strategy as specs write
        it."""
        return self.title or self.strategy or "trace"

    @property
    def label(self) -> str:
        """What films call this search: what was given, else its title, else the plain name of its
        strategy ("Fewest options first"), or the strategy itself where it is not one of ours."""
        if self.given_label or self.title:
            return self.given_label or self.title
        strategy = Strategy.known(self.strategy)
        return strategy.plain_name if strategy else self.name


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a finished trace.

    `nodes` counts as published call counts do: guesses + 1. `depth` is the number of guesses in
    force. Each guess that is taken back is a dead end when no guess was made below it, and a
    backtrack when one was (every value tried below has failed); it is neither when the search goes
    on after a solution, or begins again. A root that fails without a guess is a dead end.
    """

    outcome: Outcome
    solutions: int
    solution: tuple[int, ...] | None
    """The first one found, one value per cell."""
    guesses: int
    places: int
    undos: int
    backtracks: int
    dead_ends: int
    max_depth: int
    events: int
    """All events, eliminations and restorations included."""
    restarts: int = 0
    """How often the search began again."""
    seconds: float = 0.0
    """How long the search took; 0 for a recorded trace."""

    @property
    def nodes(self) -> int:
        return self.guesses + 1

    @property
    def steps(self) -> int:
        return self.places + self.undos


class Inferences(NamedTuple):
    """Why inference did what a chunk of events tells: per event, (n, 2) int64, the number of its
    rule among `rules`, their names, and the rule's reason (see `solver.inference.singles`). A
    negative number stands for what is no rule: BY_NOGOOD, BY_PROBE and BY_CHOICE of
    `solver.kernels.bookkeeping`. Nothing is said of undos and restorations."""

    rules: tuple[str, ...]
    reasons: NDArray[np.int64]


class Trace(ABC):
    """A search as a stream: a header, chunks of events, and in the end its tally.

    Every call of `chunks` starts again at the first event and gives the same events.
    """

    header: Header

    reasons: Reasons = NO_REASONS
    """Why events were made, as far as the trace says and has been read."""

    cut: bool = False
    """Whether the recording breaks off before it says its outcome. Known for certain once the
    trace was read to its end, as `tally` does."""

    progress: Callable[[Tally], None] | None = None
    """Called while the trace is read or searched, many times a second, with the counts so far:
    those of a trace that ends there, capped. What it raises ends the reading."""

    @abstractmethod
    def chunks(self) -> Iterator[Events]:
        """Yield the events in order, as (n,) arrays of EVENT with 1 <= n <= CHUNK.

        The array is used again for the next chunk: copy what you keep.
        """

    def explained_chunks(self) -> Iterator[tuple[Events, Inferences | None]]:
        """As `chunks`, each with why inference did what it tells; None where nobody knows."""
        for chunk in self.chunks():
            yield chunk, None

    @abstractmethod
    def tally(self) -> Tally:
        """The counts. Runs through the whole trace the first time, without holding it."""

    def __iter__(self) -> Iterator[Events]:
        return self.chunks()

    def read(self) -> Events:
        """All events in one array; for short traces and tests."""
        kept = [chunk.copy() for chunk in self.chunks()]
        return np.concatenate(kept) if kept else np.empty(0, EVENT)
