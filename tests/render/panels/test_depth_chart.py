"""The chart of depths: painted columns, and the shapes of documents."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.support.document_shapes import Filled, Page, filled
from tests.support.films import MakeFilm
from undoku import Op, Trace
from undoku.render.draw.canvas import Rect
from undoku.render.draw.theme import load_theme
from undoku.render.panels.depth import depth_shapes, tints_of_rows
from undoku.render.panels.depth_loops import ChartColours, paint_columns
from undoku.render.panels.panel import chart_box
from undoku.render.playback.history import RESTARTED
from undoku.render.timeline.timeline import Pace, Phase

THEME = load_theme("dark")


def depths_of(trace: Trace) -> list[int]:
    """The depth after each step, from the state before the first on; all are guesses here."""
    ops = trace.read()["op"]
    return [0, *np.cumsum(np.where(ops == Op.UNDO, -1, 1)).tolist()]


@pytest.mark.parametrize("rate", [20, 997])
def test_the_depth_chart_shows_every_columns_least_and_greatest_depth(
    film: MakeFilm, rate: int
) -> None:
    """Bright exactly between them, however many steps a frame has; background where nothing is
    drawn yet."""
    made = film("row-major", "mrv", pace=Pace(Fraction(rate)))
    shots = zip(made.timeline.shots(), made.frames(), strict=True)
    pixels = next(frame.pixels for shot, frame in shots if shot.phase is Phase.HOLD)
    total = made.tallies[0].steps
    deepest = max(tally.max_depth for tally in made.tallies)
    for number, block in enumerate(made.layout.blocks):
        chart = chart_box(block.panels["depth"], made.layout.text)
        depths = depths_of(made.traces[number])
        seen = pixels[chart.y : chart.bottom, chart.x : chart.right]
        reached = made.tallies[number].steps * chart.width // total
        for column in range(0, chart.width, 7):
            lit = [tuple(colour) in THEME.scale for colour in seen[:, column].tolist()]
            if column > reached:
                assert (seen[:, column] == THEME.cell).all()
            if column < reached:
                first, last = (-(-at * total // chart.width) for at in (column, column + 1))
                stood = depths[first : last + 1]
                upper, lower = (
                    chart.height - 1 - depth * (chart.height - 1) // deepest
                    for depth in (max(stood), min(stood))
                )
                lower = max(lower, upper + max(1, round(chart.height / 40)) - 1)
                shown = [upper <= row <= lower for row in range(chart.height)]
                assert lit == shown


def test_depths_as_shapes_are_those_that_are_painted() -> None:
    """Pixel by pixel, except at the edges, which shapes do not round to pixels."""
    random = np.random.default_rng(5)
    depths = np.clip(np.cumsum(random.integers(-2, 3, 80)) + 20, 1, 50).repeat(3).astype(np.int32)
    low, high = depths - (depths > 20) * 4, depths
    low[60:65] = RESTARTED
    chart = Rect(8, 6, len(depths), 90)
    pixels = np.zeros((110, 260, 3), np.uint8)
    bright, dim = tints_of_rows(THEME, chart.height, 50)
    part = np.zeros((chart.height, chart.width, 3), np.uint8)
    restart = np.array(THEME.undoing, np.uint8)
    colours = ChartColours(bright, dim, np.zeros(3, np.uint8), restart, deepest=50, thickness=2)
    paint_columns(part.reshape(-1), 0, 3 * chart.width, chart.width, low, high, colours)
    pixels[chart.y : chart.bottom, chart.x : chart.right] = part
    shapes = depth_shapes(THEME, chart, low, high, 50)
    colours_of = {shape.colour for shape in shapes}
    assert THEME.undoing in colours_of
    assert colours_of <= {*THEME.scale, *THEME.scale_cells, THEME.undoing}
    page = Page(260, 110, [Filled([list(c) for c in s.contours], s.colour) for s in shapes], [])
    off = np.abs(filled(page).astype(int) - pixels).max(axis=2)
    assert (off > 8).mean() < 0.06
    for y, x in np.argwhere(off > 60).tolist():
        around = pixels[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].reshape(-1, 3)
        assert len(np.unique(around, axis=0)) > 1, "an inner pixel differs"
