"""A short trace held in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from undoku.solver.trace.stats import tally_of
from undoku.solver.trace.trace import CHUNK, EVENT, Events, Header, Outcome, Tally, Trace

__all__ = ["MemoryTrace"]


class MemoryTrace(Trace):
    """A short trace held in memory.

    `events` is (n,) of EVENT or an iterable of (op, value, cell).
    """

    def __init__(
        self,
        header: Header,
        events: Events | Iterable[tuple[int, int, int]],
        outcome: Outcome | None = None,
    ) -> None:
        self.header = header
        self._events = np.array(events if isinstance(events, np.ndarray) else list(events), EVENT)
        self._outcome = outcome

    def chunks(self) -> Iterator[Events]:
        for start in range(0, len(self._events), CHUNK):
            yield self._events[start : start + CHUNK]

    def tally(self) -> Tally:
        return tally_of(self.header, self.chunks(), self._outcome)
