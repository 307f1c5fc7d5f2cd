"""The frame around a board."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour

__all__ = ["draw_ring"]


def draw_ring(canvas: Canvas, board: Rect, width: int, colour: Colour) -> None:
    """Frame a board with lines of `width` pixels outside of it."""
    outer = board.inset(-width)
    canvas.fill(Rect(outer.x, outer.y, outer.width, width), colour)
    canvas.fill(Rect(outer.x, outer.bottom - width, outer.width, width), colour)
    canvas.fill(Rect(outer.x, outer.y, width, outer.height), colour)
    canvas.fill(Rect(outer.right - width, outer.y, width, outer.height), colour)
