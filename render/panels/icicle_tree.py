"""The search tree as it grows, as an icicle: thin or fat at a glance.

The width is the nodes: all trees of a film have one scale, so that what is a carpet for one search
is a thread for another. What has failed turns grey, the nodes that the search is in have the tints
of their depths, and in the end the path to the solution is left.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from render.drawing.canvas import Canvas, Pixels, Rect
from render.drawing.sprites import SpriteBook
from render.layout.page import TextSizes
from render.panels.chart_caption import RunningNodes, chart_box, draw_caption
from render.panels.contract import Moment, Panel
from render.panels.icicle_painting import AT, LIVE, LOOKS, IcicleBox, IcicleShown, paint_icicle
from render.playback.recorders.solutions import SolutionPlaces
from render.playback.recorders.tree_profile import LEVELS, Icicle
from render.style.theme import TINTS, Theme, mix
from render.texts import wording as say
from solver.puzzle import Puzzle
from solver.trace import Outcome

__all__ = ["TreePanel", "colours_of_rows", "recorded"]

DEAD = 0.5
"""How much of the ink of small letters a dead subtree keeps."""

_SOFT = 0.75
"""Small shares are drawn stronger than they are, else nobody would see them."""

_UNKNOWN = 255
"""The look of pixels that are to be painted whatever they are."""


def recorded(puzzle: Puzzle, box: Rect, text: TextSizes, deepest: int, most: int) -> Icicle:
    """A recorder for the tree that is drawn in `box`; `most` nodes fill its width, `deepest` is the
    lowest row's depth."""
    chart = chart_box(box, text)
    rows = min(chart.height, deepest + 1)
    return Icicle(puzzle, chart.width, rows, deepest, most, _hairline(text))


def _hairline(text: TextSizes) -> int:
    """The width in pixels of the thinnest line that is seen at all sizes of a picture."""
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


class TreePanel(Panel):
    """`icicle` follows the search, fed by `solutions` where those are marked; the largest tree of
    the film has at most `most` nodes."""

    def __init__(
        self,
        number: int,
        box: Rect,
        icicle: Icicle,
        solutions: SolutionPlaces | None,
        most: int,
        deepest: int,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._box = box
        self._chart = chart_box(box, text)
        self._icicle = icicle
        self._solutions = solutions
        self.recorders = (solutions or icicle,)
        self._nodes = RunningNodes(sprites, text, box, most)
        self._sprites = sprites
        self._text = text
        rows = len(icicle.levels)
        pitch = self._chart.height // rows
        self._at = IcicleBox(
            self._chart.x,
            self._chart.y,
            self._chart.height,
            depths=deepest + 1,
            mortar=_hairline(text) if pitch >= 6 * _hairline(text) else 0,
            trunk=max(2, round(text.label / 5)),
        )
        self._painted = IcicleShown(
            begins=np.full(rows, self._chart.width, np.int32),
            shown=np.zeros(icicle.levels.shape, np.uint8),
            colours=colours_of_rows(sprites.theme, rows, deepest),
            boxes=np.zeros((rows, 4), np.int64),
        )
        self._marked: set[Hashable] = set()
        self._drawn = 0
        self._started = self._finished = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        chart, icicle = self._chart, self._icicle
        if not self._started:
            canvas.fill(chart, self._sprites.theme.cell)
            draw_caption(canvas, self._sprites, self._text, self._box, [say.TREE(), ""], [""])
        elif not snapshot.span:
            return
        self._nodes.show(canvas, icicle.count)
        self._started = True
        depth = icicle.depth
        if snapshot.finished and not self._finished:
            self._finished = True
            if snapshot.outcome is Outcome.SOLVED:
                # The path to the solution stands out.
                self._painted.colours[:, LIVE:] = self._sprites.theme.accent
                self._painted.shown[:] = _UNKNOWN
                self._drawn = 0
        if snapshot.finished and snapshot.outcome is Outcome.EXHAUSTED:
            depth = -1
        count = paint_icicle(
            canvas.pixels,
            self._at,
            self._drawn,
            icicle.column,
            depth,
            icicle.arrays,
            self._painted,
        )
        self._drawn = icicle.column
        boxes = [
            Rect(left, top, right - left, bottom - top)
            for left, top, right, bottom in self._painted.boxes[:count].tolist()
        ]
        for box in boxes:
            canvas.touch(box)
        if self._solutions:
            for place in self._solutions.places:
                self._mark(canvas, place, boxes)

    def _mark(self, canvas: Canvas, place: Hashable, painted: list[Rect]) -> None:
        """Mark the leaf that a solution is, (column, depth), where it is new or painted over."""
        assert isinstance(place, tuple)
        column, depth = place
        chart, (rows, _) = self._chart, self._icicle.levels.shape
        row = depth * rows // self._at.depths
        top = row * chart.height // rows
        width, high = self._at.trunk, max(self._at.trunk, chart.height // rows)
        mark = Rect(
            chart.x + max(0, column + 1 - width),
            chart.y + min(top, chart.height - high),
            width,
            high,
        )
        if place not in self._marked or any(mark.overlaps(box) for box in painted):
            self._marked.add(place)
            canvas.fill(mark, self._sprites.theme.accent)
