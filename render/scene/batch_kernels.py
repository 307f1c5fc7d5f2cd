"""Compiled loops that make a run of one search: the sprites of its frames and their places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.drawing.run_draft import DraftArrays
from render.panels.board_looks import BLURRED, BoardArrays, View, put_board
from render.panels.counter_digits import (
    CounterArrays,
    field_to_grow,
    put_counters,
    read_numbers,
)
from render.panels.depth_painting import ChartArrays, Parts, put_columns
from render.playback.recorders.history import HistoryArrays, take_note
from solver.jit import inner, lean
from solver.state import STEPS, StateArrays, fold, settle

__all__ = ["batch_board", "batch_counters", "scout", "sort"]


@lean
def scout(
    steps: NDArray[np.int64],
    events: NDArray[np.uint32],
    at: int,
    search: StateArrays,
    counters: CounterArrays,
    numbers: NDArray[np.int64],
) -> int:
    """Go ahead with a copy of a search, whose events from index `at` on are not applied yet, to the
    `steps` (frames,) of each frame, and fill in `numbers` (frames, NUMBERS) up to the first frame
    on which a counter must grow; returns how many frames come before that."""
    for frame in range(len(steps)):
        if steps[frame] > search.registers[STEPS]:
            at = fold(events, at, int(steps[frame]), search)
        read_numbers(search.registers, numbers[frame])
        if field_to_grow(numbers[frame], counters) >= 0:
            return frame
    return len(steps)


@lean
def batch_counters(numbers: NDArray[np.int64], counters: CounterArrays, draft: DraftArrays) -> None:
    """Put the counters of frames that show these numbers (frames, NUMBERS)."""
    for frame in range(len(numbers)):
        put_counters(frame, numbers[frame], counters, draft)


@inner
def _fades(fading: NDArray[np.uint8]) -> bool:
    left = 0
    for frames in fading:
        left |= int(np.int64(frames))
    return left > 0


@lean
def batch_board(
    steps: NDArray[np.int64],
    events: NDArray[np.uint32],
    at: int,
    search: StateArrays,
    total: int,
    history: HistoryArrays,
    view: View,
    board: BoardArrays,
    chart: ChartArrays,
    parts: Parts,
    draft: DraftArrays,
) -> int:
    """Bring a search, whose events from index `at` on are not applied yet, to the `steps` (frames,)
    of each frame, and put what changes on its board and its chart of depths; returns the index of
    the first event that is not applied then. In the end all is as if each frame had been drawn by
    itself: `changed` and `stood` are those of the last."""
    last = len(steps) - 1
    blurred = (view.shows & BLURRED) != 0
    for frame in range(len(steps)):
        until = int(steps[frame])
        span = until - int(search.registers[STEPS])
        if blurred or frame == last:
            settle(search.board, search.since, search.stood, search.registers)
            search.changed[:] = 0
            search.stood[:] = 0
        if span:
            begun = at
            at = fold(events, at, until, search)
            take_note(events[begun:at], total, history)
            put_columns(frame, history, chart, parts, draft)
        elif not _fades(board.fading):
            continue
        if blurred:
            settle(search.board, search.since, search.stood, search.registers)
        put_board(frame, view, search, board, draft)
    settle(search.board, search.since, search.stood, search.registers)
    return at


@lean
def sort(
    frames: NDArray[np.int32],
    rows: NDArray[np.int32],
    parts: int,
    first: NDArray[np.int64],
    placed: NDArray[np.int32],
) -> None:
    """Fill in a run's `first` (frames + 1,), all 0, and `placed` (n, 3) from the rows of a draft,
    `frames` (n,) and `rows` (n, 3), those of a frame in their order; `parts` is the number of the
    first part of a chart."""
    count = len(first) - 1
    for row in range(len(rows)):
        first[frames[row]] += 1
    begun = 0
    for frame in range(count):
        begun, first[frame] = begun + int(first[frame]), begun
    for row in range(len(rows)):
        frame = int(frames[row])
        at, sprite = int(first[frame]), int(rows[row, 0])
        placed[at, 0] = sprite if sprite >= 0 else parts - 1 - sprite
        placed[at, 1] = rows[row, 1]
        placed[at, 2] = rows[row, 2]
        first[frame] += 1
    # Each frame's number is now where the next one begins.
    for frame in range(count, 0, -1):
        first[frame] = first[frame - 1]
    first[0] = 0
