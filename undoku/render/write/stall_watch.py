"""Reports when another program makes no progress: a stopped encoder, a disconnected disk.

It ends nothing. The user at the terminal learns what the program waits for, and may end the run.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from undoku.visible_text import visible

PATIENCE = 20.0
"""Seconds without progress after which this is reported."""

_ALLOWED = "UNDOKU_NOTICES"
"""The environment variable for processes that this one starts."""


def allow_notices(allowed: bool) -> None:
    """Set whether this process, and those that it starts from now on, print notices; by default
    they do not."""
    os.environ[_ALLOWED] = str(int(allowed))


def report_stall(program: str, path: Path) -> None:
    """Print that a program that writes or reads `path` makes no progress, if notices are
    allowed."""
    if os.environ.get(_ALLOWED) != "1" or not sys.stderr:
        return
    start = "\r\x1b[K" if sys.stderr.isatty() else ""  # a progress line may be there
    sys.stderr.write(
        f"{start}{program} has made no progress for {PATIENCE:.0f} s; still waiting for it: it may "
        f"be stopped, or the disk of {visible(repr(str(path)))} may be away\n"
    )
    sys.stderr.flush()


class StallWatch:
    """Calls `tell` once if `look` returns the same value, except None, twice `patience` seconds
    apart. `look` returns None while nothing is awaited, otherwise a value that changes with
    progress. Both are called in a separate thread, until `close`. `wait` waits a number of seconds,
    or until `close`, and returns True for the end.
    """

    def __init__(
        self,
        look: Callable[[], object],
        tell: Callable[[], None],
        *,
        patience: float = PATIENCE,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._look, self._tell, self._patience = look, tell, patience
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait
        threading.Thread(target=self._watch, daemon=True, name="stall watch").start()

    def _watch(self) -> None:
        before = self._look()
        while not self._wait(self._patience) and not self._ended.is_set():
            now = self._look()
            if now is not None and now == before:
                self._tell()
                return
            before = now

    def close(self) -> None:
        """Stop watching. Safe to call twice."""
        self._ended.set()
