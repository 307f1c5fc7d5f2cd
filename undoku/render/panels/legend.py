"""The legend of the boards' backgrounds: how often a cell was tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.heat_scale import HeatStep, scale
from undoku.render.draw.lettering import Face, text_width
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.static_panel import StaticPanel
from undoku.texts import wording as say

__all__ = ["LegendPanel"]

_NAMES = (say.TRIES_LONG, say.TRIES_MEDIUM, say.TRIES_SHORT)
"""Names of the legend, the fullest first."""


def _range(step: HeatStep) -> str:
    if step.least == step.most:
        return say.short_number(step.least)
    return say.RANGE(least=say.short_number(step.least), most=say.short_number(step.most))


def _bound(step: HeatStep) -> str:
    return say.short_number(step.least)


class LegendPanel(StaticPanel):
    """A patch for each shade with its counts on it, up to `most`."""

    def __init__(self, box: Rect, most: int, sprites: SpriteBook, text: TextSizes) -> None:
        super().__init__(box, sprites, text.label)
        self._steps = scale(most)

    def _arranged(self) -> tuple[str, list[str], int]:
        """The name, the texts of the patches and the width of a patch: the fullest that fit."""
        words: Sequence[Callable[[HeatStep], str]] = (_range, _bound)
        for tell in words:
            texts = [tell(step) for step in self._steps]
            patch = max(text_width(t, Face.REGULAR, self._size) for t in texts) + self._size
            for name in [*(text() for text in _NAMES), ""]:
                wide = text_width(name, Face.REGULAR, self._size) + self._size if name else 0
                if wide + patch * len(texts) <= self._box.width - 2:
                    return name, texts, patch
        return "", texts, (self._box.width - 2) // len(texts)

    def _draw_once(self, canvas: Canvas) -> None:
        theme, box, size = self._sprites.theme, self._box, self._size
        name, texts, patch = self._arranged()
        wide = text_width(name, Face.REGULAR, size) + size if name else 0
        x = box.x + (box.width - wide - patch * len(texts)) // 2
        if name:
            sprite = self._sprites.text(
                name, Face.REGULAR, size, theme.muted, wide - size, height=box.height
            )
            canvas.blit(sprite, x, box.y)
        frame = Rect(x + wide - 1, box.y, patch * len(texts) + 2, box.height)
        canvas.fill(
            frame, theme.line
        )  # cells that were never tried have nearly the colour of the background
        for number, (step, text) in enumerate(zip(self._steps, texts, strict=True)):
            sprite = self._sprites.text(
                text,
                Face.REGULAR,
                size,
                theme.shade_inks[step.shade],
                patch,
                height=box.height - 2,
                align=Align.CENTRE,
                ground=theme.shades[step.shade],
            )
            canvas.blit(sprite, x + wide + number * patch, box.y + 1)
