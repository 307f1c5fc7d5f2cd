"""The vectors that predicted macroblocks well most recently, as candidates for the next ones.

What moves as a whole, such as a board, has one vector. `plan.recent` (2, RECENT) int32 holds such
vectors, across and down in samples, the latest first; (0, 0) stands for none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean

__all__ = ["RECENT", "note_vector"]

RECENT = 6

_I32 = NDArray[np.int32]


@lean
def note_vector(right: int, down: int, recent: _I32) -> None:
    """Make a vector the latest one."""
    if right == 0 and down == 0:
        return
    at = 0
    while at < RECENT - 1 and (recent[0, at] != right or recent[1, at] != down):
        at += 1
    while at > 0:
        recent[0, at], recent[1, at] = recent[0, at - 1], recent[1, at - 1]
        at -= 1
    recent[0, 0], recent[1, 0] = right, down
