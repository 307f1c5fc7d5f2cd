"""The board: givens, placed digits tinted by depth, the cell being tried or undone."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.cell_look import PLOT, packed
from undoku.render.draw.cells import pencil_size, strong_width
from undoku.render.draw.look import Look
from undoku.render.draw.run_draft import Draft
from undoku.render.panels.board_looks import (
    BLURRED,
    FADES_OUT,
    MARKS,
    PENCILS,
    PLAIN,
    QUIET,
    SPOTS_FAILURES,
    BoardArrays,
    View,
)
from undoku.render.panels.board_loops import play_board
from undoku.render.panels.board_marks import BoardMarks
from undoku.render.panels.heat import heat_stops
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.panels.rings import proved
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.speed import SpeedClasses
from undoku.render.timeline.timeline import EYE, Phase, Timeline
from undoku.solver.trace.state import StateArrays, unit_table

__all__ = [
    "BoardPanel",
]

_SLOW, _BRISK = 12, 60
"""The highest steps per second at which pencil marks can be read, and at which single steps can be
seen. A frame of a faster search shows the digits that stood longest."""

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
        self._history = history
        self.played = (history,)
        self._block = block = context.block
        self._deepest = script.deepest
        self._started = False
        self._other = True
        """Whether the present frame shows something else beside the digits than the last one."""
        self._shows = PLAIN
        self._fade_frames = self._turn = 1
        self._speeds: SpeedClasses | None = None
        self._timeline: Timeline
        most_tried = script.most_tried if script.layout.legend else 0
        cells, geometry = puzzle.geometry.cells, puzzle.geometry
        looks = [packed(look) for look in Look(geometry).grounds(puzzle.givens)]
        self.arrays = BoardArrays(
            fixed=np.array([look & (1 << PLOT) - 1 for look in looks], np.int64),
            units=unit_table(geometry),
            of_cell=geometry.cell_units,
            beside=np.array([geometry.neighbours(cell) for cell in range(cells)], np.int16),
            tries=history.tries,
            stops=np.array(heat_stops(most_tried) if most_tried else (), np.int64),
            cells=np.array(
                [
                    (square.x, square.y)
                    for square in Look(geometry).squares(block.board.x, block.board.y, block.cell)
                ],
                np.int32,
            ),
            shown=np.full(cells, -1, np.int64),
            fresh=np.zeros(cells, np.uint8),
            windows=np.zeros((cells, puzzle.size + 1), np.int64),
            turns=np.zeros(cells, np.int64),
            blurred=np.zeros(1, np.int64),
            faded=np.zeros(cells, np.uint8),
            fading=np.zeros(cells, np.uint8),
            used=np.zeros(len(geometry.units), np.uint32),
            open_to=np.zeros(cells, np.uint32),
        )
        self._marks = BoardMarks(context, [look >> PLOT << PLOT for look in looks])
        self.explains = self._marks.explains
        self.most_rows = cells
        self.new_bytes = 3 * block.cell**2
        self._has_pencils = pencil_size(block.cell, puzzle.size) > 0

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        timeline = moment.timeline
        if not self._started:
            self._draw_closing_lines(canvas)
            self._fade_frames = max(1, round(timeline.fps * _FADE))
            self._turn = ceil(timeline.fps * _TURN)
            self._timeline = timeline
            self._speeds = SpeedClasses(timeline, self._number, _SPEEDS)
        shows = self._shown_in(moment)
        compared = BLURRED | PENCILS if timeline.beats else BLURRED
        self._other = not self._started or shows & compared != self._shows & compared
        self._shows = shows

    def _searched(self, snapshot: Snapshot) -> StateArrays:
        """The state that the board shows: for an exhaustive search that has ended, which leaves the
        board empty, the last solution."""
        solutions = self._context.solutions
        last = solutions.last if solutions and proved(snapshot) else None
        return snapshot.arrays._replace(**last._asdict()) if last else snapshot.arrays

    def _shown_in(self, moment: Moment) -> int:
        """The contents beside the digits, as in `View`."""
        assert self._speeds
        readable = _readable(moment.timeline, moment.shot.start)
        phase, at = moment.shot.phase, moment.shot.start
        if moment.snapshots[self._number].finished:
            return PLAIN
        if phase is Phase.STILL:  # the state after its last step
            return self._shown(0, plain=True, readable=readable) | SPOTS_FAILURES
        # The first picture has no previous frame, so it shows the last board.
        speed = self._speeds.of_frame(at)
        plain = not self._started or (speed == _BLURS and phase is not Phase.RACE)
        return self._shown(speed, plain=plain, readable=readable)

    def _shown(self, speed: int, *, readable: bool, plain: bool = False) -> int:
        """The contents at a speed of this class while the search continues, with pencil marks if
        they are `readable`; with `plain`, only the last board."""
        plain |= self._context.script.settings.last_state
        if speed == _BLURS and not plain:
            return BLURRED
        shows = PLAIN if plain else FADES_OUT
        if speed <= _SPEEDS.index(_SLOW):
            # In a story a sentence tells which unit has failed, and the unit lights up.
            shows |= PLAIN if self._timeline.beats else SPOTS_FAILURES
            shows |= PENCILS if self._has_pencils and readable else 0
        return shows

    def reach(self, frames: NextFrames) -> int:
        most = self._marks.reach(frames)
        if not frames.moves(self._number) and not self._fades:
            return most
        assert self._speeds
        at, end = frames.start, frames.start + most
        readable = _readable(self._timeline, at)
        if self._shown(self._speeds.of_frame(at), readable=readable) != self._shows:
            return 0
        alike = self._speeds.until(at, end) - at
        if self._shows & PENCILS:
            last = frames.snapshots[self._number].steps + _MAX_PENCILS
            alike = min(alike, int(np.searchsorted(frames.steps[self._number], last, "right")))
        return alike

    def put(self, frames: NextFrames, draft: Draft) -> None:
        assert self._speeds
        snapshot, events = frames.snapshots[self._number], frames.events(self._number)
        slow = frames.still or not self._started or not self._speeds.of_frame(frames.start)
        highlights, moved = MARKS if slow else QUIET, False
        if frames.present:
            moved = self._other or frames.moves(self._number) or self._fades
            if moved and snapshot.finished:
                highlights = 0
                self.arrays.fading[:] = 0
        marks = self._marks.of_frames(frames.start, len(frames), snapshot)
        self._started = True
        play_board(
            frames.steps[self._number],
            events.ends,
            events.steps,
            events.begun,
            self._searched(snapshot),
            self._history.total,
            self._history.arrays,
            View(
                self._shows,
                highlights,
                self._deepest,
                self._fade_frames,
                frames.start,
                self._turn,
            ),
            self.arrays,
            self._marks.without() if frames.still else marks,
            draft.arrays,
            frames.present,
            moved,
        )

    @property
    def _fades(self) -> bool:
        """Whether the next frame differs even without a step."""
        return bool(self.arrays.fading.any())

    def _draw_closing_lines(self, canvas: Canvas) -> None:
        board, width = self._block.board, strong_width(self._block.cell)
        colour = self._sprites.theme.strong_line
        canvas.fill(Rect(board.right - width, board.y, width, board.height), colour)
        canvas.fill(Rect(board.x, board.bottom - width, board.width, width), colour)


def _readable(timeline: Timeline, frame: int) -> bool:
    """Whether the clock is slow enough to read pencil marks, except where it stops in fast passages
    of a story."""
    beat = timeline.beat_at(frame)
    return beat is None or beat.kind in (BeatKind.FIRST_STEP, BeatKind.SLOW)
