"""The search tree below a board that goes on alone: its branches, from left to right. Those of all
searches are below each other, at one scale, so that one is bushy and another one thin."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.run_draft import Draft
from undoku.render.panels.drawn_branches import DrawnBranches
from undoku.render.panels.panel import Panel, PanelContext, Script
from undoku.render.playback.branches import Branches
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
        self._line = max(1, round(self._row * _LINE))
        self._drawn = DrawnBranches(
            self._tree, box.width, box.height, script.deepest, self._row, self._line
        )
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
            if dirty := self._drawn.draw():
                left, top, *_ = dirty
                pixels = self._inks[self._drawn.kinds_in(dirty)]
                draft.add_new(frame, pixels, self._box.x + left, self._box.y + top)
