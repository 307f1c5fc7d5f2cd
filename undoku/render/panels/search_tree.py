"""The search tree as it grows: nodes and links if they can be told apart, otherwise an icicle plot.

In an icicle plot, widths are numbers of nodes, on the same scale for all trees of a film. Failed
subtrees are grey, open nodes have the tints of their depths, and at the end the path to the
solution remains.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from undoku.render.draw.canvas import Canvas, Pixels, Rect
from undoku.render.draw.colour_space import mix
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.theme import TINTS, Theme
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.tree_layout import Places, places
from undoku.render.panels.icicle_loops import (
    AT,
    LIVE,
    LOOKS,
    IcicleBox,
    IcicleShown,
    put_icicle,
)
from undoku.render.panels.node_link_tree import NodeLinkPanel, pitch_of
from undoku.render.panels.panel import Moment, Panel, PanelContext, Script, chart_box
from undoku.render.panels.tree_panel import TreePanel
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.tree_profile import LEVELS, Icicle
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.state import SOLUTIONS
from undoku.solver.trace.trace import Outcome

DEAD = 0.5
"""The strength of failed subtrees relative to the colour of small letters."""

_SOFT = 0.75
"""Small shares are drawn stronger, so that they are visible."""

_UNKNOWN = 255
"""The look of pixels that must be painted in any case."""


def recorded(puzzle: Puzzle, box: Rect, text: TextSizes, deepest: int, most: int) -> Icicle:
    """A recorder for the tree that is drawn in `box`; `most` nodes fill its width, `deepest` is the
    lowest row's depth."""
    chart = chart_box(box, text)
    rows = min(chart.height, deepest + 1)
    return Icicle(puzzle, chart.width, rows, deepest, most, _hairline(text))


def _hairline(text: TextSizes) -> int:
    """The width in pixels of the thinnest line that is visible at all picture sizes."""
    return max(1, round(text.label / 15))


def colours_of_rows(theme: Theme, rows: int, deepest: int) -> Pixels:
    """(rows, LOOKS, 3): the colour of each look in each row."""
    colours = np.empty((rows, LOOKS, 3), np.uint8)
    shades = [DEAD * (level / LEVELS) ** _SOFT for level in range(LEVELS + 1)]
    colours[:, : LEVELS + 1] = [mix(theme.cell, theme.muted, shade) for shade in shades]
    depths = np.arange(rows) * (deepest + 1) // rows
    tints = np.clip((depths - 1) * TINTS // max(1, deepest), 0, TINTS - 1)
    colours[:, LIVE] = np.array(theme.scale, np.uint8)[tints]
    colours[:, AT] = theme.text
    return colours


class IciclePanel(TreePanel):
    """An icicle plot."""

    def __init__(self, context: PanelContext) -> None:
        script, theme, text = context.script, context.sprites.theme, context.text
        deepest, box = script.deepest, context.box
        self._icicle = icicle = recorded(context.puzzle, box, text, deepest, script.most_nodes)
        most = max(tally.nodes for tally in script.tallies)
        super().__init__(context, icicle, lambda: (icicle.column, icicle.depth), most)
        chart, rows = self._chart, len(icicle.levels)
        thin = _hairline(text)
        self._at = IcicleBox(
            chart.x,
            chart.y,
            chart.height,
            depths=deepest + 1,
            gap=thin if chart.height // rows >= 6 * thin else 0,
            least_path=max(2, round(text.label / 5)),
        )
        self._painted = IcicleShown(
            begins=np.full(rows, chart.width, np.int32),
            shown=np.zeros(icicle.levels.shape, np.uint8),
            colours=colours_of_rows(theme, rows, deepest),
            boxes=np.zeros((rows, 4), np.int64),
            pixels=np.full((chart.height, chart.width, 3), theme.cell, np.uint8),
            drawn=np.zeros(1, np.int64),
            marks=np.zeros((0, 4), np.int64),
            ink=np.array(theme.accent, np.uint8),
        )
        self.most_rows += rows
        self.new_bytes = self._painted.pixels.size // 8
        self._is_solved = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        super().draw(canvas, moment)
        snapshot = moment.snapshots[self._number]
        if snapshot.finished and snapshot.outcome is Outcome.SOLVED and not self._is_solved:
            # The path to the solution stands out.
            self._is_solved = True
            self._painted.colours[:, LIVE:] = self._theme.accent
            self._painted.shown[:] = _UNKNOWN
            self._painted.drawn[0] = 0
        for left, top, right, bottom in self._new_marks():
            pixels = self._painted.pixels[top:bottom, left:right]
            canvas.put(pixels, self._chart.x + left, self._chart.y + top)

    def reach(self, frames: NextFrames) -> int:
        if not self._solutions:
            return super().reach(frames)
        return super().reach(frames.first(frames.before_change(self._number, SOLUTIONS)))

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not (frames.present or frames.moves(self._number)):
            return
        super().put(frames, draft)
        steps, begun, ends, _ = frames.events(self._number)
        if self._solutions:
            self._solutions.skip(steps, begun, int(ends[-1]))
        snapshot = frames.snapshots[self._number]
        path = not (snapshot.finished and snapshot.outcome is Outcome.EXHAUSTED)
        draft.fill(
            len(frames),
            lambda frame, arrays: put_icicle(
                frame,
                ends,
                steps,
                begun,
                self._icicle.scale,
                self._at,
                path,
                self._icicle.arrays,
                self._painted,
                arrays,
            ),
        )

    def _new_marks(self) -> list[tuple[int, int, int, int]]:
        """Mark the leaves of new solutions; returns their rectangles in the chart."""
        places = [*self._solutions.places] if self._solutions else []
        found = [self._mark_of(place) for place in places[len(self._painted.marks) :]]
        for left, top, right, bottom in found:
            self._painted.pixels[top:bottom, left:right] = self._painted.ink
        if found:
            marks = np.concatenate([self._painted.marks, np.array(found, np.int64)])
            self._painted = self._painted._replace(marks=marks)
        return found

    def _mark_of(self, place: Hashable) -> tuple[int, int, int, int]:
        """The mark of the leaf (column, depth): left, top, right, bottom."""
        assert isinstance(place, tuple)
        column, depth = place
        chart, (rows, _) = self._chart, self._icicle.levels.shape
        row = depth * rows // self._at.depths
        width, high = self._at.least_path, max(self._at.least_path, chart.height // rows)
        left = max(0, column + 1 - width)
        top = min(row * chart.height // rows, chart.height - high)
        return left, top, left + width, top + high


TREE = "tree"
"""The panel's name."""

_NodeLinks = tuple[list[Places], tuple[int, float]]
"""The trees of a film that are all small enough to show each node, and the distances of nodes."""


def _node_links(script: Script) -> _NodeLinks | None:
    if not all(survey.tree.whole for survey in script.surveys):
        return None
    box = script.layout.blocks[0].panels[TREE]
    trees = [places(found.tree.parents[: found.tree.count].tolist()) for found in script.surveys]
    pitch = pitch_of(chart_box(box, script.layout.text), trees)
    return (trees, pitch) if pitch else None


def tree_panel(context: PanelContext) -> Panel:
    """The tree of one search, in the form that suits all searches of the film."""
    if not (links := context.script.shared(_node_links)):
        return IciclePanel(context)
    trees, pitch = links
    return NodeLinkPanel(context, trees[context.number], pitch)
