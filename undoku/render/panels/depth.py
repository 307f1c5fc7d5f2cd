"""Depth over time, all searches on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Point, Polygon, box
from undoku.render.draw.theme import TINTS, Theme
from undoku.render.panels.depth_loops import (
    ChartArrays,
    ChartColours,
    put_columns,
)
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.history import History
from undoku.render.playback.next_frames import NextFrames
from undoku.texts import wording as say
from undoku.texts.language import number

_OVERLAP = 1.0
"""Pixels by which a band overlaps the next one."""

_Floats = NDArray[np.floating]


def banded(
    xs: _Floats, upper: _Floats, lower: _Floats, bands: Sequence[tuple[float, Colour]]
) -> Iterator[Polygon]:
    """The area between two curves through points at `xs` (n,), `upper` nowhere below `lower`, that
    is, its y, counted downwards, nowhere larger. Each band begins at its y and extends to that of
    the next one, and its polygon a little below its end, under the next one, so that viewers with
    smoothed edges show no seam. Points beyond a band are moved to its edge."""
    ends = [begin + _OVERLAP for begin, _ in bands[1:]] + [lower.max()]
    for (begin, colour), end in zip(bands, ends, strict=True):
        top, bottom = (np.clip(curve, begin, end) for curve in (upper, lower))
        # The points with room between the curves, and those beside them.
        shown = np.convolve(top < bottom, (1, 1, 1), "same") > 0
        starts = np.flatnonzero(np.diff(shown, prepend=False, append=False)).reshape(-1, 2)
        if len(starts):
            lines = [[*zip(xs.tolist(), y.tolist(), strict=True)] for y in (top, bottom)]
            contours = tuple(
                (*_straightened(lines[0][first:stop]), *_straightened(lines[1][first:stop][::-1]))
                for first, stop in starts.tolist()
            )
            yield Polygon(contours, colour)


def _straightened(line: Sequence[Point]) -> list[Point]:
    """The line, rounded to hundredths of a pixel, without collinear points."""
    found: list[Point] = []
    for x, y in line:
        point = round(x, 2), round(y, 2)
        while len(found) > 1 and _straight(found[-2], found[-1], point):
            found.pop()
        if not found or found[-1] != point:
            found.append(point)
    return found


def _straight(a: Point, b: Point, c: Point) -> bool:
    return abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) < 1e-6


def thickness_of(chart: Rect) -> int:
    """Pixels of the line in columns with a single depth."""
    return max(1, round(chart.height / 40))


def tints_of_rows(theme: Theme, height: int, deepest: int) -> tuple[Pixels, Pixels]:
    """((height, 3) bright, (height, 3) dim): the tint of each row of a chart of pixels whose upper
    edge is the depth `deepest` >= 1."""
    depths = (height - 1 - np.arange(height)) * deepest // max(1, height - 1)
    tints = np.clip((depths - 1) * TINTS // deepest, 0, TINTS - 1)
    return np.array(theme.scale, np.uint8)[tints], np.array(theme.scale_cells, np.uint8)[tints]


def depth_shapes(
    theme: Theme, chart: Rect, low: NDArray[np.int32], high: NDArray[np.int32], deepest: int
) -> list[Polygon]:
    """The chart of these columns, (n,) each with n >= 1, like the painted one, but through
    the centres of the columns, and not rounded to pixels."""
    foot = chart.bottom - 1
    rise = (chart.height - 1) / deepest
    upper, lower = foot - high * rise, foot - np.maximum(low, 0) * rise
    lower = 1 + np.minimum(foot, np.maximum(lower, upper + thickness_of(chart) - 1))
    xs = chart.x + np.arange(len(high)) + 0.5
    # The first and the last column extend to their edges.
    xs = np.concatenate(([chart.x], xs, [chart.x + len(high)]))
    upper, lower = np.pad(upper, 1, "edge"), np.pad(lower, 1, "edge")
    # A band ends at the least depth of the next tint.
    least = [1 - (-tint * deepest // TINTS) for tint in range(TINTS - 1, 0, -1)]
    begins = [float(chart.y), *(1 + foot - depth * rise for depth in least)]
    dim = list(zip(begins, theme.scale_cells[::-1], strict=True))
    bright = list(zip(begins, theme.scale[::-1], strict=True))
    restarts = tuple(
        box(x, chart.y, 1, chart.height // 5)
        for x, depth in enumerate(low.tolist(), chart.x)
        if depth < -1
    )
    return [
        *banded(xs, upper, np.full(len(xs), float(chart.bottom)), dim),
        *banded(xs, upper, lower, bright),
        *([Polygon(restarts, theme.undoing)] if restarts else []),
    ]


class DepthPanel(Panel):
    """Each column of pixels represents an equal share of the steps. It has the tints of digits
    between the least and the greatest depth, and dim tints below. The number of steps on the axis
    is shown at once if no search of the film has as many; otherwise when the search with that
    number is done."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        sprites, script = context.sprites, context.script
        self._chart = chart_box(context.box, context.text)
        self._deepest = max(1, script.deepest)
        total = context.history.total
        self._history = history = History(context.puzzle, context.box.width, total)
        bright, dim = tints_of_rows(sprites.theme, self._chart.height, self._deepest)
        self._colours = ChartColours(
            bright,
            dim,
            np.array(sprites.theme.cell, np.uint8),
            np.array(sprites.theme.undoing, np.uint8),
            self._deepest,
            thickness_of(self._chart),
        )
        self._at = ChartArrays(self._chart.x, self._chart.y, np.zeros(3, np.int64))
        totals = [tally.steps for tally in script.tallies]
        self._ends_there = totals[context.number] == total
        self._tells = self._ends_there or total not in totals
        self.recorders = self.played = (history,)
        self.most_rows = 1

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._chart, self._theme.cell)
        self._draw_caption(canvas, [say.DEPTH(), ""])

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if self._tells and (moment.snapshots[self._number].finished or not self._ends_there):
            self._tells, steps = False, self._history.total
            texts = [say.STEPS(count=steps), number(steps), ""]
            self._draw_caption(canvas, [say.DEPTH(), ""], texts)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if not frames.moves(self._number):
            return
        steps, begun, ends, _ = frames.events(self._number)
        draft.figure = DrawnShapes(self._chart, self._shapes)
        draft.fill(
            len(frames),
            lambda frame, arrays: put_columns(
                frame,
                ends,
                steps,
                begun,
                self._history.total,
                self._history.arrays,
                self._at,
                self._colours,
                arrays,
            ),
        )

    def _shapes(self) -> list[Polygon]:
        drawn = int(self._at.drawn[0])
        low, high = self._history.low[:drawn], self._history.high[:drawn]
        return depth_shapes(self._sprites.theme, self._chart, low, high, self._deepest)
