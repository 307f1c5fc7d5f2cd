"""Mirrored layouts for right-to-left languages."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas, DrawnShapes, Pixels, Rect, Sprite
from undoku.render.draw.colour_space import Colour
from undoku.texts.language import spoken

__all__ = ["in_reading_direction"]


class _Mirrored(Canvas):
    """Draws on another canvas, with positions in a rectangle mirrored between left and right.
    Pictures themselves are not mirrored."""

    def __init__(self, canvas: Canvas, rect: Rect) -> None:
        self._canvas = canvas
        self._sum = rect.x + rect.right
        self.width, self.height, self.pixels = canvas.width, canvas.height, canvas.pixels

    def fill(self, rect: Rect, colour: Colour) -> None:
        self._canvas.fill(rect._replace(x=self._sum - rect.right), colour)

    def blit(self, sprite: Sprite, x: int, y: int) -> None:
        self._canvas.blit(sprite, self._sum - x - sprite.pixels.shape[1], y)

    def put(self, pixels: Pixels, x: int, y: int, figure: DrawnShapes | None = None) -> None:
        assert figure is None
        self._canvas.put(pixels, self._sum - x - pixels.shape[1], y)


def in_reading_direction(canvas: Canvas, rect: Rect) -> Canvas:
    """The canvas on which to draw in `rect` with `fill`, `blit` and `put`: `canvas` itself, or, for
    a language written from right to left, one with mirrored positions."""
    return _Mirrored(canvas, rect) if spoken().right_to_left else canvas
