"""Chooses how to predict: of the intra modes that have their neighbours, the nearest.

`wanted` and `foreseen` are tiles (384,), `tiles` and `around` as in foresee.py and cavlc.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.sinks.h264.cavlc import MODES
from render.sinks.h264.intra_prediction import (
    DC,
    HORIZONTAL,
    INTRA4,
    VERTICAL,
    foresee_chroma,
    foresee_luma,
)
from solver.jit import exact

__all__ = ["best_chroma", "best_luma", "best_mode", "distance_of", "expected_mode", "is_even"]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]

_FROM_ABOVE = 1 << VERTICAL | 1 << 3 | 1 << 7
_FROM_LEFT = 1 << HORIZONTAL | 1 << 8
"""The Intra_4x4 modes that need the samples above alone, or those on the left, as bits."""


@exact
def distance_of(wanted: _U8, foreseen: _U8, start: int, stop: int) -> int:
    """The sum of absolute differences of samples start..stop-1."""
    total = 0
    for index in range(start, stop):
        total += abs(int(np.int64(wanted[index])) - int(np.int64(foreseen[index])))
    return total


@exact
def best_chroma(wanted: _U8, tiles: _U8, mb: int, width: int, foreseen: _U8) -> int:
    """Puts the nearest chroma prediction into `foreseen`; returns its intra_chroma_pred_mode."""
    foresee_chroma(tiles, mb, width, DC, foreseen)
    nearest = distance_of(wanted, foreseen, 256, 384)
    best = DC
    if nearest == 0:
        return 0
    for mode in (HORIZONTAL, VERTICAL):
        if (mode == HORIZONTAL and mb % width == 0) or (mode == VERTICAL and mb < width):
            continue
        foresee_chroma(tiles, mb, width, mode, foreseen)
        distance = distance_of(wanted, foreseen, 256, 384)
        if distance < nearest:
            nearest = distance
            best = mode
    foresee_chroma(tiles, mb, width, best, foreseen)
    return 0 if best == DC else 1 if best == HORIZONTAL else 2


@exact
def best_luma(wanted: _U8, tiles: _U8, mb: int, width: int, foreseen: _U8) -> int:
    """Puts the nearest Intra_16x16 prediction into `foreseen`; returns 4 * its distance + mode."""
    nearest = 1 << 30
    best = DC
    for mode in (VERTICAL, HORIZONTAL, DC):
        if (mode == HORIZONTAL and mb % width == 0) or (mode == VERTICAL and mb < width):
            continue
        foresee_luma(tiles, mb, width, mode, foreseen)
        distance = distance_of(wanted, foreseen, 0, 256)
        if distance < nearest:
            nearest = distance
            best = mode
        if distance == 0:
            break
    if best != mode:
        foresee_luma(tiles, mb, width, best, foreseen)
    return 4 * nearest + best


@exact
def is_even(wanted: _U8, foreseen: _U8) -> bool:
    """Whether the luma residual is one value all over: a DC that Intra_16x16 sends cheaply."""
    first = int(np.int64(wanted[0])) - int(np.int64(foreseen[0]))
    farthest = 0
    for index in range(256):
        away = int(np.int64(wanted[index])) - int(np.int64(foreseen[index])) - first
        farthest = max(farthest, abs(away))
    return farthest <= 1


@exact
def expected_mode(around: _U8, mb: int, width: int, column: int, row: int) -> int:
    """predIntra4x4PredMode, clause 8.3.1.1."""
    if (column == 0 and mb % width == 0) or (row == 0 and mb < width):
        return DC
    at = MODES + 4 * row + column
    left = (
        int(np.int64(around[mb, at - 1])) if column > 0 else int(np.int64(around[mb - 1, at + 3]))
    )
    above = (
        int(np.int64(around[mb, at - 4])) if row > 0 else int(np.int64(around[mb - width, at + 12]))
    )
    return min(left, above)


@exact
def best_mode(
    wanted: _U8, shades: _I32, found: int, expected: int, foreseen: _U8, base: int, weight: int
) -> int:
    """Puts the nearest prediction of a block into `foreseen`; returns 1024 * mode + its distance,
    the latter cut at 1023. Saying another mode than the expected one costs three bits, each worth
    `weight` of distance."""
    best = DC
    nearest = 1 << 30
    for turn in range(10):
        mode = expected if turn == 0 else turn - 1
        if turn > 0 and mode == expected:
            continue
        if found & 2 == 0 and _FROM_ABOVE >> mode & 1:
            continue
        if found & 1 == 0 and _FROM_LEFT >> mode & 1:
            continue
        if 4 <= mode <= 6 and found != 7:
            continue
        distance = 0 if turn == 0 else 3 * weight
        for index in range(16):
            sample = int(np.int64(wanted[base + 16 * (index >> 2) + (index & 3)]))
            distance += abs(sample - int(shades[INTRA4[mode, index]]))
        if distance < nearest:
            nearest = distance
            best = mode
        if nearest <= 3 * weight:
            break
    distance = 0
    for index in range(16):
        at = base + 16 * (index >> 2) + (index & 3)
        value = int(shades[INTRA4[best, index]])
        foreseen[at] = value
        distance += abs(int(np.int64(wanted[at])) - value)
    return 1024 * best + min(1023, distance)
