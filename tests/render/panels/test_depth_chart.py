"""The chart of depths, column by column."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.support.films import make_film
from tests.support.puzzles import EASY, MEDIUM, Published
from undoku import Op, Trace
from undoku.render.draw.theme import load_theme
from undoku.render.panels.panel import chart_box
from undoku.render.timeline.timeline import Pace, Phase

THEME = load_theme("dark")


def depths_of(trace: Trace) -> list[int]:
    """The depth after each step, from the state before the first on; all are guesses here."""
    ops = trace.read()["op"]
    return [0, *np.cumsum(np.where(ops == Op.UNDO, -1, 1)).tolist()]


@pytest.mark.parametrize(("puzzle", "rate"), [(MEDIUM, 20), (MEDIUM, 997), (EASY, 1)])
def test_the_depth_chart_shows_every_columns_least_and_greatest_depth(
    puzzle: Published, rate: int
) -> None:
    """Bright exactly between them, however many steps a frame has, and in a chart with more columns
    than steps; background where nothing is drawn yet."""
    made = make_film("row-major", "mrv", puzzle=puzzle.grid, pace=Pace(Fraction(rate)))
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
