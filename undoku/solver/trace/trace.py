"""The record of a search: the event dtype, the header, the tally, and the trace as a stream."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import IntEnum, StrEnum
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.search.ops import (
    OP_ELIMINATE,
    OP_FORCED,
    OP_GUESS,
    OP_LEARN,
    OP_PROBE,
    OP_RESTART,
    OP_RESTORE,
    OP_UNDO,
)
from undoku.solver.search.strategy import Strategy
from undoku.solver.trace.reasons import NO_REASONS, Reasons
from undoku.visible_text import html_table

EVENT = np.dtype([("op", "u1"), ("value", "u1"), ("cell", "<u2")])
"""One event: four bytes."""

CHUNK = 1 << 18
"""The maximum number of events in one chunk: 1 MiB, which stays in the second-level cache."""

Events = NDArray[np.void]
"""(n,) of EVENT."""


class Op(IntEnum):
    """What an event does. Steps come first, so that `op <= Op.UNDO` means "a step"."""

    GUESS = OP_GUESS
    """Place a value that the strategy chose: a decision."""
    FORCED = OP_FORCED
    """Place a value that inference found to be the only possible one."""
    UNDO = OP_UNDO
    """Take back a placed value; the event repeats the value."""
    ELIMINATE = OP_ELIMINATE
    """Inference removes a candidate."""
    RESTORE = OP_RESTORE
    """Backtracking restores a candidate."""
    RESTART = OP_RESTART
    """All decisions will be taken back, and the search starts again. Cell and value are 0."""
    LEARN = OP_LEARN
    """A nogood is recorded: a set of decisions without a common solution. The cell is the number of
    decisions, the value 0."""
    PROBE = OP_PROBE
    """Inference places a value tentatively to see what follows, and removes it again."""


class Outcome(StrEnum):
    """How a search ended."""

    SOLVED = "solved"
    """At its first solution."""
    EXHAUSTED = "exhausted"
    """There is no further solution: the whole tree was searched."""
    CAPPED = "capped"
    """A limit of nodes or time was reached, or a recorded trace is truncated."""


class Header(NamedTuple):
    """The subject of a trace, known before its first event. `given_label` is the requested name of
    the search in films, "" for none. `version` is that of the trace format: 2 if restarts, nogoods
    or probes may occur."""

    puzzle: Puzzle
    strategy: str = ""
    title: str = ""
    exhaustive: bool = False
    given_label: str = ""
    version: int = 1

    @property
    def name(self) -> str:
        """The name of this search in tables and reports: its title, or else the specification of
        its strategy, or else "my solver"."""
        return self.title or self.strategy or "my solver"

    @property
    def label(self) -> str:
        """The name of this search in films: the given label, or else its title, or else the plain
        name of its strategy ("Fewest options first"), or the strategy itself if it is unknown."""
        if self.given_label or self.title:
            return self.given_label or self.title
        strategy = Strategy.known(self.strategy)
        return strategy.plain_name if strategy else self.name


class Tally(NamedTuple):
    """The counts of a finished trace.

    `guessed` and `forced` divide the places: see `undoku.solver.trace.state.State`. `nodes` is
    decisions + 1, like published numbers of calls. `depth` is the number of decisions on the board.
    Each decision that is taken back is a dead end if no decision was made below it, and a backtrack
    if one was; it is neither if the search continues after a solution, or restarts. In a search for
    one solution every value tried below a backtrack has failed. A root that fails without a
    decision is a dead end.
    """

    outcome: Outcome
    solutions: int
    solution: tuple[int, ...] | None
    """The first one found, one value per cell."""
    decisions: int
    guessed: int
    places: int
    undos: int
    backtracks: int
    dead_ends: int
    max_depth: int
    events: int
    """All events, eliminations and restorations included."""
    restarts: int = 0
    """The number of restarts."""
    seconds: float = 0.0
    """The duration of the search; 0 where it is unknown, as that of a recorded trace."""

    @property
    def nodes(self) -> int:
        return self.decisions + 1

    @property
    def forced(self) -> int:
        return self.places - self.guessed

    @property
    def steps(self) -> int:
        return self.places + self.undos


class Inferences(NamedTuple):
    """The reasons for the events of a chunk: per event, (n, 2) int64, the index of its rule in
    `rules`, which are names, and the reason that the rule gave (see
    `undoku.solver.search.singles`).
    Negative numbers are causes other than rules: BY_NOGOOD, BY_PROBE and BY_CHOICE of
    `undoku.solver.search.search_state`. Undos and restorations have no reasons."""

    rules: tuple[str, ...]
    reasons: NDArray[np.int64]


class Trace(ABC):
    """A search as a stream: a header, chunks of events, and finally its tally.

    Every call of `chunks` starts again at the first event and gives the same events.
    """

    header: Header

    reasons: Reasons = NO_REASONS
    """The reasons of events, as far as the trace gives them and has been read."""

    cut: bool = False
    """Whether the recording ends without an outcome. Certain only after the trace was read to its
    end, for instance by `tally`."""

    progress: Callable[[Tally], None] | None = None
    """Called many times a second while the trace is read or searched, with the counts so far: those
    of a trace that is capped there. An exception that it raises ends the reading."""

    @abstractmethod
    def chunks(self) -> Iterator[Events]:
        """Yield the events in order, as (n,) arrays of EVENT with 1 <= n <= CHUNK.

        The array is reused for the next chunk: copy what you keep.
        """

    def explained_chunks(self) -> Iterator[tuple[Events, Inferences | None]]:
        """Like `chunks`, each with the reasons of its events; None if they are unknown."""
        for chunk in self.chunks():
            yield chunk, None

    counted: Tally | None = None
    """The counts, once `chunks` has reached the end."""

    def tally(self) -> Tally:
        """The counts. The first call reads the whole trace, without storing it."""
        if self.counted is None:
            for _ in self.chunks():
                pass
        assert self.counted is not None
        return self.counted

    def __repr__(self) -> str:
        counted = self.counted
        counts = f", {counted.outcome}, steps: {counted.steps:,}" if counted else ""
        return f"<trace of {self.header.name}{counts}>"

    def _repr_html_(self) -> str:
        """The counts, in a notebook, if the trace has been read; reading it may take long."""
        counted = self.counted
        if not counted:
            return f"<code>{escape(repr(self))}</code>"
        counts = ("nodes", "steps", "forced", "guessed", "backtracks", "dead_ends", "max_depth")
        head = ("strategy", "outcome", *(name.replace("_", " ") for name in counts))
        numbers = (f"{getattr(counted, name):,}" for name in counts)
        return html_table([head, (self.header.name, counted.outcome, *numbers)])

    def __iter__(self) -> Iterator[Events]:
        return self.chunks()

    def read(self) -> Events:
        """All events in one array; for short traces and tests."""
        kept = [chunk.copy() for chunk in self.chunks()]
        return np.concatenate(kept) if kept else np.empty(0, EVENT)
