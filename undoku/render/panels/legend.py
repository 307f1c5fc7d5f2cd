"""The legend of boards that show how often each cell was tried."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.sprites import Align
from undoku.render.panels.heat import HeatStep, heat_scale
from undoku.render.panels.panel import Panel, PanelContext
from undoku.texts import wording as say

_NAMES = (say.TRIES_LONG, say.TRIES_MEDIUM, say.TRIES_SHORT)
"""Names of the legend, the fullest first."""


def _range(step: HeatStep) -> str:
    least, most = say.short_number(step.least), say.short_number(step.most)
    return least if step.least == step.most else say.RANGE(least=least, most=most)


def _bound(step: HeatStep) -> str:
    return say.short_number(step.least)


class LegendPanel(Panel):
    """A patch for each shade with its counts on it."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._size = context.text.label
        self._steps = heat_scale(context.script.most_tried)

    def _wide(self, text: str) -> int:
        return text_width(text, Face.REGULAR, self._size)

    def _arranged(self) -> tuple[str, list[str], int]:
        """The name, the texts of the patches and the width of a patch: the fullest that fit."""
        room = self._box.width - 2
        for tell in (_range, _bound):
            texts = [tell(step) for step in self._steps]
            patch = max(map(self._wide, texts)) + self._size
            for name in (*(text() for text in _NAMES), ""):
                wide = self._wide(name) + self._size if name else 0
                if wide + patch * len(texts) <= room:
                    return name, texts, patch
        return "", texts, room // len(texts)

    def start(self, canvas: Canvas) -> None:
        theme, (x, y, width, height), size = self._theme, self._box, self._size
        name, texts, patch = self._arranged()
        wide = self._wide(name) if name else 0
        whole = wide + size * bool(name) + patch * len(texts)
        x += (width - whole) // 2
        if name:
            self._sprites.write(
                canvas, (x, y), name, Face.REGULAR, size, theme.muted, wide, height=height
            )
            x += wide + size
        # Cells that were never tried have nearly the colour of the background.
        canvas.fill(Rect(x - 1, y, patch * len(texts) + 2, height), theme.line)
        for step, text in zip(self._steps, texts, strict=True):
            self._sprites.write(
                canvas,
                (x, y + 1),
                text,
                Face.REGULAR,
                size,
                theme.shade_inks[step.shade],
                patch,
                height=height - 2,
                align=Align.CENTRE,
                background=theme.shades[step.shade],
            )
            x += patch
