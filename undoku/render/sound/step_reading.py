"""Reads the steps of a search for its score: a compiled loop."""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32, I32_2D, I64, U8, group, inner, loop

STEPS, FILLED, FRAME, NOTES, RUN, RUN_FRAME, RUN_DEPTH, RUN_NOTES, FAR = range(9)
"""The registers: the number of steps read, of values on the board, the frame of the latest step,
the number of notes; of the current run of undos its length, the frame and the depth of its first
step, and the number of notes before it; the length from which on a collapse is audible in a
texture."""

REGISTERS = 9

UNDONE, FALLING = 1, 2
"""Flags of notes: an undo, and one that belongs to a collapse."""

NOWHERE = -1
"""No frame, or no span."""

MIN_FALL = 4
"""The number of consecutive undos that are a collapse."""


@group
class ReadingArrays(NamedTuple):
    """What is read of one search (frames of the race; spans of time; notes that it has). Depths are
    numbers of values on the board.

    bounds      (frames + 1,) int64  the steps done before each frame and after the last one
    heard       (frames,) uint8      whether the frame's steps have notes of their own
    spans       (frames,) int32      the span of each frame; NOWHERE if each step has a note
    sums        (frames,) int64      the sum of the depths of the frame's steps
    lows, highs (frames,) int32      the least and the largest depth
    depths      (notes,) int32
    flags       (notes,) uint8       UNDONE, FALLING
    frames      (notes,) int32       the frame of each note
    falls       (spans, 4) int32     of the longest collapse of each span: undos, the frame on which
                                     it begins, the depth of its first undo, and of its last
    registers   (REGISTERS,) int64
    """

    bounds: I64
    heard: U8
    spans: I32
    sums: I64
    lows: I32
    highs: I32
    depths: I32
    flags: U8
    frames: I32
    falls: I32_2D
    registers: I64


@loop
def close_run(run: int, depth: int, notes: int, arrays: ReadingArrays) -> int:
    """End a run of `run` undos, the last of which had the depth `depth`, when there are `notes`
    notes; returns 0, the length of the next run."""
    registers, flags, falls = arrays.registers, arrays.flags, arrays.falls
    if run < MIN_FALL:
        return 0
    for note in range(registers[RUN_NOTES], notes):
        flags[note] |= FALLING
    frame = registers[RUN_FRAME]
    if run < registers[FAR] or frame == NOWHERE:
        return 0
    span = arrays.spans[frame]
    if span != NOWHERE and falls[span, 0] < run:
        falls[span, 0] = run
        falls[span, 1] = frame
        falls[span, 2] = registers[RUN_DEPTH]
        falls[span, 3] = depth
    return 0


@inner
def _keep(frame: int, total: int, low: int, high: int, arrays: ReadingArrays) -> int:
    """Add the sum, the least and the largest of the depths of some steps of a frame; returns 0, the
    sum of the next frame."""
    if total:  # no step has a depth below 1
        arrays.sums[frame] += total
        arrays.lows[frame] = min(arrays.lows[frame], low)
        arrays.highs[frame] = max(arrays.highs[frame], high)
    return 0


@loop
def read_steps(placed: U8, arrays: ReadingArrays) -> bool:
    """Read steps, (n,) of 1 for a place and 0 for an undo; returns whether the rest of the search
    is not needed."""
    bounds, registers, heard = arrays.bounds, arrays.registers, arrays.heard
    begun, ended = bounds[0], bounds[len(bounds) - 1]
    step, filled, run = registers[STEPS], registers[FILLED], registers[RUN]
    frame, notes = registers[FRAME], registers[NOTES]
    total, low, high = 0, 0, 0
    until = bounds[frame + 1]
    finished = False
    for row in range(len(placed)):
        # The undo of a value has the depth at which it was placed.
        depth = filled
        if not placed[row]:
            filled -= 1
        else:
            filled += 1
            depth = filled
            if run:
                run = close_run(run, depth, notes, arrays)
        if step >= ended and not run:
            finished = True
            break
        if step >= until and step < ended:
            total = _keep(frame, total, low, high, arrays)
            while bounds[frame + 1] <= step:
                frame += 1
            until = bounds[frame + 1]
        if not placed[row]:
            if not run:
                registers[RUN_FRAME] = frame if step >= begun else NOWHERE
                registers[RUN_DEPTH] = depth
                registers[RUN_NOTES] = notes
            run += 1
        if step >= begun and step < ended:
            low = min(low, depth) if total else depth
            high = max(high, depth) if total else depth
            total += depth
            if heard[frame]:
                arrays.depths[notes] = depth
                arrays.flags[notes] = 0 if placed[row] else UNDONE
                arrays.frames[notes] = frame
                notes += 1
        step += 1
    _keep(frame, total, low, high, arrays)
    registers[STEPS], registers[FILLED], registers[RUN] = step, filled, run
    registers[FRAME], registers[NOTES] = frame, notes
    return finished
