"""Threads that a test leaves behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_PATIENCE = 10
"""Seconds that a thread which was told to end may take on a busy machine."""


@contextmanager
def no_thread_left() -> Iterator[None]:
    """Fails if a thread that was started within does not end. Threads of earlier tests may end
    meanwhile, so their number is not compared."""
    before = {*threading.enumerate()}
    yield
    started = {*threading.enumerate()} - before
    for thread in started:
        thread.join(_PATIENCE)
    assert not [thread.name for thread in started if thread.is_alive()]
