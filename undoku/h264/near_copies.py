"""Codes a macroblock as a copy without a residual, although nothing is exactly equal to it.

Where a board moves, one vector predicts most macroblocks as well as a residual would, because what
it copies was coded with a residual before. Such a macroblock is skipped if the inferred vector is
good enough, otherwise copied by one of the recent vectors.
"""

from __future__ import annotations

from undoku.h264.bits import put_unsigned
from undoku.h264.canvas import DeferredCanvas, take_original
from undoku.h264.encoder_arrays import (
    CODED_NEW,
    HEIGHT,
    PASSING,
    ROOM,
    SOURCE,
    TODO,
    WIDTH,
    Pictures,
    Plan,
    Scratch,
)
from undoku.h264.intra_prediction import clear_neighbours
from undoku.h264.loops import U8, inner
from undoku.h264.motion_search import copy_block, distance_at
from undoku.h264.motion_vectors import (
    RECENT,
    STILL,
    note_vector,
    set_vector,
    write_copy,
)
from undoku.h264.previous_picture import mark_coded
from undoku.h264.quantiser_control import (
    expect_one_more,
    note_error,
    squared_error,
    usual_error,
)

NOT_COPIED, SKIPPED, COPIED_NEARLY = range(3)
"""What `copy_nearly` did."""

_FLAT = 3  # the range of the samples of a flat block
_IN_FLAT_BLOCK, _IN_BLOCK = 2, 14  # the largest differences of a sample


@inner
def _predict(
    mb: int, right: int, down: int, most: int, plan: Plan, pictures: Pictures, samples: U8
) -> int:
    """Predict all samples by a vector; returns the error of luma, -1 if it is above `most` or
    something would be left visible."""
    width = int(plan.registers[WIDTH])
    original, prediction = samples[768:1152], samples[1152:1536]
    x, y = 16 * (mb % width) + right, 16 * (mb // width) + down
    for at in range(16):
        left, top = x + 4 * (at & 3), y + 4 * (at >> 2)
        copy_block(pictures.decoded, width, left, top, at, prediction)
    error = squared_error(original, prediction)
    if error > most:
        return -1
    for block in range(24):
        start, stride = 64 * (block >> 2) + 4 * (block & 3), 16
        if block >= 16:
            start, stride = 256 + 32 * ((block - 16) >> 1) + 4 * (block & 1), 8
        if not _hides(original, prediction, start, stride, plan.registers[PASSING] != 0):
            return -1
    return error


@inner
def _hides(original: U8, prediction: U8, start: int, stride: int, passing: bool) -> bool:
    """Whether the errors of a block of 4x4 samples can't be seen: in a flat block, which hides
    nothing, none is above 2; three times as much in a passing picture."""
    least, most, worst = 255, 0, 0
    for row in range(4):
        at = start + row * stride
        for index in range(at, at + 4):
            sample = int(original[index])
            least, most = min(least, sample), max(most, sample)
            worst = max(worst, abs(sample - int(prediction[index])))
    if passing:
        worst //= 3
    return worst <= (_IN_FLAT_BLOCK if most - least <= _FLAT else _IN_BLOCK)


@inner
def copy_nearly(
    canvas: DeferredCanvas,
    mb: int,
    skipped: int,
    right: int,
    down: int,
    plan: Plan,
    pictures: Pictures,
    scratch: Scratch,
) -> int:
    """Code `mb` as a copy without a residual if a vector predicts it well enough; returns what it
    did. (right, down) is the vector of a skip, `skipped` the number of macroblocks that are skipped
    before `mb`."""
    registers, grid, decoded = plan.registers, plan.grid, pictures.decoded
    recent, samples = plan.recent, scratch.samples
    original, prediction = samples[768:1152], samples[1152:1536]
    take_original(canvas, mb, registers, samples)
    # An error may be twice the usual one in a passing picture.
    most = min((1 + int(registers[PASSING])) * usual_error(registers), int(registers[ROOM]))
    if most < 0:
        return NOT_COPIED
    # The sum of 256 differences is at most 16 times the root of the sum of their squares.
    limit = 16
    while limit * limit < 256 * most:
        limit += limit
    width, height = int(registers[WIDTH]), int(registers[HEIGHT])
    x, y = 16 * (mb % width), 16 * (mb // width)
    done, error = NOT_COPIED, -1
    if right or down:
        left, top = x + right, y + down
        if distance_at(pictures, width, height, left, top, original, 0, 16, limit) < limit:
            error = _predict(mb, right, down, most, plan, pictures, samples)
        done = SKIPPED
    if error < 0:
        best, least = -1, limit
        for at in range(RECENT):
            across, low = int(recent[0, at]), int(recent[1, at])
            if across or low:
                left, top = x + across, y + low
                distance = distance_at(pictures, width, height, left, top, original, 0, 16, least)
                if distance < least:
                    best, least = at, distance
        if best < 0:
            return NOT_COPIED
        right, down = int(recent[0, best]), int(recent[1, best])
        error = _predict(mb, right, down, most, plan, pictures, samples)
        if error < 0:
            return NOT_COPIED
        done = COPIED_NEARLY
        put_unsigned(pictures.rbsp, registers, skipped)  # mb_skip_run
        write_copy(pictures.rbsp, registers, grid, mb, width, right, down, STILL)
        note_vector(right, down, recent)
    mark_coded(decoded, mb)
    decoded.current[mb] = prediction
    clear_neighbours(pictures.neighbours, mb)
    grid[TODO, mb] = CODED_NEW
    set_vector(grid, mb, right, down, STILL)
    decoded.coded_errors[mb] = error
    source = int(grid[SOURCE, mb])
    if source >= 0:
        expect_one_more(int(decoded.errors[decoded.before[source]]), registers)
    note_error(error, registers)
    return done
