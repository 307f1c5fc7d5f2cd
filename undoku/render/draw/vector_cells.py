"""Marks as shapes: polygons, lines and letters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.cell_look import USUAL_VALUES, CellKind, CellLook, StepMark
from undoku.render.draw.cells import (
    cell_colours,
    digit_strength,
    mark_colour,
    outline_colour,
    pencil_places,
    pencil_size,
    strong_width,
    struck_stroke,
    thin_width,
)
from undoku.render.draw.colour_space import Colour, mix
from undoku.render.draw.easel import Drawing, Drawn, Painted, Shaped
from undoku.render.draw.glyph_outlines import EM, Glyph, glyph_of, outline, set_line
from undoku.render.draw.lettering import LEVELS, Face, ascent, fitted, line_height
from undoku.render.draw.shapes import Point, Polygon, Stroke, box
from undoku.render.draw.sprites import Align, Area, BoxedText
from undoku.render.draw.theme import Theme
from undoku.render.draw.unit_marks import failed_bars, unit_marks
from undoku.solver.problem.puzzle import SYMBOLS

__all__ = ["Letter", "Shape", "cell_shapes", "drawn_shapes", "line_shapes"]


@dataclass(frozen=True, slots=True)
class Letter:
    """A glyph at (x, y), the left end of its baseline, `size` pixels per em."""

    glyph: Glyph
    size: float
    x: float
    y: float
    colour: Colour


Shape = Polygon | Stroke | Letter


def cell_shapes(look: CellLook, side: int, theme: Theme) -> Iterator[Shape]:
    """The shapes of what `undoku.render.draw.cells.draw_cell` draws for a cell of `side` pixels,
    the lowest first."""
    ground, ink, face = cell_colours(look, theme)
    yield Polygon((box(0, 0, side, side),), ground)
    mark = mark_colour(look, theme)
    if bars := [box(*bar) for bar in unit_marks(look, side)]:
        yield Polygon(tuple(bars), mark)
    size = max(6, round(side * 0.64))
    centre = (side + thin_width(side)) / 2
    if look.kind is CellKind.PENCIL:
        yield from _pencil_marks(look, side, ink)
    elif look.value:
        shade = _weakened(ink, ground, digit_strength(look))
        yield _digit(look.value, face, size, centre, centre, shade)
    if look.mark is StepMark.UNDOING:
        yield Polygon((_stroke(side, rising=True, near=0.22, far=0.82),), ink)
    left = strong_width(side) if look.left else thin_width(side)
    top = strong_width(side) if look.top else thin_width(side)
    ring = max(1, round(side / 16))
    if look.mark is StepMark.TRYING:
        yield _ring(left + ring, top + ring, ring, side - ring, theme.trying)
    upper = Polygon((box(0, 0, side, top),), theme.strong_line if look.top else theme.line)
    sideways = Polygon((box(0, 0, left, side),), theme.strong_line if look.left else theme.line)
    yield from (upper, sideways) if look.left else (sideways, upper)
    if bars := [box(*bar) for bar in failed_bars(look, side)]:
        yield Polygon(tuple(bars), outline_colour(look, theme))


def _weakened(ink: Colour, ground: Colour, strength: int) -> Colour:
    return mix(ground, ink, strength / (LEVELS - 1))


def _digit(value: int, face: Face, size: int, x: float, y: float, colour: Colour) -> Letter:
    """A digit whose outline is centred at x; its baseline is such that an 8 would be centred at
    y."""
    glyph, scale = glyph_of(SYMBOLS[value - 1], face), size / EM
    left, _, right, _ = outline(glyph).box
    _, bottom, _, top = outline(glyph_of("8", face)).box
    return Letter(
        glyph, size, x - (left + right) / 2 * scale, y + (bottom + top) / 2 * scale, colour
    )


def _pencil_marks(look: CellLook, side: int, ink: Colour) -> Iterator[Shape]:
    if not look.candidates:
        for rising in (True, False):
            yield Polygon((_stroke(side, rising=rising, near=0.34, far=0.7),), ink)
        return
    shown = look.candidates | look.struck
    values = look.values or USUAL_VALUES
    across = math.ceil(math.sqrt(values))
    size, (inset, pitch) = pencil_size(side, values), pencil_places(side, values)
    for index in range(values):
        if not shown >> index & 1:
            continue
        row, column = divmod(index, across)
        x, y = inset + (column + 0.5) * pitch, inset + (row + 0.5) * pitch
        yield _digit(index + 1, Face.REGULAR, size, x, y, ink)
        if look.struck >> index & 1:
            yield Polygon((_struck(x, y, *struck_stroke(pitch, side)),), ink)


def _struck(x: float, y: float, width: int, height: int, thick: int) -> tuple[Point, ...]:
    """The stroke through a pencil mark around (x, y)."""
    along = math.hypot(width, height)
    off, rise = thick * height / along / 2, thick * width / along / 2
    left, right, foot, head = x - width / 2, x + width / 2, y + height / 2, y - height / 2
    return (
        (left - off, foot - rise),
        (right - off, head - rise),
        (right + off, head + rise),
        (left + off, foot + rise),
    )


def _stroke(side: int, *, rising: bool, near: float, far: float) -> tuple[Point, ...]:
    """A thick line between two corners of a square inside the cell."""
    start, end = round(side * near), round(side * far)
    reach = max(1, round(side / 14)) / math.sqrt(8)
    line = (
        (start - reach, start + reach),
        (start + reach, start - reach),
        (end + reach, end - reach),
        (end - reach, end + reach),
    )
    if not rising:
        return line
    return tuple((x, start + end - y) for x, y in reversed(line))


def _ring(x: int, y: int, width: int, end: int, colour: Colour) -> Polygon:
    """A ring just inside the cell, from (x, y) to (end, end), as four bars."""
    return Polygon(
        (
            box(x, y, end - x, width),
            box(x, end - width, end - x, width),
            box(x, y + width, width, end - y - 2 * width),
            box(end - width, y + width, width, end - y - 2 * width),
        ),
        colour,
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
    its background if it differs from what is below; of a cell there are none: see `cell_shapes` and
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
            if not (plain and isinstance(under, Area) and under.colour == drawn.ground):
                shapes = [Polygon((box(*drawn.rect),), drawn.ground)]
        yield drawn, shapes
