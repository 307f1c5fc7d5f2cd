"""A panel: the length of the runs of consecutive undos in a search, over the race.

Each column of pixels covers an equal share of the race's steps, as in the chart of depth. Its
height is the length of the longest run of undos among them; _FULL_HEIGHT or more fill the panel.
"""

from __future__ import annotations

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.layout.panel_kind import PanelKind, Shape, Space
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.solver.trace.steps import Steps

__all__ = ["PANELS", "UndoRunsPanel"]

PANELS = (
    PanelKind(
        "undo-runs",
        "The lengths of runs of consecutive undos.",
        Space(Shape.TIMELINE, lines=2),
        "undo_runs_panel:UndoRunsPanel",
        rank=150,
    ),
)

_FULL_HEIGHT = 20
"""The number of consecutive undos that fills the height; longer runs are rare."""


class UndoRuns:
    """A recorder. `longest` is the longest run of undos in each column, (columns,) int64; all
    columns together cover `total` steps."""

    def __init__(self, columns: int, total: int) -> None:
        self.longest = np.zeros(columns, np.int64)
        self._total = max(1, total)
        self._steps = 0
        self._row = 0

    def record(self, steps: Steps, start: int, stop: int) -> None:
        """Record rows `start` to `stop` - 1; those after the race are ignored."""
        undo = steps.placed[start:stop] == 0
        undo = undo[: self._total - self._steps]
        if not len(undo):
            return
        number = np.arange(len(undo))
        # For each step, the last one up to it that is not an undo; -1: in an earlier call.
        before = np.maximum.accumulate(np.where(undo, -1, number))
        row = number - before + np.where(before < 0, self._row, 0)
        row[~undo] = 0
        columns = (self._steps + number) * len(self.longest) // self._total
        first = np.flatnonzero(np.diff(columns, prepend=-1))
        longest = np.maximum.reduceat(row, first)
        self.longest[columns[first]] = np.maximum(self.longest[columns[first]], longest)
        self._row = int(row[-1])
        self._steps += len(undo)


class UndoRunsPanel(Panel):
    """Draws columns that only grow: nothing that is drawn moves or shrinks."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._chart = chart_box(context.box, context.text)
        self._most = max(1, min(_FULL_HEIGHT, context.script.deepest))
        self._undo_runs = UndoRuns(self._chart.width, context.script.total(context.number))
        self.recorders = (self._undo_runs,)
        self._shown = np.zeros(self._chart.width, np.int64)

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._chart, self._theme.cell)
        names = "taken back in a row", "taken back", ""
        self._draw_caption(canvas, names, (f"up to {self._most}", ""))

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        chart = self._chart
        rows = np.minimum(self._undo_runs.longest, self._most)
        heights = rows * chart.height // self._most
        for column in np.flatnonzero(heights != self._shown).tolist():
            height = int(heights[column])
            bar = Rect(chart.x + column, chart.bottom - height, 1, height)
            canvas.fill(bar, self._theme.undoing)
        self._shown = heights
