"""Threads that a test leaves behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["no_thread_left"]


@contextmanager
def no_thread_left() -> Iterator[None]:
    """Fails if a thread that was started within is still there at the end. Threads of earlier tests
    may end meanwhile, so their number is not compared."""
    before = {*threading.enumerate()}
    yield
    assert {*threading.enumerate()} <= before
