"""Tells, once, that loops are being compiled: the first time that a machine uses them it takes a
while, and who waits should know why. Loads nothing heavy."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["compiling", "tell"]

_LISTENERS: list[Callable[[], None]] = []


def tell(listener: Callable[[], None]) -> None:
    """Have `listener` called when a loop must be compiled, for the first one only."""
    _LISTENERS[:] = [listener]


def compiling() -> None:
    """A loop is about to be compiled."""
    while _LISTENERS:
        _LISTENERS.pop()()
