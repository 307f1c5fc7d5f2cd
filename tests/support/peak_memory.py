"""How much memory a piece of Python needs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that Python's allocators hold while `work` runs."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
