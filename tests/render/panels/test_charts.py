"""Depth charts and trees, compared pixel by pixel with plain reference drawings."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from tests.support.films import MakeFilm
from undoku import Op, Trace
from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.theme import load_theme
from undoku.render.film.film import Film
from undoku.render.panels.chart_caption import chart_box
from undoku.render.panels.search_tree import colours_of_rows
from undoku.render.playback.tree_profile import LEVELS
from undoku.render.timeline.timeline import Pace, Phase


def last_of_race(made: Film) -> Pixels:
    for shot, frame in zip(made.timeline.shots(), made.frames(), strict=True):
        if shot.phase is Phase.HOLD:
            return frame.pixels.copy()
    raise AssertionError("the film has no hold")


def depths_of(trace: Trace) -> list[int]:
    """The depth after each step, from the state before the first on; all are guesses here."""
    depth, found = 0, [0]
    for op, _, _ in trace.read().tolist():
        depth += -1 if op == Op.UNDO else 1
        found.append(depth)
    return found


def part(pixels: Pixels, rect: Rect) -> Pixels:
    return pixels[rect.y : rect.bottom, rect.x : rect.right]


@pytest.mark.parametrize("rate", [20, 997])
def test_the_depth_chart_shows_every_columns_least_and_greatest_depth(
    film: MakeFilm, rate: int
) -> None:
    """Bright exactly between them, however many steps a frame has; background where nothing is
    drawn yet."""
    made = film("row-major", "mrv", pace=Pace(Fraction(rate)))
    pixels = last_of_race(made)
    theme = load_theme("dark")
    bright = {tuple(colour) for colour in theme.scale}
    total = made.tallies[0].steps
    for number, block in enumerate(made.layout.blocks):
        chart = chart_box(block.panels["depth"], made.layout.text)
        depths = depths_of(made.traces[number])
        seen = part(pixels, chart)
        deepest = max(tally.max_depth for tally in made.tallies)
        reached = made.tallies[number].steps * chart.width // total
        for column in range(0, chart.width, 7):
            first = -(-column * total // chart.width)
            last = -(-(column + 1) * total // chart.width)
            lit = [tuple(colour) in bright for colour in seen[:, column].tolist()]
            if column > reached:
                assert not any(lit)
                assert (seen[:, column] == theme.cell).all()
                continue
            stood = depths[first : last + 1]
            if column < reached:
                upper, lower = (
                    chart.height - 1 - depth * (chart.height - 1) // deepest
                    for depth in (max(stood), min(stood))
                )
                thickness = max(1, round(chart.height / 40))
                lower = min(chart.height - 1, max(lower, upper + thickness - 1))
                assert lit.index(True) == upper
                assert len(lit) - 1 - lit[::-1].index(True) == lower


def test_the_tree_shows_which_share_of_each_columns_nodes_is_below_each_depth(
    film: MakeFilm,
) -> None:
    """Two trees on one scale, every pixel of which is the shade of an exact share, but for the
    path to the solution and the cuts between wide subtrees."""
    made = film("row-major", "mrv", pace=Pace(Fraction(50)))
    pixels = last_of_race(made)
    theme = load_theme("dark")
    shades = [tuple(colour) for colour in colours_of_rows(theme, 1, 1)[0, : LEVELS + 1].tolist()]
    most = max(tally.nodes for tally in made.tallies)
    depths_in_all = max(tally.max_depth for tally in made.tallies) + 1
    for number, block in enumerate(made.layout.blocks):
        chart = chart_box(block.panels["tree"], made.layout.text)
        walk = depths_of(made.traces[number])
        nodes = [0] + [after for before, after in pairwise(walk) if after > before]
        seen = part(pixels, chart).tolist()
        bounds = [column * most // chart.width for column in range(chart.width + 1)]
        for depth in range(depths_in_all):
            y = depth * chart.height // depths_in_all
            full = 0  # columns in a row that are wholly below nodes of this depth
            for column, (first, end) in enumerate(pairwise(bounds)):
                below = sum(node >= depth for node in nodes[first:end])
                exact = shades[-(-below * LEVELS // (end - first))]
                found = tuple(seen[y][column])
                cut = found == theme.cell and full >= 2
                assert found in (exact, theme.accent) or cut
                assert first < len(nodes) or found == theme.cell
                full = full + 1 if below == end - first else 0
