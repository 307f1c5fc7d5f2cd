"""The line of small letters above a chart, and the chart's box below it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes

__all__ = ["chart_box", "draw_caption"]


def chart_box(box: Rect, text: TextSizes) -> Rect:
    """The part of a panel's box below its caption."""
    line = line_height(Face.REGULAR, text.label)
    return Rect(box.x, box.y + line, box.width, box.height - line)


def draw_caption(
    canvas: Canvas,
    sprites: SpriteBook,
    text: TextSizes,
    box: Rect,
    left: Sequence[str],
    right: Sequence[str] = ("",),
) -> None:
    """Write the first of `left` and the first of `right` that fit side by side, the fullest text
    first in both; texts on the right are shortened first."""
    size, ink = text.label, sprites.theme.muted
    for pair in product(left, right):
        name_width, scale_width = (text_width(each, Face.REGULAR, size) for each in pair)
        gap = text_width("  ", Face.REGULAR, size) if pair[1] else 0
        if name_width + scale_width + gap <= box.width:
            places = box.x, box.right - scale_width
            for words, x, align in zip(pair, places, (Align.LEFT, Align.RIGHT), strict=True):
                if words:
                    sprites.write(canvas, (x, box.y), words, Face.REGULAR, size, ink, align=align)
            return
