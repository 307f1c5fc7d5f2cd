"""The luma of the previous picture, row by row, for motion search.

A macroblock is updated only when a search reads it: most pictures need none, most macroblocks have
changed again by then, and searches read few of them.
"""

from __future__ import annotations

from undoku.h264.encoder_arrays import Pictures
from undoku.machine_code.jit import inner, lean

__all__ = ["refresh_luma"]


@lean
def refresh_luma(x: int, y: int, side: int, width: int, pictures: Pictures) -> None:
    """Update the luma of the macroblocks that the block of `side` samples at (x, y) touches. The
    picture is `width` macroblocks wide."""
    for row in range(y >> 4, ((y + side - 1) >> 4) + 1):
        for column in range(x >> 4, ((x + side - 1) >> 4) + 1):
            if pictures.stale_luma[row * width + column]:
                _refresh(column, row, width, pictures)


@inner
def _refresh(column: int, row: int, width: int, pictures: Pictures) -> None:
    decoded, luma = pictures.decoded, pictures.luma
    mb = row * width + column
    pictures.stale_luma[mb] = 0
    held = decoded.samples[decoded.before[mb]]
    start = 16 * (16 * row * width + column)
    for line in range(16):
        # Slices whose length the compiler doesn't know: it then uses block copies.
        source, to = held[16 * line : 16 * line + 16], luma[start : start + 16]
        for at in range(len(to)):
            to[at] = source[at]
        start += 16 * width
