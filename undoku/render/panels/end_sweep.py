"""The ring that sweeps around a board when its search has found the solution, in a story."""

from __future__ import annotations

from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.cells import strong_width
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.blocks import Block
from undoku.render.panels.panel import Moment, Panel
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.easing import eased
from undoku.render.timeline.timeline import Phase, Timeline
from undoku.solver.trace.trace import Outcome

__all__ = ["EndSweep"]

_SECONDS = Fraction(2, 5)
"""The seconds of the sweep around the board."""


class EndSweep(Panel):
    """Draws the ring of the finished board of one search, part by part from the upper left corner
    clockwise."""

    def __init__(self, number: int, block: Block, sprites: SpriteBook, timeline: Timeline) -> None:
        self._number = number
        self._sprites = sprites
        width = strong_width(block.cell)
        outer = block.board.inset(-width)
        self._sides = (
            Rect(outer.x, outer.y, outer.width, width),
            Rect(outer.right - width, outer.y, width, outer.height),
            Rect(outer.x, outer.bottom - width, outer.width, width),
            Rect(outer.x, outer.y, width, outer.height),
        )
        total = timeline.totals[number]
        self._begun = timeline.frame_of(number, total)
        self._frames = max(1, round(_SECONDS * timeline.fps)) if total else 0
        self._share = 0.0

    def reach(self, frames: NextFrames) -> int:
        solved = frames.players[self._number].snapshot.outcome is Outcome.SOLVED
        if not self._frames or not solved or self._share == 1:
            return len(frames)
        return frames.before((max(self._begun, frames.start),))

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the ring up to its current end; draw all of it if its last frames were not drawn,
        for instance while boards move."""
        frame, snapshot = moment.shot.start, moment.snapshots[self._number]
        if moment.shot.phase is not Phase.RACE or frame < self._begun or not self._frames:
            return
        share = min(1.0, (frame - self._begun + 1) / self._frames)
        if snapshot.outcome is not Outcome.SOLVED or share == self._share:
            return
        self._share = share
        theme = self._sprites.theme
        way = eased(share)
        for side in self._sides:
            canvas.fill(side, theme.ground)
        for number, side in enumerate(self._sides):
            part = min(1.0, max(0.0, 4 * way - number))
            if part:
                canvas.fill(_part_of(side, number, part), theme.accent)


def _part_of(side: Rect, number: int, share: float) -> Rect:
    """The first part of a side, clockwise: to the right, down, to the left, up."""
    wide, high = max(1, round(side.width * share)), max(1, round(side.height * share))
    match number:
        case 0:
            return side._replace(width=wide)
        case 1:
            return side._replace(height=high)
        case 2:
            return side._replace(x=side.right - wide, width=wide)
        case _:
            return side._replace(y=side.bottom - high, height=high)
