"""The common part of panels that never change after they were drawn."""

from __future__ import annotations

from abc import abstractmethod

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.panel import Moment, Panel

__all__ = ["StaticPanel"]


class StaticPanel(Panel):
    """A panel in `box` with texts of `size` pixels per em, which is drawn once."""

    changes = ()

    def __init__(self, box: Rect, sprites: SpriteBook, size: int) -> None:
        self._box = box
        self._sprites = sprites
        self._size = size
        self._is_drawn = False

    def draw(self, canvas: Canvas, moment: Moment | None = None) -> None:
        del moment
        if not self._is_drawn:
            self._is_drawn = True
            self._draw_once(canvas)

    @abstractmethod
    def _draw_once(self, canvas: Canvas) -> None:
        """Draw the whole panel."""
