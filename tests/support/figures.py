"""What a reader sees of matplotlib's figures: every text, with the place that it takes."""

from __future__ import annotations

from itertools import combinations

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from render.style.theme import Colour

__all__ = ["assert_texts_stand_apart", "rgb", "shown_texts", "ticks_of", "value_of"]

_UNITS = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def shown_texts(figure: Figure) -> list[tuple[Text, Bbox]]:
    """All texts of a figure as it is drawn, ticks included, in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    texts = list(figure.texts)
    for axes in figure.axes:
        texts += [text for text in axes.texts if text.get_visible()]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if low <= tick.get_loc() <= high:
                    texts.append(tick.label1)
    return [(text, text.get_window_extent(renderer)) for text in texts if text.get_text()]


def assert_texts_stand_apart(figure: Figure) -> list[tuple[Text, Bbox]]:
    """No text leaves the figure, and no two overlap. Returns the texts."""
    shown = shown_texts(figure)
    right, top = figure.bbox.max
    boxes = [(*box.extents, text.get_text()) for text, box in shown]
    for x0, y0, x1, y1, text in boxes:
        assert x0 >= 0 and x1 <= right and y0 >= 0 and y1 <= top, text
    for (x0, y0, x1, y1, text), (left, low, end, high, other) in combinations(boxes, 2):
        assert x1 < left or end < x0 or y1 < low or high < y0, (text, other)
    return shown


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
