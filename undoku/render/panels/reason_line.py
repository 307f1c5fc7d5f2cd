"""One line that explains the last step."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.lettering import Face, fitted, text_width
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.reading_time import reading_time
from undoku.render.playback.removals import brief_removal, removal_sentence
from undoku.render.playback.step_reasons import brief_reason, reason
from undoku.texts.wording import capitalised

__all__ = ["WhyPanel"]


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
        self._puzzle = context.puzzle
        self._size = context.text.status
        self._until = 0
        self._slow: bool | None = None
        self._shown = ""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if not snapshot.span:
            return
        if self._slow is None:
            self._slow = moment.timeline.mean_rate * moment.timeline.fps <= _SLOW
        if moment.shot.start < self._until and not self._slow and not snapshot.finished:
            return
        line, size = "", self._size
        if not snapshot.finished:
            full = reason(self._puzzle, snapshot, snapshot.given)
            lines = [full, brief_reason(self._puzzle, snapshot)]
            if snapshot.removals:
                # The most expensive rule is the one that ran last.
                removal = removal_sentence(self._puzzle, snapshot.removals[-1])
                shorter = brief_removal(snapshot.removals[-1]) or removal
                alone = [capitalised(removal), capitalised(shorter)]
                lines = [f"{full}; {removal}", f"{lines[1]}; {removal}", *alone, *lines]
            line, size = self._fitted(*lines)
        self._until = moment.shot.start + round(reading_time(line) * moment.timeline.fps)
        if line == self._shown:
            return
        self._shown = line
        box, theme = self._box, self._sprites.theme
        self._sprites.write(
            canvas,
            (box.x, box.y),
            line,
            Face.REGULAR,
            size,
            theme.text,
            box.width,
            height=box.height,
        )

    def reach(self, frames: NextFrames) -> int:
        still = frames.before_step(self._number)
        return still if self._slow else min(len(frames), max(still, self._until - frames.start))

    def _fitted(self, *lines: str) -> tuple[str, int]:
        """The first of these lines that fits, possibly in slightly smaller letters, and the size of
        its letters; the last line is cut if necessary."""
        least = max(_MIN_SIZE, round(_MIN_SHARE * self._size))
        for line in lines:
            for size in range(self._size, least - 1, -1):
                if text_width(line, Face.REGULAR, size) <= self._box.width:
                    return line, size
        return fitted(lines[-1], Face.REGULAR, least, self._box.width), least
