"""Tells, once, that loops are being compiled: the first time that a machine uses them it takes a
while, and who waits should know why. Loads nothing heavy."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

__all__ = ["compiling", "tell"]

_LISTENERS: list[tuple[Callable[[], None], float]] = []
_BEGUN: list[float] = []
"""When the first loop was compiled that the listener could be told of."""


def tell(listener: Callable[[], None] | None, after: float = 0) -> None:
    """Have `listener` called, once, when a loop must be compiled: the first one, or the first that
    comes `after` so many seconds and more. None is nobody."""
    _LISTENERS[:] = [(listener, after)] if listener else []
    _BEGUN.clear()


def compiling() -> None:
    """A loop is about to be compiled."""
    if not _LISTENERS:
        return
    now = monotonic()
    if not _BEGUN:
        _BEGUN.append(now)
    listener, after = _LISTENERS[0]
    if now - _BEGUN[0] >= after:
        _LISTENERS.clear()
        listener()
