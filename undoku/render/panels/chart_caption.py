"""The line of small letters above a chart, and the chart's box below it."""

from __future__ import annotations

from collections.abc import Sequence

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
    right: Sequence[str],
) -> None:
    """Write the first of `left` and the first of `right` that fit side by side, the fullest text
    first in both; texts on the right are shortened first."""
    size = text.label
    gap = text_width("  ", Face.REGULAR, size)
    for name in left:
        for scale in right:
            name_width = text_width(name, Face.REGULAR, size) if name else 0
            scale_width = text_width(scale, Face.REGULAR, size) if scale else 0
            if name_width + scale_width + (gap if scale else 0) > box.width:
                continue
            if name:
                sprite = sprites.text(name, Face.REGULAR, size, sprites.theme.muted, name_width)
                canvas.blit(sprite, box.x, box.y)
            if scale:
                sprite = sprites.text(
                    scale, Face.REGULAR, size, sprites.theme.muted, scale_width, align=Align.RIGHT
                )
                canvas.blit(sprite, box.right - scale_width, box.y)
            return
