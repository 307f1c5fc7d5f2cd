"""The rings around boards: when a search has ended, and when it has found a solution."""

from __future__ import annotations

from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.cells import ramp
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import LEVELS
from undoku.render.draw.unit_marks import strong_width
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.timeline.easing import eased
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.state import SOLUTIONS
from undoku.solver.trace.trace import Outcome

_FLASH_LIT, _FLASH_FADED = Fraction(7, 20), Fraction(1, 2)
"""Seconds after a solution until which the frame is lit, and after which it is invisible. Solutions
in quicker succession than three a second keep it lit, so that it never flashes more often."""

_SWEEP = Fraction(2, 5)
"""The seconds of the sweep around the board."""


def proved(snapshot: Snapshot) -> bool:
    """Whether a search has completed its tree and found solutions."""
    return bool(snapshot.finished and snapshot.outcome is Outcome.EXHAUSTED and snapshot.solutions)


class RingPanel(Panel):
    """A ring around the board of one search: lines outside of it. It has the colour of the result
    when the search has ended, so that this is found without reading; in a story the ring of a
    solved board grows. Before, it lights up at each solution. It depends only on the frame number
    of the film."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        timeline = context.script.timeline
        self._ended = timeline.frame_of(self._number, timeline.totals[self._number])
        self._inks = ramp(self._theme.accent, self._theme.background)
        self._shown: tuple[Colour, float] = self._theme.background, 1.0
        """The colour, and the share of the ring that has it."""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        wanted = self._wanted(moment)
        if wanted != self._shown:
            if wanted[1] < 1:
                self._fill(canvas, self._theme.background)
            self._fill(canvas, *wanted)
            self._shown = wanted

    def reach(self, frames: NextFrames) -> int:
        if frames.snapshots[self._number].finished:
            return len(frames) if self._shown[1] == 1 else 0
        if not self._context.solutions or not frames.moves(self._number):
            return len(frames)
        visible = self._shown[0] != self._theme.background
        return 0 if visible else frames.before_change(self._number, SOLUTIONS)

    def _wanted(self, moment: Moment) -> tuple[Colour, float]:
        """The colour, and the share of the ring that has it."""
        snapshot, shot, timeline = moment.snapshots[self._number], moment.shot, moment.timeline
        if snapshot.finished and snapshot.steps:
            solved, share = snapshot.outcome is Outcome.SOLVED, 1.0
            if solved and timeline.beats and shot.phase is Phase.RACE:
                frames = max(1, round(_SWEEP * timeline.fps))
                share = min(1.0, (shot.start - self._ended + 1) / frames)
            ink = self._theme.accent if solved or proved(snapshot) else self._theme.undoing
            return ink, eased(share)
        red, green, blue = self._inks[self._level(moment)].tolist()
        return (red, green, blue), 1.0

    def _level(self, moment: Moment) -> int:
        """The brightness of the ring after a solution, up to LEVELS - 1."""
        solutions, shot, timeline = self._context.solutions, moment.shot, moment.timeline
        if not solutions or not solutions.count or shot.phase not in (Phase.STILL, Phase.RACE):
            return 0
        found = solutions.last_step
        if shot.phase is Phase.STILL:
            return LEVELS - 1 if found == shot.steps[self._number] else 0
        frames = shot.start - timeline.frame_of(self._number, found)
        gone = (frames / timeline.fps - _FLASH_LIT) / (_FLASH_FADED - _FLASH_LIT)
        return int((LEVELS - 1) * (1 - max(Fraction(0), min(Fraction(1), gone))))

    def _fill(self, canvas: Canvas, colour: Colour, share: float = 1) -> None:
        """Fill the first part of the ring, from the upper left corner clockwise."""
        width = strong_width(self._context.block.cell)
        x, y, wide, high = outer = self._context.block.board.inset(-width)
        above, right, below, left = (
            max(1, round(length * min(1.0, 4 * share - side))) if 4 * share > side else 0
            for side, length in enumerate((wide, high, wide, high))
        )
        for part in (
            Rect(x, y, above, width),
            Rect(outer.right - below, outer.bottom - width, below, width),
            Rect(x, outer.bottom - left, width, left),
            Rect(outer.right - width, y, width, right),
        ):
            if part.width and part.height:
                canvas.fill(part, colour)
