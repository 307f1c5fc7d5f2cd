"""Encodes frames, one by one or runs of thousands in one call: which of them are pictures of their
own, which of these are key frames, and how long each stands.

Beside the arrays of encoder_arrays.py there are
    counters  (COUNTERS,) int64  what a film remembers from frame to frame
    rects     (n, 6) int32       what changes in a frame: see picture_plan.py
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
"""Given: ticks from one key frame to the next at most; macroblocks without a source, above which a
picture is a key frame; the frame rate; whether each tick is a sample of its own."""
PENDING, HELD_TICKS, SAMPLES, USED = range(12, 16)
"""Of a call: whether a sample from before it waits to know how long it stands, and how many ticks
that stood on in it; how many samples it made, and how many bytes they take."""
COUNTERS = 16

SIZE, DURATION, KEY = range(3)


class RunArrays(NamedTuple):
    """A run of frames (render.drawing.sprite_run) as loops take it.

    first         (frames + 1,) int64, placed (n, 3) int32: see SpriteRun
    sheet         (n,) uint8, unkept (k,) uint8, shapes (m, 3) int64: the pixels of its pictures,
                  of those that the sheet keeps and of the others, and their shapes
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
    """Where samples go.

    table  (3, n) int64: SIZE, DURATION and KEY of each: bytes with its length, ticks, 0 or 1
    bytes  (m,) uint8: the samples, each after four bytes that say its length
    """

    table: _I64
    bytes: _U8


@inner
def _note_size(counters: _I64, size: int) -> None:
    """Note what the level depends on: a sample of `size` bytes that begins after TICKS."""
    counters[LARGEST] = max(counters[LARGEST], size)
    second = counters[TICKS] * counters[FPS_DENOMINATOR] // counters[FPS_NUMERATOR]
    if second != counters[_SECOND]:
        counters[_BEFORE] = counters[_IN_SECOND] if second == counters[_SECOND] + 1 else 0
        counters[_SECOND], counters[_IN_SECOND] = second, 0
    counters[_IN_SECOND] += size
    counters[BUSIEST] = max(counters[BUSIEST], counters[_BEFORE] + counters[_IN_SECOND])


@inner
def _on_grid(rect: _I32) -> bool:
    """Whether a rectangle covers whole macroblocks, and none in part."""
    return bool((int(rect[LEFT]) | int(rect[TOP]) | int(rect[RIGHT]) | int(rect[BOTTOM])) & 15 == 0)


@inner
def _divide_by_commonest(rects: _I32, count: int, plan: Plan) -> None:
    """Give the atlas slots for the commonest size of sprites that cover whole macroblocks, at
    least two by two; of several the one that comes first. Without any, leave it as it is."""
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
    """Note that the last sample stands `ticks` longer."""
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
    """Put the pictures of a frame on the canvas and their rectangles behind `count` others; returns
    how many there are then."""
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
    written; returns the next frame. Pictures below `kept` come again. `rects` has a row for each
    picture of any frame, and `output` takes one picture more than `limit`.

    A frame that was drawn by itself is a run of one frame that puts nothing: rects[:drawn] changed.
    Frames stand `ticks`, at a constant rate 1.

    A frame becomes a sample when it differs from the one before, or at a constant rate; else the
    sample before stands longer. A sample is a key frame when one is due or too much of it is new.
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
            # Much that is new makes a good key frame where one is due before long.
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
