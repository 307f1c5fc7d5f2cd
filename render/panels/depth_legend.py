"""The legend of the colours of digits on the boards."""

from __future__ import annotations

from collections.abc import Sequence

from render.drawing.canvas import Canvas, Rect
from render.drawing.reading_direction import in_reading_direction
from render.drawing.sprites import SpriteBook
from render.layout.page import TextSizes
from render.panels.static_panel import StaticPanel
from render.style.colour_space import Colour
from render.style.lettering import Face, text_width
from render.texts import wording as say

__all__ = ["DepthLegendPanel"]


class DepthLegendPanel(StaticPanel):
    """The tints of guesses and their backgrounds in order, between texts about the first and the
    last one, and then, if there is room, a patch for cells whose digits are often taken back."""

    def __init__(self, box: Rect, sprites: SpriteBook, text: TextSizes) -> None:
        super().__init__(box, sprites, text.footer)

    def _draw_once(self, canvas: Canvas) -> None:
        theme, box, size = self._sprites.theme, self._box, self._size
        canvas = in_reading_direction(canvas, box)
        early, late = say.WRITTEN_EARLY(), say.WRITTEN_LATE()
        gap, patch = size // 2, size
        x = box.x

        def put(grounds: Sequence[Colour], inks: Sequence[Colour]) -> None:
            nonlocal x
            for ground, ink in zip(grounds, inks, strict=True):
                cell = Rect(x, box.y + (box.height - patch) // 2, patch, patch)
                canvas.fill(cell, ground)
                canvas.fill(cell.inset(patch // 4), ink)
                x += patch
            x += gap

        back = say.TAKEN_BACK_OFTEN()
        for caption in (early, late, back):
            wide = text_width(caption, Face.REGULAR, size)
            if caption is back:
                if x + size + patch + gap + wide > box.right:
                    return
                x += size
                put(theme.heats[-1:], theme.heats[-1:])
            sprite = self._sprites.text(
                caption, Face.REGULAR, size, theme.muted, wide, height=box.height
            )
            canvas.blit(sprite, x, box.y)
            x += wide + gap
            if caption is early:
                put(theme.scale_cells, theme.scale)
