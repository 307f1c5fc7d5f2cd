"""The line above the chart of a race: its quantity, and the names and colours of the curves."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.sprites import SpriteBook
from undoku.texts import wording as say

__all__ = ["draw_legend"]


def draw_legend(
    canvas: Canvas,
    sprites: SpriteBook,
    box: Rect,
    names: Sequence[str],
    *,
    size: int,
    thick: int,
    restarts: bool = False,
    infers: bool = True,
) -> None:
    """Write in `box`, one line high, in letters of `size` pixels per em: the quantity of the chart,
    in fewer words if the names need the room; the name of each search beside a dash in its colour,
    `thick` pixels high; and a note if the chart marks `restarts`. If no search `infers` digits, all
    digits that were filled in are guesses, and the chart counts them. If there is no room for all
    names in full, there are none: names beside the boards have the same colours."""
    theme = sprites.theme
    dash, gap = size, size // 3
    beside = dash + gap + size

    def wide(text: str) -> int:
        return text_width(text, Face.REGULAR, size)

    def write(text: str, ink: Colour, x: int) -> int:
        canvas.blit(sprites.text(text, Face.REGULAR, size, ink, wide(text)), x, box.y)
        return x + wide(text)

    # After each text there is a gap of the size of a letter, but not after the last.
    needed = sum(beside + wide(name) for name in names) - size
    quantities = [say.GUESSED_DIGITS(), say.GUESSED(), say.DEPTH()]
    if not infers:
        quantities = [say.FILLED_IN_STEPS(), say.FILLED_IN(), say.DEPTH()]
    if restarts:
        quantities = [say.GUESSED_RESTARTS(), say.DEPTH_RESTARTS(), *quantities]
    counted = next((each for each in quantities if wide(each) + size + needed <= box.width), None)
    if counted is None:
        alone = next((each for each in quantities if wide(each) <= box.width), "")
        if alone:
            write(alone, theme.muted, box.x)
        return
    x = write(counted, theme.muted, box.x) + size
    y = box.y + (line_height(Face.REGULAR, size) - thick) // 2
    for number, name in enumerate(names):
        canvas.fill(Rect(x, y, dash, thick), theme.search_colour(number))
        x = write(name, theme.text, x + dash + gap) + size
