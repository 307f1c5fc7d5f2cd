"""Signals that end a process by an exception, even if the first exception is lost.

Python runs a signal handler between two instructions of the main thread. If these belong to a
callback from C code (of a compiler, of ctypes, of a finalizer), the exception of the handler is
dropped, and the program continues. It is therefore raised again until the program reports that it
arrived. While it is being handled, cleaning up included, it is not raised again.

Where a lock is taken or released, no exception is raised until the signal is sent again: a lock
that stays taken would block the threads that are waited for at the end.
"""

from __future__ import annotations

import _thread  # noqa: PLC2701  (documented, as what threading is built on)
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any] | int | None
"""What `signal.getsignal` returns."""

TERMINATING = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals that end a process without a message, after it has cleaned up like an interrupted one.
SIGHUP comes when the terminal is closed."""

_INTERVAL = 0.1
"""Seconds between two attempts to raise the exception."""


class _State:
    """The state of the first signal that arrived."""

    number: int | None = None
    settled = False
    repeating = False
    """Whether the next signal comes from `_repeat`, not from outside."""
    silenced = False


_LOCK = threading.Lock()


def raise_from(number: int, error: Callable[[], BaseException]) -> Handler:
    """Make signal `number` raise `error()` in the main thread until `stop_repeating` is called;
    returns the previous handler. Only the main thread may call this. A process that ignores the
    signal from its start continues to ignore it. Terminating signals often come in pairs; the
    second one does not interrupt the handling of the first."""

    def handle(number: int, frame: FrameType | None) -> None:
        repeated, _State.repeating = _State.repeating, False
        if _State.settled:
            return
        if (repeated or number in TERMINATING) and _being_handled():
            return
        if _State.number is None:
            _State.number = number
            # threading.Thread takes a lock that the interrupted code may hold.
            _thread.start_new_thread(_repeat, (number,))
        if not _is_vulnerable(frame):
            raise error()

    with _LOCK:
        if _State.settled:
            _State.settled, _State.number = False, None
    before = signal.getsignal(number)
    if before is not signal.SIG_IGN:
        signal.signal(number, handle)
        _silence_lost_exceptions()
    return before


def stop_repeating() -> int | None:
    """Stop raising exceptions for signals; returns the number of the signal that arrived first, or
    None."""
    with _LOCK:
        _State.settled = True
    return _State.number


def _repeat(number: int) -> None:
    main = threading.main_thread().ident
    while True:
        time.sleep(_INTERVAL)
        with _LOCK:
            if _State.settled:
                return
            _State.repeating = True
            if hasattr(signal, "pthread_kill") and main is not None:
                signal.pthread_kill(main, number)  # also interrupts waiting system calls
            else:
                _thread.interrupt_main(signal.Signals(number))


def _is_vulnerable(frame: FrameType | None) -> bool:
    """Whether an exception in the interrupted function would do harm. In `__enter__` and `__exit__`
    it could leave a lock taken. In Condition.notify it could leave a woken thread on the list of
    waiting ones, so that the next call would wake that thread and no other."""
    return frame is not None and (
        frame.f_code.co_name in ("__enter__", "__exit__")
        or frame.f_code is threading.Condition.notify.__code__
    )


def _being_handled() -> bool:
    """Whether the main thread is already handling such an exception."""
    error = sys.exception()
    while error is not None:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            return True
        error = error.__cause__ or error.__context__
    return False


def _silence_lost_exceptions() -> None:
    """Do not print tracebacks of lost exceptions, which will be raised again."""
    if _State.silenced:
        return
    _State.silenced = True
    usual = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs, /) -> None:
        if _State.number is None or not isinstance(lost.exc_value, (KeyboardInterrupt, SystemExit)):
            usual(lost)

    sys.unraisablehook = hook
