"""Codes runs: thousands of frames in one call, each decided on as `Reel.write` does.

Beside the coder's state (see state.py and pictures.py) there are
    ledger    (LEDGER,) int64    what a reel remembers from frame to frame
    starts    (m,) int64, prints (n,) int64: see prints.py
    made      (3, frames) int64  SIZE, STANDS and KEY of each sample that the call made: bytes with
                                 its length, ticks, 0 or 1
    out       (n,) uint8         the samples, each after four bytes that say its length
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.drawing.sprite_run import put
from render.sinks.h264.block_copies import divide
from render.sinks.h264.encoder_arrays import ACROSS, BLOCK_WIDE, LOST
from render.sinks.h264.picture_coding import draw
from render.sinks.h264.picture_plan import survey
from solver.jit import inner, lean

__all__ = [
    "BUSIEST",
    "KEY",
    "KEY_INTERVAL",
    "LARGEST",
    "LEDGER",
    "MADE",
    "MANY",
    "SECOND_OVER",
    "SECOND_UNDER",
    "SINCE_KEY",
    "SIZE",
    "STANDS",
    "STOOD",
    "TICKS",
    "USED",
    "WAITS",
    "code_run",
    "count",
]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

TICKS, SINCE_KEY, LARGEST, SECOND, IN_SECOND, BEFORE, BUSIEST = range(7)
KEY_INTERVAL, MANY, SECOND_OVER, SECOND_UNDER = range(7, 11)
"""Given: ticks between key frames at most; macroblocks that stand nowhere, above which a picture is
a key frame; ticks in so many seconds."""
WAITS, STOOD, MADE, USED = range(11, 15)
"""Of a call: whether a sample from before it waits to know how long it stands, and how many ticks
that stood on in it; how many samples it made, and how many bytes of `out` they take."""
LEDGER = 15

SIZE, STANDS, KEY = range(3)


@lean
def count(ledger: _I64, size: int) -> None:
    """Note what the level depends on: a sample of `size` bytes that begins after TICKS."""
    ledger[LARGEST] = max(ledger[LARGEST], size)
    second = ledger[TICKS] * ledger[SECOND_UNDER] // ledger[SECOND_OVER]
    if second != ledger[SECOND]:
        ledger[BEFORE] = ledger[IN_SECOND] if second == ledger[SECOND] + 1 else 0
        ledger[SECOND], ledger[IN_SECOND] = second, 0
    ledger[IN_SECOND] += size
    ledger[BUSIEST] = max(ledger[BUSIEST], ledger[BEFORE] + ledger[IN_SECOND])


@inner
def _divide(
    placed: _I32,
    start: int,
    stop: int,
    shapes: _I64,
    kept: int,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
) -> None:
    """Give the atlas slots for the commonest kept picture that covers whole macroblocks, if any;
    of several the one that comes first."""
    most, best = 0, -1
    for one in range(start, stop):
        picture = int(placed[one, 0])
        wide, high = int(shapes[picture, 1]), int(shapes[picture, 2])
        if picture >= kept or min(wide, high) < 32 or _off_grid(placed, one, wide, high):
            continue
        alike = 0
        for other in range(start, stop):
            picture = int(placed[other, 0])
            if shapes[picture, 1] == wide and shapes[picture, 2] == high:
                alike += picture < kept and not _off_grid(placed, other, wide, high)
        if alike > most:
            most, best = alike, int(placed[one, 0])
    if best < 0:
        return
    wide, high = int(shapes[best, 1]), int(shapes[best, 2])
    for one in range(start, stop):
        picture = int(placed[one, 0])
        if shapes[picture, 1] == wide and shapes[picture, 2] == high:
            row = int(placed[one, 2]) // 16
            divide(wide // 16, high // 16, row, registers, places, grid, heads)
            return


@inner
def _off_grid(placed: _I32, one: int, wide: int, high: int) -> bool:
    return bool((int(placed[one, 1]) | int(placed[one, 2]) | wide | high) & 15)


@lean
def code_run(
    pixels: _U8,
    pictures: _U8,
    shapes: _I64,
    kept: int,
    first: _I64,
    placed: _I32,
    frame: int,
    starts: _I64,
    prints: _I64,
    rects: _I32,
    registers: _I64,
    places: _I64,
    grid: _I32,
    heads: _I32,
    memory: _I64,
    slots: _I64,
    quarters: _I64,
    fours: _I64,
    tiles: _U8,
    around: _U8,
    page: _U8,
    words: NDArray[np.uint64],
    samples: _U8,
    levels: _I32,
    numbers: _I32,
    ledger: _I64,
    made: _I64,
    out: _U8,
    limit: int,
) -> int:
    """Play a run from `frame` on and code it until its end or until more than `limit` bytes are
    written; returns the next frame. `rects` has room for any frame's pictures, and `out` for one
    picture more than `limit`."""
    across = int(registers[ACROSS])
    ledger[MADE] = ledger[USED] = ledger[STOOD] = 0
    while frame < len(first) - 1 and ledger[USED] <= limit:
        start, stop = int(first[frame]), int(first[frame + 1])
        if start < stop and registers[BLOCK_WIDE] == 0:
            _divide(placed, start, stop, shapes, kept, registers, places, grid, heads)
        for one in range(start, stop):
            picture, x, y = int(placed[one, 0]), int(placed[one, 1]), int(placed[one, 2])
            put(pixels, across, pictures, shapes, picture, x, y)
            rect = rects[one - start]
            rect[0], rect[1] = x, y
            rect[2], rect[3] = x + shapes[picture, 1], y + shapes[picture, 2]
            rect[4] = starts[picture] if picture < kept and (x | y) & 15 == 0 else -1
        changed = survey(
            pixels, rects, stop - start, prints, registers, places, grid, heads, memory, slots,
            words, samples,
        )  # fmt: skip
        number = int(ledger[MADE])
        if changed or (number == 0 and ledger[WAITS] == 0):
            key = ledger[SINCE_KEY] >= ledger[KEY_INTERVAL] or registers[LOST] > ledger[MANY]
            at = int(ledger[USED])
            size = draw(
                pixels, changed, bool(key), registers, places, grid, heads, memory, slots,
                quarters, fours, tiles, around, page, out[at + 4 :], samples, levels, numbers,
            )  # fmt: skip
            for byte in range(4):
                out[at + byte] = size >> (24 - 8 * byte) & 255
            made[SIZE, number], made[STANDS, number], made[KEY, number] = size + 4, 0, key
            ledger[USED] = at + size + 4
            ledger[MADE] = number + 1
            count(ledger, size + 4)
            if key:
                ledger[SINCE_KEY] = 0
        if ledger[MADE]:
            made[STANDS, ledger[MADE] - 1] += 1
        else:
            ledger[STOOD] += 1
        ledger[SINCE_KEY] += 1
        ledger[TICKS] += 1
        frame += 1
    return frame
