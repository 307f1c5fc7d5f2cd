"""The state that a frame shows, and the player that advances it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from undoku.render.playback.removals import Removal, removals_before, removals_given
from undoku.solver.search.ops import OP_UNDO
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.state import State
from undoku.solver.trace.trace import Inferences, Trace

__all__ = ["Player", "Recorder", "Snapshot"]

Packed = NDArray[np.uint32]
"""(n,) uint32: events, op | value << 8 | cell << 16."""


class Snapshot(State):
    """The state of one search on a frame, and how the search will end.

    `changed` marks the cells that steps of the current frame changed. `span` is the number of steps
    of the frame, and `stood` (cells, size + 1) int64 the number of these steps after which each
    value was in each cell (value 0: the cell was empty).
    """

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace.header.puzzle)
        tally = trace.tally()
        self.total = tally.steps
        """The number of steps of the whole search."""
        self.outcome = tally.outcome
        """How the search will end."""
        self.cut = trace.cut
        """Whether the recorded trace is truncated."""
        self.span = 0
        self.given: Reason | None = None
        """The reason of the last step, if the trace gives one."""
        self.removals: tuple[Removal, ...] = ()
        """What inference has removed since the last step, if the trace gives reasons."""

    @property
    def finished(self) -> bool:
        return bool(self.steps >= self.total)


class Recorder(Protocol):
    """Receives every event once, in order, before the frame that shows it is drawn. Panels use
    recorders for facts about the past that the snapshot does not contain."""

    def record(self, events: Packed) -> None:
        """Record `events`; the array is reused, so copy what you keep."""


class Player:
    """Plays one trace: advances its snapshot to any later step, with one chunk in memory at a time.

    With `explained` the snapshot has the reasons why inference removed candidates; a search whose
    events are in a file runs again for this.
    """

    def __init__(
        self, trace: Trace, recorders: Sequence[Recorder] = (), *, explained: bool = True
    ) -> None:
        self.header = trace.header
        self.snapshot = Snapshot(trace)
        self._recorders = recorders
        self._reasons = trace.reasons
        self._chunks = (
            trace.explained_chunks() if explained else ((chunk, None) for chunk in trace.chunks())
        )
        self._inferences: Inferences | None = None
        self._events: Packed = np.empty(0, np.uint32)
        self._at = 0
        self._before = 0

    @property
    def events(self) -> tuple[Packed, int]:
        """The available events, (n,), and the index of the first one that has not been applied. The
        index equals n only at the end of the trace."""
        while self._at == len(self._events) and self._load():
            pass
        return self._events, self._at

    def advanced(self, at: int, span: int) -> None:
        """Record that the caller has applied the available events before index `at` to the snapshot
        and the recorders, `span` steps of them on the current frame."""
        self._at = at
        self.snapshot.span = span

    def _load(self) -> bool:
        """Load the next chunk; returns whether there is one."""
        chunk, inferences = next(self._chunks, (None, None))
        if chunk is None:
            return False
        self._inferences = inferences
        self._before += len(self._events)
        self._events, self._at = np.ascontiguousarray(chunk).view(np.uint32), 0
        return True

    def advance(self, step: int) -> Snapshot:
        """Advance the snapshot to the state after `step` steps, or to the end of the trace; it
        never goes back. Returns the snapshot."""
        snapshot = self.snapshot
        before = snapshot.steps
        snapshot.changed[:] = 0
        snapshot.stood[:] = 0
        while snapshot.steps < step:
            if self._at == len(self._events) and not self._load():
                break
            start = self._at
            self._at = snapshot.apply(self._events, start, step)
            for recorder in self._recorders:
                recorder.record(self._events[start : self._at])
        snapshot.update_durations()
        snapshot.span = snapshot.steps - before
        if len(self._reasons):
            snapshot.given = self._given()
        applied = self._events[: self._at]
        if self._inferences:
            snapshot.removals = removals_before(applied, self._inferences)
        elif len(self._reasons):
            puzzle = self.header.puzzle
            snapshot.removals = removals_given(applied, self._before, self._reasons, puzzle)
        return snapshot

    def _given(self) -> Reason | None:
        """The reason of the last step; None if the trace gives none, or if the step is in an
        earlier chunk."""
        at = self._at - 1
        while at >= 0 and self._events[at] & 0xFF > OP_UNDO:
            at -= 1
        return self._reasons.at(self._before + at) if at >= 0 else None
