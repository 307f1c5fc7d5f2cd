"""A chart that a notebook displays. Imports matplotlib: import this module where a chart is
drawn."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure

__all__ = ["ShownFigure"]

_DOTS_PER_INCH = 96


class ShownFigure(Figure):
    """A matplotlib figure that a notebook displays without pyplot."""

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=_DOTS_PER_INCH)
        return picture.getvalue()
