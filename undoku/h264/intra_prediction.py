"""Intra prediction of a macroblock or block from the samples left of it and above it, clause 8.3,
in the mode with the smallest distance, of those that are available.

`current` is (macroblocks, 384) uint8, the picture as the decoder will have it; macroblocks are
numbered row by row, `width` per row. The picture is one slice, so all earlier macroblocks are
available.

`original` and `prediction` are (384,) uint8, the samples of a macroblock; `neighbours` as in
cavlc.py.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.cavlc import MODES, NEIGHBOUR_BYTES
from undoku.h264.loops import I32, I32_2D, U8, U8_2D, inner, narrow

VERTICAL, HORIZONTAL, DC = range(3)
"""Intra_4x4 and Intra_16x16 prediction modes, tables 8-2 and 8-4."""


@narrow
def predict_luma(current: U8_2D, mb: int, width: int, mode: int, prediction: U8) -> None:
    """Write the Intra_16x16 prediction, clause 8.3.3; the neighbours that `mode` needs must be
    available."""
    left = mb % width > 0
    above = mb >= width
    if mode == VERTICAL:
        for row in range(16):
            prediction[16 * row : 16 * row + 16] = current[mb - width, 240:256]
    elif mode == HORIZONTAL:
        for row in range(16):
            sample = current[mb - 1, 16 * row + 15]
            prediction[16 * row : 16 * row + 16] = sample
    else:
        total = 0
        for index in range(16):
            if left:
                total += int(current[mb - 1, 16 * index + 15])
            if above:
                total += int(current[mb - width, 240 + index])
        value = 128
        if left and above:
            value = (total + 16) >> 5
        elif left or above:
            value = (total + 8) >> 4
        prediction[:256] = value


@narrow
def predict_chroma(current: U8_2D, mb: int, width: int, mode: int, prediction: U8) -> None:
    """Write the intra chroma prediction, clause 8.3.4, to prediction[256:]; `mode` is DC,
    HORIZONTAL or VERTICAL."""
    left = mb % width > 0
    above = mb >= width
    for plane in range(2):
        base = 256 + 64 * plane
        if mode == VERTICAL:
            for at in range(base, base + 64, 8):
                prediction[at : at + 8] = current[mb - width, base + 56 : base + 64]
        elif mode == HORIZONTAL:
            for at in range(base, base + 64, 8):
                prediction[at : at + 8] = current[mb - 1, at + 7]
        else:
            for quarter in range(4):
                x = 4 * (quarter & 1)
                y = 4 * (quarter >> 1)
                across = 0
                down = 0
                for index in range(4):
                    if above:
                        across += int(current[mb - width, base + 56 + x + index])
                    if left:
                        down += int(current[mb - 1, base + 8 * (y + index) + 7])
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


@narrow
def copy_edge(current: U8_2D, mb: int, width: int, column: int, row: int, edge: I32) -> int:
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
        above = 16 * (4 * row - 1) + 4 * column
        edge[5:9] = current[mb, above : above + 4]
        # The block above right is available if it is earlier in the order of clause 6.4.3.
        if column & 1 == 0 or (column == 1 and row == 2):
            edge[9:13] = current[mb, above + 4 : above + 8]
        else:
            edge[9:13] = edge[8]
    elif mb >= width:
        found |= 2
        edge[5:9] = current[mb - width, 240 + 4 * column : 244 + 4 * column]
        if column < 3:
            edge[9:13] = current[mb - width, 244 + 4 * column : 248 + 4 * column]
        elif mb % width < width - 1:
            edge[9:13] = current[mb - width + 1, 240:244]
        else:
            edge[9:13] = edge[8]
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


def _intra4_table() -> I32_2D:
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


INTRA4_PREDICTOR: I32_2D = _intra4_table()
PREDICTORS = 39


@narrow
def fill_predictors(edge: I32, found: int, predictors: I32) -> None:
    """Compute all values that can predict a sample of a block, in the order that INTRA4_PREDICTOR
    indexes, from `edge`; `found` is the result of `copy_edge`."""
    predictors[:13] = edge[:13]
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


_FROM_ABOVE = 1 << VERTICAL | 1 << 3 | 1 << 7
_FROM_LEFT = 1 << HORIZONTAL | 1 << 8
"""The Intra_4x4 modes that need the samples above alone, or those on the left, as bits."""


@inner
def clear_neighbours(neighbours: U8_2D, mb: int) -> None:
    """Set the data for neighbours to those of a macroblock without coefficients and intra 4x4
    modes."""
    for index in range(NEIGHBOUR_BYTES):
        neighbours[mb, index] = DC if index >= MODES else 0


@narrow
def distance_of(original: U8, prediction: U8, start: int, stop: int) -> int:
    """The sum of absolute differences (SAD) of the samples start..stop-1."""
    total = 0
    for index in range(start, stop):
        total += abs(int(original[index]) - int(prediction[index]))
    return total


@narrow
def best_chroma(original: U8, current: U8_2D, mb: int, width: int, prediction: U8) -> int:
    """Write the nearest chroma prediction to `prediction`; returns its intra_chroma_pred_mode. The
    nearest has the smallest SAD."""
    predict_chroma(current, mb, width, DC, prediction)
    nearest = distance_of(original, prediction, 256, 384)
    best = DC
    if nearest == 0:
        return 0
    for mode in (HORIZONTAL, VERTICAL):
        if (mode == HORIZONTAL and mb % width == 0) or (mode == VERTICAL and mb < width):
            continue
        predict_chroma(current, mb, width, mode, prediction)
        distance = distance_of(original, prediction, 256, 384)
        if distance < nearest:
            nearest = distance
            best = mode
    predict_chroma(current, mb, width, best, prediction)
    return 0 if best == DC else 1 if best == HORIZONTAL else 2


@narrow
def best_luma(original: U8, current: U8_2D, mb: int, width: int, prediction: U8) -> int:
    """Write the nearest Intra_16x16 prediction to `prediction`; returns 4 * its distance + its
    mode."""
    nearest = 1 << 30
    best = DC
    for mode in (VERTICAL, HORIZONTAL, DC):
        if (mode == HORIZONTAL and mb % width == 0) or (mode == VERTICAL and mb < width):
            continue
        predict_luma(current, mb, width, mode, prediction)
        distance = distance_of(original, prediction, 0, 256)
        if distance < nearest:
            nearest = distance
            best = mode
        if distance == 0:
            break
    if best != mode:
        predict_luma(current, mb, width, best, prediction)
    return 4 * nearest + best


@narrow
def is_even(original: U8, prediction: U8) -> bool:
    """Whether the luma residual is constant: Intra_16x16 codes its DC in few bits."""
    first = int(original[0]) - int(prediction[0])
    farthest = 0
    for index in range(256):
        away = int(original[index]) - int(prediction[index]) - first
        farthest = max(farthest, abs(away))
    return farthest <= 1


@narrow
def expected_mode(neighbours: U8_2D, mb: int, width: int, column: int, row: int) -> int:
    """predIntra4x4PredMode, clause 8.3.1.1."""
    if (column == 0 and mb % width == 0) or (row == 0 and mb < width):
        return DC
    at = MODES + 4 * row + column
    left = int(neighbours[mb, at - 1]) if column > 0 else int(neighbours[mb - 1, at + 3])
    above = int(neighbours[mb, at - 4]) if row > 0 else int(neighbours[mb - width, at + 12])
    return min(left, above)


@narrow
def nearest_mode(
    original: U8,
    predictors: I32,
    found: int,
    expected: int,
    base: int,
    weight: int,
    block: I32,
) -> int:
    """The Intra_4x4 mode of a block with the lowest cost: its distance, and for a mode other than
    the `expected` one three bits of `weight` each. `block` (16,) is scratch.

    To code the block in the best three modes and count the bits takes a tenth of the encoder's time
    and changed films by 0.1 % of their bytes, in both directions."""
    for row in range(4):
        block[4 * row : 4 * row + 4] = original[base + 16 * row : base + 16 * row + 4]
    best, least = DC, 1 << 30
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
        distance = 0
        for start in range(0, 16, 4):
            for index in range(start, start + 4):
                distance += abs(block[index] - predictors[INTRA4_PREDICTOR[mode, index]])
            if distance >= least:
                break
        if distance == 0:
            return mode
        distance += 0 if turn == 0 else 3 * weight
        if distance < least:
            best, least = mode, distance
    return best


@narrow
def predict_block(original: U8, predictors: I32, mode: int, prediction: U8, base: int) -> int:
    """Write the prediction of a block by `mode` to `prediction`; returns its distance."""
    distance = 0
    for index in range(16):
        at = base + 16 * (index >> 2) + (index & 3)
        value = int(predictors[INTRA4_PREDICTOR[mode, index]])
        prediction[at] = value
        distance += abs(int(original[at]) - value)
    return distance
