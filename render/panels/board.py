"""The board: givens, placed digits tinted by depth, the cell being tried or undone."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Canvas, Rect
from render.drawing.cell_atlas import Place
from render.drawing.cells import pencil_size, strong_width
from render.drawing.sprite_index import SpriteIndex
from render.drawing.sprites import SpriteBook
from render.layout.cell_places import cell_squares
from render.layout.page import Block
from render.panels import board_looks
from render.panels.contract import Moment, Panel
from render.panels.script import PanelContext
from render.panels.unit_lines import ground_looks
from render.playback.player import Snapshot
from render.playback.recorders.history import History
from render.style.cell_look import PLOT, packed
from render.style.heat_scale import stops
from render.style.theme import TINTS
from render.timing.timeline import Phase
from solver.puzzle import Puzzle
from solver.state import NEVER, unit_table
from solver.trace import Outcome

__all__ = ["BoardPanel", "board_panel"]

_BLUR, _SHARP = 4, 2
"""A frame of so many steps shows how long each digit stood; of so few, the last board again. In
between it stays as it was, so that a pace of 3.5 steps doesn't flicker."""

_SLOW = 12
"""Steps per second that leave time to read pencil marks."""

_FADE = 0.15
"""Seconds for which the eye still sees an undone digit."""


class BoardPanel(Panel):
    """One search's board. `deepest` is the depth that the last tint stands for; `plain` shows the
    last board of every frame, whatever happened in it. With `most_tried` > 0 the grounds tell how
    often each cell was tried, up to so many times, and digits have no tints."""

    batched = True

    def __init__(
        self,
        number: int,
        block: Block,
        puzzle: Puzzle,
        sprites: SpriteBook,
        deepest: int,
        history: History,
        *,
        plain: bool = False,
        most_tried: int = 0,
    ) -> None:
        self._number = number
        self._block = block
        self._sprites = sprites
        self.deepest = deepest
        self._plain = plain
        cells = puzzle.geometry.cells
        grounds = [packed(look) for look in ground_looks(puzzle)]
        plots = [look >> PLOT << PLOT for look in grounds]
        self._fixed = np.array(
            [look - plot for look, plot in zip(grounds, plots, strict=True)], np.int64
        )
        self._shown = np.full(cells, -1, np.int64)
        self._differing = np.zeros(cells, np.int32)
        self._fading = np.zeros(cells, np.uint8)
        side, size, board = block.cell, puzzle.size, block.board
        self._atlas = sprites.atlas(side)
        self._shelves = [self._atlas.shelf(plot) for plot in plots]
        self._rects = cell_squares(puzzle.geometry, board.x, board.y, side)
        self._places: list[Place] = []
        self._started = False
        self._finished = False
        self._blurred = False
        self._slow = False
        self.fade_frames = 1
        self.arrays: board_looks.Arrays = (
            self._fixed,
            unit_table(puzzle.geometry),
            puzzle.geometry.cell_units,
            history.removed,
            history.tries,
            stops(most_tried) if most_tried else np.empty(0, np.int64),
            self._shown,
            self._differing,
            np.zeros((cells, puzzle.size + 1), np.uint8),
            np.zeros(cells, np.uint8),
            np.zeros(cells, np.uint8),
            self._fading,
            np.zeros(len(puzzle.geometry.units), np.uint32),
            np.zeros(cells, np.uint32),
        )
        self._has_pencils = pencil_size(side, size) > 0

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._started and not snapshot.span and not self._fading.any():
            return
        if not self._started:
            self._draw_closing_lines(canvas)
            self._places = [
                Place(rect, canvas.window(rect), shelf)
                for rect, shelf in zip(self._rects, self._shelves, strict=True)
            ]
            fps = moment.timeline.fps
            self._slow = moment.timeline.mean_rate * fps <= _SLOW
            self.fade_frames = max(1, round(fps * _FADE))
        count = self._look_over(snapshot, moment)
        self._started = True
        if count:
            cells = self._differing[:count]
            looks, places = self._shown[cells].tolist(), self._places
            self._atlas.paint(canvas, looks, [places[cell] for cell in cells.tolist()])
        if snapshot.finished and not self._finished and snapshot.steps:
            self._finished = True
            self._draw_ring(canvas, snapshot.outcome)

    def _look_over(self, snapshot: Snapshot, moment: Moment) -> int:
        """Bring the looks up to date; returns how many cells differ."""
        shows, op, cell, value = board_looks.PLAIN, -1, -1, 0
        if snapshot.finished:
            self._fading[:] = 0
        else:
            shows = self._shows(snapshot.span, moment)
            op, cell, value = snapshot.last_step
        return board_looks.look_over(
            shows,
            snapshot.span,
            op,
            cell,
            value,
            TINTS,
            self.deepest,
            self.fade_frames,
            snapshot.board,
            snapshot.kinds,
            snapshot.depths,
            snapshot.stood,
            *self.arrays,
        )

    def _shows(self, span: int, moment: Moment) -> int:
        """What is shown beside the digits, as `look_over` takes it."""
        if span and self._started:  # the first picture's are those before the film
            self._blurred = span >= (_SHARP + 1 if self._blurred else _BLUR)
        # The first picture has no frame before it, and a still is the state after its last step.
        still = moment.shot.phase is Phase.STILL
        plain = self._plain or not self._started or still
        if self._blurred and not plain:
            return board_looks.BLURRED
        return self._unblurred(plain=plain, slow=self._slow or still)

    def _unblurred(self, *, plain: bool, slow: bool) -> int:
        """What is shown where the last board of a frame is."""
        shows = board_looks.PLAIN if plain else board_looks.FADES_OUT
        if slow:
            shows |= board_looks.SPOTS_FAILURES
            shows |= board_looks.PENCILS if self._has_pencils else 0
        return shows

    @property
    def shows(self) -> int:
        """What the frames show that have no more than `most_steps`, as `look_over` takes it."""
        return self._unblurred(plain=self._plain, slow=self._slow)

    @property
    def most_steps(self) -> int:
        """The most steps of a frame that shows the last board, as long as all frames have no
        more; 0 while only a frame without steps does."""
        if self._plain:
            return NEVER
        return 0 if self._blurred else _BLUR - 1

    @property
    def fades(self) -> bool:
        """Whether the next frame differs even without a step."""
        return bool(self._fading.any())

    @property
    def cell_bytes(self) -> int:
        """Of a cell's picture."""
        return 3 * self._block.cell**2

    def places(self, index: SpriteIndex) -> NDArray[np.int32]:
        """(cells, 3): x, y, and the kind of the cell's looks in a index."""
        atlas, rows = self._atlas, []
        for rect, shelf in zip(self._rects, self._shelves, strict=True):
            name = atlas, shelf.plot
            rows.append((rect.x, rect.y, index.kind(name, partial(atlas.picture, shelf=shelf))))
        return np.array(rows, np.int32)

    def _draw_closing_lines(self, canvas: Canvas) -> None:
        board, width = self._block.board, strong_width(self._block.cell)
        colour = self._sprites.theme.strong_line
        canvas.fill(Rect(board.right - width, board.y, width, board.height), colour)
        canvas.fill(Rect(board.x, board.bottom - width, board.width, width), colour)

    def _draw_ring(self, canvas: Canvas, outcome: Outcome) -> None:
        """A finished board is framed, so that the eye finds it without reading."""
        theme = self._sprites.theme
        colour = theme.accent if outcome is Outcome.SOLVED else theme.undoing
        board, width = self._block.board, strong_width(self._block.cell)
        outer = board.inset(-width)
        canvas.fill(Rect(outer.x, outer.y, outer.width, width), colour)
        canvas.fill(Rect(outer.x, outer.bottom - width, outer.width, width), colour)
        canvas.fill(Rect(outer.x, outer.y, width, outer.height), colour)
        canvas.fill(Rect(outer.right - width, outer.y, width, outer.height), colour)


def board_panel(context: PanelContext) -> BoardPanel:
    """The board of one search."""
    script = context.script
    return BoardPanel(
        context.number,
        context.block,
        context.puzzle,
        context.sprites,
        script.deepest,
        context.history,
        plain=script.plain,
        most_tried=script.most_tried if script.layout.legend else 0,
    )
