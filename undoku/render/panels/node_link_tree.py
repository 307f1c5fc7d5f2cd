"""A small search tree as nodes and links, as it grows.

The current path is emphasised, failed branches are faint, and at the end the path to the solution
remains.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels, Rect, bounding
from undoku.render.draw.cells import ramp
from undoku.render.draw.colour_space import mix
from undoku.render.draw.lettering import Mask, quantised
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Stroke
from undoku.render.layout.tree_layout import Places
from undoku.render.panels.chart_caption import RunningNodes, chart_box, draw_caption
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import SolutionPlaces
from undoku.render.playback.survey import MAX_NODES, Tree
from undoku.solver.trace.state import GUESSES
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say

__all__ = ["NodeLinkPanel", "pitch_of"]

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


class _Link(NamedTuple):
    """A node with the line to its parent: its rectangle, and its coverage of each pixel."""

    rect: Rect
    mask: Mask


class NodeLinkPanel(Panel):
    """`places` are those of the whole tree, so that no node moves; nodes have the distances `pitch`
    (horizontally, vertically). The roots of all trees are at the same height. Solutions are marked
    in searches that continue after them."""

    def __init__(self, context: PanelContext, places: Places, pitch: tuple[int, float]) -> None:
        super().__init__(context)
        script, number, sprites = context.script, context.number, context.sprites
        text, box = context.text, context.box
        self._chart = chart_box(box, text)
        self._tree = tree = Tree(MAX_NODES)
        self._solutions = None
        if script.goes_on(number):
            self._solutions = SolutionPlaces(context.puzzle, tree, lambda: tree.current)
        self.recorders = self.played = (self._solutions or tree,)
        whole = script.surveys[number].tree
        self._parents = whole.parents[: whole.count].tolist()
        self._nodes = RunningNodes(sprites, text, box, MAX_NODES)
        self._depths = places[1]
        self._points = self._pixels(places, pitch, script.deepest)
        self._down = pitch[1]
        self._radius = max(1.2, min(4.0, min(pitch) * 0.35))
        self._links: dict[int, _Link] = {}
        self._masks: dict[object, Mask] = {}
        self._born: Mask = np.zeros((self._chart.height, self._chart.width), np.uint8)
        self._path: list[int] = [0]
        self._count = 0
        theme = sprites.theme
        self._live = ramp(theme.text, theme.cell)
        self._leaf = ramp(theme.accent, theme.cell)
        self._solved: list[int] = []
        self.most_rows = 1 + self._nodes.most_rows
        self.new_bytes = 3 * self._chart.width * self._chart.height // 8
        self._dead = ramp(mix(theme.cell, theme.muted, DEAD), theme.cell)

    def _pixels(
        self, places: Places, pitch: tuple[int, float], deepest: int
    ) -> list[tuple[float, float]]:
        """The centre of each node in pixels of the chart, in which the tree is centred."""
        x, depth = places
        across, down = pitch
        left = (self._chart.width - max(x) * across) / 2
        top = (self._chart.height - deepest * down) / 2
        return [(left + a * across, top + b * down) for a, b in zip(x, depth, strict=True)]

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if not self._count:
            canvas.fill(self._chart, self._sprites.theme.cell)
            draw_caption(canvas, self._sprites, self._text, self._box, [say.TREE(), ""], [""])
        elif not snapshot.span:
            return
        self._nodes.draw(canvas, self._tree.count)
        if snapshot.finished and snapshot.outcome is Outcome.SOLVED:
            theme = self._sprites.theme
            self._live = ramp(theme.accent, theme.cell)

    def reach(self, frames: NextFrames) -> int:
        if not frames.moves(self._number):
            return len(frames)
        return self._nodes.reach(frames.events(self._number).registers[:, GUESSES] + 1)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not frames.moves(self._number) and self._count:
            return
        steps, begun, ends, registers = frames.events(self._number)
        self._nodes.put(registers[:, GUESSES] + 1, draft)
        draft.figure = DrawnShapes(self._chart, self._shapes)
        snapshot = frames.snapshots[self._number]
        solved = snapshot.finished and snapshot.outcome is Outcome.SOLVED
        (recorder,) = self.played
        for frame, end in enumerate(ends.tolist()):
            if end > begun or frames.present:
                recorder.record(steps, begun, end)
                begun = end
                if dirty := self._advance(whole_path=solved):
                    x, y = self._chart.x + dirty.x, self._chart.y + dirty.y
                    draft.add_new(frame, self._painted(dirty), x, y)

    def _advance(self, *, whole_path: bool) -> Rect | None:
        """Follow the recorded tree; returns the rectangle of the chart that must be painted, with
        the whole path if requested, or None."""
        changed = self._follow(self._tree.current)
        if whole_path:
            changed += self._path
        for node in range(self._count, self._tree.count):
            link = self._link(node)
            part = self._part(self._born, link.rect)
            np.maximum(part, link.mask, out=part)
            changed.append(node)
        self._count = self._tree.count
        solved = list(self._solutions.places) if self._solutions else []
        changed += (node for node in solved[len(self._solved) :] if isinstance(node, int))
        self._solved = [node for node in solved if isinstance(node, int)]
        return bounding(self._link(node).rect for node in changed)

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

    @staticmethod
    def _part(levels: Mask, rect: Rect) -> Mask:
        return levels[rect.y : rect.bottom, rect.x : rect.right]

    def _painted(self, dirty: Rect) -> Pixels:
        """The pixels of a rectangle of the chart: failed nodes below those on the path."""
        # Only links between depths that reach into the rectangle.
        top, reach = self._points[0][1], self._radius + 2
        first = max(0, int((dirty.y - reach - top) / self._down))
        last = int((dirty.bottom + reach - top) / self._down) + 2
        live = self._covered(self._path[first:last], dirty)
        dead = self._dead.take(self._part(self._born, dirty), 0)
        pixels = np.where((live > 0)[..., None], self._live.take(live, 0), dead)
        if self._solved:
            leaves = self._covered(self._solved, dirty)
            pixels = np.where((leaves > 0)[..., None], self._leaf.take(leaves, 0), pixels)
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

    @property
    def _thickness(self) -> float:
        """The width of lines in pixels."""
        return max(1.4, self._radius * 0.7)

    def _link(self, node: int) -> _Link:
        """A node and the line up to its parent."""
        found = self._links.get(node)
        if found is not None:
            return found
        ends = self._points[node], self._points[self._parents[node]]
        reach = self._radius + 1
        left, top = (max(0, int(min(end[axis] for end in ends) - reach)) for axis in (0, 1))
        right, bottom = (int(max(end[axis] for end in ends) + reach) + 1 for axis in (0, 1))
        rect = Rect(
            left,
            top,
            min(right, self._chart.width) - left,
            min(bottom, self._chart.height) - top,
        )
        found = self._links[node] = _Link(rect, self._mask(rect, ends))
        return found

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
