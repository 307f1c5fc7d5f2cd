"""A compiled loop that draws the changed cells of a board on all frames of a run, whose search it
plays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undoku.machine_code.jit import inner, lean
from undoku.render.draw.run_draft import DraftArrays, put_sprite
from undoku.render.draw.sprite_index import sprite_number
from undoku.render.panels.board_looks import BLURRED, BoardArrays, View, update_looks
from undoku.render.panels.mark_arrays import LIGHTS, MarkArrays, follows, mark_of, note_steps
from undoku.render.playback.history import HistoryArrays, take_note
from undoku.solver.trace.state import STEPS, StateArrays, fold, update_durations

__all__ = ["play_board"]


@inner
def put_cells(
    frame: int,
    view: View,
    search: StateArrays,
    board: BoardArrays,
    marks: MarkArrays,
    draft: DraftArrays,
) -> None:
    """Draw the cells whose looks are fresh or whose marks differ."""
    cells, fresh = board.cells, board.fresh
    for cell in range(len(fresh)):
        mark = mark_of(cell, frame, view.begun + frame, search, marks)
        if fresh[cell] or mark != marks.shown[cell]:
            fresh[cell] = 0
            marks.shown[cell] = mark
            kind = int(marks.kinds[mark, marks.plots[cell]])
            sprite = sprite_number(int(board.shown[cell]), kind, draft.sprites)
            put_sprite(frame, sprite, int(cells[cell, 0]), int(cells[cell, 1]), draft)


@inner
def _fades(fading: NDArray[np.uint8]) -> bool:
    left = 0
    for frames in fading:
        left |= int(np.int64(frames))
    return left > 0


@lean
def play_board(
    steps: NDArray[np.int64],
    ends: NDArray[np.int64],
    events: NDArray[np.uint32],
    at: int,
    search: StateArrays,
    total: int,
    history: HistoryArrays,
    view: View,
    board: BoardArrays,
    marks: MarkArrays,
    draft: DraftArrays,
    present: bool,
    moved: bool,
) -> None:
    """Advance a search, whose next event has index `at`, to the `steps` (frames,) of each frame of
    a run, which end at the indices `ends` (frames,) of events, and draw the changes of its board.
    The final state is the same as if each frame had been drawn separately: `changed` and `stood`
    belong to the last one. The search may already be in the state after the only frame, which is
    then `present`; unless it has `moved`, only marks can differ."""
    if present:
        if follows(0, LIGHTS, marks):
            note_steps(view.begun, search.changed, marks)
        if moved:
            update_looks(0, view, search, board)
        put_cells(0, view, search, board, marks, draft)
        return
    last = len(steps) - 1
    blurred = (view.shows & BLURRED) != 0
    for frame in range(len(steps)):
        span = int(steps[frame]) - int(search.registers[STEPS])
        lights = follows(frame, LIGHTS, marks)
        if blurred or frame == last:
            update_durations(search.board, search.since, search.stood, search.registers)
            search.stood[:] = 0
        if blurred or frame == last or lights:
            search.changed[:] = 0
        if span:
            fold(events, at, int(steps[frame]), search)
            take_note(events[at : ends[frame]], total, history)
            at = int(ends[frame])
            if lights:
                note_steps(view.begun + frame, search.changed, marks)
        if span or _fades(board.fading):
            if blurred:
                update_durations(search.board, search.since, search.stood, search.registers)
            update_looks(frame, view, search, board)
        put_cells(frame, view, search, board, marks, draft)
    update_durations(search.board, search.since, search.stood, search.registers)
