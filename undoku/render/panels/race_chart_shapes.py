"""The colours of the chart that all searches share, and its plot as shapes for documents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.shapes import Polygon, Stroke
from undoku.render.draw.theme import SEARCHES, Theme
from undoku.render.panels.race_chart_loops import DENSE, RaceArrays, RacePlot
from undoku.render.panels.race_chart_painting import PARTS, RESTART_SHARE, SHADES_OF_LINE

__all__ = ["colours_of_curves", "plot_shapes"]

_AREA = 0.16
"""The share of a search's colour in the area below its curve."""


def colours_of_curves(theme: Theme) -> tuple[tuple[Colour, ...], ...]:
    """For each search the colour of its area, and the shades of its line from its edge to its
    centre."""
    return tuple(
        (
            mix(theme.cell, colour, _AREA),
            *(mix(theme.cell, colour, level / SHADES_OF_LINE)
              for level in range(1, SHADES_OF_LINE)),
            colour,
        )
        for colour in map(theme.search_colour, range(SEARCHES))
    )  # fmt: skip


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
