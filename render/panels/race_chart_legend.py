"""The line above the chart of a race: its quantity, and the names and colours of the curves."""

from __future__ import annotations

from collections.abc import Sequence

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import SpriteBook
from render.style.colour_space import Colour
from render.style.lettering import Face, line_height, text_width
from render.style.name_lines import name_lines
from render.texts import wording as say

__all__ = ["draw_legend"]

_MIN_ROOM = 8
"""The minimum width of a name, in sizes of its letters. Shorter parts of names are meaningless, so
none is shown; names beside the boards have the same colours."""


def draw_legend(
    canvas: Canvas,
    sprites: SpriteBook,
    box: Rect,
    names: Sequence[str],
    *,
    size: int,
    thick: int,
    restarts: bool = False,
) -> None:
    """Write in `box`, one line high, in letters of `size` pixels per em: the quantity of the chart,
    in fewer words if the names need the room; the name of each search beside a dash in its colour,
    `thick` pixels high; and a note if the chart marks `restarts`. Long names are shortened, or
    omitted if there is no room."""
    theme = sprites.theme
    dash, gap = size, size // 3
    beside = dash + gap + size

    def wide(text: str) -> int:
        return text_width(text, Face.REGULAR, size)

    def write(text: str, ink: Colour, x: int) -> int:
        canvas.blit(sprites.text(text, Face.REGULAR, size, ink, wide(text)), x, box.y)
        return x + wide(text)

    needed = sum(beside + wide(name) for name in names)
    counted, *shorter = say.GUESSED_DIGITS(), say.GUESSED(), say.DEPTH()
    if restarts:
        counted, *shorter = say.GUESSED_RESTARTS(), say.DEPTH_RESTARTS(), *shorter
    if wide(counted) + size + needed > box.width:
        counted = next((quantity for quantity in shorter if wide(quantity) <= box.width), "")
    x = write(counted, theme.muted, box.x) + size if counted else box.x
    shares = _shares([wide(name) for name in names], box.right - x - beside * len(names))
    if min(shares) < min(_MIN_ROOM * size, *map(wide, names)):
        return
    y = box.y + (line_height(Face.REGULAR, size) - thick) // 2
    for number, (name, room) in enumerate(zip(names, shares, strict=True)):
        canvas.fill(Rect(x, y, dash, thick), theme.search_colour(number))
        (shown,) = name_lines(name, Face.REGULAR, size, room, 1)
        x = write(shown, theme.text, x + dash + gap) + size


def _shares(needs: Sequence[int], room: int) -> list[int]:
    """The widths of several texts in `room` pixels: each gets all that it needs, or an equal part
    of what is left by those that need less."""
    shares = [0] * len(needs)
    left = max(0, room)
    by_need = sorted(range(len(needs)), key=lambda number: needs[number])
    for at, number in enumerate(by_need):
        shares[number] = min(needs[number], left // (len(needs) - at))
        left -= shares[number]
    return shares
