"""Chooses quantisers such that the luma of every picture stays close enough to the canvas.

The error of a macroblock is the sum of squared differences between its luma samples and those of
the canvas, and the error of a picture is the sum over its visible macroblocks. A copy is exact, so
it has the error of its source: the error of every picture is known without decoding it. A film has
a limit of it, LIMIT of `plan.registers`. Its quantiser FILM_QP is used as long as the error stays
within the limit, a coarser one in pictures in which much is new, as in a movement, and a finer one
otherwise.

The errors of macroblocks that are still to be coded are forecast from those coded before, in this
picture and in earlier ones; one that takes the rest of the limit is coded again. An error
grows by 23 % per step of the quantiser, which was measured.
"""

from __future__ import annotations

import numpy as np

from undoku.h264.encoder_arrays import (
    COLUMNS,
    ERROR,
    FILM_QP,
    FORECAST,
    HEIGHT,
    LIMIT,
    LIST,
    MUCH_NEW,
    NOTED,
    NOTED_ERROR,
    PASSING,
    QP,
    ROOM,
    SOURCE,
    TO_CODE,
    WIDTH,
    DecodedPictures,
    Plan,
)
from undoku.h264.loops import I32, I64, U8, inner
from undoku.h264.parameters import COARSEST, FINEST

_COARSER = 2  # how much coarser a picture may be in which much is new
_PASSING_COARSER = 14  # the same of a passing picture,
_PASSING_ERROR = 10  # and how many times larger its error
_MUCH = 20  # much is new: at least one of so many visible macroblocks,
_MANY = 48  # and so many macroblocks
_WEIGHT = 256  # macroblocks that the forecast counts as
_FLAT = 16  # a smaller error is that of a flat macroblock, which does not count
_ENOUGH = 4  # macroblocks of which a mean is used
_AGAIN = 3  # how much finer a macroblock is coded again
_RESERVE = 32  # one of so many parts of the limit is kept for later pictures

_ONE = 1 << 10
_A_STEP = 1260
"""How the error grows from one quantiser to the next, times _ONE: by 23 %, measured."""
_STEPS = 20
_GROWTH: I64 = np.array(
    [round(_ONE * (_A_STEP / _ONE) ** step) for step in range(-_STEPS, _STEPS)], np.int64
)
"""How it grows from FILM_QP to other quantisers, times _ONE."""


@inner
def squared_error(original: U8, coded: U8) -> int:
    """The sum of squared differences of the 256 luma samples of two macroblocks."""
    # In 32 bits: sums of 64 bits take twice as long.
    total = np.int32(0)
    for index in range(256):
        away = np.int32(original[index]) - np.int32(coded[index])
        total = np.int32(total + away * away)
    return int(total)


def first_forecast(film_qp: int) -> int:
    """The forecast before any macroblock is coded: with the quantiser 20 an error of 300 each."""
    return int(_WEIGHT * 300 * int(_GROWTH[film_qp - 20 + _STEPS]) // _ONE)


@inner
def _growth(registers: I64) -> int:
    """How the error grows from the quantiser of the film to the present one, times _ONE."""
    return int(_GROWTH[registers[QP] - registers[FILM_QP] + _STEPS])


@inner
def _forecast(registers: I64) -> int:
    """The forecast error of the macroblocks still to be coded, with the present quantiser. The mean
    of the picture so far is used if it is larger."""
    each = int(registers[FORECAST]) // _WEIGHT
    if registers[NOTED] >= _ENOUGH:
        each = max(each, int(registers[NOTED_ERROR] // registers[NOTED]))
    return int(registers[TO_CODE]) * each * _growth(registers) // _ONE


@inner
def _visible(mb: int, registers: I64) -> bool:
    return bool(mb % registers[WIDTH] < registers[COLUMNS])


@inner
def usual_error(registers: I64) -> int:
    """The forecast error of a macroblock with the present quantiser."""
    return int(registers[FORECAST] * _growth(registers) // (_ONE * _WEIGHT))


@inner
def choose_quantiser(total: int, plan: Plan, decoded: DecodedPictures) -> None:
    """Choose the quantiser of a P picture whose macroblocks grid[LIST, :total] change."""
    registers, grid = plan.registers, plan.grid
    passing = registers[PASSING] != 0
    limit = int(registers[LIMIT]) * (_PASSING_ERROR if passing else 1)
    room, new = limit - int(registers[ERROR]), 0
    for index in range(total):
        mb = int(grid[LIST, index])
        if _visible(mb, registers):
            room += int(decoded.errors[decoded.before[mb]])
            source = int(grid[SOURCE, mb])
            if source >= 0:
                room -= int(decoded.errors[decoded.before[source]])
            else:
                new += 1
    registers[TO_CODE], registers[NOTED], registers[NOTED_ERROR] = new, 0, 0
    registers[ROOM] = room - limit // _RESERVE
    registers[QP] = registers[FILM_QP]
    visible = registers[COLUMNS] * registers[HEIGHT]
    registers[MUCH_NEW] = new >= _MANY and _MUCH * new > visible
    if registers[MUCH_NEW] or passing:
        coarser = _PASSING_COARSER if passing else _COARSER
        registers[QP] = min(COARSEST, registers[QP] + coarser)
    while registers[QP] > FINEST and _forecast(registers) > registers[ROOM]:
        registers[QP] -= 1
    registers[ROOM] = room


@inner
def is_coarse(error: int, registers: I64) -> bool:
    """Whether a macroblock of a passing picture has a larger `error` than others usually have."""
    return bool(registers[PASSING] and error * _WEIGHT > registers[FORECAST])


@inner
def refine_quantiser(registers: I64) -> None:
    """Choose a finer quantiser for the next macroblock of a P picture if the errors of the
    macroblocks before it are larger than forecast."""
    while registers[QP] > FINEST and _forecast(registers) > registers[ROOM]:
        registers[QP] -= 1


@inner
def expect_one_more(error: int, registers: I64) -> None:
    """Note that a macroblock is not copied from its source, which has this `error`."""
    registers[ROOM] += error
    registers[TO_CODE] += 1


@inner
def code_again(error: int, registers: I64) -> None:
    """Choose a finer quantiser for a macroblock whose `error` was noted and is too large."""
    registers[ROOM] += error
    registers[TO_CODE] += 1
    registers[QP] = max(FINEST, registers[QP] - _AGAIN)


@inner
def note_error(error: int, registers: I64) -> None:
    """Note the error of a visible macroblock that was coded with the present quantiser."""
    registers[ROOM] -= error
    registers[TO_CODE] -= 1
    if error >= _FLAT:
        usual = error * _ONE // _growth(registers)
        registers[FORECAST] += usual - registers[FORECAST] // _WEIGHT
        registers[NOTED] += 1
        registers[NOTED_ERROR] += usual


@inner
def refine_key(registers: I64, errors: I32) -> bool:
    """Choose a finer quantiser for a key frame whose macroblocks were coded with too large `errors`
    (macroblocks,), 0 in the atlas; returns whether it must be coded again."""
    total = 0
    for mb in range(len(errors)):
        total += int(errors[mb])
    if registers[QP] <= FINEST or total <= registers[LIMIT]:
        return False
    while registers[QP] > FINEST and total > registers[LIMIT]:
        registers[QP] -= 1
        total = total * _ONE // _A_STEP
    return True
