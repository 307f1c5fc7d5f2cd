"""What a cell of a board looks like: a short list of shapes, which `draw_cell` paints as pixels and
`undoku.render.draw.vector_cells` as curves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import FADES, USUAL_VALUES, CellKind, CellLook, StepMark
from undoku.render.draw.colour_space import Colour, contrast, mix
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import LEVELS, Mask, glyph_box, quantised, text_mask
from undoku.render.draw.theme import Theme
from undoku.render.draw.unit_marks import (
    ALL_SIDES,
    FilledRect,
    line_widths,
    strong_width,
    thin_width,
    unit_marks,
)
from undoku.solver.problem.appearance import Form

MIN_PENCIL = 7
"""The smallest height in pixels at which a pencil mark can be read."""

_CAPITAL = 0.73
"""The height of a capital letter or a digit, relative to the size of its font."""

_DOT, _COLOURED_DOT, _SINGLE_DOT = 0.26, 0.4, 0.17
"""The radius of a candidate's dot relative to the distance of two, that of one whose colour must be
recognised, and that of the dot of the only candidate relative to the side of the cell."""

_MIN_CONTRAST = 3
"""The minimum contrast of a mark with the background (WCAG 2.2, 1.4.11)."""

FADE_STRENGTHS = (0, 2, 4, 6)
"""The strengths of a fading digit, 0..LEVELS - 1, from nearly invisible to just undone."""

assert len(FADE_STRENGTHS) == FADES + 1


class Fill(NamedTuple):
    """Rectangles of one colour."""

    rects: tuple[FilledRect, ...]
    colour: Colour


class Digit(NamedTuple):
    """The mark of a value, `size` pixels per em: its middle is at x, and that of an 8 would be at
    y, because all digits share a baseline. It has its colour in a `strength` of 0 (the colour `on`
    which it is) to LEVELS - 1."""

    text: str
    face: Face
    size: int
    x: float
    y: float
    colour: Colour
    on: Colour
    strength: int = LEVELS - 1


class Lines(NamedTuple):
    """Lines from (x0, y0) to (x1, y1), `width` pixels wide."""

    lines: tuple[tuple[float, float, float, float], ...]
    width: int
    colour: Colour
    on: Colour


class Dots(NamedTuple):
    """Discs around these centres (x, y)."""

    centres: tuple[tuple[float, float], ...]
    radius: float
    colour: Colour
    on: Colour


CellShape = Fill | Digit | Lines | Dots

_DISC = 0.46
"""The radius of a node, relative to the side of its field."""

_MIN_PIECE, _SMALL_PIECE = 12, 0.38
"""The smallest side in pixels of a field whose piece can be recognised; in a smaller one it is a
disc of this radius, relative to the side."""


def cell_shapes(look: CellLook, side: int, theme: Theme) -> Iterator[CellShape]:
    """The shapes of a cell of `side` pixels, including its lines on the left and upper edge, the
    lowest first."""
    background, ink, face = cell_colours(look, theme)
    whole = FilledRect(0, 0, side, side)
    if look.form is Form.NODES:
        yield Fill((whole,), theme.background)
        yield from _node(look, side, background, theme)
    else:
        yield Fill((whole,), background)
        if marks := tuple(unit_marks(look, side)):
            # Visible on every background, not stronger than the digits.
            yield Fill(marks, _visible(theme.strong_line, background, ink))
    if not look.bare:
        yield from _content(look, side, background, ink, face, theme)
    if look.form is Form.NODES:
        return
    left, top = line_widths(look, side)
    if colour := _ring_colour(look, theme):
        if look.form is Form.REGIONS:
            yield Fill(_ring(left, top, side, look.sides, max(2, round(side / 8)), 0), colour)
        else:
            width = max(1, round(side / 16))
            yield Fill(_ring(left, top, side, ALL_SIDES, width, width), colour)
    upper = Fill((FilledRect(0, 0, side, top),), theme.strong_line if look.top else theme.line)
    before = Fill((FilledRect(0, 0, left, side),), theme.strong_line if look.left else theme.line)
    yield from (upper, before) if look.left else (before, upper)
    if look.failed:
        # The outline of a unit that failed has no gaps at the thin lines between its cells.
        outline = _ring(left, top, side, look.failed, max(1, round(side / 20)), 0)
        ringed = look.mark is StepMark.TRYING  # the ring of the cell is beside the outline
        yield Fill(outline, theme.undoing if ringed else _visible(theme.undoing, background, ink))


def _node(look: CellLook, side: int, background: Colour, theme: Theme) -> Iterator[CellShape]:
    """The lines of a node within its field, and its disc."""
    middle, under, ring = side / 2, theme.background, _ring_colour(look, theme)
    ends = []
    for x, y in look.edges:
        share = 0.6 * side / max(abs(x), abs(y))  # a little beyond the edge of the field
        ends.append((middle, middle, middle + x * share, middle + y * share))
    yield Lines(tuple(ends), edge_width(side), theme.strong_line, under)
    edge = ring or theme.strong_line
    width = max(1, side // 12) if ring else thin_width(side) + 1
    yield Dots(((middle, middle),), side * _DISC, edge, under)
    yield Dots(((middle, middle),), side * _DISC - width, background, edge)


def edge_width(side: int) -> int:
    """The width in pixels of a line between nodes whose fields have `side` pixels."""
    return max(1, side // 24)


def _content(
    look: CellLook, side: int, background: Colour, ink: Colour, face: Face, theme: Theme
) -> Iterator[CellShape]:
    """The mark of the value of a cell, its candidates, or its text."""
    if look.kind is CellKind.PENCIL:
        yield from _pencil_marks(look, side, background, ink, theme)
    elif look.value or (look.text and look.kind is CellKind.EMPTY):
        # Its position does not depend on the cell's lines, so it never shifts.
        centre = (side + thin_width(side)) / 2
        text = look.symbol(look.value) if look.value else look.text
        if text == BLOCK:
            yield Fill((FilledRect(0, 0, side, side),), theme.strong_line)
            return
        # A digit takes about half of the height, a piece most of it.
        piece = look.form is Form.FIELDS
        share = 0.64 if len(text) == 1 and not piece else 0.95 / len(text)
        size = max(6, round(side * share))
        if piece and side < _MIN_PIECE:
            colour = mix(background, ink, digit_strength(look) / (LEVELS - 1))
            yield Dots(((centre, centre),), side * _SMALL_PIECE, colour, background)
        # Beside a colour, letters that can't be read say nothing.
        elif not look.coloured or size * _CAPITAL >= MIN_PENCIL:
            yield Digit(text, face, size, centre, centre, ink, background, digit_strength(look))
    if look.mark is StepMark.UNDOING:
        near, far = round(side * 0.22), round(side * 0.82)
        yield Lines(((near, far, far, near),), max(1, round(side / 14)), ink, background)


BLOCK = "█"
"""The mark of a value that fills its cell, such as a wall."""


def _ring_colour(look: CellLook, theme: Theme) -> Colour | None:
    """The colour of the ring of a cell: of one that is tried, and of one that was guessed where the
    colours of marks do not show this."""
    if look.mark is StepMark.TRYING:
        return theme.trying
    guessed = look.story and look.coloured and look.kind is CellKind.GUESS
    return theme.undoing if guessed and look.mark is StepMark.NONE else None


def _ring(
    left: int, top: int, side: int, sides: int, width: int, inset: int
) -> tuple[FilledRect, ...]:
    """A ring `inset` pixels inside the lines of a cell, `width` pixels wide, as a bar on each of
    its `sides`."""
    x = left + inset if sides & 1 else 0
    y = top + inset if sides & 2 else 0
    end, foot = (side - inset if sides & bit else side for bit in (4, 8))
    inner = width * (sides >> 1 & 1)
    high = foot - y - inner - width * (sides >> 3 & 1)
    bars = (
        FilledRect(x, y, end - x, width),
        FilledRect(x, foot - width, end - x, width),
        FilledRect(x, y + inner, width, high),
        FilledRect(end - width, y + inner, width, high),
    )
    return tuple(bar for bar, bit in zip(bars, (2, 8, 1, 4), strict=True) if sides & bit)


def _pencil_marks(
    look: CellLook, side: int, background: Colour, ink: Colour, theme: Theme
) -> Iterator[CellShape]:
    """A small digit for each candidate, each value at its own place, or a dot. Struck candidates
    are crossed out, and so is a cell without candidates."""
    if look.dead:
        near, far = round(side * 0.34), round(side * 0.7)
        lines = (near, far, far, near), (near, near, far, far)
        yield Lines(lines, max(1, round(side / 14)), ink, background)
        return
    dotted = look.story or look.coloured or look.form is not Form.GRID
    values = look.values or USUAL_VALUES
    pitch, places = _places(look, side)
    wide, high = round(pitch * 0.34), round(pitch * 0.4)
    strokes = []
    for index, (x, y) in enumerate(places):
        if not dotted and (look.candidates | look.struck) >> index & 1:
            size = pencil_size(side, values)
            yield Digit(look.symbol(index + 1), Face.REGULAR, size, x, y, ink, background)
        if look.struck >> index & 1 and not look.story:
            strokes.append((x - wide, y + high, x + wide, y - high))
    if dotted:
        yield from _dots(look, side, background, ink, theme)
    if strokes:
        yield Lines(tuple(strokes), max(1, side // 40), ink, background)


def _places(look: CellLook, side: int) -> tuple[float, list[tuple[float, float]]]:
    """The distance of two neighbouring candidates, and the middle of each value's place."""
    values = look.values or USUAL_VALUES
    middle = (side + thin_width(side)) / 2
    if look.place:
        return side / 2, [(middle, middle)] * values
    across = math.ceil(math.sqrt(values))
    # They do not touch the lines, even strong ones, nor the outline of a unit that failed.
    inset = strong_width(side)
    left, right = inset, side - inset // 2 - 1
    if look.form is Form.NODES:  # within its disc
        left, right = round(side * 0.2), round(side * 0.8)
    pitch = (right - left) / across
    places = (divmod(index, across) for index in range(values))
    return pitch, [
        (left + (column + 0.5) * pitch, left + (row + 0.5) * pitch) for row, column in places
    ]


def _dots(
    look: CellLook, side: int, background: Colour, ink: Colour, theme: Theme
) -> Iterator[Dots]:
    """A dot for each candidate at its value's place, as on a die; a single one is larger and in the
    middle. The dots of colours have these colours."""
    pitch, places = _places(look, side)
    radius = pitch * (_COLOURED_DOT if look.coloured else _DOT)
    if look.candidates.bit_count() == 1:
        middle = (side + thin_width(side)) / 2
        places, radius = [(middle, middle)] * len(places), side * _SINGLE_DOT
    found: dict[Colour, list[tuple[float, float]]] = {}
    for index, place in enumerate(places):
        if look.candidates >> index & 1:
            colour = theme.value_colour(index + 1) if look.coloured else ink
            found.setdefault(colour, []).append(place)
    for colour, centres in found.items():
        yield Dots(tuple(centres), radius, colour, background)


def pencil_size(side: int, values: int) -> int:
    """Pixels per em of a pencil mark in a cell of `side` pixels on a board of `values` values; 0 if
    it could not be read."""
    pitch = (side - strong_width(side) - 1) / math.ceil(math.sqrt(values))
    size = min(int(pitch * 1.05), int(side * 0.34))  # smaller than digits on small boards, too
    return size if size * _CAPITAL >= MIN_PENCIL else 0


def cell_colours(look: CellLook, theme: Theme) -> tuple[Colour, Colour, Face]:
    """The background of a cell, and the colour and the face of its digits."""
    background, ink, face = _plain_colours(look, theme)
    if not look.extra or look.mark is not StepMark.NONE or background == theme.undoing_cell:
        return background, ink, face
    background = theme.with_extra(background)
    return background, theme.ink_on(background) if look.tries else ink, face


_HOLDING = (CellKind.GIVEN, CellKind.GUESS, CellKind.FORCED, CellKind.GHOST)


def _plain_colours(look: CellLook, theme: Theme) -> tuple[Colour, Colour, Face]:
    """The result of `cell_colours` for a cell that is in no extra unit."""
    if look.coloured and look.value and look.kind in _HOLDING and not look.tries:
        colour = theme.value_colour(look.value)
        bold = look.kind is CellKind.GIVEN or look.mark is StepMark.TRYING
        return colour, theme.ink_on(colour), Face.BOLD if bold else Face.REGULAR
    if look.mark is StepMark.TRYING:
        return theme.trying_cell, theme.trying, Face.BOLD
    if look.mark is StepMark.PASSING and look.kind is CellKind.PENCIL:
        return theme.cell, theme.muted, Face.REGULAR
    if look.mark is StepMark.UNDOING or look.dead:
        return theme.undoing_cell, theme.undoing, Face.REGULAR
    if look.mark is StepMark.PASSING:
        return theme.passing_cell, theme.text, Face.REGULAR
    if look.kind is CellKind.GIVEN:
        return theme.given_cell, theme.given, Face.BOLD
    if look.tries:
        face = Face.OBLIQUE if look.kind is CellKind.FORCED else Face.REGULAR
        return theme.shades[look.tries - 1], theme.shade_inks[look.tries - 1], face
    if look.kind is CellKind.GHOST:
        return theme.heats[look.heat], theme.text, Face.REGULAR
    if look.kind in (CellKind.EMPTY, CellKind.FADING, CellKind.PENCIL):
        return theme.cell, theme.muted, Face.REGULAR
    if look.story:
        ink = theme.undoing if look.kind is CellKind.GUESS else theme.text
        return theme.cell, ink, Face.REGULAR
    face = Face.OBLIQUE if look.kind is CellKind.FORCED else Face.REGULAR
    return theme.scale_cells[look.tint], theme.scale[look.tint], face


def digit_strength(look: CellLook) -> int:
    """The strength of a cell's digit, from 0 (the background) to LEVELS - 1 (its full colour)."""
    if look.kind is CellKind.FADING:
        return FADE_STRENGTHS[look.tint]
    return LEVELS - 1


def _visible(colour: Colour, background: Colour, ink: Colour) -> Colour:
    """`colour` if its contrast with the background suffices, otherwise the colour of the digits."""
    return colour if contrast(colour, background) >= _MIN_CONTRAST else ink


def draw_cell(look: CellLook, side: int, theme: Theme) -> Pixels:
    """The picture of a cell, (side, side, 3)."""
    pixels = np.empty((side, side, 3), np.uint8)
    levels, colours = np.zeros((side, side), np.uint8), None
    for shape in cell_shapes(look, side, theme):
        if isinstance(shape, Fill):
            for x, y, width, height in shape.rects:
                pixels[y : y + height, x : x + width] = shape.colour
            continue
        if (shape.colour, shape.on) != colours:
            levels, colours = np.zeros((side, side), np.uint8), (shape.colour, shape.on)
        if isinstance(shape, Digit):
            stamp(levels, *_placed_digit(shape))
        elif isinstance(shape, Dots):
            stamp(levels, _dot_mask(shape, side), 0, 0)
        else:
            stamp(levels, line_mask(shape.lines, shape.width, side), 0, 0)
        paint_levels(pixels, levels, shape.colour, shape.on)
    return pixels


def paint_levels(pixels: Pixels, levels: Mask, ink: Colour, background: Colour) -> None:
    """Colour the pixels (height, width, 3) that are covered to these levels (height, width)."""
    covered = levels > 0
    # With one element a pixel numpy takes a third of the time.
    colours = ramp(ink, background).view("V3")[:, 0]
    pixels.view("V3")[..., 0][covered] = colours.take(levels[covered])


def _placed_digit(digit: Digit) -> tuple[Mask, int, int]:
    """The mask of a digit, and the pixel of its upper left corner."""
    left, _, right, _ = glyph_box(digit.text, digit.face, digit.size)
    _, above, _, below = glyph_box("8", digit.face, digit.size)
    mask = text_mask(digit.text, digit.face, digit.size)
    if digit.strength < LEVELS - 1:
        weakened = mask.astype(np.uint16) * digit.strength + (LEVELS - 1) // 2
        mask = (weakened // (LEVELS - 1)).astype(np.uint8)
    return mask, round(digit.x - (left + right) / 2), round(digit.y - (above + below) / 2)


@lru_cache(maxsize=16)
def line_mask(lines: tuple[tuple[float, float, float, float], ...], width: int, side: int) -> Mask:
    """(side, side): lines as in `Lines`, smooth by supersampling."""
    from PIL import Image, ImageDraw

    scale = 4
    picture = Image.new("L", (side * scale, side * scale))
    pen = ImageDraw.Draw(picture)
    for line in lines:
        pen.line([round(at * scale) for at in line], fill=255, width=width * scale)
    return quantised(np.asarray(picture.resize((side, side), Image.Resampling.BOX)))


def _dot_mask(dots: Dots, side: int) -> Mask:
    """(side, side): dots with smooth edges."""
    down, across = np.indices((side, side)) + 0.5
    x, y = (np.array(places)[:, None, None] for places in zip(*dots.centres, strict=True))
    nearest = np.hypot(across - x, down - y).min(axis=0)
    return quantised((np.clip(dots.radius + 0.5 - nearest, 0, 1) * 255).astype(np.uint8))


@lru_cache(maxsize=128)
def ramp(ink: Colour, background: Colour) -> Pixels:
    """(LEVELS, 3): the colours from `background` to `ink` in equal parts."""
    return np.array(
        [mix(background, ink, level / (LEVELS - 1)) for level in range(LEVELS)], np.uint8
    )


def stamp(levels: Mask, mask: Mask, x: int, y: int) -> None:
    """Combine `mask` with `levels` at (x, y), clipped, by the maximum of coverage."""
    height, width = levels.shape
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(mask.shape[1], width - x), min(mask.shape[0], height - y)
    if right <= left or bottom <= top:
        return
    under = levels[y + top : y + bottom, x + left : x + right]
    np.maximum(under, mask[top:bottom, left:right], out=under)
