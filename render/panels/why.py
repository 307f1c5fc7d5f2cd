"""One line that says what the search does, changed no faster than it can be read."""

from __future__ import annotations

from render.canvas import Canvas, Rect
from render.layout import TextSizes
from render.lettering import Face
from render.panels.contract import Moment, Panel
from render.reasons import reading_time, reason
from render.recorders.history import History
from render.sprites import SpriteBook
from solver.puzzle import Puzzle

__all__ = ["WhyPanel"]


class WhyPanel(Panel):
    """A line stands until it has been read; the next one tells of the step that is made then."""

    def __init__(
        self,
        number: int,
        box: Rect,
        puzzle: Puzzle,
        history: History,
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._box = box
        self._puzzle = puzzle
        self._removed = history.removed
        self._sprites = sprites
        self._size = text.status
        self._until = 0
        self._shown = ""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if not snapshot.span or (moment.shot.start < self._until and not snapshot.finished):
            return
        line = "" if snapshot.finished else reason(self._puzzle, snapshot, self._removed)
        self._until = moment.shot.start + round(reading_time(line) * moment.timeline.fps)
        if line == self._shown:
            return
        self._shown = line
        box, theme = self._box, self._sprites.theme
        sprite = self._sprites.text(
            line, Face.REGULAR, self._size, theme.text, box.width, height=box.height
        )
        canvas.blit(sprite, box.x, box.y)
