"""What a reader sees of figures: every text, with the place that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.path import Path as Outline
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike, NDArray

from tests.support import given_studies
from undoku.render.draw.colour_space import Colour, contrast
from undoku.render.figures.matplotlib_parts import TextOutline
from undoku.solver.study.journal import Journal

_NAME = "mrv+singles+locked+pairs+triples+x-wing+cbj"
_UNITS = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def texts_of(figure: Figure) -> list[TextOutline]:
    """All texts of a figure, those of its ticks included. matplotlib itself writes none."""
    assert not figure.texts and not any(axes.texts for axes in figure.axes)
    return [artist for artist in figure.artists if isinstance(artist, TextOutline)]


def _shown_texts(figure: Figure) -> list[tuple[TextOutline, Bbox]]:
    """All texts of a figure as it is drawn, and where their ink is, in pixels."""
    figure.draw_without_rendering()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            for tick in axis.get_major_ticks():
                assert not tick.label1.get_visible() and not tick.label2.get_visible()
    return [(text, _ink_of(text)) for text in texts_of(figure)]


def _ink_of(text: TextOutline) -> Bbox:
    """Where the ink of a text is, in pixels: matplotlib's own flattening of curves is a fiftieth of
    the work of solving for their extremes, and as exact as what it draws."""
    outline = text.get_path().cleaned(text.get_transform(), curves=False)
    drawn = np.isin(np.asarray(outline.codes), (Outline.MOVETO, Outline.LINETO))
    corners = np.asarray(outline.vertices, float)[drawn]
    return Bbox([corners.min(axis=0), corners.max(axis=0)]) if len(corners) else Bbox.null()


def assert_texts_do_not_overlap(figure: Figure) -> list[tuple[TextOutline, Bbox]]:
    """No text leaves the figure, and no two overlap. Returns the texts."""
    shown = _shown_texts(figure)
    right, top = figure.bbox.max
    boxes = [(*box.extents, text.text) for text, box in shown]
    for x0, y0, x1, y1, text in boxes:
        assert x0 >= 0 and x1 <= right and y0 >= 0 and y1 <= top, text
    for (x0, y0, x1, y1, text), (left, low, end, high, other) in combinations(boxes, 2):
        assert x1 < left or end < x0 or y1 < low or high < y0, (text, other)
    return shown


def assert_readable(figure: Figure) -> list[tuple[TextOutline, Bbox]]:
    """As `assert_texts_do_not_overlap`; scaled to a width of 360 pixels, as on a phone, no letter
    is smaller than eight pixels, and all have contrast; the label of every tick is at its place,
    and names its value."""
    shown = assert_texts_do_not_overlap(figure)
    points: float = 72 * figure.get_figwidth()
    for text, _ in shown:
        assert text.size * 360 / points >= 8
        assert contrast(rgb(text.get_facecolor()), rgb(figure.get_facecolor())) >= 4.5
    assert_labels_are_at_their_ticks(figure, shown)
    for axes in figure.axes:
        for value, label in ticks_of(axes):
            named = value_of(label)
            assert named == pytest.approx(value, rel=1e-9) or (
                label.endswith("%") and named == pytest.approx(100 * value, rel=1e-9)
            )
    return shown


def journal_of(
    path: Path, nodes: ArrayLike, names: Sequence[str], cap: int, seeds: int = 1, ones: int = 1
) -> Journal:
    """A study of these nodes, (puzzles, strategies), capped where they are `cap`, of puzzles with
    so many givens (`ones`)."""
    counted = np.array(nodes)
    return given_studies.journal_of(
        path,
        tuple(names),
        [ones] * len(counted),
        cap=cap,
        seeds=seeds,
        nodes=counted,
        backtracks=(counted - 1) * (seeds > 1),
        outcome=2 * (counted == cap),
    )


def random_study(seed: int, least: int = 1) -> tuple[list[list[int]], list[str], int]:
    """Nodes, (puzzles, strategies), of at least so many strategies, their names and the cap: up to
    eight decades, some capped, some all alike."""
    dice = np.random.default_rng(seed)
    puzzles, strategies = int(dice.integers(1, 300)), int(dice.integers(least, 9))
    cap = int(10 ** dice.uniform(1, 8))
    columns = [
        np.exp(dice.normal(dice.uniform(0, 16), dice.choice([0, 1, 4]), puzzles)).astype(np.int64)
        for _ in range(strategies)
    ]
    nodes: NDArray[np.int64] = np.clip(np.stack(columns, 1), 1, cap)
    names = [f"{_NAME[: int(dice.integers(3, 43))]}:{number}" for number in range(strategies)]
    return nodes.tolist(), names, cap


def assert_labels_are_at_their_ticks(
    figure: Figure, shown: Sequence[tuple[TextOutline, Bbox]]
) -> None:
    """The label of every tick is centred below it, or ends on its left; `shown` are the texts of
    the figure."""
    for axes in figure.axes:
        for axis, along in ((axes.xaxis, 0), (axes.yaxis, 1)):
            for tick in axis.get_major_ticks():
                if label := tick.label1.get_text():
                    at = axes.transData.transform((tick.get_loc(),) * 2)[along]
                    middles = [
                        (box.min[along] + box.max[along]) / 2
                        for text, box in shown
                        if text.text == label
                    ]
                    assert min(abs(middle - at) for middle in middles) < 3


def ticks_of(axes: Axes) -> list[tuple[float, str]]:
    """(value, label) of all labelled ticks in sight."""
    found = []
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in axis.get_major_ticks():
            if low <= tick.get_loc() <= high and tick.label1.get_text():
                found.append((float(tick.get_loc()), tick.label1.get_text()))
    return found


def value_of(label: str) -> float:
    """The number that a label names: "1.5M", "10,000", "50%", "1/200"."""
    label = label.replace(",", "").rstrip("%")
    if "/" in label:
        over, under = label.split("/")
        return value_of(over) / value_of(under)
    return float(label[:-1]) * _UNITS[label[-1]] if label[-1] in _UNITS else float(label)


def rgb(colour: object) -> Colour:
    """A colour of matplotlib's as three numbers of 0..255."""
    red, green, blue = to_rgb(colour)  # type: ignore[arg-type]
    return round(255 * red), round(255 * green), round(255 * blue)
