"""The rings around boards: when a search has ended or has found a solution, and while a sentence is
about it."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.cells import ramp, strong_width
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import LEVELS
from undoku.render.panels.panel import Moment, Panel, PanelContext, Script
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.timeline.easing import eased
from undoku.render.timeline.timeline import Phase
from undoku.solver.trace.state import SOLUTIONS
from undoku.solver.trace.trace import Outcome

__all__ = ["EndRing", "EndSweep", "SentenceRing", "SolutionFlashPanel", "proved", "sentence_bounds"]

_FLASH_LIT, _FLASH_FADED = Fraction(7, 20), Fraction(1, 2)
"""Seconds after a solution until which the frame is lit, and after which it is invisible. Solutions
in quicker succession than three a second keep it lit, so that it never flashes more often."""

_SWEEP = Fraction(2, 5)
"""The seconds of the sweep around the board."""


def proved(snapshot: Snapshot) -> bool:
    """Whether a search has completed its tree and found solutions."""
    return bool(snapshot.finished and snapshot.outcome is Outcome.EXHAUSTED and snapshot.solutions)


class _Ring(Panel):
    """A ring around the board of one search: lines outside of it, in the colour of the moment."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._shown = self._none = context.sprites.theme.ground
        """The colour of the ring that is shown, and that of no ring."""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        colour = self._colour(moment)
        if colour is None or colour == self._shown:
            return
        self._shown = colour
        width = strong_width(self._context.block.cell)
        outer = self._context.block.board.inset(-width)
        canvas.fill(Rect(outer.x, outer.y, outer.width, width), colour)
        canvas.fill(Rect(outer.x, outer.bottom - width, outer.width, width), colour)
        canvas.fill(Rect(outer.x, outer.y, width, outer.height), colour)
        canvas.fill(Rect(outer.right - width, outer.y, width, outer.height), colour)

    @abstractmethod
    def _colour(self, moment: Moment) -> Colour | None:
        """The colour of the ring; None if it stays as it is."""


class EndRing(_Ring):
    """Frames the board of a search that has ended, so that it is found without reading."""

    changes = ()

    def _colour(self, moment: Moment) -> Colour | None:
        snapshot, theme = moment.snapshots[self._number], self._sprites.theme
        if not snapshot.finished or not snapshot.steps:
            return None
        solved = snapshot.outcome is Outcome.SOLVED or proved(snapshot)
        return theme.accent if solved else theme.undoing


class SolutionFlashPanel(_Ring):
    """The frame around the board of one search. It depends only on the frame number of the film."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        assert context.solutions
        self._solutions = context.solutions
        self._inks = ramp(context.sprites.theme.accent, context.sprites.theme.ground)

    def _colour(self, moment: Moment) -> Colour | None:
        if moment.snapshots[self._number].finished:
            return None  # the finished board has a frame of its own
        red, green, blue = self._inks[self._level_in(moment)].tolist()
        return red, green, blue

    def reach(self, frames: NextFrames) -> int:
        if not frames.moves(self._number):
            return len(frames)
        visible = self._shown != self._none
        return 0 if visible else frames.before_change(self._number, SOLUTIONS)

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
        for frames in range(int(_FLASH_FADED * timeline.fps) + 1):
            if (
                elapsed - frames < 1
                or timeline.steps_at(elapsed - frames - 1)[self._number] < found
            ):
                gone = (frames / timeline.fps - _FLASH_LIT) / (_FLASH_FADED - _FLASH_LIT)
                return int((LEVELS - 1) * (1 - max(Fraction(0), min(Fraction(1), gone))))
        return 0


def sentence_bounds(number: int, script: Script) -> list[int]:
    """The frames, ascending, on which sentences about search `number` begin, end, begin, …, in a
    film that shows one sentence at a time; none in others."""
    if not script.layout.sentence:
        return []
    return sorted(
        bound
        for each in script.callouts
        if number in (each.search, *each.others)
        for bound in (each.start, each.end)
    )


class SentenceRing(_Ring):
    """Frames the board of search `number` in the colour of the search while a sentence about it is
    shown, until the search ends: the board of an ended search has a ring of its own."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        number, script = context.number, context.script
        self._search_colour = context.sprites.theme.search_colour(number)
        timeline, total = script.timeline, script.timeline.totals[number]
        ended = timeline.frame_of(number, total) if total else 0
        self.changes = self._bounds = [
            min(bound, ended) for bound in sentence_bounds(number, script)
        ]

    def _colour(self, moment: Moment) -> Colour | None:
        within = bisect_right(self._bounds, moment.shot.start) % 2 == 1
        shown = within and moment.shot.phase is not Phase.STILL
        return self._search_colour if shown else self._none


class EndSweep(Panel):
    """Draws the ring of the finished board of one search, part by part from the upper left corner
    clockwise."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        number, block, timeline = context.number, context.block, context.script.timeline
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
        self._frames = max(1, round(_SWEEP * timeline.fps)) if total else 0
        self._share = 0.0

    def reach(self, frames: NextFrames) -> int:
        solved = frames.snapshots[self._number].outcome is Outcome.SOLVED
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
