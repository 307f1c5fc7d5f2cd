"""The figure of a study as a reader sees it: what it shows, and that nothing hides it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.support.figures import (
    assert_readable,
    assert_texts_do_not_overlap,
    journal_of,
    random_study,
    rgb,
    texts_of,
    ticks_of,
)
from undoku.render.figures.study_figure import MAX_DOTS, draw_study
from undoku.solver.study.summary import summarise

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
    "seed", [pytest.param(seed, marks=pytest.mark.long if seed > 2 else ()) for seed in range(8)]
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


@pytest.mark.parametrize("nodes", [[[5, 5]] * 9, [[1, 1]], [[200, 300]]])
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
