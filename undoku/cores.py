"""The number of processors."""

from __future__ import annotations

import os

__all__ = ["cores"]


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
