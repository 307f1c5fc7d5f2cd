"""Signals that end a run: their exceptions and exit codes."""

from __future__ import annotations

import signal
from collections.abc import Callable

from undoku.stop_signals import TERMINATING, Handler, raise_from, stop_repeating

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
    """Make SIGINT raise KeyboardInterrupt until the run has ended, even if C code drops the first
    exception."""
    raise_from(signal.SIGINT, KeyboardInterrupt)


def handle_termination() -> None:
    """Make each of the terminating signals raise SystemExit with 128 + its number in the same
    way."""
    for number in TERMINATING:
        _BEFORE[number] = raise_from(number, _ending(number))


def release_termination() -> None:
    """Restore the previous handlers of the terminating signals; call `stopped` first."""
    while _BEFORE:
        signal.signal(*_BEFORE.popitem())


def _ending(number: int) -> Callable[[], SystemExit]:
    return lambda: SystemExit(128 + number)


def ignore_interrupts() -> None:
    """Ignore SIGINT from now on. Otherwise a process that is interrupted while Python shuts down is
    killed by the signal instead of returning its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Python sets a flag when KeyboardInterrupt leaves executed source text, as in libraries while
    # they are imported, and finally kills itself by the signal even if the exception was caught.
    # Executing any text clears the flag.
    exec("")


def stopped(error: BaseException | None = None) -> int | None:
    """The exit code of a run that a signal has ended or should have ended, or None; `error` is the
    exception that ended the run. From now on signals raise no exceptions."""
    received = stop_repeating()
    if received is not None:
        return 128 + received
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, RuntimeError):
        # Python 3.11 wraps exceptions that interrupt the creation of a class.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return INTERRUPTED
        if isinstance(error.__cause__, SystemExit) and isinstance(error.__cause__.code, int):
            return error.__cause__.code
    return None
