"""Sprites: the memory that drawn lines of text take."""

from __future__ import annotations

import tracemalloc

from undoku.render.draw.fonts import Face
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import load_theme

THEME = load_theme("dark")


def test_large_lines_of_text_are_kept_up_to_a_number_of_bytes() -> None:
    """60 pictures of 1.8 MB each, as films of 3840×2160 have them, in less than 48 MB."""
    book = SpriteBook(THEME)
    tracemalloc.start()
    try:
        for number in range(60):
            book.text(str(number), Face.BOLD, 200, THEME.text, 2400, height=250)
        assert tracemalloc.get_traced_memory()[0] < 48 << 20
    finally:
        tracemalloc.stop()
