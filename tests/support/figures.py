"""The parts of matplotlib's figures that tests look at, by its public interface."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.text import Text

__all__ = ["titles_of"]


def titles_of(axes: Axes) -> list[Text]:
    """The titles of `axes` as they are drawn: left, centre, right, those that say something."""
    said = {axes.get_title(loc=loc) for loc in ("left", "center", "right")} - {""}
    return [
        child
        for child in axes.get_children()
        if isinstance(child, Text) and child not in axes.texts and child.get_text() in said
    ]
