"""Searches for the vectors that predict a macroblock without an exact match best.

`candidates` is that of motion_candidates.py; its vectors are where the search begins. `texture` is
the distance of intra prediction, with which vectors compete.
"""

from __future__ import annotations

from undoku.h264.encoder_arrays import (
    HEIGHT,
    MUCH_NEW,
    PASSING,
    QP,
    WIDE_SEARCHES,
    WIDTH,
    Pictures,
    Plan,
)
from undoku.h264.loops import I32, I64, U8, inner
from undoku.h264.motion_candidates import (
    ALL_BLOCKS,
    COUNT,
    LEFT_OVER,
    NEAR,
    SEARCHED,
    SINGLE,
    SPLIT,
    TOO_FAR,
    VECTORS_X,
    VECTORS_Y,
    WHOLE,
    WHOLE_AT,
    add_vector,
    blocks_of,
)
from undoku.h264.motion_search import (
    ACROSS,
    COST,
    DOWN,
    PREDICTED_ACROSS,
    PREDICTED_DOWN,
    SEARCH,
    search_around,
    search_widely,
    try_vector,
)
from undoku.h264.motion_vectors import MOVED, note_vector, predict_vector

MAX_WIDE_SEARCHES = 2
"""In vain, in a picture."""

_NEARER = 3  # quarters of the distance of intra prediction: vectors are searched for below that
_CLOSE, _VERY_CLOSE = 4, 8  # parts of that distance: below them no other vectors are searched for
_TEXTURED = 1024  # distance of intra prediction above which a far vector can be recognised
_EXACT_BITS = 12  # the usual bits of the vector of a quarter with an exact match
_NEAR_ENOUGH = 8  # distance of a quarter below which a search can't save bits


@inner
def _weight(registers: I64) -> int:
    """The distance that is worth a bit."""
    return max(1, 1 << int(registers[QP]) // 6 >> 2)


@inner
def _nearest(
    x: int,
    y: int,
    plan: Plan,
    pictures: Pictures,
    original: U8,
    base: int,
    side: int,
    limit: int,
    candidates: I32,
) -> int:
    """Search for the vector that predicts the luma of the block at (x, y) best, starting at the
    best candidate if that costs less than twice `limit`; returns its cost, `limit` at most."""
    registers = plan.registers
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    weight = _weight(registers)
    search = candidates[SEARCHED : SEARCHED + SEARCH]
    search[COST] = 2 * limit
    for at in range(candidates[COUNT]):
        right, down = int(candidates[VECTORS_X + at]), int(candidates[VECTORS_Y + at])
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
            down,
            search,
        )
    if search[COST] == 2 * limit:
        return limit
    if search[COST] > _NEAR_ENOUGH * side * side // 64:
        search_around(pictures, width, height, x, y, original, base, side, weight, search)
    return min(int(search[COST]), limit)


@inner
def collect_whole(
    mb: int, plan: Plan, pictures: Pictures, original: U8, texture: int, candidates: I32
) -> bool:
    """Find the best prediction of a macroblock by one vector, if that costs less than three
    quarters of `texture`, the distance of intra prediction. Returns whether it is so good that no
    other need be searched for; LEFT_OVER is then its cost."""
    registers = plan.registers
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    x, y = 16 * (mb % width), 16 * (mb // width)
    search = candidates[SEARCHED : SEARCHED + SEARCH]
    right, down = predict_vector(plan.grid, mb, width, MOVED)
    search[PREDICTED_ACROSS], search[PREDICTED_DOWN] = right, down
    limit = _limit(texture)
    whole = _nearest(x, y, plan, pictures, original, 0, 16, limit, candidates)
    close = texture // _CLOSE
    if whole > close and registers[WIDE_SEARCHES] > 0 and texture > _TEXTURED:
        distance = search_widely(pictures, width, height, x, y, original, close, search)
        if distance < close:
            whole = distance
        else:
            registers[WIDE_SEARCHES] -= 1
    if whole >= limit:
        return False
    candidates[WHOLE] = whole
    candidates[WHOLE_AT] = add_vector(candidates, int(search[ACROSS]), int(search[DOWN]))
    if candidates[WHOLE_AT] < 0:
        candidates[WHOLE] = TOO_FAR
        return False
    if registers[MUCH_NEW]:
        note_vector(int(search[ACROSS]), int(search[DOWN]), plan.recent)
    if whole > (limit if registers[PASSING] else texture // _VERY_CLOSE):
        return False
    _take_whole(candidates)
    return True


@inner
def _limit(texture: int) -> int:
    """The cost that a prediction by vectors must be below."""
    return max(1, _NEARER * texture // 4)


@inner
def _take_whole(candidates: I32) -> None:
    """Predict the macroblock by one vector."""
    candidates[NEAR : NEAR + candidates[COUNT]] = 0
    candidates[NEAR + candidates[WHOLE_AT]] = ALL_BLOCKS
    candidates[SINGLE] = candidates[SPLIT] = 0
    candidates[LEFT_OVER] = candidates[WHOLE]


@inner
def collect_nearest(
    mb: int, plan: Plan, pictures: Pictures, original: U8, texture: int, candidates: I32
) -> None:
    """Add the best predictions of the quarters without an exact match, after `collect_exact`: by
    one vector for the macroblock, or by one for each quarter if that costs less. If these cost
    three quarters of `texture` or more, they are left out, unless two quarters or more have a
    match."""
    registers, single = plan.registers, int(candidates[SINGLE])
    if single == 15:
        return
    searched = single != 0 or registers[MUCH_NEW] != 0
    if not searched and collect_whole(mb, plan, pictures, original, texture, candidates):
        return
    limit = _limit(texture)
    copied = int(candidates[SINGLE] | candidates[SPLIT])
    if copied & (copied - 1):
        limit = TOO_FAR
    width = int(registers[WIDTH])
    x, y = 16 * (mb % width), 16 * (mb // width)
    search = candidates[SEARCHED : SEARCHED + SEARCH]
    right, down = predict_vector(plan.grid, mb, width, MOVED)
    if candidates[WHOLE] < TOO_FAR:
        right = int(candidates[VECTORS_X + candidates[WHOLE_AT]])
        down = int(candidates[VECTORS_Y + candidates[WHOLE_AT]])
    search[PREDICTED_ACROSS], search[PREDICTED_DOWN] = right, down
    apart = 0
    for quarter in range(4):
        if single >> quarter & 1:
            apart += _EXACT_BITS * _weight(registers)
            continue
        right, down = 8 * (quarter & 1), 8 * (quarter >> 1)
        base, left = 16 * down + right, limit - apart
        if left > 0:
            apart += _nearest(
                x + right, y + down, plan, pictures, original, base, 8, left, candidates
            )
        if apart >= limit:
            break
        at = add_vector(candidates, int(search[ACROSS]), int(search[DOWN]))
        candidates[NEAR + max(at, 0)] |= blocks_of(quarter)
    if candidates[WHOLE] <= apart and candidates[WHOLE] < TOO_FAR:
        _take_whole(candidates)
    else:
        candidates[LEFT_OVER] = apart if apart < limit else TOO_FAR
