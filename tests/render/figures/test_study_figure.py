"""The figures of a study, and of who wins where: dots, curves and bars stand at the numbers, texts
apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from tests.support.figures import (
    assert_readable,
    assert_texts_do_not_overlap,
    journal_of,
    random_study,
    rgb,
    texts_of,
    ticks_of,
)
from undoku.errors import SettingsError
from undoku.render.draw.colour_space import contrast
from undoku.render.draw.theme import load_theme
from undoku.render.figures.study_figure import MAX_DOTS, draw_study
from undoku.render.figures.wins_figure import draw_wins
from undoku.solver.study.summary import summarise, wins_of

LONG = "mrv+singles+locked+pairs+triples+x-wing+cbj"
CAP = 1000


def draw(folder: Path, nodes: list[list[int]], names: list[str], cap: int = CAP) -> None:
    """The figure of these nodes, (puzzles, strategies), capped where they are `cap`."""
    journal = journal_of(folder / "j", nodes, names, cap)
    draw_study(journal, summarise(journal), folder / "f.png", ".png")
    journal.close()


def dots(axes: Axes) -> list[tuple[float, bool]]:
    """(value, whether it is hollow) of every dot in a row, ascending."""
    background = axes.get_facecolor()
    return sorted(
        (float(value), rgb(line.get_markerfacecolor()) == rgb(background))
        for line in axes.lines
        if line.get_marker() == "o"
        for value in np.asarray(line.get_xdata(), float)
    )


def test_every_puzzle_is_a_dot_in_every_row_at_its_number(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    nodes = [[2, 1000, 7], [50, 3, 1000], [4, 1, 999]]
    draw(tmp_path, nodes, ["a", "b", "c"])
    (figure,) = drawn
    assert len(figure.axes) == 3 + 2
    for number in range(3):
        expected = sorted((float(row[number]), row[number] == CAP) for row in nodes)
        assert dots(figure.axes[number]) == expected
    for number in (1, 2):
        ratios = sorted((row[number] / row[0], CAP in (row[number], row[0])) for row in nodes)
        found = dots(figure.axes[2 + number])
        assert [hollow for _, hollow in found] == [hollow for _, hollow in ratios]
        assert [value for value, _ in found] == pytest.approx([value for value, _ in ratios])


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.long if seed > 1 else ()) for seed in range(8)]
)
def test_texts_of_any_study_are_apart_and_can_be_read_on_a_phone(
    seed: int, tmp_path: Path, drawn: list[Figure]
) -> None:
    """And every tick stands at its value, and all rows of a section share their axis."""
    nodes, names, cap = random_study(seed)
    draw(tmp_path, nodes, names, cap)
    (figure,) = drawn
    assert_readable(figure)
    count = len(names)
    for section in (figure.axes[:count], figure.axes[count:]):
        assert len({axes.get_xlim() for axes in section}) <= 1
    for axes in figure.axes:
        low, high = axes.get_xlim()
        assert all(low <= value <= high for value, _ in dots(axes))
        assert len(dots(axes)) == min(len(nodes), MAX_DOTS)
        for line in axes.lines:
            if line.get_marker() == "o":
                places = line.get_transform().transform(np.asarray(line.get_xydata(), float))
                assert (places[:, 1] <= axes.bbox.y1).all()


@pytest.mark.parametrize("nodes", [[[5, 5]] * 9, [[200, 300]]])
def test_labels_of_an_axis_do_not_overlap_though_all_values_are_equal(
    tmp_path: Path, drawn: list[Figure], nodes: list[list[int]]
) -> None:
    """And the caption has their mean ratio."""
    draw(tmp_path, nodes, ["a", "b"])
    (figure,) = drawn
    assert_texts_do_not_overlap(figure)
    for axes in (figure.axes[1], figure.axes[2]):
        assert len(ticks_of(axes)) >= 2
    mean = f"geometric mean {nodes[0][1] / nodes[0][0]:g}"
    assert any(f"{text.text},".startswith(f"{mean},") for text in texts_of(figure))


def test_capped_searches_are_said_and_hollow(tmp_path: Path, drawn: list[Figure]) -> None:
    names = [f"{LONG}:{number}" for number in range(7)]
    spread = [[CAP, *(7 * number + row for number in range(6))] for row in range(1, 40)]
    draw(tmp_path, spread, names)
    (figure,) = drawn
    message = [text.text for text in texts_of(figure)]
    assert "median ≥1,000, 100.00% capped (hollow)" in message
    assert all(hollow for _, hollow in dots(figure.axes[0]))
    assert not any(hollow for _, hollow in dots(figure.axes[1]))
    assert all(hollow for _, hollow in dots(figure.axes[7]))


def test_a_large_collection_has_a_dot_for_each_hundredth(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    draw(tmp_path, [[number] for number in range(1, 1000)], ["a"], cap=10**9)
    (figure,) = drawn
    values = [value for value, _ in dots(figure.axes[0])]
    assert len(values) == MAX_DOTS
    assert np.allclose(values, np.arange(5, 1000, 9.99) + 0.5, atol=1)
    assert "999 puzzles; each dot is one in 100 of them" in [text.text for text in texts_of(figure)]


def draw_figure(path: Path, nodes: list[list[int]], names: Sequence[str], cap: int = 1000) -> None:
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
    draw_figure(tmp_path / "f.png", [[1, 5], [10, 5], [100, 5], [1000, 50]], ("a", "b"))
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
    "seed",
    [pytest.param(seed, marks=() if seed == 1 else pytest.mark.long) for seed in range(9)],
)
def test_each_strategy_has_charts_of_its_own_on_common_scales(
    seed: int, tmp_path: Path, drawn: list[Figure]
) -> None:
    """Its curve alone is in colour, on top of the others; and whatever the numbers and the names
    are, texts stand apart and can be read on a phone."""
    nodes, names, cap = random_study(seed, least=2)
    draw_figure(tmp_path / "f.png", nodes, names, cap)
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
    draw_figure(tmp_path / "f.png", [[7, 70]], ("a", "b"))
    (figure,) = drawn
    assert [axes.get_ylim() for axes in figure.axes[2:4]] == [(10.0, 100.0)] * 2
    texts = {text.text for text, _ in assert_texts_do_not_overlap(figure)}
    assert {"10%", "100%"} <= texts


@pytest.mark.filterwarnings("error")
def test_any_names_leave_the_texts_apart(tmp_path: Path, drawn: list[Figure]) -> None:
    names = ("red\x07\x1b[31m\u202eback", "w" * 200, "$x^$ \\frac", "\u05e9\u05dd " * 30,
             "\u200b")  # fmt: skip
    draw_figure(tmp_path / "f.png", [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1000]], names)
    (figure,) = drawn
    assert_texts_do_not_overlap(figure)


def test_a_study_of_one_strategy_has_no_wins(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="needs two strategies"):
        draw_figure(tmp_path / "f.png", [[1]], ("a",))
    assert not (tmp_path / "f.png").exists()
