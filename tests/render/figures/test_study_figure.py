"""The figure of a study as a reader sees it: what it shows, and that nothing hides it."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from render.figures.study_figure import draw_study
from solver.puzzle import standard_geometry
from solver.study.journal import COLUMNS, Counted, Journal
from solver.study.summary import summarise
from tests.support.figures import titles_of

LONG = "mrv+singles+locked+pairs+triples+x-wing+cbj"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """The figures that were saved, open to questions."""
    figures: list[Figure] = []
    save = Figure.savefig

    def kept(figure: Figure, *arguments: object, **named: object) -> None:
        figures.append(figure)
        save(figure, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Figure, "savefig", kept)
    return figures


def draw(folder: Path, nodes: list[list[int]], names: list[str], cap: int = 1000) -> None:
    """The figure of these nodes, (puzzles, strategies), capped where they are `cap`."""
    journal = Journal(folder / "j", tuple(names), cap, False)
    counts = np.zeros((len(nodes), len(names), len(COLUMNS)), np.int64)
    counts[:, :, COLUMNS.index("nodes")] = nodes
    counts[:, :, COLUMNS.index("outcome")] = 2 * (np.array(nodes) == cap)
    boards = np.zeros((len(nodes), 16), np.uint8)
    journal.add(Counted(standard_geometry(4), np.arange(1, len(nodes) + 1), boards, counts))
    draw_study(journal, summarise(journal), folder / "f.png", ".png")
    journal.close()


def bars(axes: Axes) -> float:
    """How many percent of the puzzles the bars of a row stand for."""
    return max(sum(patch.get_data().values) for patch in axes.patches)  # type: ignore[attr-defined]


def test_every_puzzle_is_in_every_row(tmp_path: Path, drawn: list[Figure]) -> None:
    draw(tmp_path, [[1, 1000, 7], [50, 1, 1000], [3, 1, 999]], ["a", "b", "c"])
    (figure,) = drawn
    rows = [axes for axes in figure.axes if axes.axison]
    assert len(rows) == 3 + 2
    for axes in rows:
        assert bars(axes) == pytest.approx(100)


@pytest.mark.parametrize("nodes", [[[5, 5]] * 9, [[1000, 1000]] * 9, [[1, 1]], [[999, 3]]])
def test_labels_of_an_axis_stand_apart_though_all_values_are_equal(
    tmp_path: Path, drawn: list[Figure], nodes: list[list[int]]
) -> None:
    draw(tmp_path, nodes, ["a", "b"])
    (figure,) = drawn
    for axes in figure.axes[-2:]:
        assert bars(axes) == pytest.approx(100)
        low, high = axes.get_xlim()
        labels = [
            label
            for label in axes.get_xticklabels(which="both")
            if label.get_text() and low <= label.get_position()[0] <= high
        ]
        shown = [label.get_window_extent() for label in labels]
        assert len(shown) >= 2
        assert not any(one.overlaps(other) for one, other in combinations(shown, 2))


def test_long_names_and_many_strategies_stay_within_the_figure_and_apart(
    tmp_path: Path, drawn: list[Figure]
) -> None:
    names = [f"{LONG}:{number}" for number in range(7)]
    spread = [[1000, *(7 * number + row for number in range(6))] for row in range(1, 40)]
    draw(tmp_path, spread, names)
    (figure,) = drawn
    titles = [axes.get_title(loc="left") for axes in figure.axes if axes.axison]
    assert titles[0] == f"{names[0]}: median ≥1,000,\n100.00% capped (hatched)"
    written = [title for axes in figure.axes if axes.axison for title in titles_of(axes)]
    written += [text for axes in figure.axes for text in axes.texts]
    shown = [text.get_window_extent() for text in written]
    whole = figure.bbox
    for one in shown:
        assert whole.x0 <= one.x0 and one.x1 <= whole.x1
        assert whole.y0 <= one.y0 and one.y1 <= whole.y1
    assert not any(one.overlaps(other) for one, other in combinations(shown, 2))
    frames = [axes.get_window_extent() for axes in figure.axes if axes.axison]
    assert not any(frame.overlaps(one) for frame in frames for one in shown)
