"""The figure of who wins where: its curves and bars stand at the numbers, its texts apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from tests.support.figures import (
    assert_readable,
    assert_texts_do_not_overlap,
    journal_of,
    random_study,
    rgb,
)
from undoku.errors import SettingsError
from undoku.render.draw.colour_space import contrast
from undoku.render.draw.theme import load_theme
from undoku.render.figures.wins_figure import draw_wins
from undoku.solver.study.summary import wins_of


def draw(path: Path, nodes: list[list[int]], names: Sequence[str], cap: int = 1000) -> None:
    """The figure of these nodes; `cap` of them are a capped search."""
    journal = journal_of(path.with_suffix(".journal"), nodes, names, cap, ones=1 + len(nodes) % 3)
    try:
        draw_wins(journal, wins_of(journal), path, path.suffix)
    finally:
        journal.remove()


def points_of(line: Line2D) -> dict[float, float]:
    """The last y of each x of a curve."""
    xs, ys = (np.asarray(end, float).tolist() for end in (line.get_xdata(), line.get_ydata()))
    return dict(zip(xs, ys, strict=True))


def test_curves_bars_and_pairs_are_at_their_numbers(tmp_path: Path, drawn: list[Figure]) -> None:
    draw(tmp_path / "f.png", [[1, 5], [10, 5], [100, 5], [1000, 50]], ("a", "b"))
    (figure,) = drawn
    *charts, pair = figure.axes
    theme = load_theme("light")
    for number, shares in enumerate([[(1, 25), (10, 50), (100, 75)], [(5, 75), (50, 100)]]):
        own, own_left = charts[number].lines[-1], charts[2 + number].lines[-1]
        assert rgb(own.get_color()) == rgb(own_left.get_color()) == theme.search_colour(number)
        points, left = points_of(own), points_of(own_left)
        assert {(x, points[x]) for x, _ in shares} == set(shares)
        assert all(np.isnan(left[x]) if y == 100 else left[x] == 100 - y for x, y in shares)
    (marked,) = [line for line in pair.lines if line.get_marker() == "o"]
    assert list(points_of(marked)) == [0.25]
    bars = [
        patch.get_width()
        for patch in figure.artists
        if isinstance(patch, Rectangle) and patch.get_width() > 0.1
    ]
    whole = max(bars)  # a group's bar, and on it what each strategy wins
    assert sorted(round(bar / whole, 6) for bar in bars) == [0.25, 0.25, 0.75, 0.75, 1, 1]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.long if seed > 2 else ()) for seed in range(9)]
)
def test_each_strategy_has_charts_of_its_own_on_common_scales(
    seed: int, tmp_path: Path, drawn: list[Figure]
) -> None:
    """Its curve alone is in colour, on top of the others; and whatever the numbers and the names
    are, texts stand apart and can be read on a phone."""
    nodes, names, cap = random_study(seed, least=2)
    draw(tmp_path / "f.png", nodes, names, cap)
    (figure,) = drawn
    theme, count = load_theme("light"), len(names)
    for charts in (figure.axes[:count], figure.axes[count : 2 * count]):
        assert len({(axes.get_xlim(), axes.get_ylim()) for axes in charts}) == 1
        for number, axes in enumerate(charts):
            *others, own = axes.lines
            assert rgb(own.get_color()) == theme.search_colour(number)
            (pale,) = {rgb(line.get_color()) for line in others}
            assert contrast(rgb(own.get_color()), pale) > 1.5
            assert len(others) == count - 1
            assert all(line.get_linewidth() < own.get_linewidth() for line in others)
    assert_readable(figure)
    assert not any(axes.patches for axes in figure.axes)  # no bar stands on an axis


@pytest.mark.filterwarnings("error")
def test_one_puzzle_has_charts_with_axes_of_two_ends(tmp_path: Path, drawn: list[Figure]) -> None:
    draw(tmp_path / "f.png", [[7, 70]], ("a", "b"))
    (figure,) = drawn
    assert [axes.get_ylim() for axes in figure.axes[2:4]] == [(10.0, 100.0)] * 2
    texts = {text.text for text, _ in assert_texts_do_not_overlap(figure)}
    assert {"10%", "100%"} <= texts


@pytest.mark.filterwarnings("error")
def test_any_names_leave_the_texts_apart(tmp_path: Path, drawn: list[Figure]) -> None:
    names = ("red\x07\x1b[31m\u202eback", "w" * 200, "$x^$ \\frac", "\u05e9\u05dd " * 30,
             "\u200b")  # fmt: skip
    draw(tmp_path / "f.png", [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1000]], names)
    (figure,) = drawn
    assert_texts_do_not_overlap(figure)


def test_a_study_of_one_strategy_has_no_wins(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="needs two strategies"):
        draw(tmp_path / "f.png", [[1]], ("a",))
    assert not (tmp_path / "f.png").exists()
