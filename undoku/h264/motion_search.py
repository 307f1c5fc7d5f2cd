"""Motion search: finds the best prediction of a block in the previous picture, at whole samples.

Positions are samples of the coded picture, atlas included. `original` (384,) uint8 are the samples
to be coded.

The luma of the previous picture is held row by row. A macroblock of it is updated only when a
search reads it: most pictures need none, most macroblocks have changed again by then, and searches
read few of them.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.bits import signed_length
from undoku.h264.encoder_arrays import DecodedPictures, Pictures
from undoku.h264.levels import HORIZONTAL_REACH, VERTICAL_REACH
from undoku.h264.loops import I32, U8, inner, narrow, rarely


@inner
def refresh_luma(x: int, y: int, side: int, width: int, pictures: Pictures) -> None:
    """Update the luma of the macroblocks that the block of `side` samples at (x, y) touches. The
    picture is `width` macroblocks wide."""
    top, bottom = (y >> 4) * width, ((y + side - 1) >> 4) * width
    left, right = x >> 4, (x + side - 1) >> 4
    for mb in (top + left, top + right, bottom + left, bottom + right):
        if pictures.stale_luma[mb]:
            rarely()
            _refresh(mb, width, pictures)


@inner
def _refresh(mb: int, width: int, pictures: Pictures) -> None:
    decoded, luma = pictures.decoded, pictures.luma
    pictures.stale_luma[mb] = 0
    held = int(decoded.before[mb])
    start = 16 * (16 * (mb // width) * width + mb % width)
    for line in range(16):
        luma[start : start + 16] = decoded.samples[held, 16 * line : 16 * line + 16]
        start += 16 * width


ACROSS, DOWN, COST, PREDICTED_ACROSS, PREDICTED_DOWN = range(5)
"""In `search`: a vector in samples, its cost, and the predicted vector, from which it is coded as a
difference."""
SEARCH = 5

_FIRST_STEP = 4  # samples
_ACROSS, _DOWN = 64, 32  # the range of a wide search
_FOUND = 512  # distance of a macroblock with which it ends
_MAX_MOVES = 8  # at each size of steps


@inner
def distance_at(
    pictures: Pictures,
    width: int,
    height: int,
    x: int,
    y: int,
    original: U8,
    base: int,
    side: int,
    limit: int,
) -> int:
    """The sum of absolute differences between the luma of the previous picture at (x, y) and the
    block of `side` x `side` (8 or 16) samples that begins at original[base]. The sum stops early
    once it reaches `limit`, which is also returned for a block that is not inside the picture.
    `width` and `height` are those of the picture in macroblocks."""
    if not (0 <= x <= 16 * width - side and 0 <= y <= 16 * height - side):
        return limit
    refresh_luma(x, y, side, width, pictures)
    stride = 16 * width
    # With a constant size each loop is vectorised for it.
    if side == 16:
        return _distance(pictures, stride, x, y, original, base, 16, limit)
    return _distance(pictures, stride, x, y, original, base, 8, limit)


@inner
def _distance(
    pictures: Pictures,
    stride: int,
    x: int,
    y: int,
    original: U8,
    base: int,
    side: int,
    limit: int,
) -> int:
    """`distance_at` of a block whose luma is up to date."""
    total = 0
    for top in range(0, side, 4):
        at = (y + top) * stride + x
        total += _four_rows(
            pictures.luma, at, stride, original, base + 16 * top, side, pictures.rows
        )
        if total >= limit:
            return total
    return total


@narrow
def _four_rows(
    luma: U8, at: int, stride: int, original: U8, start: int, side: int, rows: U8
) -> int:
    """The distance of four rows of `side` samples, which begin at luma[at] and original[start].
    They are gathered in `rows`: gcc unrolls a loop over the samples of one row, and only a
    longer loop becomes vector instructions."""
    for line in range(4):
        rows[side * line : side * line + side] = luma[at : at + side]
        at += stride
    total = 0
    if side == 16:
        for index in range(64):
            total += abs(int(rows[index]) - int(original[np.uint64(start) + np.uint64(index)]))
    else:
        for line in range(4):
            rows[64 + side * line : 64 + side * line + side] = original[start : start + side]
            start += 16
        for index in range(4 * side):
            total += abs(int(rows[index]) - int(rows[64 + index]))
    return total


@inner
def vector_bits(right: int, down: int, search: I32) -> int:
    """The bits of a vector, coded as a difference from the predicted one."""
    bits = signed_length(4 * (right - int(search[PREDICTED_ACROSS])))
    return bits + signed_length(4 * (down - int(search[PREDICTED_DOWN])))


@inner
def try_vector(
    pictures: Pictures,
    width: int,
    height: int,
    x: int,
    y: int,
    original: U8,
    base: int,
    side: int,
    weight: int,
    right: int,
    down: int,
    search: I32,
) -> None:
    """Take a vector for the block at (x, y) if its cost is below COST of `search`: the distance,
    plus `weight` for each bit of `vector_bits`. `width` and `height` are those of the picture in
    macroblocks."""
    least = int(search[COST])
    cost = weight * vector_bits(right, down, search)
    if cost < least:
        left, top = x + right, y + down
        cost += distance_at(pictures, width, height, left, top, original, base, side, least - cost)
    if cost < least:
        search[ACROSS], search[DOWN], search[COST] = right, down, cost


@inner
def search_around(
    pictures: Pictures,
    width: int,
    height: int,
    x: int,
    y: int,
    original: U8,
    base: int,
    side: int,
    weight: int,
    search: I32,
) -> None:
    """Improve the vector of the block at (x, y), which is in `search` (5,) with its COST so far, in
    decreasing steps, as `try_vector` does."""
    step = _FIRST_STEP
    while step:
        for _ in range(_MAX_MOVES):
            before = int(search[COST])
            across, down = int(search[ACROSS]), int(search[DOWN])
            for way in range(4):
                right = across + (step if way == 0 else -step if way == 1 else 0)
                low = down + (step if way == 2 else -step if way == 3 else 0)
                if abs(right) < HORIZONTAL_REACH and abs(low) < VERTICAL_REACH:
                    try_vector(
                        pictures,
                        width,
                        height,
                        x,
                        y,
                        original,
                        base,
                        side,
                        weight,
                        right,
                        low,
                        search,
                    )
            if search[COST] == before:
                break
        step >>= 1


@inner
def search_widely(
    pictures: Pictures,
    width: int,
    height: int,
    x: int,
    y: int,
    original: U8,
    limit: int,
    search: I32,
) -> int:
    """Search for the macroblock at (x, y) in all positions up to _ACROSS and _DOWN samples away,
    nearest rows first; returns its distance if it is below `limit`, with its vector in `search`,
    otherwise `limit`."""
    left, right = max(-_ACROSS, -x), min(_ACROSS, 16 * width - 16 - x)
    for turn in range(2 * _DOWN + 1):
        down = (turn + 1) // 2 * (1 if turn & 1 else -1)
        if not 0 <= y + down <= 16 * height - 16:
            continue
        for at in range(x + left, x + right + 1, 16):
            refresh_luma(at, y + down, 16, width, pictures)
        refresh_luma(x + right, y + down, 16, width, pictures)
        for across in range(left, right + 1):
            distance = _distance(pictures, 16 * width, x + across, y + down, original, 0, 16, limit)
            if distance < limit:
                limit = distance
                search[ACROSS], search[DOWN] = across, down
                if limit < _FOUND:
                    return limit
    return limit


@inner
def copy_block(
    decoded: DecodedPictures, width: int, x: int, y: int, to: int, prediction: U8
) -> None:
    """Copy the 4x4 luma samples at (x, y) of the previous picture and their chroma to block `to`
    (0..15, row by row) of prediction (384,). At odd positions a chroma sample is the mean of its
    neighbours, clause 8.4.2.2.2."""
    held, before = decoded.samples, decoded.before
    if (x & 15) <= 12 and (y & 15) <= 12:
        _copy_within(held[before[(y >> 4) * width + (x >> 4)]], x & 15, y & 15, to, prediction)
        return
    column, row = to & 3, to >> 2
    for line in range(4):
        mb_row = ((y + line) >> 4) * width
        at = 16 * ((y + line) & 15)
        for step in range(4):
            prediction[16 * (4 * row + line) + 4 * column + step] = held[
                before[mb_row + ((x + step) >> 4)], at + ((x + step) & 15)
            ]
    for plane in (256, 320):
        for line in range(2):
            for step in range(2):
                left, top = (x >> 1) + step, (y >> 1) + line
                total = 2
                for below in (top, top + (y & 1)):
                    for beside in (left, left + (x & 1)):
                        mb = (below >> 3) * width + (beside >> 3)
                        total += int(held[before[mb], plane + 8 * (below & 7) + (beside & 7)])
                prediction[plane + 8 * (2 * row + line) + 2 * column + step] = total >> 2


@inner
def _copy_within(held: U8, x: int, y: int, to: int, prediction: U8) -> None:
    """`copy_block` for a block that is in one macroblock `held` (384,), at (x, y) of it, and so are
    its neighbours."""
    column, row = to & 3, to >> 2
    for line in range(4):
        start, at = 16 * (4 * row + line) + 4 * column, 16 * (y + line) + x
        prediction[start : start + 4] = held[at : at + 4]
    across, down = x & 1, 8 * (y & 1)
    for plane in (256, 320):
        for line in range(2):
            start = plane + 8 * (2 * row + line) + 2 * column
            for at in range(2):
                one = plane + 8 * ((y >> 1) + line) + (x >> 1) + at
                total = int(held[one]) + int(held[one + across])
                total += int(held[one + down]) + int(held[one + down + across])
                prediction[start + at] = (total + 2) >> 2
