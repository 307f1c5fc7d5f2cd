"""Gives the memory of pictures that are no longer used back to the system."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

_LARGE = 1 << 21
_MMAP_THRESHOLD = -3
"""M_MMAP_THRESHOLD of malloc.h."""


def return_large_arrays() -> None:
    """Return arrays of 2 MB or more to the system as soon as they are freed. The GNU C library
    keeps as much as twice the largest array that was freed, of pictures of 3840×2160 40 MB. Others
    do so by themselves."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
