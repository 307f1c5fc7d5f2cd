"""Draws the picture of a cell."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from undoku.render.draw.canvas import Pixels
from undoku.render.draw.cell_look import FADES, USUAL_VALUES, CellKind, CellLook, StepMark
from undoku.render.draw.colour_space import Colour, contrast, mix
from undoku.render.draw.lettering import (
    LEVELS,
    Face,
    Mask,
    glyph_box,
    per_typeface,
    quantised,
    text_mask,
)
from undoku.render.draw.theme import Theme
from undoku.render.draw.unit_marks import failed_bars, strong_width, thin_width, unit_marks
from undoku.solver.problem.puzzle import SYMBOLS

__all__ = [
    "MIN_PENCIL",
    "cell_colours",
    "digit_mask",
    "digit_strength",
    "draw_cell",
    "mark_colour",
    "outline_colour",
    "pencil_places",
    "pencil_size",
    "ramp",
    "stamp",
    "strong_width",
    "struck_stroke",
    "thin_width",
]

MIN_PENCIL = 7
"""The smallest height in pixels at which a pencil mark can be read."""

_MIN_CONTRAST = 3
"""The minimum contrast of a mark with the background (WCAG 2.2, 1.4.11)."""

GHOST_STRENGTHS = (5, LEVELS - 1)
"""The strength of a ghost's digit, 0..LEVELS - 1: of a digit that was shown for less than half of
the frame's steps, and for at least half. On backgrounds that show tries, all ghosts have full
strength."""
FADE_STRENGTHS = (0, 2, 4, 6)
"""The strengths of a fading digit, 0..LEVELS - 1, from nearly invisible to just undone."""


@lru_cache(maxsize=128)
def ramp(ink: Colour, ground: Colour) -> Pixels:
    """(LEVELS, 3): the colours from `ground` to `ink` in equal parts."""
    return np.array([mix(ground, ink, level / (LEVELS - 1)) for level in range(LEVELS)], np.uint8)


def stamp(levels: Mask, mask: Mask, x: int, y: int) -> None:
    """Combine `mask` with `levels` at (x, y), clipped, by the maximum of coverage."""
    height, width = levels.shape
    left, top = max(0, -x), max(0, -y)
    right, bottom = min(mask.shape[1], width - x), min(mask.shape[0], height - y)
    if right <= left or bottom <= top:
        return
    under = levels[y + top : y + bottom, x + left : x + right]
    np.maximum(under, mask[top:bottom, left:right], out=under)


def draw_cell(look: CellLook, side: int, theme: Theme) -> Pixels:
    """The picture of a cell, (side, side, 3), including its lines on the left and upper edge."""
    ground, ink, face = cell_colours(look, theme)
    levels = np.zeros((side, side), np.uint8)
    if look.kind is CellKind.PENCIL:
        _stamp_candidates(levels, look, side)
    elif look.value:
        levels[:] = digit_mask(look.value, face, side, digit_strength(look))
    if look.mark is StepMark.UNDOING:
        stamp(levels, _strokes(side, both=False), 0, 0)
    pixels: Pixels = ramp(ink, ground).take(levels, 0)
    for x, y, width, height in unit_marks(look, side):
        part = slice(y, y + height), slice(x, x + width)
        pixels[part][levels[part] == 0] = mark_colour(look, theme)
    left = strong_width(side) if look.left else thin_width(side)
    top = strong_width(side) if look.top else thin_width(side)
    ring = max(1, round(side / 16))
    if look.mark is StepMark.TRYING:
        _draw_ring(pixels, left + ring, top + ring, ring, side - ring, theme.trying)
    pixels[:, :left] = theme.strong_line if look.left else theme.line
    pixels[:top, :] = theme.strong_line if look.top else theme.line
    if look.left:
        pixels[:, :left] = theme.strong_line
    for x, y, width, height in failed_bars(look, side):
        pixels[y : y + height, x : x + width] = outline_colour(look, theme)
    return pixels


def cell_colours(look: CellLook, theme: Theme) -> tuple[Colour, Colour, Face]:
    """The background of a cell, and the colour and the face of its digits."""
    ground, ink, face = _plain_colours(look, theme)
    if not look.extra or look.mark is not StepMark.NONE or ground == theme.undoing_cell:
        return ground, ink, face
    ground = theme.with_extra(ground)
    return ground, theme.ink_on(ground) if look.tries else ink, face


def _plain_colours(look: CellLook, theme: Theme) -> tuple[Colour, Colour, Face]:
    """The result of `cell_colours` for a cell that is in no extra unit."""
    if look.mark is StepMark.TRYING:
        return theme.trying_cell, theme.trying, Face.BOLD
    if look.mark is StepMark.PASSING and look.kind is CellKind.PENCIL:
        return theme.cell, theme.muted, Face.REGULAR
    if look.mark is StepMark.UNDOING or (look.kind is CellKind.PENCIL and not look.candidates):
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
    face = Face.OBLIQUE if look.kind is CellKind.FORCED else Face.REGULAR
    return theme.scale_cells[look.tint], theme.scale[look.tint], face


def digit_strength(look: CellLook) -> int:
    """The strength of a cell's digit, from 0 (the background) to LEVELS - 1 (its full colour)."""
    if look.kind is CellKind.FADING:
        return FADE_STRENGTHS[look.tint]
    if look.kind is CellKind.GHOST and not look.tries:
        return GHOST_STRENGTHS[look.tint]
    return LEVELS - 1


def mark_colour(look: CellLook, theme: Theme) -> Colour:
    """The colour of the marks of extra units: visible on every background, not stronger than the
    digits."""
    ground, ink, _ = cell_colours(look, theme)
    return _visible(theme.strong_line, ground, ink)


def outline_colour(look: CellLook, theme: Theme) -> Colour:
    """The colour of the outline of a unit that failed."""
    if look.mark is StepMark.TRYING:
        return theme.undoing  # the ring of the cell is beside it
    ground, ink, _ = cell_colours(look, theme)
    return _visible(theme.undoing, ground, ink)


def _visible(colour: Colour, ground: Colour, ink: Colour) -> Colour:
    """`colour` if its contrast with the background suffices, otherwise the colour of the digits."""
    return colour if contrast(colour, ground) >= _MIN_CONTRAST else ink


@per_typeface(1024)
def digit_mask(value: int, face: Face, side: int, strength: int) -> Mask:
    """(side, side): a digit in the middle of its cell. Its position does not depend on the cell's
    lines, so it never shifts. All digits share a baseline, which centres the 8 vertically."""
    size = max(6, round(side * 0.64))  # pixels per em: a digit takes about half of the height
    x0, _, x1, _ = glyph_box(SYMBOLS[value - 1], face, size)
    _, top_of_eight, _, bottom_of_eight = glyph_box("8", face, size)
    centre = (side + thin_width(side)) / 2
    x = round(centre - (x0 + x1) / 2)
    y = round(centre - (top_of_eight + bottom_of_eight) / 2)
    mask = text_mask(SYMBOLS[value - 1], face, size).astype(np.uint16)
    weakened = (mask * strength + (LEVELS - 1) // 2) // (LEVELS - 1)
    levels = np.zeros((side, side), np.uint8)
    stamp(levels, weakened.astype(np.uint8), x, y)
    levels.setflags(write=False)
    return levels


def pencil_size(side: int, values: int) -> int:
    """Pixels per em of a pencil mark in a cell of `side` pixels on a board of `values` values; 0 if
    it could not be read."""
    pitch = (side - strong_width(side) - 1) / math.ceil(math.sqrt(values))
    size = min(int(pitch * 1.05), int(side * 0.34))  # smaller than digits on small boards, too
    return size if size * 0.73 >= MIN_PENCIL else 0


def pencil_places(side: int, values: int) -> tuple[int, float]:
    """(inset, pitch) of pencil marks in pixels: the distance of the first one from the left and the
    upper edge, and the distance between two. They do not touch the lines, even strong ones, nor
    the outline of a unit that failed."""
    inset = strong_width(side)
    return inset, (side - inset - inset // 2 - 1) / math.ceil(math.sqrt(values))


def _stamp_candidates(levels: Mask, look: CellLook, side: int) -> None:
    """Add small digits to `levels`, one for each candidate, each value at its own place. Struck
    candidates are crossed out, and so is a cell without candidates."""
    if not look.candidates:
        stamp(levels, _strokes(side, both=True), 0, 0)
        return
    values = look.values or USUAL_VALUES
    across = math.ceil(math.sqrt(values))
    size = pencil_size(side, values)
    inset, pitch = pencil_places(side, values)
    _, above, _, below = glyph_box("8", Face.REGULAR, size)
    for index in range(values):
        if not (look.candidates | look.struck) >> index & 1:
            continue
        row, column = divmod(index, across)
        centre_x = inset + (column + 0.5) * pitch
        centre_y = inset + (row + 0.5) * pitch
        mask = text_mask(SYMBOLS[index], Face.REGULAR, size)
        left, _, right, _ = glyph_box(SYMBOLS[index], Face.REGULAR, size)
        x, y = round(centre_x - (left + right) / 2), round(centre_y - (above + below) / 2)
        if look.struck >> index & 1:
            wide, high, thick = struck_stroke(pitch, side)
            stroke = _small_stroke(wide, high, thick)
            stamp(levels, stroke, round(centre_x) - wide // 2, round(centre_y) - high // 2)
        stamp(levels, mask, x, y)


def struck_stroke(pitch: float, side: int) -> tuple[int, int, int]:
    """(width, height, thickness) in pixels of the stroke through a pencil mark that inference
    removed. It rises from left to right, like the stroke through a digit being undone."""
    return 2 * round(pitch * 0.34), 2 * round(pitch * 0.4), max(1, side // 40)


@lru_cache(maxsize=16)
def _small_stroke(width: int, height: int, thick: int) -> Mask:
    from PIL import Image, ImageDraw

    scale = 4
    picture = Image.new("L", (width * scale, height * scale))
    line = (0, height * scale, width * scale, 0)
    ImageDraw.Draw(picture).line(line, fill=255, width=thick * scale)
    return quantised(np.asarray(picture.resize((width, height), Image.Resampling.BOX)))


def _draw_ring(pixels: Pixels, x: int, y: int, width: int, end: int, colour: Colour) -> None:
    """A ring just inside the cell, from (x, y) to (end, end)."""
    pixels[y : y + width, x:end] = colour
    pixels[end - width : end, x:end] = colour
    pixels[y:end, x : x + width] = colour
    pixels[y:end, end - width : end] = colour


@lru_cache(maxsize=16)
def _strokes(side: int, *, both: bool) -> Mask:
    """A stroke from the lower left to the upper right, or two crossed; smooth by supersampling."""
    from PIL import Image, ImageDraw

    scale = 4
    picture = Image.new("L", (side * scale, side * scale))
    near, far = round(side * 0.22) * scale, round(side * 0.82) * scale
    if both:
        near, far = round(side * 0.34) * scale, round(side * 0.7) * scale
    pen, width = ImageDraw.Draw(picture), max(1, round(side / 14)) * scale
    pen.line((near, far, far, near), fill=255, width=width)
    if both:
        pen.line((near, near, far, far), fill=255, width=width)
    return quantised(np.asarray(picture.resize((side, side), Image.Resampling.BOX)))


assert len(FADE_STRENGTHS) == FADES + 1
