"""Encodes frames, one by one or runs of thousands in one call; decides which frames become samples,
which samples are key frames, and how long each lasts.

In addition to the arrays of encoder_arrays.py there are
    counters  (COUNTERS,) int64  the state of a film that is kept from frame to frame
    rects     (n, 6) int32       the changed rectangles of a frame: see picture_plan.py
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from render.drawing.sprite_run import put
from render.sinks.h264.block_copies import divide_atlas
from render.sinks.h264.encoder_arrays import (
    BLOCK_WIDE,
    LOST,
    VISIBLE_WIDTH,
    Pictures,
    Plan,
    Scratch,
)
from render.sinks.h264.picture_coding import encode_picture
from render.sinks.h264.picture_plan import BOTTOM, HASHES, LEFT, RIGHT, SPRITE, TOP, find_changes
from solver.jit import inner, lean

__all__ = [
    "BUSIEST",
    "CONSTANT",
    "COUNTERS",
    "DURATION",
    "FPS_DENOMINATOR",
    "FPS_NUMERATOR",
    "HELD_TICKS",
    "KEY",
    "KEY_INTERVAL",
    "LARGEST",
    "LOST_LIMIT",
    "PENDING",
    "SAMPLES",
    "SINCE_KEY",
    "SIZE",
    "TICKS",
    "USED",
    "RunArrays",
    "SampleTable",
    "encode_run",
]

_U8 = NDArray[np.uint8]
_I32 = NDArray[np.int32]
_I64 = NDArray[np.int64]

TICKS, SINCE_KEY, LARGEST, _SECOND, _IN_SECOND, _BEFORE, BUSIEST = range(7)
KEY_INTERVAL, LOST_LIMIT, FPS_NUMERATOR, FPS_DENOMINATOR, CONSTANT = range(7, 12)
"""Parameters: the longest distance of key frames in ticks; the number of macroblocks without a
source above which a picture is a key frame; the frame rate; whether each tick is a sample."""
PENDING, HELD_TICKS, SAMPLES, USED = range(12, 16)
"""Of a call: whether a sample of an earlier call is pending, and the ticks by which this call
extends it; the number of samples that the call made, and their bytes."""
COUNTERS = 16

SIZE, DURATION, KEY = range(3)


class RunArrays(NamedTuple):
    """A run of frames (render.drawing.sprite_run) as arrays for compiled loops.

    first         (frames + 1,) int64, placed (n, 3) int32: see SpriteRun
    sheet         (n,) uint8, unkept (k,) uint8, shapes (m, 3) int64: the pixels of the pictures
                  that the sheet keeps, those of the others, and the shapes of all
    starts        (j,) int64, fingerprints (n,) int64: see fingerprints.py
    """

    first: _I64
    placed: _I32
    sheet: _U8
    unkept: _U8
    shapes: _I64
    starts: _I64
    fingerprints: _I64


class SampleTable(NamedTuple):
    """The output of samples.

    table  (3, n) int64: SIZE (bytes with the length field), DURATION (ticks) and KEY (0 or 1)
    bytes  (m,) uint8: the samples, each after four bytes with its length
    """

    table: _I64
    bytes: _U8


@inner
def _note_size(counters: _I64, size: int) -> None:
    """Update the figures from which the level follows, for a sample of `size` bytes at TICKS."""
    counters[LARGEST] = max(counters[LARGEST], size)
    second = counters[TICKS] * counters[FPS_DENOMINATOR] // counters[FPS_NUMERATOR]
    if second != counters[_SECOND]:
        counters[_BEFORE] = counters[_IN_SECOND] if second == counters[_SECOND] + 1 else 0
        counters[_SECOND], counters[_IN_SECOND] = second, 0
    counters[_IN_SECOND] += size
    counters[BUSIEST] = max(counters[BUSIEST], counters[_BEFORE] + counters[_IN_SECOND])


@inner
def _on_grid(rect: _I32) -> bool:
    """Whether a rectangle covers whole macroblocks only."""
    return bool((int(rect[LEFT]) | int(rect[TOP]) | int(rect[RIGHT]) | int(rect[BOTTOM])) & 15 == 0)


@inner
def _divide_by_commonest(rects: _I32, count: int, plan: Plan) -> None:
    """Divide the atlas into slots for the most frequent size of sprites that cover whole
    macroblocks, at least 2 x 2; of equally frequent sizes the first. Does nothing without such
    sprites."""
    most, best = 0, -1
    for one in range(count):
        wide, high = _size(rects[one])
        if rects[one, SPRITE] == 0 or min(wide, high) < 32 or not _on_grid(rects[one]):
            continue
        alike = 0
        for other in range(count):
            same = _size(rects[other]) == (wide, high)
            alike += same and rects[other, SPRITE] != 0 and _on_grid(rects[other])
        if alike > most:
            most, best = alike, one
    if best < 0:
        return
    wide, high = _size(rects[best])
    for one in range(count):
        if _size(rects[one]) == (wide, high):
            divide_atlas(wide // 16, high // 16, int(rects[one, TOP]) // 16, plan)
            return


@inner
def _size(rect: _I32) -> tuple[int, int]:
    """Width and height of a rectangle."""
    return int(rect[RIGHT] - rect[LEFT]), int(rect[BOTTOM] - rect[TOP])


@inner
def _note_frame(counters: _I64, table: _I64, ticks: int) -> None:
    """Extend the last sample by `ticks`."""
    if counters[SAMPLES]:
        table[DURATION, counters[SAMPLES] - 1] += ticks
    else:
        counters[HELD_TICKS] += ticks
    counters[SINCE_KEY] += ticks
    counters[TICKS] += ticks


@inner
def _place(
    pixels: _U8, run: RunArrays, kept: int, frame: int, rects: _I32, count: int, across: int
) -> int:
    """Draw the pictures of a frame on the canvas and append their rectangles to the first `count`
    of `rects`; returns the new count."""
    for one in range(int(run.first[frame]), int(run.first[frame + 1])):
        picture = int(run.placed[one, 0])
        x, y = int(run.placed[one, 1]), int(run.placed[one, 2])
        source = run.sheet if picture < kept else run.unkept
        put(pixels, across, source, run.shapes, picture, x, y)
        rect = rects[count]
        rect[LEFT], rect[TOP] = x, y
        rect[RIGHT], rect[BOTTOM] = x + run.shapes[picture, 1], y + run.shapes[picture, 2]
        rect[HASHES] = run.starts[picture] if picture < kept and (x | y) & 15 == 0 else -1
        rect[SPRITE] = picture < kept
        count += 1
    return count


@lean
def encode_run(
    pixels: _U8,
    run: RunArrays,
    kept: int,
    frame: int,
    rects: _I32,
    drawn: int,
    ticks: int,
    limit: int,
    counters: _I64,
    plan: Plan,
    pictures: Pictures,
    scratch: Scratch,
    output: SampleTable,
) -> int:
    """Play a run from `frame` on and encode it until its end or until more than `limit` bytes are
    written; returns the next frame. Pictures with numbers below `kept` may occur again. `rects`
    must have a row for each picture of any frame, and `output` room for one picture beyond `limit`.

    A single frame that is already drawn is a run of one frame without pictures, of which
    rects[:drawn] changed. Frames last `ticks`, 1 at a constant rate.

    At a constant rate every frame becomes a sample. Otherwise a frame that equals the previous one
    extends the last sample. A sample is a key frame when one is due, or when too many of its
    macroblocks have no source.
    """
    registers, across = plan.registers, int(plan.registers[VISIBLE_WIDTH])
    while frame < len(run.first) - 1 and counters[USED] <= limit:
        count = _place(pixels, run, kept, frame, rects, drawn, across)
        if count and registers[BLOCK_WIDE] == 0:
            _divide_by_commonest(rects, count, plan)
        changed = find_changes(pixels, rects, count, run.fingerprints, plan, scratch)
        number = int(counters[SAMPLES])
        if changed or counters[CONSTANT] or (number == 0 and counters[PENDING] == 0):
            due = counters[SINCE_KEY] >= counters[KEY_INTERVAL]
            # A picture with much new content becomes the key frame that is due soon.
            late = 2 * counters[SINCE_KEY] >= counters[KEY_INTERVAL]
            key = bool(due or (late and registers[LOST] > counters[LOST_LIMIT]))
            at = int(counters[USED])
            unit = output.bytes[at + 4 :]
            size = encode_picture(pixels, changed, key, plan, pictures, unit, scratch)
            for byte in range(4):
                output.bytes[at + byte] = size >> (24 - 8 * byte) & 255
            output.table[SIZE, number] = size + 4
            output.table[DURATION, number] = 0
            output.table[KEY, number] = key
            counters[USED] = at + size + 4
            counters[SAMPLES] = number + 1
            _note_size(counters, size + 4)
            if key:
                counters[SINCE_KEY] = 0
        _note_frame(counters, output.table, ticks)
        frame += 1
    return frame
