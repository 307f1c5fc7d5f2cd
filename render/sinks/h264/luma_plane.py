"""The luma of the previous picture, row by row, for motion search.

It is updated only when a search needs it: most pictures need none, and most macroblocks have
changed again by then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.encoder_arrays import OUTDATED, STALE, Pictures
from solver.jit import lean

__all__ = ["note_change", "refresh_luma"]

_I32 = NDArray[np.int32]


@lean
def note_change(changes: _I32, mb: int) -> None:
    """Record in `changes` (2, mbs + 1) that what is known of a macroblock is outdated."""
    if changes[STALE, mb]:
        return
    last = changes.shape[1] - 1
    changes[STALE, mb] = 1
    changes[OUTDATED, changes[OUTDATED, last]] = mb
    changes[OUTDATED, last] += 1


@lean
def refresh_luma(width: int, pictures: Pictures) -> None:
    """Copy the luma of all outdated macroblocks from the previous picture, which is `width`
    macroblocks wide."""
    changes, luma = pictures.luma_changes, pictures.luma
    last = changes.shape[1] - 1
    for index in range(changes[OUTDATED, last]):
        mb = int(changes[OUTDATED, index])
        changes[STALE, mb] = 0
        held = pictures.decoded[0, mb]
        start = 16 * (16 * (mb // width) * width + mb % width)
        for line in range(16):
            # Slices whose length the compiler doesn't know: it then uses block copies.
            source, to = held[16 * line : 16 * line + 16], luma[start : start + 16]
            for at in range(len(to)):
                to[at] = source[at]
            start += 16 * width
    changes[OUTDATED, last] = 0
