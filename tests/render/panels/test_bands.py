"""The depth chart of documents, whose areas are cut into bands of colour."""

from __future__ import annotations

import numpy as np

from tests.support.document_shapes import Filled, Page, filled
from undoku.render.draw.canvas import Rect
from undoku.render.draw.shapes import Polygon
from undoku.render.draw.theme import load_theme
from undoku.render.panels.depth import depth_shapes, tints_of_rows
from undoku.render.panels.depth_loops import ChartColours, paint_columns
from undoku.render.playback.history import RESTARTED

THEME = load_theme("dark")


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
    assert all(isinstance(shape, Polygon) for shape in shapes)
    colours_of = {shape.colour for shape in shapes}
    assert THEME.undoing in colours_of
    assert colours_of <= {*THEME.scale, *THEME.scale_cells, THEME.undoing}
    page = Page(260, 110, [Filled([list(c) for c in s.contours], s.colour) for s in shapes], [])
    off = np.abs(filled(page).astype(int) - pixels).max(axis=2)
    assert (off > 8).mean() < 0.06
    for y, x in np.argwhere(off > 60).tolist():
        around = pixels[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].reshape(-1, 3)
        assert len(np.unique(around, axis=0)) > 1, "an inner pixel differs"
