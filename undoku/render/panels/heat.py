"""A map of the board that shows how often each cell was tried."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.direct_loop import direct
from undoku.render.draw.heat_scale import stops
from undoku.render.draw.look import Look
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.chart_caption import chart_box, draw_caption
from undoku.render.panels.heat_squares import HeatArrays, put_heat, put_run_of_heat
from undoku.render.panels.panel import Moment, Panel
from undoku.render.panels.script import PanelContext
from undoku.render.playback.history import History
from undoku.render.playback.next_frames import NextFrames
from undoku.solver.problem.puzzle import Puzzle
from undoku.texts import wording as say
from undoku.texts.language import number

__all__ = ["HeatPanel", "heat_panel"]


class HeatPanel(Panel):
    """A square for each cell, hotter the more often a value was placed in it; `most` tries have the
    hottest shade. Givens do not change."""

    def __init__(
        self,
        number: int,
        box: Rect,
        puzzle: Puzzle,
        history: History,
        most: int,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._box = box
        self._history = history
        self._most = most
        self._sprites = sprites
        self._text = text
        chart = chart_box(box, text)
        side = max(1, min(chart.width, chart.height) // puzzle.geometry.side)
        shown = side - (side > 3)
        squares = Look(puzzle.geometry).squares(chart.x, chart.y, side)
        cells = puzzle.geometry.cells
        given = sprites.index.kind(("given square", shown), self._given_square)
        empty = sprites.index.kind(("heat", shown), self._square)
        self._arrays = HeatArrays(
            tries=np.zeros(cells, np.int64),
            stops=np.array(stops(most), np.int64),
            shown=np.full(cells, -1, np.int64),
            squares=np.array([(square.x, square.y) for square in squares], np.int32),
            kinds=np.where(puzzle.board > 0, given, empty).astype(np.int32),
        )
        self._side = shown
        self.most_rows = cells
        self._draft = Draft(sprites.index, cells)
        self._put: Callable[..., object] = put_heat

    def _given_square(self, shade: int) -> Sprite:
        """A square that does not change."""
        del shade
        return self._sprites.area(self._side, self._side, self._sprites.theme.given_cell)

    def _square(self, shade: int) -> Sprite:
        return self._sprites.area(self._side, self._side, self._sprites.theme.shades[shade])

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        started = self._arrays.shown[0] >= 0
        if started and not snapshot.span:
            return
        self._arrays.tries[:] = self._history.tries
        given = self._arrays, self._draft.begin()
        if not started:
            draw_caption(
                canvas, self._sprites, self._text, self._box,
                [say.TRIES(), ""], [say.UP_TO(number=self._most), number(self._most), ""],
            )  # fmt: skip
            self._put = direct(put_heat, *given)
        self._put(*given)
        self._draft.draw(canvas)

    def reach(self, frames: NextFrames) -> int:
        return len(frames)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        packed, begun, ends, _ = frames.events(self._number)
        put_run_of_heat(ends, packed, begun, self._arrays, draft.arrays)


def heat_panel(context: PanelContext) -> HeatPanel:
    """The map of one search, on the scale of all searches."""
    return HeatPanel(
        context.number,
        context.box,
        context.puzzle,
        context.history,
        context.script.most_tried,
        context.sprites,
        context.text,
    )
