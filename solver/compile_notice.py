"""Tells, once, that loops are being compiled: this takes a while the first time that a machine uses
them. Imports nothing that is slow to load."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

__all__ = ["compiling", "tell"]

_LISTENERS: list[tuple[Callable[[], None], float]] = []
_BEGUN: list[float] = []
"""The time when the first loop was compiled since there is a listener."""


def tell(listener: Callable[[], None] | None, after: float = 0) -> None:
    """Have `listener` called once: when the first loop is compiled, or the first that is compiled
    `after` seconds or more after that one. None stands for no listener."""
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
