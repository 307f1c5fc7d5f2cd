"""How long a film will take and how large it will be, from its beginning."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from undoku.render.write.sink import Sink

AFTER: Final = 3.0
"""Seconds of writing from which the rest is forecast if an eighth is written, else four times as
many: the beginning of a story, which shows all steps in two seconds, may take most of the time."""
LONG: Final = 20.0
"""Seconds; nothing is said of a film that takes less time."""


class Forecast:
    """Tells `say` once what a film will take, if that is more than LONG seconds. Call it with the
    number of frames that are done and of all frames; `sinks` write them."""

    def __init__(
        self,
        sinks: Iterable[Sink],
        say: Callable[[str], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sinks, self._say, self._clock = sinks, say, clock
        self._began = clock()
        self._told = False

    def __call__(self, done: int, total: int) -> None:
        seconds = self._clock() - self._began
        if self._told or not done or seconds < (AFTER if done * 8 >= total else 4 * AFTER):
            return
        self._told = True
        whole = total / done
        if seconds * whole > LONG:
            size = sum(sink.stored_bytes() for sink in self._sinks) * whole
            self._say(
                f"{total:,} frames will take about {seconds * whole:,.0f} s"
                f" and {max(1, size / 1e6):,.0f} MB"
            )
