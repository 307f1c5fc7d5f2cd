"""The board: givens, placed digits tinted by depth, the cell being tried or undone."""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest
from math import ceil

import numpy as np

from undoku.render.draw.canvas import Canvas, DrawnShapes, Rect
from undoku.render.draw.cell_look import CellLook, packed
from undoku.render.draw.cells import edge_width, line_mask, pencil_size, ramp
from undoku.render.draw.look import Look
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.theme import Theme
from undoku.render.panels.board_looks import (
    BLURRED,
    FADES_OUT,
    MARKS,
    NEUTRAL,
    OPTIONS,
    PENCILS,
    PLAIN,
    QUIET,
    SPOTS_FAILURES,
    BoardArrays,
    View,
)
from undoku.render.panels.board_loops import play_board, show_board
from undoku.render.panels.board_marks import BoardMarks
from undoku.render.panels.heat import heat_stops
from undoku.render.panels.panel import Moment, Panel, PanelContext, Script
from undoku.render.panels.rings import proved
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.timeline.beats import EXPLAINING, BeatKind, first_beat
from undoku.render.timeline.notes import Note, note_on
from undoku.render.timeline.speed import SpeedClasses
from undoku.render.timeline.timeline import EYE, Phase, Timeline
from undoku.solver.problem.appearance import Form
from undoku.solver.problem.problem import Problem, tables_of
from undoku.solver.trace.state import StateArrays

_SLOW, _BRISK = 12, 60
"""The highest steps per second at which pencil marks can be read, and at which single steps can be
seen. Frames of a faster search are summarised (`undoku.render.panels.board_looks`)."""

_SPEEDS = EYE, _SLOW, _BRISK
"""The bounds of the classes of speed. Above the first, cells that are highlighted on each step
would flicker."""

_BLURS = len(_SPEEDS)

_TURN = Fraction(1, 5)
"""The minimum time in seconds between two changes of a cell in such a search."""

_MAX_PENCILS = 64
"""The maximum number of steps of a run with pencil marks. Each may draw 20 new cell pictures."""

_FADE = 0.15
"""Seconds for which an undone digit fades."""


class BoardPanel(Panel):
    """The board of one search. If the script is `plain`, it shows only the last board of every
    frame. In films with a legend of tries, the backgrounds show how often each cell was tried, and
    digits have no tints."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, history, puzzle = context.script, context.history, context.puzzle
        self.played = (history,)
        self._block = block = context.block
        self._timeline = timeline = script.timeline
        self._speeds = SpeedClasses(timeline, context.number, _SPEEDS)
        self._view = View(
            shows=PLAIN,
            marks=0,
            deepest=script.deepest,
            fade_frames=max(1, round(timeline.fps * _FADE)),
            begun=0,
            turn=ceil(timeline.fps * _TURN),
        )
        """The view of the last frame that was drawn."""
        self._tells = bool(timeline.beats)
        """Whether the film is a story."""
        # Orange means a guess only from the beats on that explain guesses.
        neutral = script.answers or puzzle.problem.is_free
        self._colours = OPTIONS | (NEUTRAL if neutral else PLAIN) if self._tells else PLAIN
        self._is_first = self._other = True
        """Whether no frame was drawn before, and whether the present frame shows something else
        beside the digits than the last one."""
        most_tried = script.most_tried if script.layout.legend else 0
        cells, problem = puzzle.problem.cells, puzzle.problem
        look = Look(problem)
        looks, plots = script.shared(_looks)[context.number]
        squares = look.squares(block.board.x, block.board.y, block.cell)
        fields = zip(squares, look.fields, strict=True)
        fixed = np.zeros(cells, np.int64)
        for field, each in zip(look.fields, looks, strict=True):
            fixed[field.cell] = max(fixed[field.cell], packed(each))
        self._problem = tables_of(problem)
        self.arrays = BoardArrays(
            fixed=fixed,
            beside=np.array(look.neighbours, np.int16),
            history=history.cells,
            stops=np.array(heat_stops(most_tried) if most_tried else (), np.int64),
            fields=np.array([(at.x, at.y, of.cell, of.value) for at, of in fields], np.int32),
            shown=np.full(cells, -1, np.int64),
            drawn=np.full(len(squares), -1, np.int64),
            turn=np.full(1, -1, np.int64),
            faded=np.zeros(cells, np.uint8),
            fading=np.zeros(cells, np.uint8),
            open_to=np.zeros(cells, np.uint32),
        )
        notes = [each for each in script.notes if each.search == context.number]
        self._quiet = [
            note
            for note, after in zip_longest(notes, notes[1:])
            if note.wrong or (after and _is_filled_next(note, after))
        ]
        """The notes about something that is more important than the last step: about a wrong value,
        and about a cell that is filled after it."""
        self._marks = BoardMarks(context, plots)
        self.explains = self._marks.explains
        self.most_rows = len(squares)
        self.new_bytes = 3 * block.cell**2
        self._is_grid = look.form is Form.GRID
        readable = pencil_size(block.cell, puzzle.size) > 0 or not self._is_grid
        # The dots of a story have been explained by the sentence about the first step.
        explained = first_beat(timeline.beats, BeatKind.FIRST) is not None
        self._has_pencils = (explained if self._tells else readable) and not problem.is_free

    def start(self, canvas: Canvas) -> None:
        draw_lines(
            canvas,
            self._context.puzzle.problem,
            self._block.board,
            self._block.cell,
            self._theme,
        )

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        shows = self._shown_in(moment)
        compared = BLURRED | PENCILS if self._timeline.beats else BLURRED
        self._other = self._is_first or bool((shows ^ self._view.shows) & compared)
        self._view = self._view._replace(shows=shows)

    def _searched(self, snapshot: Snapshot) -> StateArrays:
        """The state that the board shows: for an exhaustive search that has ended, which leaves the
        board empty, the last solution."""
        solutions = self._context.solutions
        last = solutions.last if solutions and proved(snapshot) else None
        return snapshot.arrays._replace(**last._asdict()) if last else snapshot.arrays

    def _shown_in(self, moment: Moment) -> int:
        """The contents beside the digits, as in `View`."""
        phase, at = moment.shot.phase, moment.shot.start
        if moment.snapshots[self._number].finished:
            return PLAIN
        if phase is Phase.STILL:  # the state after its last step
            return self._shown(0, at, plain=True) | (SPOTS_FAILURES if self._is_grid else PLAIN)
        # The first picture has no previous frame, so it shows the last board.
        speed = self._speeds.of_frame(at)
        plain = self._is_first or (speed == _BLURS and phase is not Phase.RACE)
        return self._shown(speed, at, plain=plain)

    def _shown(self, speed: int, frame: int, *, plain: bool = False) -> int:
        """The contents on a frame whose speed is of this class while the search continues; with
        `plain`, only the last board."""
        plain |= self._context.script.settings.last_state
        if speed == _BLURS and not plain:
            return BLURRED
        shows = PLAIN if plain else FADES_OUT
        if speed <= _SPEEDS.index(_SLOW):
            # In a story a sentence tells which unit has failed, and the unit lights up.
            spots = self._is_grid and not self._timeline.beats
            shows |= SPOTS_FAILURES if spots else PLAIN
            shows |= PENCILS if self._has_pencils and _readable(self._timeline, frame) else 0
        return shows

    def reach(self, frames: NextFrames) -> int:
        most = self._marks.reach(frames)
        if not frames.moves(self._number) and not self._fades:
            return most
        at, shows = frames.start, self._view.shows
        if self._shown(self._speeds.of_frame(at), at) != shows:
            return 0
        alike = self._speeds.until(at, at + most) - at
        if shows & PENCILS:
            last = frames.snapshots[self._number].steps + _MAX_PENCILS
            alike = min(alike, int(np.searchsorted(frames.steps[self._number], last, "right")))
        return alike

    def put(self, frames: NextFrames, draft: Draft) -> None:
        snapshot = frames.snapshots[self._number]
        slow = self._is_first or not self._speeds.of_frame(frames.start)
        slow = slow and not note_on(self._quiet, frames.start)
        slow = frames.still or (slow and _readable(self._timeline, frames.start))
        highlights, moved = MARKS if slow else QUIET, False
        if frames.present:
            moved = self._other or frames.moves(self._number) or self._fades
            if moved and snapshot.finished:
                highlights = 0
                self.arrays.fading[:] = 0
        self._is_first = False
        searched, marks = self._searched(snapshot), self._marks.of_frames(frames)
        shows = self._view.shows | self._colours
        view = self._view._replace(shows=shows, marks=highlights, begun=frames.start)
        if frames.present:
            show_board(view, searched, self._problem, self.arrays, marks, draft.arrays, moved)
            return
        events = frames.events(self._number)
        play_board(
            frames.steps[self._number],
            events.ends,
            events.steps,
            events.begun,
            searched,
            view,
            self._problem,
            self.arrays,
            marks,
            draft.arrays,
        )

    @property
    def _fades(self) -> bool:
        """Whether the next frame differs even without a step."""
        return bool(self.arrays.fading.any())


def _is_filled_next(note: Note, after: Note) -> bool:
    """Whether the cell of a note is filled when the next note about its search begins."""
    joined = note.end == after.start and not after.wrong
    return joined and 0 <= note.placed == after.placed


def _looks(script: Script) -> list[tuple[list[CellLook], list[CellLook]]]:
    """The looks of the fields of each search before its first step, and their fixed parts: the same
    in all acts."""
    found = []
    for puzzle in (header.puzzle for header in script.headers):
        story = bool(script.timeline.beats)
        looks = Look(puzzle.problem).backgrounds(puzzle.givens, story=story)
        found.append((looks, [each.fixed for each in looks]))
    return found


def draw_lines(canvas: Canvas, problem: Problem, board: Rect, cell: int, theme: Theme) -> None:
    """Draw the lines of a board that no field has: on the right and below the last fields, and
    between nodes."""
    look = Look(problem)
    for line in look.closing_lines(board, cell):
        canvas.fill(line, theme.strong_line)
    if edges := look.edges(board, cell):
        side, width, colour = board.width, edge_width(cell), theme.strong_line
        pixels = ramp(colour, theme.background)[line_mask(tuple(edges), width, side)]
        lines = tuple(
            ((board.x + x, board.y + y), (board.x + right, board.y + bottom))
            for x, y, right, bottom in edges
        )
        figure = DrawnShapes(board, lambda: (Stroke(lines, width, colour),))
        canvas.put(pixels, board.x, board.y, figure)


def _readable(timeline: Timeline, frame: int) -> bool:
    """Whether a slow clock leaves time to read pencil marks and marks of single steps, unlike where
    it stops in fast passages of a story."""
    beat = timeline.beat_at(frame)
    return beat is None or beat.kind in (*EXPLAINING, BeatKind.RACE)
