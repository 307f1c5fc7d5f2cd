"""Intra prediction of a macroblock or block from the samples left of it and above it, clause 8.3.

`current` is (macroblocks, 384) uint8, the picture as the decoder will have it; macroblocks are
numbered row by row, `width` per row. The picture is one slice, so all earlier macroblocks are
available.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import exact

__all__ = [
    "DC",
    "HORIZONTAL",
    "INTRA4_PREDICTOR",
    "PREDICTORS",
    "VERTICAL",
    "copy_edge",
    "fill_predictors",
    "predict_chroma",
    "predict_luma",
]

VERTICAL, HORIZONTAL, DC = range(3)
"""Intra_4x4 and Intra_16x16 prediction modes, tables 8-2 and 8-4."""

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]


@exact
def predict_luma(current: _U8, mb: int, width: int, mode: int, prediction: _U8) -> None:
    """Write the Intra_16x16 prediction, clause 8.3.3; the neighbours that `mode` needs must be
    available."""
    left = mb % width > 0
    above = mb >= width
    if mode == VERTICAL:
        for row in range(16):
            for column in range(16):
                prediction[16 * row + column] = current[mb - width, 240 + column]
    elif mode == HORIZONTAL:
        for row in range(16):
            sample = current[mb - 1, 16 * row + 15]
            for column in range(16):
                prediction[16 * row + column] = sample
    else:
        total = 0
        for index in range(16):
            if left:
                total += int(np.int64(current[mb - 1, 16 * index + 15]))
            if above:
                total += int(np.int64(current[mb - width, 240 + index]))
        value = 128
        if left and above:
            value = (total + 16) >> 5
        elif left or above:
            value = (total + 8) >> 4
        for index in range(256):
            prediction[index] = value


@exact
def predict_chroma(current: _U8, mb: int, width: int, mode: int, prediction: _U8) -> None:
    """Write the intra chroma prediction, clause 8.3.4, to prediction[256:]; `mode` is DC,
    HORIZONTAL or VERTICAL."""
    left = mb % width > 0
    above = mb >= width
    for plane in range(2):
        base = 256 + 64 * plane
        if mode == VERTICAL:
            for index in range(64):
                prediction[base + index] = current[mb - width, base + 56 + (index & 7)]
        elif mode == HORIZONTAL:
            for index in range(64):
                prediction[base + index] = current[mb - 1, base + (index | 7)]
        else:
            for quarter in range(4):
                x = 4 * (quarter & 1)
                y = 4 * (quarter >> 1)
                across = 0
                down = 0
                for index in range(4):
                    if above:
                        across += int(np.int64(current[mb - width, base + 56 + x + index]))
                    if left:
                        down += int(np.int64(current[mb - 1, base + 8 * (y + index) + 7]))
                # Quarters on the diagonal use both sides, the others the side that they touch.
                if x == y:
                    value = (across + down + 4) >> 3
                    if not (left and above):
                        value = (across + down + 2) >> 2 if left or above else 128
                elif x > y:
                    value = (across + 2) >> 2 if above else (down + 2) >> 2 if left else 128
                else:
                    value = (down + 2) >> 2 if left else (across + 2) >> 2 if above else 128
                for index in range(16):
                    prediction[base + 8 * (y + (index >> 2)) + x + (index & 3)] = value


@exact
def copy_edge(current: _U8, mb: int, width: int, column: int, row: int, edge: _I32) -> int:
    """Copy the 13 samples around the luma block at (column, row) of a macroblock, clause 8.3.1.2:
    edge[0..3] left, from the bottom up; edge[4] the corner; edge[5..12] above, left to right.

    Returns the available ones: 1 left, 2 above, 4 corner. Missing samples above right are
    substituted as the clause says.
    """
    found = 0
    if column > 0:
        found |= 1
        for index in range(4):
            edge[3 - index] = current[mb, 16 * (4 * row + index) + 4 * column - 1]
    elif mb % width > 0:
        found |= 1
        for index in range(4):
            edge[3 - index] = current[mb - 1, 16 * (4 * row + index) + 15]
    if row > 0:
        found |= 2
        for index in range(4):
            edge[5 + index] = current[mb, 16 * (4 * row - 1) + 4 * column + index]
        # The block above right is available if it is earlier in the order of clause 6.4.3.
        if column & 1 == 0 or (column == 1 and row == 2):
            for index in range(4):
                edge[9 + index] = current[mb, 16 * (4 * row - 1) + 4 * column + 4 + index]
        else:
            for index in range(4):
                edge[9 + index] = edge[8]
    elif mb >= width:
        found |= 2
        for index in range(4):
            edge[5 + index] = current[mb - width, 240 + 4 * column + index]
        if column < 3:
            for index in range(4):
                edge[9 + index] = current[mb - width, 240 + 4 * column + 4 + index]
        elif mb % width < width - 1:
            for index in range(4):
                edge[9 + index] = current[mb - width + 1, 240 + index]
        else:
            for index in range(4):
                edge[9 + index] = edge[8]
    if found == 3:
        if column > 0 and row > 0:
            edge[4] = current[mb, 16 * (4 * row - 1) + 4 * column - 1]
        elif column > 0:
            edge[4] = current[mb - width, 240 + 4 * column - 1]
        elif row > 0:
            edge[4] = current[mb - 1, 16 * (4 * row - 1) + 15]
        else:
            edge[4] = current[mb - width - 1, 255]
        found = 7
    return found


def _intra4_table() -> NDArray[np.int32]:
    """(9, 16): for each Intra_4x4 mode and sample of the block, the index in `predictors`.

    From clause 8.3.1.2: 0..12 are the edge samples, 13 + i the mean of edge i and i + 1, 25 the DC,
    26 + i the weighted mean around edge i; at the ends the missing neighbour is the end itself.
    """
    mean, constant, smooth = 13, 25, 26
    candidates = np.zeros((9, 16), np.int32)
    for y in range(4):
        for x in range(4):
            right, down, up = 2 * x - y, 2 * y - x, x + 2 * y
            slope = 4 + x - (y >> 1)
            fall = 3 - y + (x >> 1)
            candidates[:, 4 * y + x] = (
                5 + x,  # vertical
                3 - y,  # horizontal
                constant,  # DC
                smooth + 6 + x + y,  # diagonal down left
                smooth + 4 + x - y,  # diagonal down right
                mean + slope if right >= 0 and right % 2 == 0
                else smooth + (slope if right > 0 else 4 if right == -1 else 5 - y),
                mean + fall if down >= 0 and down % 2 == 0
                else smooth + (fall + 1 if down > 0 else 4 if down == -1 else 3 + x),
                smooth + 6 + x + (y >> 1) if y % 2 else mean + 5 + x + (y >> 1),  # vertical left
                0 if up > 5
                else smooth + 2 - y - (x >> 1) if up % 2 else mean + 2 - y - (x >> 1),
            )  # fmt: skip
    return candidates


INTRA4_PREDICTOR: _I32 = _intra4_table()
PREDICTORS = 39


@exact
def fill_predictors(edge: _I32, found: int, predictors: _I32) -> None:
    """Compute all values that can predict a sample of a block, in the order that INTRA4_PREDICTOR
    indexes, from `edge`; `found` is the result of `copy_edge`."""
    for index in range(13):
        predictors[index] = edge[index]
    for index in range(12):
        predictors[13 + index] = (edge[index] + edge[index + 1] + 1) >> 1
    constant = 128
    if found & 3 == 3:
        constant = 4
        for index in range(4):
            constant += int(edge[index]) + int(edge[5 + index])
        constant >>= 3
    elif found & 3:
        start = 0 if found & 1 else 5
        constant = 2
        for index in range(4):
            constant += int(edge[start + index])
        constant >>= 2
    predictors[25] = constant
    predictors[26] = (edge[1] + 3 * edge[0] + 2) >> 2
    for index in range(1, 12):
        predictors[26 + index] = (edge[index - 1] + 2 * edge[index] + edge[index + 1] + 2) >> 2
    predictors[38] = (edge[11] + 3 * edge[12] + 2) >> 2
