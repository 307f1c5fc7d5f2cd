"""The compiled loop that sorts the rows of a draft by their frames."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import lean

__all__ = ["sort"]


@lean
def sort(
    frames: NDArray[np.int32],
    rows: NDArray[np.int32],
    first_new: int,
    first: NDArray[np.int64],
    placed: NDArray[np.int32],
) -> None:
    """Fill in a run's `first` (frames + 1,), all 0, and `placed` (n, 3) from the rows of a draft,
    `frames` (n,) and `rows` (n, 3), those of a frame in their order; `first_new` is the number of
    the first picture that only this run shows."""
    count = len(first) - 1
    for row in range(len(rows)):
        first[frames[row]] += 1
    begun = 0
    for frame in range(count):
        begun, first[frame] = begun + int(first[frame]), begun
    for row in range(len(rows)):
        frame = int(frames[row])
        at, sprite = int(first[frame]), int(rows[row, 0])
        placed[at, 0] = sprite if sprite >= 0 else first_new - 1 - sprite
        placed[at, 1] = rows[row, 1]
        placed[at, 2] = rows[row, 2]
        first[frame] += 1
    # The entry of each frame is now the first row of the next one.
    for frame in range(count, 0, -1):
        first[frame] = first[frame - 1]
    first[0] = 0
