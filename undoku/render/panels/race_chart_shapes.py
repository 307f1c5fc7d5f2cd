"""The plot of the chart that all searches share, as shapes for documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.theme import Theme
from undoku.render.panels.race_chart_colours import colours_of_curves
from undoku.render.panels.race_chart_loops import DENSE, RaceArrays, RacePlot
from undoku.render.panels.race_chart_painting import PARTS, RESTART_SHARE

__all__ = ["plot_shapes"]


def plot_shapes(
    race: RaceArrays,
    plot: RacePlot,
    *,
    end: float,
    columns: Sequence[int],
    thick: float,
    theme: Theme,
) -> list[Polygon | Stroke]:
    """The plot that was painted last, as shapes: areas, marks at `columns`, curves `thick` pixels
    thick, dots. There is one point for each column of pixels. `end` is the end of the axis in
    steps."""
    bottom = plot.y + plot.height
    areas: list[Polygon | Stroke] = []
    lines: list[Polygon | Stroke] = []
    soft = plot.room / end < DENSE
    for number, colours in enumerate(colours_of_curves(theme)[: len(race.order)]):
        upper = race.curves.upper[number].reshape(-1, PARTS).min(axis=1)
        lower = race.curves.lower[number].reshape(-1, PARTS).max(axis=1)
        (there,) = np.nonzero(upper < lower)
        if not len(there):
            continue
        tops = [(plot.x + at + 0.5, plot.y + float(upper[at])) for at in there.tolist()]
        foots = [(plot.x + at + 0.5, plot.y + float(lower[at])) for at in there.tolist()[::-1]]
        corners = (tops[-1][0], float(bottom)), (tops[0][0], float(bottom))
        areas.append(Polygon(((*tops, *corners),), colours[0]))
        lines.append(Polygon(((*tops, *foots),), colours[1 if soft else -1]))
        if soft:
            edge = tuple((x, y + thick / 2) for x, y in tops)
            lines.append(Stroke((edge,), thick, colours[-1]))
        again = race.curves.restarts[number].reshape(-1, PARTS).any(axis=1)
        foot = float(plot.y + plot.height // RESTART_SHARE)
        if ticks := tuple(
            ((plot.x + at + 0.5, float(plot.y)), (plot.x + at + 0.5, foot))
            for at in np.flatnonzero(again).tolist()
        ):
            lines.append(Stroke(ticks, 1.0, colours[-1]))
        x, y, radius = race.dots[number].tolist()
        if radius:
            lines.append(Stroke((((plot.x + x, plot.y + y),),), 2 * radius, colours[-1]))
    marks = [plot.x + column + 0.5 for column in columns]
    ruled = tuple(((x, float(plot.y)), (x, float(bottom))) for x in marks)
    return [*areas, *([Stroke(ruled, 1.0, theme.track)] if ruled else []), *lines]
