"""The search tree as it grows, one row for each depth: thin or fat at a glance.

The bar of a row is as long as the row has nodes, exactly, whatever the size of the tree; all trees
of a film have one scale. The trunk in its middle is the path that the search is on; what surrounds
it has failed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.canvas import Canvas, Rect
from render.layout import TextSizes
from render.panels.captions import chart_box, draw_caption
from render.panels.charts import paint_rows
from render.panels.contract import Moment, Panel
from render.recorders.history import History
from render.sprites import SpriteBook
from render.theme import TINTS, mix
from solver.trace import Outcome

__all__ = ["TreePanel", "row_counts"]

DEAD = 0.5
"""How much of its tint a dead subtree keeps."""


def row_counts(nodes: NDArray[np.int64], deepest: int, rows: int) -> NDArray[np.int64]:
    """(min(rows, deepest + 1),) int64: the nodes of each row of a tree whose depths 0..deepest
    have `nodes`. Where there are more depths than rows, a row has its widest depth's."""
    depths = deepest + 1
    if depths <= rows:
        return nodes[:depths].copy()
    starts = np.arange(rows) * depths // rows
    counts: NDArray[np.int64] = np.maximum.reduceat(nodes[:depths], starts)
    return counts


class TreePanel(Panel):
    """`history` counts the nodes, `most` is the number of nodes for the whole width, `deepest` the
    depth of the lowest row."""

    def __init__(
        self,
        number: int,
        box: Rect,
        history: History,
        most: int,
        deepest: int,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._box = box
        self._chart = chart_box(box, text)
        self._history = history
        self._most = max(1, most)
        self._deepest = deepest
        self._sprites = sprites
        self._text = text
        theme = sprites.theme
        self._rows = min(self._chart.height, deepest + 1)
        depths = np.arange(self._rows) * (deepest + 1) // self._rows
        tints = np.clip((depths - 1) * TINTS // max(1, deepest), 0, TINTS - 1)
        dead = [mix(theme.cell, tint, DEAD) for tint in theme.scale]
        self._dim = np.array(dead, np.uint8)[tints]
        self._bright = np.array([theme.text] * self._rows, np.uint8)
        self._ground = np.array(theme.cell, np.uint8)
        self._shown = np.full(self._rows, -1, np.int64)
        self._painted = np.zeros(4, np.int64)
        self._started = self._finished = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if not self._started:
            canvas.fill(self._chart, self._sprites.theme.cell)
            most = f"{self._most:,}"
            draw_caption(
                canvas, self._sprites, self._text, self._box,
                ["tree", ""], [f"{most} nodes wide", f"{most} wide", ""],
            )  # fmt: skip
        elif not snapshot.span:
            return
        self._started = True
        if snapshot.finished and not self._finished and snapshot.outcome is Outcome.SOLVED:
            # The path to the solution stands out.
            self._finished = True
            self._bright[:] = self._sprites.theme.accent
            self._shown[:] = -1
        chart = self._chart
        counts = row_counts(self._history.nodes, self._deepest, self._rows)
        if paint_rows(
            canvas.pixels,
            chart.x,
            chart.y,
            chart.width,
            chart.height,
            self._most,
            snapshot.depth * self._rows // (self._deepest + 1),
            max(2, round(chart.width / 100)),
            counts,
            self._shown,
            self._bright,
            self._dim,
            self._ground,
            self._painted,
        ):
            left, top, right, bottom = self._painted.tolist()
            canvas.touch(Rect(left, top, right - left, bottom - top))
