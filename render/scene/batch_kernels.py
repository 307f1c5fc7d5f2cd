"""Compiled loops that make a run of one search: the sprites of its frames and their places.

Arrays, beside those of solver.state, render.playback.recorders.history, render.panels.board_looks,
render.panels.counter_digits and render.drawing.sprite_index:
    steps    (frames,) int64    the steps done on each frame
    numbers  (frames, NUMBERS) int64   what counters show on each frame
    cells    (cells, 3) int32   x, y, and the kind of the cell's looks
    slots    (fields, slots, 3) int32  x, y, width of each character
    rows     (n, 4) int32       receives what is put: frame, picture, x, y. Parts of charts, which
                                have no numbers yet, are -1, -2, … in the order of their frames
    widths   (p,) int32         receives how many columns each part of a chart has
    low, high of parts (c,) int32      receive the depths of these columns
    tally    (TALLY,) int64     ROWS, PARTS, COLUMNS: how many of each there are; EVENT: the first
                                event that is not applied yet
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.drawing.sprite_index import number_of
from render.panels.board_looks import look_over
from render.panels.counter_digits import MARK_BITS, field_to_grow, read_numbers, turn
from render.playback.recorders.history import columns_begun, take_note
from render.style.theme import TINTS
from solver.jit import inner, lean
from solver.state import LAST_CELL, LAST_OP, LAST_VALUE, STEPS, StateArrays, fold, settle

__all__ = [
    "COLUMNS",
    "EVENT",
    "PARTS",
    "ROWS",
    "TALLY",
    "batch_board",
    "batch_counters",
    "scout",
    "sort",
]

ROWS, PARTS, COLUMNS, EVENT = range(4)
TALLY = 4


@lean
def scout(
    steps: NDArray[np.int64],
    events: NDArray[np.uint32],
    at: int,
    units: NDArray[np.int16],
    board: NDArray[np.uint8],
    depths: NDArray[np.int32],
    kinds: NDArray[np.uint8],
    changed: NDArray[np.uint8],
    since: NDArray[np.int64],
    stood: NDArray[np.int64],
    solution: NDArray[np.uint8],
    registers: NDArray[np.int64],
    told: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rooms: NDArray[np.int64],
    lengths: NDArray[np.int64],
    advances: NDArray[np.int64],
    marks: NDArray[np.uint8],
    numbers: NDArray[np.int64],
) -> int:
    """Go ahead with a copy of a search, and fill in the numbers of each frame up to the first on
    which a counter must grow; returns how many frames come before that."""
    state = StateArrays(units, board, depths, kinds, changed, since, stood, solution, registers)
    for frame in range(len(steps)):
        if steps[frame] > registers[STEPS]:
            at = fold(events, at, int(steps[frame]), state)
        read_numbers(registers, numbers[frame])
        if field_to_grow(numbers[frame], told, sizes, rooms, lengths, advances, marks) >= 0:
            return frame
    return len(steps)


@lean
def batch_counters(
    numbers: NDArray[np.int64],
    told: NDArray[np.int64],
    sizes: NDArray[np.int64],
    rooms: NDArray[np.int64],
    lengths: NDArray[np.int64],
    shown: NDArray[np.uint8],
    marks: NDArray[np.uint8],
    turned: NDArray[np.int32],
    slots: NDArray[np.int32],
    kind: int,
    table: NDArray[np.int64],
    counts: NDArray[np.int64],
    wanted: NDArray[np.int64],
    rows: NDArray[np.int32],
    tally: NDArray[np.int64],
) -> None:
    """Put the characters that differ from those before, frame by frame."""
    count = int(tally[ROWS])
    for frame in range(len(numbers)):
        found = turn(numbers[frame], told, sizes, rooms, lengths, shown, marks, turned)
        for each in range(found):
            field, slot = int(turned[each, 0]), int(turned[each, 1])
            key = int(turned[each, 2]) | int(slots[field, slot, 2]) << MARK_BITS
            rows[count, 0] = frame
            rows[count, 1] = number_of(key, kind, table, counts, wanted)
            rows[count, 2] = slots[field, slot, 0]
            rows[count, 3] = slots[field, slot, 1]
            count += 1
    tally[ROWS] = count


@inner
def _fades(fading: NDArray[np.uint8]) -> bool:
    left = 0
    for frames in fading:
        left |= int(np.int64(frames))
    return left > 0


@inner
def _put_part(
    frame: int,
    first: int,
    end: int,
    left: int,
    top: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    widths: NDArray[np.int32],
    part_low: NDArray[np.int32],
    part_high: NDArray[np.int32],
    rows: NDArray[np.int32],
    tally: NDArray[np.int64],
) -> None:
    """Put the columns `first` to `end` - 1 of a chart as one part."""
    row, part, at = int(tally[ROWS]), int(tally[PARTS]), int(tally[COLUMNS])
    rows[row, 0] = frame
    rows[row, 1] = -1 - part
    rows[row, 2] = left + first
    rows[row, 3] = top
    widths[part] = end - first
    for column in range(first, end):
        part_low[at] = low[column]
        part_high[at] = high[column]
        at += 1
    tally[ROWS] = row + 1
    tally[PARTS] = part + 1
    tally[COLUMNS] = at


@lean
def batch_board(
    steps: NDArray[np.int64],
    events: NDArray[np.uint32],
    units: NDArray[np.int16],
    board: NDArray[np.uint8],
    depths: NDArray[np.int32],
    kinds: NDArray[np.uint8],
    changed: NDArray[np.uint8],
    since: NDArray[np.int64],
    stood: NDArray[np.int64],
    solution: NDArray[np.uint8],
    registers: NDArray[np.int64],
    total: int,
    low: NDArray[np.int32],
    high: NDArray[np.int32],
    nodes: NDArray[np.int64],
    tries: NDArray[np.int64],
    removed: NDArray[np.uint32],
    forced: NDArray[np.uint8],
    history: NDArray[np.int64],
    shows: int,
    deepest: int,
    fade_frames: int,
    fixed: NDArray[np.int64],
    board_units: NDArray[np.int16],
    of_cell: NDArray[np.int16],
    board_removed: NDArray[np.uint32],
    board_tries: NDArray[np.int64],
    stops: NDArray[np.int64],
    shown: NDArray[np.int64],
    differing: NDArray[np.int32],
    shares: NDArray[np.uint8],
    heats: NDArray[np.uint8],
    faded: NDArray[np.uint8],
    fading: NDArray[np.uint8],
    used: NDArray[np.uint32],
    open_to: NDArray[np.uint32],
    cells: NDArray[np.int32],
    left: int,
    top: int,
    widths: NDArray[np.int32],
    part_low: NDArray[np.int32],
    part_high: NDArray[np.int32],
    table: NDArray[np.int64],
    counts: NDArray[np.int64],
    wanted: NDArray[np.int64],
    rows: NDArray[np.int32],
    tally: NDArray[np.int64],
) -> None:
    """Bring a search through the frames, and put what changes on its board and its chart of
    depths, whose left upper corner is (left, top). In the end all is as if each frame had been
    drawn by itself: `changed` and `stood` are those of the last."""
    state = StateArrays(units, board, depths, kinds, changed, since, stood, solution, registers)
    at = int(tally[EVENT])
    last = len(steps) - 1
    for frame in range(len(steps)):
        until = int(steps[frame])
        span = until - int(registers[STEPS])
        if frame == last:
            settle(board, since, stood, registers)
            changed[:] = 0
            stood[:] = 0
        if span:
            begun = at
            at = fold(events, at, until, state)
            drawn = columns_begun(history)
            least = most = -1
            if drawn:
                least, most = int(low[drawn - 1]), int(high[drawn - 1])
            take_note(events[begun:at], total, low, high, nodes, tries, removed, forced, history)
            reached = columns_begun(history)
            first = drawn
            if drawn and (low[drawn - 1] != least or high[drawn - 1] != most):
                first = drawn - 1
            if first < reached:
                _put_part(
                    frame, first, reached, left, top, low, high, widths, part_low, part_high,
                    rows, tally,
                )  # fmt: skip
        elif not _fades(fading):
            continue
        marked = registers[STEPS] > 0
        count = look_over(
            shows,
            span,
            int(registers[LAST_OP]) if marked else -1,
            int(registers[LAST_CELL]) if marked else -1,
            int(registers[LAST_VALUE]) if marked else 0,
            TINTS,
            deepest,
            fade_frames,
            board,
            kinds,
            depths,
            stood,
            fixed,
            board_units,
            of_cell,
            board_removed,
            board_tries,
            stops,
            shown,
            differing,
            shares,
            heats,
            faded,
            fading,
            used,
            open_to,
        )
        row = int(tally[ROWS])
        for each in range(count):
            cell = int(differing[each])
            kind = int(cells[cell, 2])
            rows[row, 0] = frame
            rows[row, 1] = number_of(int(shown[cell]), kind, table, counts, wanted)
            rows[row, 2] = cells[cell, 0]
            rows[row, 3] = cells[cell, 1]
            row += 1
        tally[ROWS] = row
    settle(board, since, stood, registers)
    tally[EVENT] = at


@lean
def sort(
    rows: NDArray[np.int32],
    parts: int,
    first: NDArray[np.int64],
    placed: NDArray[np.int32],
) -> None:
    """Fill in a run's `first` (frames + 1,), all 0, and `placed` (n, 3) from rows (n, 4), those
    of a frame in their order; `parts` is the number of the first part of a chart."""
    frames = len(first) - 1
    for row in range(len(rows)):
        first[rows[row, 0]] += 1
    begun = 0
    for frame in range(frames):
        begun, first[frame] = begun + int(first[frame]), begun
    for row in range(len(rows)):
        frame = int(rows[row, 0])
        at, picture = int(first[frame]), int(rows[row, 1])
        placed[at, 0] = picture if picture >= 0 else parts - 1 - picture
        placed[at, 1] = rows[row, 2]
        placed[at, 2] = rows[row, 3]
        first[frame] += 1
    # Each frame's number is now where the next one begins.
    for frame in range(frames, 0, -1):
        first[frame] = first[frame - 1]
    first[0] = 0
