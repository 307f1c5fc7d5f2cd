"""A trace that is still being written."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from undoku.player.search_content import read_events
from undoku.solver.trace.trace import Events, Tally, Trace


class WrittenTrace(Trace):
    """A trace that is being written: it goes on when it is told to."""

    def __init__(self, whole: Trace) -> None:
        self.header = whole.header
        self.whole = whole
        self.go_on = threading.Semaphore(0)

    def chunks(self) -> Iterator[Events]:
        events = read_events(self.whole, 10**9)
        half = len(events) // 2
        yield events[:half]
        self.go_on.acquire()
        self.go_on.release()
        yield events[half:]

    def tally(self) -> Tally:
        return self.whole.tally()
