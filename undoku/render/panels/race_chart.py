"""The depths of all searches in one chart, and below it a band that shows during which steps a
wrong digit stood in a first cell of the longest search. The axis ends with the longest search.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.shapes import Stroke
from undoku.render.draw.theme import SEARCHES, Theme
from undoku.render.panels.depth_chart import Band, Curve, DepthChart
from undoku.render.panels.panel import Panel, PanelContext
from undoku.render.playback.history import Depths
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.verdict import fastest
from undoku.solver.trace.steps import Observer

_BAND = 12
"""The height of the chart divided by that of the band."""

_MIN_DISTANCE = 0.06
"""The minimum distance of two marks, as a share of the chart's width."""

_DENSE = 0.5
"""Below this number of pixels per step, a curve is a band from the least to the largest depth,
which must not be entirely in a strong colour."""


class RaceChartPanel(Panel):
    """One chart for all searches, at most six, with vertical lines at multiples of the steps of the
    fastest search, as the laps are counted.

    `recorders_of` returns the recorders that must see every event of a search; the panel itself
    belongs to no single search.
    """

    changes = ()
    most_rows = 1

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script, theme, area, label = context.script, self._theme, self._box, self._text.label
        totals, headers = script.timeline.totals, script.headers
        # At the top and on the right there is room for half a dot.
        dot = max(2.5, 0.28 * label)
        high = max(2, area.height // _BAND) if script.wrong else 0
        foot, width = area.height - high - high // 2 - 1, max(1, area.width - int(dot) - 1)
        end = max(1, *totals)
        self._depths = [Depths(header.puzzle, width, end) for header in headers]
        self._plot = area._replace(height=foot + 1)
        empty = np.full((area.height, area.width, 3), theme.background, np.uint8)
        empty[: foot + 1] = theme.cell
        first = max(1, totals[fastest(script.tallies)])
        each = multiples_between(first * width / end, _MIN_DISTANCE * area.width)
        self._marks = [area.x + steps * width // end
                       for steps in range(each * first, end + 1, each * first)]  # fmt: skip
        ruled = tuple(((x + 0.5, float(area.y)), (x + 0.5, float(area.y + foot + 1)))
                      for x in self._marks)  # fmt: skip
        spans = [(start * width // end, stop * width // end) for start, stop in script.wrong]
        colours = colours_of_curves(theme)
        thick = max(2, min(16, round(2 * label / 15)))
        is_dense = width / end < _DENSE
        curves = []
        # The longest search is behind the others.
        for number in sorted(range(len(totals)), key=lambda number: -totals[number]):
            below, between, line = (
                np.full((area.height, 3), colour, np.uint8) for colour in colours[number]
            )
            curves.append(
                Curve(
                    number,
                    self._depths[number],
                    line,
                    between if is_dense else line,
                    below,
                    theme.search_colour(number),
                )
            )
        self._chart = DepthChart(
            area,
            curves,
            max(1, *(len(header.puzzle.empty_cells) for header in headers)),
            empty,
            foot=foot,
            thick=thick,
            wide=thick // 2,
            top=min(foot, int(dot) + 1),
            dot=dot,
            ruled=Stroke(ruled, 1.0, theme.track) if ruled else None,
            band=Band(area.height - high, area.height, spans, theme.undoing),
        )

    def recorders_of(self, number: int) -> Sequence[Observer]:
        """The recorders that must see every event of a search before a frame is drawn."""
        return (self._depths[number],)

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._box, self._theme.background)
        canvas.fill(self._plot, self._theme.cell)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        self._chart.put(frames, draft)


def multiples_between(unit: float, least: float) -> int:
    """The first of 1, 5, 10, 50, 100, … whose multiple of `unit` (> 0) is at least `least`. Each is
    a multiple of the previous one, so that marks only disappear as an axis grows."""
    found, factor = 1, 5
    while found * unit < least:
        found, factor = found * factor, 7 - factor
    return found


_AREA, _BETWEEN = 0.16, 1 / 3
"""The share of a search's colour in the area below its curve, and in a band without emphasis."""


def colours_of_curves(theme: Theme) -> tuple[tuple[Colour, ...], ...]:
    """For each search the colours of the area below its curve, of the band between its depths, and
    of its line."""
    return tuple(
        (mix(theme.cell, colour, _AREA), mix(theme.cell, colour, _BETWEEN), colour)
        for colour in map(theme.search_colour, range(SEARCHES))
    )
