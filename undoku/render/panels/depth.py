"""Depth over time, all searches on one scale."""

from __future__ import annotations

import numpy as np

from undoku.render.draw.canvas import Canvas, Pixels
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.theme import TINTS, Theme
from undoku.render.panels.depth_chart import ChartColours, DepthChart
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.history import Depths
from undoku.render.playback.next_frames import NextFrames
from undoku.texts import wording as say
from undoku.texts.language import number


def tints_of_rows(theme: Theme, height: int, deepest: int) -> tuple[Pixels, Pixels]:
    """((height, 3) bright, (height, 3) dim): the tint of each row of a chart of pixels whose upper
    edge is the depth `deepest` >= 1."""
    depths = (height - 1 - np.arange(height)) * deepest // max(1, height - 1)
    tints = np.clip((depths - 1) * TINTS // deepest, 0, TINTS - 1)
    return np.array(theme.scale, np.uint8)[tints], np.array(theme.scale_cells, np.uint8)[tints]


class DepthPanel(Panel):
    """Each column of pixels represents an equal share of the steps. It has the tints of digits
    between the least and the greatest depth, and dim tints below. The number of steps on the axis
    is shown at once if no search of the film has as many; otherwise when the search with that
    number is done."""

    changes = ()
    most_rows = 1

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, theme, search = context.script, self._theme, context.number
        self._area = area = chart_box(context.box, context.text)
        self._total, deepest = script.total(search), max(1, script.deepest)
        depths = Depths(context.puzzle, area.width, self._total)
        bright, dim = tints_of_rows(theme, area.height, deepest)
        empty = np.full_like(dim, theme.cell)
        colours = ChartColours(bright, dim, empty, theme.undoing)
        self._chart = DepthChart(area, search, depths, deepest, colours)
        totals = [tally.steps for tally in script.tallies]
        self._ends_there = totals[search] == self._total
        self._tells = self._ends_there or self._total not in totals
        self.recorders = (depths,)

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._area, self._theme.cell)
        self._draw_caption(canvas, [say.DEPTH(), ""])

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if self._tells and (moment.snapshots[self._number].finished or not self._ends_there):
            self._tells, steps = False, self._total
            texts = [say.STEPS(count=steps), number(steps), ""]
            self._draw_caption(canvas, [say.DEPTH(), ""], texts)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        self._chart.put(frames, draft)
