"""The search tree as it grows: nodes and links if they can be told apart, otherwise an icicle plot.

In an icicle plot, widths are numbers of nodes, on the same scale for all trees of a film. Failed
subtrees are grey, open nodes have the tints of their depths, and at the end the path to the
solution remains.
"""

from __future__ import annotations

import numpy as np

from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.colour_space import mix
from undoku.render.draw.theme import TINTS, Theme
from undoku.render.layout.tree_layout import Places, places
from undoku.render.panels.icicle_loops import AT, LEAF, LIVE, LOOKS, IcicleLooks, update_looks
from undoku.render.panels.node_link_tree import NodeLinkPanel, pitch_of
from undoku.render.panels.panel import Panel, PanelContext, Script, chart_box
from undoku.render.panels.tree_panel import TreePanel
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.tree_profile import LEVELS, Icicle
from undoku.solver.trace.trace import Outcome

DEAD = 0.5
"""The strength of failed subtrees relative to the colour of small letters."""

_SOFT = 0.75
"""Small shares are drawn stronger, so that they are visible."""

_UNKNOWN = 255
"""The look of pixels that must be painted in any case."""


def colours_of_rows(theme: Theme, rows: int, deepest: int) -> Pixels:
    """(rows, LOOKS, 3): the colour of each look in each row."""
    colours = np.empty((rows, LOOKS, 3), np.uint8)
    shades = [DEAD * (level / LEVELS) ** _SOFT for level in range(LEVELS + 1)]
    colours[:, : LEVELS + 1] = [mix(theme.cell, theme.muted, shade) for shade in shades]
    depths = np.arange(rows) * (deepest + 1) // rows
    tints = np.clip((depths - 1) * TINTS // max(1, deepest), 0, TINTS - 1)
    colours[:, LIVE] = np.array(theme.scale, np.uint8)[tints]
    colours[:, AT], colours[:, LEAF] = theme.text, theme.accent
    return colours


class IciclePanel(TreePanel[tuple[int, int]]):
    """An icicle plot."""

    def __init__(self, context: PanelContext) -> None:
        script, text = context.script, context.text
        chart, self._deepest = chart_box(context.box, text), script.deepest
        rows = min(chart.height, script.deepest + 1)
        # The width in pixels of the thinnest line that is visible at all picture sizes.
        thin = max(1, round(text.label / 15))
        self._icicle = icicle = Icicle(
            context.puzzle, chart.width, rows, script.deepest, script.most_nodes, thin
        )
        most = max(tally.nodes for tally in script.tallies)
        super().__init__(context, icicle, lambda: (icicle.column, icicle.depth), most)
        self._least_path = max(2, round(text.label / 5))
        self._colours = colours_of_rows(self._theme, rows, script.deepest)
        self._looks = IcicleLooks(
            begins=np.full(rows, chart.width, np.int32),
            shown=np.zeros(icicle.levels.shape, np.uint8),
            leaves=np.zeros(icicle.levels.shape, np.uint8),
            drawn=np.zeros(1, np.int64),
            dirty=np.zeros(4, np.int64),
        )
        bounds = np.arange(rows + 1) * chart.height // rows
        self._bounds, self._heights = bounds.tolist(), np.diff(bounds)
        """The upper edge of each row in the chart, and the height of each."""
        self._rows, self._dirty = np.arange(rows)[:, None], slice(0)
        """The numbers of rows, and those that have changed."""
        self._gap = thin if chart.height // rows >= 6 * thin else 0
        self._marked = 0
        self.most_rows += 1
        self.new_bytes = 3 * chart.width * chart.height // 8

    def _show_path(self) -> None:
        self._colours[:, LIVE:] = self._theme.accent
        self._looks.shown[:] = _UNKNOWN
        self._looks.drawn[0] = 0

    def _followed(self, frames: NextFrames) -> Rect | None:
        for column, depth in [*self._solved][self._marked :]:
            self._mark(column, depth)
        self._marked = len(self._solved)
        snapshot = frames.snapshots[self._number]
        path = not (snapshot.finished and snapshot.outcome is Outcome.EXHAUSTED)
        update_looks(self._deepest + 1, self._least_path, path, self._icicle.arrays, self._looks)
        left, right, top, bottom = self._looks.dirty.tolist()
        if bottom < 0:
            return None
        self._dirty, upper = slice(top, bottom + 1), self._bounds[top]
        return Rect(left, upper, right + 1 - left, self._bounds[bottom + 1] - upper)

    def _mark(self, column: int, depth: int) -> None:
        """Mark the leaf of a solution, in several rows if these are thin."""
        rows = len(self._looks.leaves)
        row = depth * rows // (self._deepest + 1)
        high = -(-self._least_path * rows // self._chart.height)
        row = max(0, min(row, rows - high))
        left = max(0, column + 1 - self._least_path)
        self._looks.leaves[row : row + high, left : column + 1] = 1

    def _painted(self, dirty: Rect) -> Pixels:
        looks = self._looks.shown[self._dirty, dirty.x : dirty.right]
        colours = self._colours[self._rows[self._dirty], looks]
        pixels = colours.repeat(self._heights[self._dirty], 0)
        if self._gap:
            for lower in self._bounds[self._dirty.start + 1 : self._dirty.stop + 1]:
                pixels[lower - dirty.y - self._gap : lower - dirty.y] = self._theme.cell
        return pixels


TREE = "tree"
"""The panel's name."""

_NodeLinks = tuple[list[Places], tuple[int, float]]
"""The trees of a film that are all small enough to show each node, and the distances of nodes."""


def _node_links(script: Script) -> _NodeLinks | None:
    if not all(survey.tree.whole for survey in script.surveys):
        return None
    box = script.layout.blocks[0].panels[TREE]
    trees = [places(found.tree.parents) for found in script.surveys]
    pitch = pitch_of(chart_box(box, script.layout.text), trees)
    return (trees, pitch) if pitch else None


def tree_panel(context: PanelContext) -> Panel:
    """The tree of one search, in the form that suits all searches of the film."""
    if not (links := context.script.shared(_node_links)):
        return IciclePanel(context)
    trees, pitch = links
    return NodeLinkPanel(context, trees[context.number], pitch)
