"""A small search tree as nodes and links, as it grows.

The current path is emphasised, failed branches are faint, and at the end the path to the solution
remains.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels, Rect, bounding
from undoku.render.draw.cells import ramp
from undoku.render.draw.colour_space import mix
from undoku.render.draw.lettering import Mask, quantised
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Stroke
from undoku.render.layout.tree_layout import Places
from undoku.render.panels.panel import Moment, PanelContext
from undoku.render.panels.tree_panel import TreePanel
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.survey import MAX_NODES, Tree
from undoku.solver.trace.trace import Outcome

_MIN_ACROSS, _MIN_DOWN = 4, 1
"""The minimum distances of two nodes in pixels, horizontally and vertically."""

_MAX_PITCH = 40
DEAD = 0.65
"""The strength of failed subtrees relative to the text colour."""


def pitch_of(chart: Rect, trees: Sequence[Places]) -> tuple[int, float] | None:
    """The horizontal and the vertical distance of nodes in pixels with which all `trees` fit into
    `chart`; None if they could not be distinguished."""
    wide = max(max(x) for x, _ in trees) + 1
    deep = max(max(depth) for _, depth in trees) + 1
    across, down = int(chart.width / wide), chart.height / deep
    if across < _MIN_ACROSS or down < _MIN_DOWN:
        return None
    # Distances are whole pixels, for equal rows, unless they are small.
    return min(across, _MAX_PITCH), min(int(down) if down >= 3 else down, _MAX_PITCH)


_Link = tuple[Rect, Mask]
"""A node with the line to its parent: its rectangle, and its coverage of each pixel."""


class NodeLinkPanel(TreePanel):
    """`places` are those of the whole tree, so that no node moves; nodes have the distances `pitch`
    (horizontally, vertically). The roots of all trees are at the same height."""

    def __init__(self, context: PanelContext, places: Places, pitch: tuple[int, float]) -> None:
        self._tree = tree = Tree(MAX_NODES)
        super().__init__(context, tree, lambda: tree.current, MAX_NODES)
        script, theme = context.script, self._theme
        whole = script.surveys[context.number].tree
        self._parents = whole.parents[: whole.count].tolist()
        x, self._depths = places
        across, down = pitch
        width, height = self._chart.width, self._chart.height
        left, top = (width - max(x) * across) / 2, (height - script.deepest * down) / 2
        self._points = [(left + a * across, top + b * down) for a, b in zip(*places, strict=True)]
        """The centre of each node in pixels of the chart, in which the tree is centred."""
        self._radius = max(1.2, min(4.0, min(pitch) * 0.35))
        self._thickness = max(1.4, self._radius * 0.7)
        """The width of lines in pixels."""
        self._links: dict[int, _Link] = {}
        self._masks: dict[object, Mask] = {}
        self._born: Mask = np.zeros((height, width), np.uint8)
        self._path: list[int] = [0]
        self._count = 0
        self._solved: list[int] = []
        self._dead = ramp(mix(theme.cell, theme.muted, DEAD), theme.cell)
        self._live = ramp(theme.text, theme.cell)
        self._leaf = ramp(theme.accent, theme.cell)
        self.most_rows += 1
        self.new_bytes = 3 * width * height // 8

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        super().draw(canvas, moment)
        snapshot = moment.snapshots[self._number]
        if snapshot.finished and snapshot.outcome is Outcome.SOLVED:
            self._live = self._leaf

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not frames.moves(self._number) and self._count:
            return
        super().put(frames, draft)
        steps, begun, ends, _ = frames.events(self._number)
        draft.figure = DrawnShapes(self._chart, self._shapes)
        (recorder,) = self.played
        for frame, end in enumerate(ends.tolist()):
            if end > begun or frames.present:
                recorder.record(steps, begun, end)
                begun = end
                if dirty := self._advance(whole_path=self._live is self._leaf):
                    x, y = self._chart.x + dirty.x, self._chart.y + dirty.y
                    draft.add_new(frame, self._painted(dirty), x, y)

    def _advance(self, *, whole_path: bool) -> Rect | None:
        """Follow the recorded tree; returns the rectangle of the chart that must be painted, with
        the whole path if requested, or None."""
        changed = self._follow(self._tree.current)
        if whole_path:
            changed += self._path
        for node in range(self._count, self._tree.count):
            rect, mask = self._link(node)
            part = self._born[rect.y : rect.bottom, rect.x : rect.right]
            np.maximum(part, mask, out=part)
            changed.append(node)
        self._count = self._tree.count
        places = self._solutions.places if self._solutions else ()
        solved = [node for node in places if isinstance(node, int)]
        changed += solved[len(self._solved) :]
        self._solved = solved
        return bounding(self._link(node)[0] for node in changed)

    def _follow(self, node: int) -> list[int]:
        """Let the path, a list of nodes by depth, end at `node`; returns the nodes that left it and
        the nodes that were added."""
        path, depths, joined = self._path, self._depths, []
        while depths[node] >= len(path) or path[depths[node]] != node:
            joined.append(node)
            node = self._parents[node]
        left = path[depths[node] + 1 :]
        path[depths[node] + 1 :] = joined[::-1]
        return left + joined

    def _painted(self, dirty: Rect) -> Pixels:
        """The pixels of a rectangle of the chart: failed nodes below those on the path."""
        born = self._born[dirty.y : dirty.bottom, dirty.x : dirty.right]
        pixels = self._dead.take(born, 0)
        for nodes, shades in ((self._path, self._live), (self._solved, self._leaf)):
            levels = self._covered(nodes, dirty)
            pixels = np.where((levels > 0)[..., None], shades.take(levels, 0), pixels)
        return pixels

    def _covered(self, nodes: Sequence[int], dirty: Rect) -> Mask:
        """The coverage of the pixels of a rectangle by these nodes and their lines."""
        levels = np.zeros((dirty.height, dirty.width), np.uint8)
        for node in nodes:
            rect, mask = self._link(node)
            x, y = max(rect.x, dirty.x), max(rect.y, dirty.y)
            right, bottom = min(rect.right, dirty.right), min(rect.bottom, dirty.bottom)
            if x < right and y < bottom:
                under = levels[y - dirty.y : bottom - dirty.y, x - dirty.x : right - dirty.x]
                over = mask[y - rect.y : bottom - rect.y, x - rect.x : right - rect.x]
                np.maximum(under, over, out=under)
        return levels

    def _shapes(self) -> list[Stroke]:
        """The failed nodes with their lines, and those on the path above them."""
        places = [(self._chart.x + x, self._chart.y + y) for x, y in self._points]
        found = []
        layers: tuple[tuple[Sequence[int], Pixels], ...] = (
            (range(self._count), self._dead), (self._path, self._live), (self._solved, self._leaf)
        )  # fmt: skip
        for nodes, shades in layers:
            red, green, blue = shades[-1].tolist()
            lines = tuple((places[self._parents[node]], places[node]) for node in nodes if node)
            discs = tuple((places[node],) for node in nodes)
            found.append(Stroke(lines, self._thickness, (red, green, blue)))
            found.append(Stroke(discs, 2 * self._radius, (red, green, blue)))
        return [stroke for stroke in found if stroke.lines]

    def _link(self, node: int) -> _Link:
        """A node and the line up to its parent."""
        if node not in self._links:
            ends = self._points[node], self._points[self._parents[node]]
            xs, ys = zip(*ends, strict=True)
            reach = self._radius + 1
            left, top = (max(0, int(min(each) - reach)) for each in (xs, ys))
            right, bottom = (int(max(each) + reach) + 1 for each in (xs, ys))
            width, height = min(right, self._chart.width), min(bottom, self._chart.height)
            rect = Rect(left, top, width - left, height - top)
            self._links[node] = rect, self._mask(rect, ends)
        return self._links[node]

    def _mask(self, rect: Rect, ends: Sequence[tuple[float, float]]) -> Mask:
        """The coverage of a node and a line, smooth by supersampling. Many links have the same."""
        scale = 4
        points = [((x - rect.x) * scale, (y - rect.y) * scale) for x, y in ends]
        key = rect.width, rect.height, *(round(place, 3) for point in points for place in point)
        if key not in self._masks:
            from PIL import Image, ImageDraw

            picture = Image.new("L", (rect.width * scale, rect.height * scale))
            pen = ImageDraw.Draw(picture)
            pen.line(points, fill=255, width=round(self._thickness * scale))
            x, y, radius = *points[0], self._radius * scale
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
            small = picture.resize((rect.width, rect.height), Image.Resampling.BOX)
            self._masks[key] = quantised(np.asarray(small))
        return self._masks[key]
