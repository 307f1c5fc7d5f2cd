"""What a search for all solutions has proved, on its board."""

from __future__ import annotations

from fractions import Fraction

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.blocks import Block
from undoku.render.panels.panel import Moment, Panel
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.timeline import Phase, Timeline
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import wording as say

__all__ = ["ProofBanner"]

_DELAY = Fraction(1, 2)
"""Seconds from the last step to the banner: the marks of the last steps have faded by then."""

_LETTERS = Fraction(4, 5)
"""The largest letters, relative to a cell."""


class ProofBanner(Panel):
    """A bar across the middle of the board of a search that has completed its tree, with the number
    of solutions in words, in stories. The board shows the last solution, and without the bar it
    would look as if the search had just found it. There is none if letters would be smaller than
    `least` pixels per em."""

    def __init__(
        self,
        number: int,
        block: Block,
        tally: Tally,
        sprites: SpriteBook,
        timeline: Timeline,
        least: int,
    ) -> None:
        self._number = number
        self._sprites = sprites
        theme = sprites.theme
        self._colour = theme.accent if tally.solutions else theme.undoing
        self._text = _proof(tally.solutions)
        board = block.board
        most = int(block.cell * _LETTERS)
        self._size = next(
            (
                size
                for size in range(most, least - 1, -1)
                if text_width(self._text, Face.BOLD, size) + size <= board.width
            ),
            0,
        )
        high = line_height(Face.BOLD, self._size) + self._size // 2 if self._size else 0
        self._bar = board._replace(y=board.y + (board.height - high) // 2, height=high)
        ended = timeline.frame_of(number, tally.steps)
        ended += round(_DELAY * timeline.fps)
        self._begin = min(ended, timeline.intro + max(0, timeline.race - 1))
        proves = tally.outcome is Outcome.EXHAUSTED and bool(timeline.beats)
        self._ends = proves and self._size > 0
        self._drawn = False

    def reach(self, frames: NextFrames) -> int:
        if self._drawn or not self._ends:
            return len(frames)
        return frames.before((max(self._begin, frames.start),))

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if self._drawn or not self._ends or moment.shot.phase is Phase.STILL:
            return
        if moment.shot.start < self._begin or not moment.snapshots[self._number].finished:
            return
        self._drawn = True
        bar, ink = self._bar, self._sprites.theme.ground
        canvas.fill(bar, self._colour)
        sprite = self._sprites.text(
            self._text,
            Face.BOLD,
            self._size,
            ink,
            bar.width,
            height=bar.height,
            align=Align.CENTRE,
            ground=self._colour,
        )
        canvas.blit(sprite, bar.x, bar.y)


def _proof(solutions: int) -> str:
    """What follows from a complete tree with this many solutions."""
    if not solutions:
        return say.capitalised(say.NO_SOLUTION())
    return say.NO_OTHER_SOLUTION() if solutions == 1 else say.ALL_SOLUTIONS_FOUND(count=solutions)
