"""Search trees beside boards: at rest once drawn, on one scale, with a path that stands out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.support.films import make_film
from tests.support.puzzles import MEDIUM
from undoku import Limits, Outcome, search
from undoku.render.draw.canvas import Rect
from undoku.render.draw.colour_space import Colour, contrast
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.theme import load_theme, theme_names
from undoku.render.film.film import Film
from undoku.render.panels.panel import chart_box
from undoku.render.panels.tree_panel import tree_colours
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.timeline import Pace


def chart_of(made: Film, number: int = 0) -> Rect:
    box = made.layout.blocks[number].panels["tree"]
    assert box
    return chart_box(box, made.layout.text)


def seen(pixels: Any, chart: Rect) -> Any:
    return pixels[chart.y : chart.bottom, chart.x : chart.right].astype(int)


@pytest.mark.parametrize(
    ("strategies", "rate", "last"),
    [
        (("row-major", "mrv"), 1, 500),
        (("row-major", "mrv"), 37, None),
        (("mrv",), 1, None),
    ],
)
def test_a_tree_drawn_in_steps_is_the_tree_drawn_at_once(
    strategies: tuple[str, ...], rate: int, last: int | None
) -> None:
    """Large trees and small ones, at regular intervals, and at the end; all changes are in the
    reported rectangles."""
    made = make_film(*strategies, width=640, height=360, intro=0, card=0, hold=0,
                pace=Pace(Fraction(rate), last=last))  # fmt: skip
    charts = [chart_of(made, number) for number in range(len(strategies))]
    kept = np.zeros((360, 640, 3), np.uint8)
    shots = list(made.timeline.shots())
    some = {0, 1, 2, len(shots) // 3, len(shots) // 2, len(shots) - 1}
    for number, (shot, frame) in enumerate(zip(shots, made.frames(), strict=True)):
        for (x, y, width, height), _ in frame.changes:
            place = slice(y, y + height), slice(x, x + width)
            kept[place] = frame.pixels[place]
        for chart in charts:
            assert (seen(kept, chart) == seen(frame.pixels, chart)).all()
        if number in some:
            *_, once = made.draw([shot])
            for chart in charts:
                assert (seen(kept, chart) == seen(once.pixels, chart)).all()


@pytest.mark.parametrize("step", [500, 3000])
def test_the_path_stands_out_and_nothing_is_drawn_before_its_time(step: int) -> None:
    """Each depth up to the current one has its part of the path, on the right of all nodes."""
    made = make_film("row-major", width=640, height=360, pace=Pace(Fraction(23)))
    *_, frame = made.draw([made.shot_of_step(step)])
    chart = seen(frame.pixels, chart_of(made))
    path = (chart == made.theme.text).all(2)
    drawn = (chart != made.theme.cell).any(2).any(0)
    present = int(drawn.sum())
    assert 0 < present < len(drawn)
    assert drawn[:present].all()
    depths = path.any(1)
    assert depths[: int(depths.sum())].all()
    assert path[:, :present].any(0).all()


def test_trees_side_by_side_have_one_scale() -> None:
    """A tree with a thirtieth of the nodes is a thirtieth as wide."""
    made = make_film("row-major", "mrv", width=1920, height=1080, hold=0)
    *_, frame = made.draw([made.shot_of_step(made.timeline.longest)])
    background = np.array(load_theme("dark").cell)
    widths = []
    for number in (0, 1):
        drawn = (seen(frame.pixels, chart_of(made, number)) != background).any(2).any(0)
        widths.append(int(np.flatnonzero(drawn).max()) + 1)
        assert drawn[: widths[-1]].all()
    nodes = [tally.nodes for tally in made.tallies]
    assert abs(widths[0] - chart_of(made).width) <= 3
    assert abs(widths[1] - widths[0] * nodes[1] / nodes[0]) <= 3


def test_the_path_to_the_solution_is_left_or_that_of_a_stopped_search_or_nothing() -> None:
    theme = load_theme("dark")
    empty, failed, _, _ = tree_colours(theme)
    unsolvable = MEDIUM.grid.replace("000670020", "000670021", 1)
    for grid, nodes, outcome, present in (
        (MEDIUM.grid, None, Outcome.SOLVED, {theme.accent}),
        (MEDIUM.grid, 3000, Outcome.CAPPED, {theme.text}),
        (unsolvable, None, Outcome.EXHAUSTED, set[Colour]()),
    ):
        trace = search(grid, "row-major", Limits(max_nodes=nodes))
        assert trace.tally().outcome is outcome
        made = Film([trace], FilmSettings())
        *_, frame = made.draw([made.shot_of_step(made.timeline.longest)])
        colours = {*map(tuple, seen(frame.pixels, chart_of(made)).reshape(-1, 3).tolist())}
        assert colours - {empty, failed} == present


@pytest.mark.parametrize("name", theme_names())
def test_the_path_differs_from_failed_branches_and_these_from_the_background(name: str) -> None:
    empty, failed, *living = tree_colours(load_theme(name))
    assert contrast(failed, empty) > 2
    for ink in living:
        assert contrast(ink, empty) > contrast(failed, empty) * 1.2


@pytest.mark.parametrize("width", [1280, 640])
def test_a_caption_has_the_number_of_nodes_so_far(width: int) -> None:
    """The number changes alone, after its text, with the nodes of the frame."""
    made = make_film("row-major", width=width, height=width * 9 // 16, pace=Pace(Fraction(23)))
    box, size = made.layout.blocks[0].panels["tree"], made.layout.text.label
    assert box
    line = Rect(box.x, box.y, box.width, chart_of(made).y - box.y)
    one, two, same = (
        seen(made.still(made.shot_of_step(step))[0].pixels, line) for step in (300, 4000, 4000)
    )
    assert (two == same).all()
    changed = (one != two).any(2).any(0).nonzero()[0]
    caption = min(text_width(text, Face.REGULAR, size) for text in ("nodes of the tree:", "nodes:"))
    assert len(changed)
    assert changed.min() > caption
    ink = (two != np.array(made.theme.background)).any(2).any(0).nonzero()[0]
    assert ink.max() < box.width - 1
