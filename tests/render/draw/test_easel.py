"""What panels draw is recorded as shapes, but only what is still visible."""

from __future__ import annotations

from undoku.render.draw.canvas import Rect
from undoku.render.draw.easel import Easel
from undoku.render.draw.fonts import Face
from undoku.render.draw.sprites import Area, SpriteBook
from undoku.render.draw.theme import load_theme

THEME = load_theme("dark")
BOOK = SpriteBook(THEME)
RED, BLUE = (200, 0, 0), (0, 0, 200)


def easel() -> Easel:
    made = Easel(64, 48, THEME)
    made.fill(Rect(0, 0, 64, 48), THEME.background)
    return made


def test_covered_drawings_are_dropped() -> None:
    made = easel()
    sprite = BOOK.text("5", Face.REGULAR, 14, THEME.text, 20)
    made.blit(sprite, 4, 4)
    made.fill(Rect(4, 30, 8, 8), RED)
    made.fill(Rect(0, 0, 64, 48), BLUE)
    assert made.drawing().drawn == (Area(Rect(0, 0, 64, 48), BLUE),)
