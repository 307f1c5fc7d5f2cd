"""Parts of figures that are classes of matplotlib's: import this module where a figure is drawn,
since matplotlib takes a third of a second.

Texts are drawn by the typeface and in the direction that films have, not by matplotlib's own: so
`--font`, letters from other installed fonts, joined letters and the order of mixed directions are
the same in figures and films, whichever matplotlib is installed.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from undoku.render.draw.fonts import Face
from undoku.render.draw.glyph_outlines import EM, Glyph, outline, set_line

_SET = 160
"""Pixels per em at which lines are set; outlines are scaled from there."""

_POINTS = 72  # per inch

_CODES = {
    "M": [int(Path.MOVETO)],
    "L": [int(Path.LINETO)],
    "Q": [int(Path.CURVE3)] * 2,
    "C": [int(Path.CURVE4)] * 3,
    "Z": [int(Path.CLOSEPOLY)],
}


class TextOutline(PathPatch):
    """A line of text as one shape of a figure: `text` at `size` points per em. The left end, the
    middle or the right end (`align` 0, 0.5 or 1) of the line that its letters stand on is `at`, in
    shares of the figure, moved to the right and up by `shift`, in points."""

    def __init__(
        self,
        text: str,
        size: float,
        at: tuple[float, float],
        figure: Figure,
        colour: str,
        *,
        bold: bool = False,
        align: float = 0.0,
        shift: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        face = Face.BOLD if bold else Face.REGULAR
        inches = size / _POINTS
        wide, high = figure.get_size_inches()
        left = at[0] * wide - align * text_width_in_ems(text, bold=bold) * inches
        path = _line_path(
            text, face, left + shift[0] / _POINTS, at[1] * high + shift[1] / _POINTS, inches
        )
        super().__init__(path, transform=figure.dpi_scale_trans, facecolor=colour, linewidth=0)
        self.text = text
        self.size = size


def text_width_in_ems(text: str, *, bold: bool = False) -> float:
    """The advance of a line of text in the typeface that is set, in ems."""
    return set_line(text, Face.BOLD if bold else Face.REGULAR, _SET)[1] / _SET


def _line_path(text: str, face: Face, left: float, foot: float, inches: float) -> Path:
    """The outlines of a line that begins at (left, foot), in inches, `inches` per em."""
    vertices: list[tuple[float, float]] = []
    codes: list[int] = []
    for placed in set_line(text, face, _SET)[0]:
        scale = inches * placed.size / _SET / EM
        x = left + inches * placed.x / _SET
        points, kinds = _glyph_path(placed.glyph)
        vertices += [(x + across * scale, foot + up * scale) for across, up in points]
        codes += kinds
    return Path(vertices or [(left, foot)], codes or [Path.MOVETO])


@lru_cache(maxsize=2048)
def _glyph_path(glyph: Glyph) -> tuple[list[tuple[float, float]], list[int]]:
    """The corners and control points of a glyph, in units of EM, and what each is."""
    points: list[tuple[float, float]] = []
    kinds: list[int] = []
    for letter, places in outline(glyph).segments:
        points += zip(places[::2], places[1::2], strict=True) if places else [(0.0, 0.0)]
        kinds += _CODES[letter]
    return points, kinds


_DOTS_PER_INCH = 96


class ShownFigure(Figure):
    """A matplotlib figure that a notebook displays without pyplot."""

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        self.savefig(picture, format="png", dpi=_DOTS_PER_INCH)
        return picture.getvalue()
