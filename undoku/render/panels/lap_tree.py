"""The search tree below a board that goes on alone: its branches, from left to right. Those of all
searches are below each other, at one scale, so that one is bushy and another one thin."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.run_draft import Draft
from undoku.render.panels.panel import Panel, PanelContext, Script
from undoku.render.playback.branches import RIGHT, Branches
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.verdict import verdict_of

_ROWS = 40
"""The number of rows of the chart."""

_LINE = 2 / 3
"""The thickness of a branch, relative to the height of a row."""


class TreeRows(NamedTuple):
    """Where the trees of a film are: the place of each search's in the chart, the height of a row
    in pixels, and the number of nodes that share a row."""

    places: dict[int, Rect]
    height: int
    nodes: int


def tree_rows(script: Script) -> TreeRows:
    """The rows of the trees in the chart of the layout, from the top down in the order of the bars
    of the card."""
    chart = script.layout.chart
    assert chart
    nodes = [tally.nodes for tally in script.tallies]
    order = verdict_of(script.headers, script.tallies).bars or range(len(nodes))
    height = max(2, round(chart.height / _ROWS))
    # There is an empty row below each tree, and its last row need not be full.
    room = chart.height // height - 2 * len(nodes)
    per_row = ceil(sum(nodes) / max(1, room))
    places, y = {}, chart.y
    for number in order:
        high = ceil(nodes[number] / per_row) * height
        places[number] = chart._replace(y=y, height=high)
        y += high + height
    return TreeRows(places, height, per_row)


class LapTree(Panel):
    """The tree of one search. Branches that began while a wrong digit stood in a first cell of the
    longest search have the colour of what is wrong."""

    changes = ()
    most_rows = 1

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, theme = context.script, self._theme
        places, self._row, per_row = script.shared(tree_rows)
        self._box = box = places[self._number]
        totals = script.timeline.totals
        wrong = script.wrong if self._number == totals.index(max(totals)) else ()
        self._tree = Branches(context.puzzle, box.height // self._row, per_row, wrong)
        self.recorders = self.played = (self._tree,)
        self._drawn = np.zeros((2, *self._tree.arrays.same.shape), np.uint8)
        """The branches that are drawn: those from the same row, and falling ones."""
        self._line = max(1, round(self._row * _LINE))
        self._level = (box.width - self._line) / max(1, script.deepest)
        """The width in pixels of a branch."""
        # A curve is steepest in its middle, by a half.
        self._way = np.linspace(0, 1, ceil(max(self._level, 1.5 * box.height)) + 1)
        """The points of a branch, each as its share of the way."""
        self._kinds = np.zeros((box.height, box.width), np.uint8)
        """The kinds of the branches that cross each pixel, as bits."""
        self._kinds[: self._line, : self._line] = RIGHT  # the root
        own, is_wrong = theme.search_colour(self._number), theme.undoing
        self._inks = np.array([theme.background, own, is_wrong, is_wrong], np.uint8)
        self.new_bytes = 3 * box.width * box.height // 8

    def start(self, canvas: Canvas) -> None:
        root = self._box._replace(width=self._line, height=self._line)
        canvas.fill(root, self._theme.search_colour(self._number))

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not (frames.present or frames.moves(self._number)):
            return
        steps, begun, ends, _ = frames.events(self._number)
        for frame, end in enumerate(ends.tolist()):
            if end > begun:
                self._tree.record(steps, begun, end)
                begun = end
            if dirty := self._grown():
                left, top, width, height = dirty
                kinds = self._kinds[top : top + height, left : left + width]
                draft.add_new(frame, self._inks[kinds], self._box.x + left, self._box.y + top)

    def _grown(self) -> Rect | None:
        """Draw new branches; returns the rectangle of the box in which they are."""
        same, falling, origins, *_ = self._tree.arrays
        now = np.stack([same, falling])
        falls, depths, rows = np.nonzero(now != self._drawn)
        if not len(rows):
            return None
        kinds, self._drawn = now[falls, depths, rows], now
        heights = (rows - np.where(falls, origins[depths, rows], rows)) * self._row
        way = self._way
        down = heights[:, None] * ((3 - 2 * way) * way**2 - 1)
        xs = np.rint((depths[:, None] - 1 + way) * self._level).astype(int)
        ys = np.rint(rows[:, None] * self._row + down).astype(int)
        for right in range(self._line):
            for below in range(self._line):
                np.bitwise_or.at(self._kinds, (ys + below, xs + right), kinds[:, None])
        x, y = int(xs.min()), int(ys.min())
        width, height = (int(each.max()) + self._line for each in (xs, ys))
        return Rect(x, y, width - x, height - y)
