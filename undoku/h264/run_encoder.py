"""Encodes frames, one by one or runs of thousands in one call. Each becomes a sample.

In addition to the arrays of encoder_arrays.py there are
    rects  (n, 6) int32  the changed rectangles of a frame: see picture_plan.py
    sizes  (n,) int64    bytes of the samples, with their length fields
    output (m,) uint8    the samples, each after four bytes with its length
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.atlas_slots import divide_atlas
from undoku.h264.canvas import DeferredCanvas, copy_rows, defer_sprite, draw_all, draw_below
from undoku.h264.encoder_arrays import BLOCK_WIDE, VISIBLE_WIDTH, WIDTH, Pictures, Plan, Scratch
from undoku.h264.loops import I32, I32_2D, I64, I64_2D, U8, group, inner, loop
from undoku.h264.picture_coding import encode_picture
from undoku.h264.picture_plan import BOTTOM, HASHES, LEFT, RIGHT, SPRITE, TOP, find_changes


@group
class RunArrays(NamedTuple):
    """A run of frames (see sprites.py) as arrays for compiled loops.

    first         (frames + 1,) int64, placed (n, 3) int32: see SpriteRun
    sheet         (n,) uint8, temporary (k,) uint8, shapes (m, 3) int64: the pixels of the pictures
                  that the sheet keeps, those of the others, and the shapes of all
    starts        (j,) int64, fingerprints (n,) int64: see sprites.py
    """

    first: I64
    placed: I32_2D
    sheet: U8
    temporary: U8
    shapes: I64_2D
    starts: I64
    fingerprints: I64


@inner
def _on_grid(rect: I32) -> bool:
    """Whether a rectangle covers whole macroblocks only."""
    return bool((int(rect[LEFT]) | int(rect[TOP]) | int(rect[RIGHT]) | int(rect[BOTTOM])) & 15 == 0)


@inner
def _divide_by_commonest(rects: I32_2D, count: int, plan: Plan) -> None:
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
            same = _has_size(rects[other], wide, high)
            alike += same and rects[other, SPRITE] != 0 and _on_grid(rects[other])
        if alike > most:
            most, best = alike, one
    if best < 0:
        return
    wide, high = _size(rects[best])
    for one in range(count):
        if _has_size(rects[one], wide, high):
            divide_atlas(wide // 16, high // 16, int(rects[one, TOP]) // 16, plan)
            return


@inner
def _size(rect: I32) -> tuple[int, int]:
    """Width and height of a rectangle."""
    return int(rect[RIGHT] - rect[LEFT]), int(rect[BOTTOM] - rect[TOP])


@inner
def _has_size(rect: I32, wide: int, high: int) -> bool:
    """Whether a rectangle has this width and height."""
    return bool(rect[RIGHT] - rect[LEFT] == wide and rect[BOTTOM] - rect[TOP] == high)


@inner
def _place(
    canvas: DeferredCanvas,
    run: RunArrays,
    kept: int,
    frame: int,
    rects: I32_2D,
    count: int,
    registers: I64,
) -> int:
    """Draw the pictures of a frame on the canvas, or defer those whose fingerprints are known, and
    append their rectangles to the first `count` of `rects`; returns the new count."""
    across, width = int(registers[VISIBLE_WIDTH]), int(registers[WIDTH])
    for one in range(int(run.first[frame]), int(run.first[frame + 1])):
        picture = int(run.placed[one, 0])
        x, y = int(run.placed[one, 1]), int(run.placed[one, 2])
        rect = rects[count]
        rect[LEFT], rect[TOP] = x, y
        rect[RIGHT], rect[BOTTOM] = x + run.shapes[picture, 1], y + run.shapes[picture, 2]
        rect[HASHES] = run.starts[picture] if picture < kept and (x | y) & 15 == 0 else -1
        rect[SPRITE] = picture < kept
        if rect[HASHES] >= 0:
            defer_sprite(picture, x, y, width, canvas)
        else:
            draw_below(rect, canvas, registers)
            source = run.sheet if picture < kept else run.temporary
            start, row = int(run.shapes[picture, 0]), 3 * int(run.shapes[picture, 1])
            pixels = canvas.pixels[3 * (y * across + x) :]
            copy_rows(source[start:], row, pixels, 3 * across, row, int(run.shapes[picture, 2]))
        count += 1
    return count


@loop
def encode_run(
    canvas: DeferredCanvas,
    run: RunArrays,
    kept: int,
    frame: int,
    rects: I32_2D,
    drawn: int,
    limit: int,
    key: bool,
    plan: Plan,
    pictures: Pictures,
    scratch: Scratch,
    sizes: I64,
    output: U8,
) -> int:
    """Play a run from `frame` on and encode it until its end or until more than `limit` bytes are
    written; returns the number of samples. Pictures with numbers below `kept` may occur again.
    `rects` must have a row for each picture of any frame, and `output` room for one picture beyond
    `limit`.

    A single frame that is already drawn is a run of one frame without pictures, of which
    rects[:drawn] changed. With `key` each frame becomes a key frame.
    """
    registers, samples, at = plan.registers, 0, 0
    while frame < len(run.first) - 1 and at <= limit:
        count = _place(canvas, run, kept, frame, rects, drawn, registers)
        if count and registers[BLOCK_WIDE] == 0:
            _divide_by_commonest(rects, count, plan)
        changed = find_changes(canvas, rects, count, run.fingerprints, plan, scratch)
        unit = output[at + 4 :]
        size = encode_picture(canvas, changed, key, plan, pictures, unit, scratch)
        for byte in range(4):
            output[at + byte] = size >> (24 - 8 * byte) & 255
        sizes[samples] = size + 4
        at += size + 4
        samples += 1
        frame += 1
    draw_all(canvas, registers)
    return samples
