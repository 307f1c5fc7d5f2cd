"""PDF: one picture as vector graphics, on a page of the picture's size, for papers and slides.

Matplotlib writes it. Letters are paths, so there are no fonts; there are no dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any

from undoku.render.draw.easel import Drawing
from undoku.render.draw.glyph_outlines import EM, outline
from undoku.render.draw.lettering import set_in
from undoku.render.draw.shapes import Point, Polygon, Stroke
from undoku.render.draw.sprites import BoxedText, Cell
from undoku.render.draw.vector_cells import Letter, Shape, cell_curves, drawn_shapes, line_shapes
from undoku.render.write.sink import DocumentSink
from undoku.texts.text_lines import write_about

_INCH = 96
"""Pixels per inch."""


def _shapes(drawing: Drawing) -> Iterator[tuple[Shape, Point]]:
    """Each shape of a drawing and where its origin is on the page, the lowest first."""
    for drawn, areas in drawn_shapes(drawing):
        shapes: Iterable[Shape] = areas
        origin: Point = 0, 0
        if isinstance(drawn, Cell):
            shapes = cell_curves(drawn.look, drawn.rect.width, drawing.theme)
            origin = drawn.rect[:2]
        elif isinstance(drawn, BoxedText):
            shapes = [*areas, *line_shapes(drawn)]
        for shape in shapes:
            yield shape, origin


def _segments(shape: Shape) -> Iterator[tuple[str, Sequence[Point]]]:
    """The path of a shape as SVG's commands with their points."""
    if isinstance(shape, Letter):
        scale = shape.size / EM
        for letter, places in outline(shape.glyph).segments:
            points = zip(places[::2], places[1::2], strict=True)
            yield letter, [(shape.x + x * scale, shape.y - y * scale) for x, y in points]
        return
    for first, *further in shape.contours if isinstance(shape, Polygon) else shape.lines:
        yield "M", [first]
        # A line of length 0, with round ends, is a disc.
        yield from (("L", [point]) for point in further or [first])
        if isinstance(shape, Polygon):
            yield "Z", []


def encode_pdf(drawing: Drawing, about: Sequence[tuple[str, str]] = ()) -> bytes:
    """A PDF of one page, 0.75 points per pixel. `about` gives its title and subject, and all of it
    is stored as its keywords."""
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    codes = {"M": Path.MOVETO, "L": Path.LINETO, "Q": Path.CURVE3, "C": Path.CURVE4}
    texts = dict(about)
    facts = {
        "Title": texts.get("title", ""),
        "Subject": "; ".join(texts[name] for name in ("strategies", "counts") if name in texts),
        "Keywords": write_about(about),
        "Creator": "undoku",
        "CreationDate": None,
    }
    figure = Figure((drawing.width / _INCH, drawing.height / _INCH), frameon=False)
    points = Affine2D().scale(72 / _INCH, -72 / _INCH).translate(0, drawing.height * 72 / _INCH)
    with set_in(drawing.typeface):
        for shape, origin in _shapes(drawing):
            places: list[Point] = []
            path: list[Any] = []
            for letter, ends in _segments(shape):
                places += ends or [(0, 0)]
                path += [codes[letter]] * len(ends) if ends else [Path.CLOSEPOLY]
            line = isinstance(shape, Stroke)
            colour = [part / 255 for part in shape.colour]
            patch = PathPatch(
                Path(places, path),
                transform=Affine2D().translate(*origin) + points,
                facecolor="none" if line else colour,
                edgecolor=colour if line else "none",
                linewidth=shape.width * 72 / _INCH if isinstance(shape, Stroke) else 0,
                capstyle="round",
                joinstyle="round",
            )
            figure.add_artist(patch)
        with BytesIO() as file:
            figure.savefig(file, format="pdf", metadata=facts)
            return file.getvalue()


class PdfSink(DocumentSink):
    """Writes a drawing as PDF."""

    def encoded(self, drawing: Drawing) -> bytes:
        return encode_pdf(drawing, self.context.about)
