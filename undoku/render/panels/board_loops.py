"""Draws the changed cells of a board and the marks on them on all frames of a run, whose search it
plays: compiled loops over arrays.

Marks are numbered from 1; 0 means no mark.
"""

from __future__ import annotations

from typing import NamedTuple

from undoku.h264.loops import I32, I32_2D, I64, U8, group, inner, loop
from undoku.render.draw.run_draft import DraftArrays, put_sprite
from undoku.render.draw.sprite_index import sprite_number
from undoku.render.panels.board_looks import BLURRED, BoardArrays, View, field_look, update_looks
from undoku.render.playback.history import CellHistory, note_cells
from undoku.solver.problem.problem import Tables
from undoku.solver.trace.state import STEPS, StateArrays, apply_steps
from undoku.solver.trace.steps import Steps

FOLLOWS, LIGHTS, TELLS = 1, 2, 4
"""The sources of marks on a frame, as a sum: the current state of the search and its latest steps;
the steps of the frame, whose cells begin to glow; the story."""


@group
class MarkArrays(NamedTuple):
    """The marks of the frames of a run, and the last drawn ones; frames = those of the longest run.

    bases    (frames,) uint8          the sources of marks, 0 for no marks
    from_story (frames, cells) int32  the marks from the story, if it is a source: -1 for no mark, 0
                                      if the story has none
    ages     (k,) int32               the marks of a cell by the frames since its last step
    kinds    (marks, plots) int32     the kind, in the index of sprites, of cells with each mark
    plots    (fields,) int32          the fixed parts of the looks of fields
    touched  (cells,) int64           the frame of the film on which a glowing cell was last
                                      changed; before all frames for other cells
    shown    (fields,) int32          the mark of each field
    """

    bases: U8
    from_story: I32_2D
    ages: I32
    kinds: I32_2D
    plots: I32
    touched: I64
    shown: I32


@inner
def follows(frame: int, basis: int, marks: MarkArrays) -> bool:
    """Whether `basis` is a source of the marks of a frame of the run."""
    return bool(int(marks.bases[frame]) & basis)


@inner
def note_steps(now: int, changed: U8, marks: MarkArrays) -> None:
    """Let the cells that were changed on frame `now` of the film glow."""
    for cell in range(len(changed)):
        if changed[cell]:
            marks.touched[cell] = now


@inner
def mark_of(cell: int, frame: int, now: int, marks: MarkArrays) -> int:
    """The mark of a cell on a frame of the run, frame `now` of the film."""
    if not marks.bases[frame]:
        return 0
    from_story = 0
    if follows(frame, TELLS, marks):
        from_story = int(marks.from_story[frame, cell])
    if from_story or not follows(frame, FOLLOWS, marks):
        return max(0, from_story)
    age = now - int(marks.touched[cell])
    if age < len(marks.ages):
        return int(marks.ages[age])
    return 0


@inner
def put_cells(
    frame: int,
    view: View,
    board: BoardArrays,
    marks: MarkArrays,
    draft: DraftArrays,
) -> None:
    """Draw the fields whose looks or whose marks differ."""
    fields, drawn = board.fields, board.drawn
    for field in range(len(fields)):
        cell = int(fields[field, 2])
        look = field_look(int(board.shown[cell]), int(fields[field, 3]))
        mark = mark_of(cell, frame, view.begun + frame, marks)
        if look != drawn[field] or mark != marks.shown[field]:
            drawn[field] = look
            marks.shown[field] = mark
            kind = int(marks.kinds[mark, marks.plots[field]])
            sprite = sprite_number(look, kind, draft.sprites)
            put_sprite(frame, sprite, int(fields[field, 0]), int(fields[field, 1]), draft)


@inner
def _count_anew(view: View, search: StateArrays, history: CellHistory) -> None:
    """Unless the last frame was summarised, count from now on how long values stand."""
    if not view.shows & BLURRED:
        history.stood[:, :] = 0
        history.since[:] = search.registers[STEPS]


@inner
def _fades(fading: U8) -> bool:
    left = 0
    for frames in fading:
        left |= int(frames)
    return left > 0


@loop
def show_board(
    view: View,
    search: StateArrays,
    problem: Tables,
    board: BoardArrays,
    marks: MarkArrays,
    draft: DraftArrays,
    moved: bool,
) -> None:
    """Draw the changes of a board on a frame whose steps were applied before; unless the board has
    `moved`, only marks can differ."""
    if follows(0, LIGHTS, marks):
        note_steps(view.begun, search.changed, marks)
    if moved:
        update_looks(0, view, search, problem, board)
    _count_anew(view, search, board.history)
    put_cells(0, view, board, marks, draft)


@loop
def play_board(
    steps: I64,
    ends: I64,
    rows: Steps,
    at: int,
    search: StateArrays,
    view: View,
    problem: Tables,
    board: BoardArrays,
    marks: MarkArrays,
    draft: DraftArrays,
) -> None:
    """Advance a search, whose next step is in row `at`, to the `steps` (frames,) of each frame of
    a run, which end before the rows `ends` (frames,), and draw the changes of its board.
    The final state is the same as if each frame had been drawn separately: `changed` belongs to the
    last one."""
    for frame in range(len(steps)):
        span = int(steps[frame]) - int(search.registers[STEPS])
        lights = follows(frame, LIGHTS, marks)
        if lights or frame == len(steps) - 1:
            search.changed[:] = 0
        if span:
            apply_steps(rows, at, int(ends[frame]), search)
            note_cells(rows, at, int(ends[frame]), board.history)
            at = int(ends[frame])
            if lights:
                note_steps(view.begun + frame, search.changed, marks)
        if span or _fades(board.fading):
            update_looks(frame, view, search, problem, board)
        put_cells(frame, view, board, marks, draft)
    _count_anew(view, search, board.history)
