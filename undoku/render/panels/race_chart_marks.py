"""The texts of the chart that all searches share: its quantity, the names and colours of the
curves, and marks at multiples of the steps of the first search to finish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.texts import wording as say

_MIN_DISTANCE = 0.09
"""The minimum distance of two marks, as a share of the chart's width."""


class Mark(NamedTuple):
    """A vertical line at a column of the plot, and the text below it."""

    column: int
    text: str


def multiples_between(unit: float, least: float) -> int:
    """The first of 1, 5, 10, 50, 100, … whose multiple of `unit` (> 0) is at least `least`. Each is
    a multiple of the previous one, so that marks only disappear as an axis grows."""
    found, factor = 1, 5
    while found * unit < least:
        found, factor = found * factor, 7 - factor
    return found


class RaceMarks:
    """The marks, whose texts are on `line`, which is below the plot and as wide; without it there
    are no marks. `size` is in pixels per em."""

    def __init__(self, line: Rect | None, size: int, sprites: SpriteBook) -> None:
        self.line = line
        self._size = size
        self._sprites = sprites

    def _wide(self, text: str) -> int:
        return text_width(text, Face.REGULAR, self._size)

    def _between(self, times: int) -> float:
        """The distance of two marks in pixels, at least, if the last one may be that of `times`
        times the unit. It grows with these, so that a mark that was left out stays so."""
        wide = self.line.width if self.line else 0
        return max(1.2 * self._wide(say.TIMES(factor=max(10, times))), _MIN_DISTANCE * wide)

    def at(self, first: int, steps: int, left: float, per_step: float) -> tuple[Mark, ...]:
        """The marks at the multiples of `first`, the steps of the first search to finish (0 if none
        has), that the longest search has passed after `steps` steps; the texts state the unit if
        there is room. Step 0 is at `left`, and each step takes `per_step` pixels."""
        if not first or self.line is None:
            return ()
        each = multiples_between(first * per_step, self._between(steps // first))
        marks = [
            Mark(int(left + times * first * per_step), say.TIMES(factor=times))
            for times in range(each, steps // first + 1, each)
            if times > 1
        ]
        unit = int(left + first * per_step)
        following = int(left + max(2, each) * first * per_step)
        room = following - self._wide(say.TIMES(factor=each)) // 2 - self._size // 2
        for unit_text in (say.UNIT_OF_TIMES(steps=say.STEPS(count=first)), say.TIMES(factor=1)):
            wide = self._wide(unit_text)
            if max(wide, unit + wide // 2) <= room:
                return (Mark(unit, unit_text), *marks)
        return tuple(marks)

    def draw(self, canvas: Canvas, marks: Sequence[Mark]) -> None:
        """Write the texts on their line of the picture."""
        if self.line:
            self._write(canvas, self.line, marks)

    def put(self, frame: int, marks: Sequence[Mark], draft: Draft) -> None:
        """Add the line of texts to a frame of a run."""
        assert self.line
        canvas = Canvas(self.line.width, self.line.height)
        self._write(canvas, self.line._replace(x=0, y=0), marks)
        draft.add_new(frame, canvas.pixels, self.line.x, self.line.y)

    def _write(self, canvas: Canvas, line: Rect, marks: Sequence[Mark]) -> None:
        theme = self._sprites.theme
        canvas.fill(line, theme.background)
        for mark in marks:
            wide = self._wide(mark.text)
            x = max(line.x, min(line.x + mark.column - wide // 2, line.right - wide))
            place = x, line.y
            self._sprites.write(
                canvas, place, mark.text, Face.REGULAR, self._size, theme.muted, wide
            )


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

    def wide(text: str) -> int:
        return text_width(text, Face.REGULAR, size)

    # After each text there is a gap of the size of a letter, but not after the last.
    needed = sum(dash + gap + wide(name) + size for name in names)
    quantities = [say.GUESSED_DIGITS(), say.GUESSED(), say.DEPTH()]
    if not infers:
        quantities = [say.FILLED_IN_STEPS(), say.FILLED_IN(), say.DEPTH()]
    if restarts:
        quantities = [say.GUESSED_RESTARTS(), say.DEPTH_RESTARTS(), *quantities]
    beside = next((each for each in quantities if wide(each) + needed <= box.width), "")
    counted = beside or next((each for each in quantities if wide(each) <= box.width), "")
    if not counted:
        return
    x = sprites.write(canvas, (box.x, box.y), counted, Face.REGULAR, size, theme.muted) + size
    y = box.y + (line_height(Face.REGULAR, size) - thick) // 2
    for number, name in enumerate(names if beside else ()):
        canvas.fill(Rect(x, y, dash, thick), theme.search_colour(number))
        place = x + dash + gap, box.y
        x = sprites.write(canvas, place, name, Face.REGULAR, size, theme.text) + size
