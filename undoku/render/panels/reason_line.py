"""One line that explains the last step."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.fonts import Face
from undoku.render.draw.line_breaks import fitting_line
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.playback.reading_time import reading_time
from undoku.render.playback.removals import brief_removal, removal_sentence
from undoku.render.playback.step_reasons import brief_reason, reason
from undoku.texts.wording import capitalised

_SLOW = 4
"""The highest steps per second at which each step has its line, which must match the board."""


_MIN_SIZE = 11
"""Pixels per em."""

_MIN_SHARE = 0.75
"""The minimum share of the usual size of letters before a line is cut."""


class WhyPanel(Panel):
    """In a slow film every step has its line. In a faster one a line is shown until it has been
    read, and the next line explains the step at that moment."""

    explains = True

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        timeline = context.script.timeline
        self._slow = timeline.mean_rate * timeline.fps <= _SLOW
        self._until = 0
        self._shown = ""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot, start = moment.snapshots[self._number], moment.shot.start
        soon = start < self._until and not self._slow and not snapshot.finished
        if not snapshot.span or soon:
            return
        line, size = "", self._text.status
        if not snapshot.finished:
            least = max(_MIN_SIZE, round(_MIN_SHARE * size))
            texts, sizes = self._texts(snapshot), (least, size)
            line, size = fitting_line(texts, Face.REGULAR, self._box.width, sizes)
        self._until = start + round(reading_time(line) * moment.timeline.fps)
        if line != self._shown:
            self._shown = line
            x, y, width, height = self._box
            ink = self._theme.text
            self._sprites.write(canvas, (x, y), line, Face.REGULAR, size, ink, width, height=height)

    def _texts(self, snapshot: Snapshot) -> list[str]:
        """The texts about the last step, the fullest first."""
        puzzle = self._context.puzzle
        full, brief = reason(puzzle, snapshot, snapshot.given), brief_reason(puzzle, snapshot)
        if not snapshot.removals:
            return [full, brief]
        # The most expensive rule is the one that ran last.
        removal = removal_sentence(puzzle, snapshot.removals[-1])
        briefly = brief_removal(puzzle, snapshot.removals[-1]) or removal
        alone = capitalised(removal), capitalised(briefly)
        return [f"{full}; {removal}", f"{brief}; {removal}", *alone, full, brief]

    def reach(self, frames: NextFrames) -> int:
        still = frames.before_step(self._number)
        return still if self._slow else min(len(frames), max(still, self._until - frames.start))
