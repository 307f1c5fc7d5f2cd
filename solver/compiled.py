"""Compiles the inner loops with numba, or leaves them plain Python when UNDOKU_PLAIN is set.

The same source runs both ways: plain Python is the reference that the compiled loops are tested
against. Rooms with compiled functions take half a second to load; import them where they are
called, not at the top of a room that a short command needs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

__all__ = ["compiled"]

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING or os.environ.get("UNDOKU_PLAIN"):

    def compiled(function: Callable[P, R]) -> Callable[P, R]:
        """Leave `function` as it is."""
        return function

else:
    import numba

    # Kept beside the source, or in the user's cache folder where that can't be written.
    compiled = numba.njit(cache=True, nogil=True)
