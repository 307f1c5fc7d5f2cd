"""Tells, once, that loops are being compiled: this takes a while the first time that a machine uses
them. Imports nothing that is slow to load."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

__all__ = ["compiled", "compiling", "tell"]

_LISTENERS: list[tuple[Callable[[], None], float]] = []
_BEGUN: list[float] = []
"""The time when the first loop was compiled since there is a listener."""
_COUNTERS: list[Callable[[int, int], None]] = []


def tell(
    listener: Callable[[], None] | None,
    after: float = 0,
    counter: Callable[[int, int], None] | None = None,
) -> None:
    """Have `listener` called once: when the first loop is compiled, or the first that is compiled
    `after` seconds or more after that one. Have `counter` called again and again while several are
    compiled and waited for, with how many are done and how many there are, and with (0, 0) when the
    waiting is over. None stands for no listener."""
    _LISTENERS[:] = [(listener, after)] if listener else []
    _COUNTERS[:] = [counter] if counter else []
    _BEGUN.clear()


def compiling(done: int = 0, total: int = 0) -> None:
    """A loop is about to be compiled, or `done` of `total` are."""
    if total:
        for counter in _COUNTERS:
            counter(done, total)
    if not _LISTENERS:
        return
    now = monotonic()
    if not _BEGUN:
        _BEGUN.append(now)
    listener, after = _LISTENERS[0]
    if now - _BEGUN[0] >= after:
        _LISTENERS.clear()
        listener()


def compiled() -> None:
    """What was waited for is compiled."""
    for counter in _COUNTERS:
        counter(0, 0)
