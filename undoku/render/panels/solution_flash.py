"""A soft frame around the board when an exhaustive search has found a solution."""

from __future__ import annotations

from fractions import Fraction

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.cells import ramp, strong_width
from undoku.render.draw.lettering import LEVELS
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.blocks import Block
from undoku.render.panels.panel import Moment, Panel
from undoku.render.panels.ring import draw_ring
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import Solutions
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.state import SOLUTIONS

__all__ = ["SolutionFlashPanel"]

_LIT, _FADED = Fraction(7, 20), Fraction(1, 2)
"""Seconds after a solution until which the frame is lit, and after which it is invisible. Solutions
in quicker succession than three a second keep it lit, so that it never flashes more often."""


class SolutionFlashPanel(Panel):
    """The frame around the board of one search. It depends only on the frame number of the film."""

    def __init__(
        self, number: int, block: Block, solutions: Solutions, sprites: SpriteBook
    ) -> None:
        self._number = number
        self._block = block
        self._solutions = solutions
        self._inks = ramp(sprites.theme.accent, sprites.theme.ground)
        self._level = 0

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if moment.snapshots[self._number].finished:
            return  # the finished board has a frame of its own
        level = self._level_in(moment)
        if level != self._level:
            self._level = level
            red, green, blue = self._inks[level].tolist()
            width = strong_width(self._block.cell)
            draw_ring(canvas, self._block.board, width, (red, green, blue))

    def reach(self, frames: NextFrames) -> int:
        if not frames.moves(self._number):
            return len(frames)
        return 0 if self._level else frames.before_change(self._number, SOLUTIONS)

    def _level_in(self, moment: Moment) -> int:
        """The brightness of the frame, up to LEVELS - 1."""
        found, shot, timeline = self._solutions.last_step, moment.shot, moment.timeline
        if not self._solutions.count:
            return 0
        if shot.phase is Phase.STILL:
            return LEVELS - 1 if found == shot.steps[self._number] else 0
        if shot.phase is not Phase.RACE:
            return 0
        elapsed = shot.start - timeline.intro + 1
        for frames in range(int(_FADED * timeline.fps) + 1):
            if (
                elapsed - frames < 1
                or timeline.steps_at(elapsed - frames - 1)[self._number] < found
            ):
                gone = (frames / timeline.fps - _LIT) / (_FADED - _LIT)
                return int((LEVELS - 1) * (1 - max(Fraction(0), min(Fraction(1), gone))))
        return 0
