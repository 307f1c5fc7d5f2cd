"""A small search tree as nodes and links, as it grows.

The current path is emphasised, failed branches are faint, and at the end the path to the solution
remains.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from undoku.render.draw.canvas import DrawnShapes, Pixels, Rect, bounding
from undoku.render.draw.cells import ramp
from undoku.render.draw.colour_space import mix
from undoku.render.draw.lettering import Mask, quantised
from undoku.render.draw.shapes import Point, Stroke
from undoku.render.layout.tree_layout import Places
from undoku.render.panels.panel import PanelContext
from undoku.render.panels.tree_panel import TreePanel
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.survey import MAX_NODES, Tree

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


_SCALE = 4
"""Nodes and lines are drawn this many times as large, then reduced."""

_Link = tuple[Rect, Mask]
"""A node with the line to its parent: its rectangle, and its coverage of each pixel."""


class NodeLinkPanel(TreePanel[int]):
    """`places` are those of the whole tree, so that no node moves; nodes have the distances `pitch`
    (horizontally, vertically). The roots of all trees are at the same height."""

    def __init__(self, context: PanelContext, places: Places, pitch: tuple[int, float]) -> None:
        self._tree = tree = Tree(MAX_NODES)
        super().__init__(context, tree, lambda: tree.current, MAX_NODES)
        script, theme = context.script, self._theme
        whole = script.surveys[context.number].tree
        self._parents = whole.parents
        across, down = pitch
        width, height = self._chart.width, self._chart.height
        left, top = (width - max(places[0]) * across) / 2, (height - script.deepest * down) / 2
        self._points = [(left + a * across, top + b * down) for a, b in zip(*places, strict=True)]
        """The centre of each node in pixels of the chart, in which the tree is centred."""
        self._down = down
        self._radius = max(1.2, min(4.0, min(pitch) * 0.35))
        self._links: dict[int, _Link] = {}
        self._born: Mask = np.zeros((height, width), np.uint8)
        """The coverage of the chart by all nodes and lines so far."""
        self._path: list[int] = []
        self._grown, self._marked = 0, 0
        """The numbers of nodes and of solutions that have been painted."""
        self._dead = ramp(mix(theme.cell, theme.muted, DEAD), theme.cell)
        self._live = ramp(theme.text, theme.cell)
        self._leaf = ramp(theme.accent, theme.cell)
        self.most_rows += 1
        self.new_bytes = 3 * width * height // 8

    def _show_path(self) -> None:
        self._live, self._path = self._leaf, []

    def _followed(self, frames: NextFrames) -> Rect | None:
        changed = [*range(self._grown, len(self._tree.parents)), *[*self._solved][self._marked :]]
        for node in range(self._grown, len(self._tree.parents)):
            rect, mask = self._link(node)
            part = self._born[rect.y : rect.bottom, rect.x : rect.right]
            np.maximum(part, mask, out=part)
        self._grown, self._marked = len(self._tree.parents), len(self._solved)
        path, node = list[int](), self._tree.current
        while node:
            path.append(node)
            node = self._parents[node]
        path = [0, *reversed(path)]
        changed += {*path} ^ {*self._path}
        self._path = path
        return bounding(self._link(node)[0] for node in changed)

    def _painted(self, dirty: Rect) -> Pixels:
        """The pixels of a rectangle of the chart: failed nodes below those on the path."""
        born = self._born[dirty.y : dirty.bottom, dirty.x : dirty.right]
        pixels = self._dead.take(born, 0)
        # Each node of the path is one level below the one before.
        reach, top = self._radius + 2, self._points[0][1]
        first = max(0, int((dirty.y - reach - top) / self._down))
        last = int((dirty.bottom + reach - top) / self._down) + 1
        near = self._path[first : last + 1]
        for nodes, shades in ((near, self._live), ([*self._solved], self._leaf)):
            if nodes:
                levels = self._covered(nodes, dirty)
                pixels = np.where((levels > 0)[..., None], shades.take(levels, 0), pixels)
        return pixels

    @property
    def _layers(self) -> tuple[tuple[Sequence[int], Pixels], ...]:
        """All nodes, those on the path, and solutions, each with the shades of their edges."""
        every = range(self._grown)
        return (every, self._dead), (self._path, self._live), ([*self._solved], self._leaf)

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

    @property
    def _figure(self) -> DrawnShapes:
        return DrawnShapes(self._chart, self._shapes)

    def _shapes(self) -> list[Stroke]:
        """The failed nodes with their lines, and those on the path above them."""
        places = [(self._chart.x + x, self._chart.y + y) for x, y in self._points]
        found = []
        for nodes, shades in self._layers:
            red, green, blue = shades[-1].tolist()
            lines = tuple((places[self._parents[node]], places[node]) for node in nodes if node)
            discs = tuple((places[node],) for node in nodes)
            found.append(Stroke(lines, _thickness(self._radius), (red, green, blue)))
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
            places = tuple((round(x - left, 3), round(y - top, 3)) for x, y in ends)
            self._links[node] = rect, _mask(rect.width, rect.height, places, self._radius)
        return self._links[node]


def _thickness(radius: float) -> float:
    """The width of lines in pixels beside nodes of this radius."""
    return max(1.4, radius * 0.7)


@cache
def _mask(width: int, height: int, ends: tuple[Point, Point], radius: float) -> Mask:
    """The coverage of a node at the first of two ends, and a line, smooth by supersampling."""
    from PIL import Image, ImageDraw

    picture = Image.new("L", (width * _SCALE, height * _SCALE))
    pen = ImageDraw.Draw(picture)
    points = [(x * _SCALE, y * _SCALE) for x, y in ends]
    pen.line(points, fill=255, width=round(_thickness(radius) * _SCALE))
    (x, y), _ = points
    reach = radius * _SCALE
    pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)
    return quantised(np.asarray(picture.resize((width, height), Image.Resampling.BOX)))
