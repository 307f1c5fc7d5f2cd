"""The scale of what the boards' grounds tell: how often a cell was tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import Align, SpriteBook
from render.layout.page import TextSizes
from render.panels.contract import Moment, Panel
from render.style.heat_scale import Step, scale
from render.style.lettering import Face, text_width

__all__ = ["LegendPanel", "short_count"]

_NAMES = ("how often each cell was tried:", "tries of a cell:", "tries:", "")
"""The fullest first."""


def short_count(number: int) -> str:
    """A count in few letters: 9,400 below ten thousand, then 12k, 3.4M, 1.2G, rounded down."""
    if number < 10_000:
        return f"{number:,}"
    for letter, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= size:
            tenths = number * 10 // size
            whole = tenths >= 100 or tenths % 10 == 0
            return f"{tenths // 10}{'' if whole else f'.{tenths % 10}'}{letter}"
    raise AssertionError


def _range(step: Step) -> str:
    if step.least == step.most:
        return short_count(step.least)
    return f"{short_count(step.least)}–{short_count(step.most)}"


def _bound(step: Step) -> str:
    return short_count(step.least)


class LegendPanel(Panel):
    """A patch for each shade with its counts on it, up to `most`; drawn once."""

    def __init__(self, box: Rect, most: int, sprites: SpriteBook, text: TextSizes) -> None:
        self._box = box
        self._steps = scale(most)
        self._sprites = sprites
        self._size = text.label
        self._drawn = False

    def _arranged(self) -> tuple[str, list[str], int]:
        """The name, the texts of the patches and the width of a patch: the fullest that fit."""
        words: Sequence[Callable[[Step], str]] = (_range, _bound)
        for tell in words:
            texts = [tell(step) for step in self._steps]
            patch = max(text_width(t, Face.REGULAR, self._size) for t in texts) + self._size
            for name in _NAMES:
                wide = text_width(name, Face.REGULAR, self._size) + self._size if name else 0
                if wide + patch * len(texts) <= self._box.width - 2:
                    return name, texts, patch
        return "", texts, (self._box.width - 2) // len(texts)

    def draw(self, canvas: Canvas, moment: Moment | None = None) -> None:
        del moment
        if self._drawn:
            return
        self._drawn = True
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
        canvas.fill(frame, theme.line)  # what was never tried has nearly the colour of the ground
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
