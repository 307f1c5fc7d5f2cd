"""Waiting for what another process or thread does, as long as a busy machine may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 240
"""Seconds until a test gives up. Nothing depends on how long it takes: only a test that fails lasts
so long."""

_LOOK = 0.01


def until(found: Callable[[], T]) -> T:
    """Wait until a function returns something true; returns that. Raises AssertionError after
    PATIENCE seconds."""
    end = time.monotonic() + PATIENCE
    while not (value := found()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(_LOOK)
    return value
