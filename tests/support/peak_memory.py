"""How much memory and time a piece of Python needs."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST_BYTES, MOST_SECONDS = 128 << 20, 3.0
"""Bounds for reading one damaged file."""


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that Python's allocators hold while `work` runs."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@contextmanager
def bounded(*, measured: bool = True) -> Iterator[None]:
    """A context in which one damaged file is read: it needs at most MOST_SECONDS of the processor
    and, if it is measured, which takes three times as long, MOST_BYTES of memory."""
    if measured:
        tracemalloc.start()
    begun = time.process_time()
    try:
        yield
    finally:
        took = time.process_time() - begun
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < MOST_BYTES, most
    assert took < MOST_SECONDS, took
