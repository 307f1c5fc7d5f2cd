"""Signals that end a run: which exceptions they raise, and the exit codes they end with."""

from __future__ import annotations

import signal

__all__ = ["INTERRUPTED", "exit_code_of", "handle_termination", "ignore_interrupts"]

INTERRUPTED = 128 + signal.SIGINT

_TERMINATING = (signal.SIGTERM,)
"""Signals that ask a run to end without a message: it cleans up as an interrupted one does."""


def handle_termination() -> None:
    """Have each of the terminating signals raise SystemExit with 128 + its number."""
    for number in _TERMINATING:
        signal.signal(number, _terminate)


def ignore_interrupts() -> None:
    """Have SIGINT change nothing any more. Without this a process that is interrupted while Python
    ends dies of the signal instead of returning its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def exit_code_of(error: BaseException) -> int | None:
    """The exit code of a run that a signal ended, from the exception that ended it; None where no
    signal did. Python 3.11 wraps what interrupts the making of a class in a RuntimeError."""
    if isinstance(error, RuntimeError) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, SystemExit) and isinstance(error.code, int):
        return error.code
    return None


def _terminate(number: int, frame: object) -> None:
    del frame
    raise SystemExit(128 + number)
