"""Depth over time: the slow claw and the sudden collapse, all searches on one scale."""

from __future__ import annotations

import numpy as np

from render.canvas import Canvas, Pixels, Rect
from render.layout import TextSizes
from render.panels.captions import chart_box, draw_caption
from render.panels.charts import paint_depths
from render.panels.contract import Moment, Panel
from render.recorders.history import History
from render.sprites import SpriteBook
from render.theme import TINTS, Theme

__all__ = ["DepthPanel", "tints_of_rows"]


def tints_of_rows(theme: Theme, height: int, deepest: int) -> tuple[Pixels, Pixels]:
    """((height, 3) bright, (height, 3) dim): the tint of each row of a chart of pixels whose upper
    edge is the depth `deepest` >= 1."""
    depths = (height - 1 - np.arange(height)) * deepest // max(1, height - 1)
    tints = np.clip((depths - 1) * TINTS // deepest, 0, TINTS - 1)
    return np.array(theme.scale, np.uint8)[tints], np.array(theme.scale_cells, np.uint8)[tints]


class DepthPanel(Panel):
    """A column of pixels for each share of the steps, from the least to the greatest depth in it
    in the tint that digits of that depth have; dim below. `history` has a column for each of the
    chart's; `deepest` is the depth at the upper edge."""

    def __init__(
        self,
        number: int,
        box: Rect,
        history: History,
        deepest: int,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._box = box
        self._chart = chart_box(box, text)
        self._history = history
        self._deepest = max(1, deepest)
        self._sprites = sprites
        self._text = text
        self._tints = tints_of_rows(sprites.theme, self._chart.height, self._deepest)
        self._drawn = -1

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        chart, history = self._chart, self._history
        if self._drawn < 0:
            self._drawn = 0
            self._draw_frame(canvas)
        reached = history.reached
        if reached == 0 or not snapshot.span:
            return
        # The last column drawn may have gone on to grow.
        first = max(0, self._drawn - 1)
        self._drawn = reached
        bright, dim = self._tints
        paint_depths(
            canvas.pixels,
            chart.x,
            chart.y,
            first,
            reached,
            self._deepest,
            max(1, round(chart.height / 40)),
            history.low,
            history.high,
            bright,
            dim,
            np.array(self._sprites.theme.cell, np.uint8),
        )
        canvas.touch(Rect(chart.x + first, chart.y, reached - first, chart.height))

    def _draw_frame(self, canvas: Canvas) -> None:
        canvas.fill(self._chart, self._sprites.theme.cell)
        steps = self._history.total
        draw_caption(
            canvas, self._sprites, self._text, self._box,
            ["depth", ""], [f"{steps:,} steps", f"{steps:,}", ""],
        )  # fmt: skip
