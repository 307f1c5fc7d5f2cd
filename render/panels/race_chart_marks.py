"""The marks of the chart that all searches share: upright lines at multiples of the steps of the
first search to finish, and what is written below them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from render.drawing.canvas import Canvas, Pixels, Rect
from render.drawing.sprites import SpriteBook
from render.style.lettering import Face, text_width
from render.texts import wording as say

__all__ = ["Mark", "RaceMarks", "multiples_between"]

_LEAST_BETWEEN = 0.09
"""The least distance of two marks, as a share of the chart's width."""


class Mark(NamedTuple):
    """An upright line at a column of the plot, and what is written below it."""

    column: int
    text: str


def multiples_between(unit: float, least: float) -> int:
    """The first of 1, 5, 10, 50, 100, … whose multiple of `unit` (> 0) is at least `least`. Each is
    a multiple of the one before, so that marks are only ever left out as an axis grows."""
    found, factor = 1, 5
    while found * unit < least:
        found, factor = found * factor, 7 - factor
    return found


class RaceMarks:
    """Their names stand on `line`, which begins with the plot and is as wide; without one there are
    no marks. `size` are pixels per em."""

    def __init__(self, line: Rect | None, size: int, sprites: SpriteBook) -> None:
        self.line = line
        self._size = size
        self._sprites = sprites
        wide = line.width if line else 0
        self._between = max(1.2 * self._wide(say.TIMES(factor=100_000)), _LEAST_BETWEEN * wide)
        """The least distance of two marks in pixels."""

    def _wide(self, text: str) -> int:
        return text_width(text, Face.REGULAR, self._size)

    def at(self, first: int, steps: int, left: float, per_step: float) -> tuple[Mark, ...]:
        """The multiples of the first finisher's steps (0 where none has finished) that the longest
        search has passed after so many steps, and what they are multiples of, where there is room
        to say it. Step 0 stands at `left`, `per_step` pixels to each step."""
        if not first or self.line is None:
            return ()
        each = multiples_between(first * per_step, self._between)
        marks = [
            Mark(int(left + times * first * per_step), say.TIMES(factor=times))
            for times in range(each, steps // first + 1, each)
            if times > 1
        ]
        unit = int(left + first * per_step)
        following = int(left + max(2, each) * first * per_step)
        room = following - self._wide(say.TIMES(factor=each)) // 2 - self._size // 2
        for told in (say.UNIT_OF_TIMES(steps=say.STEPS(count=first)), say.TIMES(factor=1)):
            wide = self._wide(told)
            if max(wide, unit + wide // 2) <= room:
                return (Mark(unit, told), *marks)
        return tuple(marks)

    def draw(self, canvas: Canvas, marks: Sequence[Mark]) -> None:
        """Write the names on their line of the picture."""
        if self.line:
            self._write(canvas, self.line, marks)

    def drawn(self, marks: Sequence[Mark]) -> Pixels:
        """The line as a picture of its own (height, width, 3)."""
        assert self.line
        canvas = Canvas(self.line.width, self.line.height)
        self._write(canvas, Rect(0, 0, self.line.width, self.line.height), marks)
        return np.ascontiguousarray(canvas.pixels)

    def _write(self, canvas: Canvas, line: Rect, marks: Sequence[Mark]) -> None:
        theme = self._sprites.theme
        canvas.fill(line, theme.ground)
        for mark in marks:
            wide = self._wide(mark.text)
            x = max(line.x, min(line.x + mark.column - wide // 2, line.right - wide))
            sprite = self._sprites.text(mark.text, Face.REGULAR, self._size, theme.muted, wide)
            canvas.blit(sprite, x, line.y)
