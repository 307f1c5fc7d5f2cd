"""The previous picture and the one being coded, as a decoder has them.

Most macroblocks of a picture are copies. A picture is therefore a table with the number of each
macroblock in `samples`, so that a copy moves a number instead of 384 bytes.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.encoder_arrays import COLUMNS, ERROR, LIST, WIDTH, DecodedPictures, Plan
from undoku.machine_code.jit import inner, lean

__all__ = [
    "advance_decoded",
    "copy_decoded",
    "empty_pictures",
    "gather_surroundings",
    "mark_coded",
]

_CODED = -1
"""In `now`: the macroblock is not a copy; its samples are in `current`."""


def empty_pictures(mbs: int) -> DecodedPictures:
    """A grey picture of `mbs` macroblocks."""
    return DecodedPictures(
        samples=np.full((mbs, 384), 128, np.uint8),
        current=np.full((mbs, 384), 128, np.uint8),
        before=np.arange(mbs, dtype=np.int32),
        now=np.arange(mbs, dtype=np.int32),
        errors=np.zeros(mbs, np.int32),
        coded_errors=np.zeros(mbs, np.int32),
        uses=np.ones(mbs, np.int32),
        unused=np.zeros(mbs + 1, np.int32),
    )


@lean
def copy_decoded(decoded: DecodedPictures, mb: int, source: int) -> None:
    """Copy a macroblock of the previous picture."""
    decoded.now[mb] = decoded.before[source]


@lean
def mark_coded(decoded: DecodedPictures, mb: int) -> None:
    """Note that the samples of a macroblock are in `current`."""
    decoded.now[mb] = _CODED


@lean
def gather_surroundings(decoded: DecodedPictures, mb: int, width: int) -> None:
    """Copy to `current` the samples of the macroblocks from which intra prediction predicts `mb`:
    on the left, above left, above and above right. `width` is that of the picture in
    macroblocks."""
    column = mb % width
    if column:
        _gather(decoded, mb - 1)
    if mb >= width:
        _gather(decoded, mb - width)
        if column:
            _gather(decoded, mb - width - 1)
        if column < width - 1:
            _gather(decoded, mb - width + 1)


@inner
def _gather(decoded: DecodedPictures, mb: int) -> None:
    number = int(decoded.now[mb])
    if number == _CODED:
        return
    to, source = decoded.current[mb], decoded.samples[number]
    for index in range(384):
        to[index] = source[index]


@lean
def advance_decoded(total: int, plan: Plan, decoded: DecodedPictures) -> None:
    """Make the coded picture the previous one; its macroblocks grid[LIST, :total] may differ, and
    its error with them."""
    samples, current, before, now, errors, coded_errors, uses, unused = decoded
    registers, grid = plan.registers, plan.grid
    width, columns = int(registers[WIDTH]), int(registers[COLUMNS])
    last = len(unused) - 1
    count = int(unused[last])
    # A number that is copied is not released by the macroblock that showed it before.
    for index in range(total):
        number = int(now[grid[LIST, index]])
        if number != _CODED:
            uses[number] += 1
    for index in range(total):
        mb = int(grid[LIST, index])
        number = int(before[mb])
        if mb % width < columns:
            registers[ERROR] -= errors[number]
        uses[number] -= 1
        if uses[number] == 0:
            unused[count] = number
            count += 1
        before[mb] = now[mb]
    for index in range(total):
        mb = int(grid[LIST, index])
        if now[mb] == _CODED:
            count -= 1
            number = int(unused[count])
            to, source = samples[number], current[mb]
            for at in range(384):
                to[at] = source[at]
            uses[number] = 1
            errors[number] = coded_errors[mb]
            before[mb] = now[mb] = number
        if mb % width < columns:
            registers[ERROR] += errors[before[mb]]
    unused[last] = count
