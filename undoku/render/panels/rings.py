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


class _Ring(Panel):
    """A ring around the board of one search: lines outside of it, in one colour."""

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


class EndRing(_Ring):
    """Frames the board of a search that has ended, so that it is found without reading. In a story
    the ring of a solved board grows."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        number, timeline = context.number, context.script.timeline
        self._ended = timeline.frame_of(number, timeline.totals[number]) if timeline.beats else 0
        self._share = 0.0

    def reach(self, frames: NextFrames) -> int:
        return 0 if self._is_due(frames.snapshots[self._number]) else len(frames)

    def _is_due(self, snapshot: Snapshot) -> bool:
        return bool(self._share < 1 and snapshot.finished and snapshot.steps)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot, shot, timeline = moment.snapshots[self._number], moment.shot, moment.timeline
        if not self._is_due(snapshot):
            return
        solved, self._share = snapshot.outcome is Outcome.SOLVED, 1.0
        if solved and timeline.beats and shot.phase is Phase.RACE:
            frames = max(1, round(_SWEEP * timeline.fps))
            self._share = min(1.0, (shot.start - self._ended + 1) / frames)
            self._fill(canvas, self._theme.background)
        ink = self._theme.accent if solved or proved(snapshot) else self._theme.undoing
        self._fill(canvas, ink, eased(self._share))


class SolutionFlashPanel(_Ring):
    """The frame around the board of one search, which lights up at each solution. It depends only
    on the frame number of the film."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        assert context.solutions
        self._solutions = context.solutions
        self._inks = ramp(self._theme.accent, self._theme.background)
        self._shown = self._theme.background
        """The colour of the frame."""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if not moment.snapshots[self._number].finished:  # then the board has a ring of its own
            red, green, blue = self._inks[self._level_in(moment)].tolist()
            if (red, green, blue) != self._shown:
                self._shown = red, green, blue
                self._fill(canvas, self._shown)

    def reach(self, frames: NextFrames) -> int:
        if not frames.moves(self._number):
            return len(frames)
        visible = self._shown != self._theme.background
        return 0 if visible else frames.before_change(self._number, SOLUTIONS)

    def _level_in(self, moment: Moment) -> int:
        """The brightness of the frame, up to LEVELS - 1."""
        found, shot, timeline = self._solutions.last_step, moment.shot, moment.timeline
        if not self._solutions.count or shot.phase not in (Phase.STILL, Phase.RACE):
            return 0
        if shot.phase is Phase.STILL:
            return LEVELS - 1 if found == shot.steps[self._number] else 0
        frames = shot.start - timeline.frame_of(self._number, found)
        gone = (frames / timeline.fps - _FLASH_LIT) / (_FLASH_FADED - _FLASH_LIT)
        return int((LEVELS - 1) * (1 - max(Fraction(0), min(Fraction(1), gone))))
