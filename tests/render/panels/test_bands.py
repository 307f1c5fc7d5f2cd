"""The area between two curves, cut into bands of colour."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.support.document_shapes import Filled, Page, filled
from undoku.render.draw.canvas import Rect
from undoku.render.draw.shapes import Contour, Polygon
from undoku.render.draw.theme import load_theme
from undoku.render.panels.depth import Band, banded, depth_shapes, tints_of_rows
from undoku.render.panels.depth_loops import ChartColours, paint_columns
from undoku.render.playback.history import RESTARTED

THEME = load_theme("dark")
INKS = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (90, 90, 90)]


def area(contour: Contour) -> float:
    pairs = pairwise((*contour, contour[0]))
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def length(contour: Contour) -> float:
    return sum(math.dist(a, b) for a, b in pairwise((*contour, contour[0])))


def between(curves: Band, begin: float, end: float) -> float:
    """The area between the curves from `begin` to `end`, by many thin columns."""
    xs = np.linspace(curves.xs[0], curves.xs[-1], 60_001)
    upper, lower = (np.interp(xs, curves.xs, line) for line in (curves.upper, curves.lower))
    heights = np.clip(lower, begin, end) - np.clip(upper, begin, end)
    return float(heights.mean() * (xs[-1] - xs[0]))


heights = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 40)).map(lambda p: (p[0] / 2, (p[0] + p[1]) / 2)),
    min_size=2,
    max_size=12,
)


@given(points=heights, cuts=st.lists(st.integers(0, 100), min_size=0, max_size=3, unique=True))
def test_a_band_has_the_area_between_the_curves(
    points: list[tuple[float, float]], cuts: list[int]
) -> None:
    """And extends one pixel below the next one."""
    xs = [3.0 * number for number in range(len(points))]
    curves = Band(xs, [upper for upper, _ in points], [lower for _, lower in points])
    begins = [0.0, *(cut / 2 + 0.25 for cut in sorted(cuts))]
    ends = [*(begin + 1 for begin in begins[1:]), 60.0]
    shapes = {
        shape.colour: shape for shape in banded(curves, list(zip(begins, INKS, strict=False)))
    }
    for colour, begin, end in zip(INKS, begins, ends, strict=False):
        contours = shapes[colour].contours if colour in shapes else ()
        rounded = 0.008 * sum(map(length, contours))  # points stand at hundredths of a pixel
        assert abs(sum(map(area, contours)) - between(curves, begin, end)) < 0.05 + rounded


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
