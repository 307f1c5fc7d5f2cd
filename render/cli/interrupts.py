"""Signals that end a run: which exceptions they raise, and the exit codes they end with."""

from __future__ import annotations

import signal
from collections.abc import Callable

from solver.stop_signals import TERMINATING, Handler, raise_from, settle

__all__ = [
    "INTERRUPTED",
    "handle_interrupts",
    "handle_termination",
    "ignore_interrupts",
    "release_termination",
    "stopped",
]

INTERRUPTED = 128 + signal.SIGINT

_BEFORE: dict[int, Handler] = {}


def handle_interrupts() -> None:
    """Have SIGINT raise KeyboardInterrupt until the run has ended, also where C code loses it."""
    raise_from(signal.SIGINT, KeyboardInterrupt)


def handle_termination() -> None:
    """Have each of the terminating signals raise SystemExit with 128 + its number, likewise."""
    for number in TERMINATING:
        _BEFORE[number] = raise_from(number, _ending(number))


def release_termination() -> None:
    """Give the terminating signals the handlers back that they had; call `stopped` before."""
    while _BEFORE:
        signal.signal(*_BEFORE.popitem())


def _ending(number: int) -> Callable[[], SystemExit]:
    return lambda: SystemExit(128 + number)


def ignore_interrupts() -> None:
    """Have SIGINT change nothing any more. Without this a process that is interrupted while Python
    ends dies of the signal instead of returning its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Python notes when KeyboardInterrupt leaves source text that is executed, as libraries do while
    # they are loaded, and in the end dies of the signal even if it was caught. Executing any text
    # takes the note back.
    exec("")


def stopped(error: BaseException | None = None) -> int | None:
    """The exit code of a run that a signal has ended or should have ended, or None; `error` is the
    exception that ended the run. From now on signals raise nothing."""
    received = settle()
    if received is not None:
        return 128 + received
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, RuntimeError):
        # Python 3.11 wraps what interrupts the making of a class.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return INTERRUPTED
        if isinstance(error.__cause__, SystemExit) and isinstance(error.__cause__.code, int):
            return error.__cause__.code
    return None
