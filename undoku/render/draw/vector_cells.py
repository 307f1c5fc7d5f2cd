"""Cells, texts and pixels as shapes: polygons, lines and letters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.cell_look import CellLook
from undoku.render.draw.cells import Digit, Dots, Lines, cell_shapes
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.easel import Drawing, Drawn, Painted, Shaped
from undoku.render.draw.glyph_outlines import EM, Glyph, glyph_of, outline, set_line
from undoku.render.draw.lettering import LEVELS, ascent, fitted, line_height
from undoku.render.draw.shapes import Contour, Point, Polygon, Stroke, box
from undoku.render.draw.sprites import Align, Area, BoxedText
from undoku.render.draw.theme import Theme


@dataclass(frozen=True, slots=True)
class Letter:
    """A glyph at (x, y), the left end of its baseline, `size` pixels per em."""

    glyph: Glyph
    size: float
    x: float
    y: float
    colour: Colour


Shape = Polygon | Stroke | Letter


def cell_curves(look: CellLook, side: int, theme: Theme) -> Iterator[Shape]:
    """The shapes of a cell of `side` pixels as polygons and letters, the lowest first."""
    for shape in cell_shapes(look, side, theme):
        if isinstance(shape, Digit):
            yield from _letters(shape)
        elif isinstance(shape, Lines):
            for line in shape.lines:
                yield Polygon((_thick(*line, shape.width),), shape.colour)
        elif isinstance(shape, Dots):
            centres = tuple((centre,) for centre in shape.centres)
            yield Stroke(centres, 2 * shape.radius, shape.colour)
        elif shape.rects:
            yield Polygon(tuple(box(*rect) for rect in shape.rects), shape.colour)


def _letters(digit: Digit) -> Iterator[Letter]:
    placed, _ = set_line(digit.text, digit.face, digit.size)
    scale = digit.size / EM
    left = placed[0].x + outline(placed[0].glyph).box[0] * scale
    right = placed[-1].x + outline(placed[-1].glyph).box[2] * scale
    _, bottom, _, top = outline(glyph_of("8", digit.face)).box
    x, y = digit.x - (left + right) / 2, digit.y + (bottom + top) / 2 * scale
    colour = mix(digit.on, digit.colour, digit.strength / (LEVELS - 1))
    for one in placed:
        yield Letter(one.glyph, one.size, x + one.x, y, colour)


def _thick(x0: float, y0: float, x1: float, y1: float, width: float) -> Contour:
    """The corners of a line from (x0, y0) to (x1, y1)."""
    share = width / math.hypot(x1 - x0, y1 - y0) / 2
    across, down = (y1 - y0) * share, (x0 - x1) * share
    return (
        (x0 + across, y0 + down),
        (x1 + across, y1 + down),
        (x1 - across, y1 - down),
        (x0 - across, y0 - down),
    )


def line_shapes(line: BoxedText) -> Iterator[Shape]:
    """The letters of a line of text, without its background. They are a little smaller if the line
    would be wider than its box, which was measured with advances rounded to whole pixels."""
    text = fitted(line.text, line.face, line.size, line.rect.width)
    placed, width = set_line(text, line.face, line.size)
    share = min(1.0, line.rect.width / width) if width else 1.0
    spare = line.rect.width - width * share
    x = line.rect.x + {Align.LEFT: 0.0, Align.CENTRE: spare / 2, Align.RIGHT: spare}[line.align]
    high = line_height(line.face, line.size)
    y = line.rect.y + (line.rect.height - high) // 2 + ascent(line.face, line.size)
    for one in placed:
        if outline(one.glyph).segments:
            yield Letter(one.glyph, one.size * share, x + one.x * share, y, line.ink)


def painted_shapes(rect: Rect, pixels: Pixels) -> Iterator[Polygon]:
    """Pixels (height, width, 3) as rectangles of one colour, one polygon for each colour."""
    wide = pixels.astype(np.uint32)
    rgb = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    found: dict[int, list[tuple[Point, ...]]] = {}
    running: dict[tuple[int, int, int], int] = {}  # (start, end, colour): the first row
    for row in range(rect.height + 1):
        runs: set[tuple[int, int, int]] = set()
        if row < rect.height:
            edges = np.flatnonzero(np.diff(rgb[row])) + 1
            starts = [0, *edges.tolist()]
            for start, end in zip(starts, [*starts[1:], rect.width], strict=True):
                runs.add((start, end, int(rgb[row, start])))
        for run in sorted(running.keys() - runs):
            start, end, colour = run
            begun = running.pop(run)
            found.setdefault(colour, []).append(
                box(rect.x + start, rect.y + begun, end - start, row - begun)
            )
        for run in runs:
            running.setdefault(run, row)
    for colour, contours in sorted(found.items()):
        yield Polygon(tuple(contours), (colour >> 16, colour >> 8 & 255, colour & 255))


def drawn_shapes(drawing: Drawing) -> Iterator[tuple[Drawn, list[Polygon | Stroke]]]:
    """Each element of a drawing, the lowest first, with its areas and lines. Of a text these are
    its background if it differs from what is below; of a cell there are none: see `cell_curves` and
    `line_shapes`."""
    for number, drawn in enumerate(drawing.drawn):
        shapes: list[Polygon | Stroke] = []
        if isinstance(drawn, Area):
            shapes = [Polygon((box(*drawn.rect),), drawn.colour)]
        elif isinstance(drawn, Shaped):
            shapes = list(drawn.shapes)
        elif isinstance(drawn, Painted):
            shapes = list(painted_shapes(drawn.rect, drawn.pixels))
        elif isinstance(drawn, BoxedText):
            under = next(
                (o for o in reversed(drawing.drawn[:number]) if o.rect.overlaps(drawn.rect)), None
            )
            plain = isinstance(under, Area) and under.rect.contains(drawn.rect)
            if not (plain and isinstance(under, Area) and under.colour == drawn.background):
                shapes = [Polygon((box(*drawn.rect),), drawn.background)]
        yield drawn, shapes
