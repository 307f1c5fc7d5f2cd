"""Reports once that loops are being compiled, which takes a while when a machine uses them for the
first time. Imports no slow modules."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

__all__ = ["compiled", "compiling", "set_listener"]

_LISTENERS: list[tuple[Callable[[], None], float]] = []
_STARTED: list[float] = []
"""The time at which the first loop was compiled after the listener was set."""
_COUNTERS: list[Callable[[int, int], None]] = []


def set_listener(
    listener: Callable[[], None] | None,
    after: float = 0,
    counter: Callable[[int, int], None] | None = None,
) -> None:
    """Call `listener` once: when the first loop is compiled, or the first loop at least `after`
    seconds later. Call `counter` repeatedly while the process waits for several loops, with the
    numbers of finished and of all loops, and with (0, 0) at the end of the wait. None removes the
    listener."""
    _LISTENERS[:] = [(listener, after)] if listener else []
    _COUNTERS[:] = [counter] if counter else []
    _STARTED.clear()


def compiling(done: int = 0, total: int = 0) -> None:
    """Report that a loop is about to be compiled, or that `done` of `total` are finished."""
    if total:
        for counter in _COUNTERS:
            counter(done, total)
    if not _LISTENERS:
        return
    now = monotonic()
    if not _STARTED:
        _STARTED.append(now)
    listener, after = _LISTENERS[0]
    if now - _STARTED[0] >= after:
        _LISTENERS.clear()
        listener()


def compiled() -> None:
    """Report the end of the wait."""
    for counter in _COUNTERS:
        counter(0, 0)
