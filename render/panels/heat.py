"""How often each cell was tried, as a map of the board."""

from __future__ import annotations

import numpy as np

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import SpriteBook
from render.layout.cell_places import cell_squares
from render.layout.page import TextSizes
from render.panels.chart_caption import chart_box, draw_caption
from render.panels.contract import Moment, Panel
from render.panels.script import PanelContext
from render.playback.recorders.history import History
from render.style.heat_scale import stops
from render.texts import wording as say
from render.texts.language import number
from solver.puzzle import Puzzle

__all__ = ["HeatPanel", "heat_panel"]


class HeatPanel(Panel):
    """A square for each cell, the hotter the more often a value was placed in it; `most` tries
    are the hottest. Givens stay as they are."""

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
        self._stops = stops(most)
        self._sprites = sprites
        self._text = text
        chart = chart_box(box, text)
        side = max(1, min(chart.width, chart.height) // puzzle.geometry.side)
        shown = side - (side > 3)
        self._squares = [
            square._replace(width=shown, height=shown)
            for square in cell_squares(puzzle.geometry, chart.x, chart.y, side)
        ]
        self._given = puzzle.board > 0
        self._colours = sprites.theme.shades
        self._shown = np.full(puzzle.geometry.cells, -1, np.int64)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._shown[0] < 0:
            draw_caption(
                canvas, self._sprites, self._text, self._box,
                [say.TRIES(), ""], [say.UP_TO(number=self._most), number(self._most), ""],
            )  # fmt: skip
        elif not snapshot.span:
            return
        shades = np.searchsorted(self._stops, self._history.tries, side="right")
        for cell in np.flatnonzero(shades != self._shown).tolist():
            given = self._given[cell]
            colour = self._sprites.theme.given_cell if given else self._colours[shades[cell]]
            canvas.fill(self._squares[cell], colour)
        self._shown = shades


def heat_panel(context: PanelContext) -> HeatPanel:
    """The map of one search, on the scale of all."""
    return HeatPanel(
        context.number,
        context.box,
        context.puzzle,
        context.history,
        context.script.most_tried,
        context.sprites,
        context.text,
    )
