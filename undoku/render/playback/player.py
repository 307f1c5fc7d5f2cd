"""The state that a frame shows, and the player that advances it."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.playback.removals import Removal, removals_given, removals_of
from undoku.render.playback.search_texts import status_texts
from undoku.solver.trace.reasons import Reason
from undoku.solver.trace.state import State
from undoku.solver.trace.steps import NO_STEPS, Observer, StepReader, Steps, eliminations
from undoku.solver.trace.trace import Inferences, Trace


class Snapshot(State):
    """The state of one search on a frame, and how the search will end.

    `changed` marks the cells that steps of the current frame changed, and `span` is their number.
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

    @property
    def status_texts(self) -> list[str]:
        """The texts about the search when it has ended, the fullest first."""
        return status_texts(self.outcome, self.total, int(self.solutions), cut=self.cut)


class Player:
    """Plays one trace: advances its snapshot to any later step, with one chunk in memory at a time.

    With `explained` the snapshot has the reasons why inference removed candidates; a search whose
    events are in a file runs again for this.
    """

    def __init__(
        self, trace: Trace, observers: Sequence[Observer] = (), *, explained: bool = True
    ) -> None:
        """`observers` receive each step before the frame that shows it is drawn. Panels use them
        for facts about the past that the snapshot does not contain."""
        self.header = trace.header
        self.snapshot = Snapshot(trace)
        self.observers = observers
        self._reasons = trace.reasons
        self._chunks = (
            trace.explained_chunks() if explained else ((chunk, None) for chunk in trace.chunks())
        )
        self._inferences: Inferences | None = None
        self._reader = StepReader(trace.header.puzzle)
        self._steps = NO_STEPS
        self._before = 0
        """The number of events before those of `_steps`."""

    @property
    def upcoming(self) -> tuple[Steps, int]:
        """The available steps, and the row of the first one that has not been applied: the number
        of rows only at the end of the trace."""
        while self._row == len(self._steps.cells) and self._load():
            pass
        return self._steps, self._row

    @property
    def _row(self) -> int:
        return int(self.snapshot.steps - self._steps.first)

    def _load(self) -> bool:
        """Load the next chunk; returns whether there is one."""
        chunk, inferences = next(self._chunks, (None, None))
        if chunk is None:
            return False
        self._inferences = inferences
        self._before += len(self._steps.events)
        self._steps = self._reader.read(chunk)
        if not len(self._steps.cells):
            self.snapshot.apply_events(self._steps.events)
        return True

    def advance(self, step: int) -> Snapshot:
        """Advance the snapshot to the state after `step` steps, or to the end of the trace; it
        never goes back. Returns the snapshot."""
        snapshot = self.snapshot
        before = snapshot.steps
        snapshot.arrays.changed[:] = 0
        while snapshot.steps < step:
            steps, row = self.upcoming
            if row == len(steps.cells):
                break
            snapshot.play(steps, step)
            for observer in self.observers:
                observer.record(steps, row, self._row)
        snapshot.span = snapshot.steps - before
        self._explain()
        return snapshot

    def _explain(self) -> None:
        """Set the reasons of the last step and of the inference after it; none if the step is in an
        earlier chunk."""
        snapshot, steps, row = self.snapshot, self._steps, self._row
        last = int(steps.starts[row - 1]) if row else -1
        if len(self._reasons):
            snapshot.given = self._reasons.at(self._before + last) if row else None
        if not self._inferences and not len(self._reasons):
            return
        removed = eliminations(steps, last + 1, int(steps.starts[row])) if row else []
        if self._inferences:
            snapshot.removals = removals_of(removed, self._inferences)
        else:
            puzzle = self.header.puzzle
            snapshot.removals = removals_given(removed, self._before, self._reasons, puzzle)
