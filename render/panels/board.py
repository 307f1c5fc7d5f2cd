"""The board: givens, placed digits tinted by depth, the cell being tried or undone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Canvas, Rect, Sprite
from render.drawing.cells import pencil_size, strong_width
from render.drawing.direct_loop import direct
from render.drawing.run_draft import Draft
from render.drawing.sprites import SpriteBook
from render.layout.cell_places import cell_squares
from render.layout.page import Block
from render.panels.board_looks import (
    BLURRED,
    FADES_OUT,
    PENCILS,
    PLAIN,
    SPOTS_FAILURES,
    BoardArrays,
    View,
    put_board,
)
from render.panels.contract import Moment, Panel
from render.panels.script import PanelContext
from render.panels.unit_lines import ground_looks
from render.playback.player import Snapshot
from render.playback.recorders.history import History
from render.style.cell_look import PLOT, packed
from render.style.heat_scale import stops
from render.timing.timeline import Phase
from solver.puzzle import Geometry, Puzzle
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
        self._deepest = deepest
        self._plain = plain
        self._started = False
        self._finished = False
        self._blurred = False
        self._slow = False
        self._fade_frames = 1
        cells, geometry = puzzle.geometry.cells, puzzle.geometry
        looks = [packed(look) for look in ground_looks(puzzle)]
        self.arrays = BoardArrays(
            fixed=np.array([look & (1 << PLOT) - 1 for look in looks], np.int64),
            units=unit_table(geometry),
            of_cell=geometry.cell_units,
            removed=history.removed,
            tries=history.tries,
            stops=np.array(stops(most_tried) if most_tried else (), np.int64),
            cells=self._cells(geometry, [look >> PLOT << PLOT for look in looks]),
            shown=np.full(cells, -1, np.int64),
            shares=np.zeros((cells, puzzle.size + 1), np.uint8),
            heats=np.zeros(cells, np.uint8),
            faded=np.zeros(cells, np.uint8),
            fading=np.zeros(cells, np.uint8),
            used=np.zeros(len(geometry.units), np.uint32),
            open_to=np.zeros(cells, np.uint32),
        )
        self._draft = Draft(sprites.index, cells)
        self._put = put_board
        self._has_pencils = pencil_size(block.cell, puzzle.size) > 0

    def _cells(self, geometry: Geometry, plots: Sequence[int]) -> NDArray[np.int32]:
        """(cells, 3): x, y, and the kind of each cell's looks, which share a plot."""
        side, board, sprites = self._block.cell, self._block.board, self._sprites

        def draw(plot: int, look: int) -> Sprite:
            return sprites.cell(side, look | plot)

        squares = cell_squares(geometry, board.x, board.y, side)
        rows = [
            (square.x, square.y, sprites.index.kind(("cell", side, plot), partial(draw, plot)))
            for square, plot in zip(squares, plots, strict=True)
        ]
        return np.array(rows, np.int32)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._started and not snapshot.span and not self.fades:
            return
        if not self._started:
            self._draw_closing_lines(canvas)
            fps = moment.timeline.fps
            self._slow = moment.timeline.mean_rate * fps <= _SLOW
            self._fade_frames = max(1, round(fps * _FADE))
        view = self._view(snapshot, moment)
        given = 0, snapshot.span, view, snapshot.arrays, self.arrays, self._draft.begin()
        if not self._started:
            self._put = direct(put_board, *given)
        self._started = True
        self._put(*given)
        self._draft.draw(canvas)
        if snapshot.finished and not self._finished and snapshot.steps:
            self._finished = True
            self._draw_ring(canvas, snapshot.outcome)

    def _view(self, snapshot: Snapshot, moment: Moment) -> View:
        """What the frame of this moment shows."""
        if snapshot.finished:
            self.arrays.fading[:] = 0
            return View(PLAIN, 0, self._deepest, self._fade_frames)
        return View(self._shows(snapshot.span, moment), 1, self._deepest, self._fade_frames)

    def _shows(self, span: int, moment: Moment) -> int:
        """What is shown beside the digits, as `View` takes it."""
        if span and self._started:  # the first picture's are those before the film
            self._blurred = span >= (_SHARP + 1 if self._blurred else _BLUR)
        # The first picture has no frame before it, and a still is the state after its last step.
        still = moment.shot.phase is Phase.STILL
        plain = self._plain or not self._started or still
        if self._blurred and not plain:
            return BLURRED
        return self._unblurred(plain=plain, slow=self._slow or still)

    def _unblurred(self, *, plain: bool, slow: bool) -> int:
        """What is shown where the last board of a frame is."""
        shows = PLAIN if plain else FADES_OUT
        if slow:
            shows |= SPOTS_FAILURES
            shows |= PENCILS if self._has_pencils else 0
        return shows

    @property
    def view(self) -> View:
        """What the frames show that have no more than `most_steps`, while the search goes on."""
        shows = self._unblurred(plain=self._plain, slow=self._slow)
        return View(shows, 1, self._deepest, self._fade_frames)

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
        return bool(self.arrays.fading.any())

    @property
    def cell_bytes(self) -> int:
        """Of a cell's sprite."""
        return 3 * self._block.cell**2

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
