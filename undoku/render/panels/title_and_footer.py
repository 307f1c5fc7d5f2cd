"""The title above the film; its clock, or the speed of its clock, and a progress bar below."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.line_breaks import fitting_line
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.notes import FILM, note_on
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Phase, Timeline
from undoku.texts import wording as say

_WHOLE = Fraction(3, 2)
"""From this number of steps per second on, the speed is stated as an integer."""


def speed_text(timeline: Timeline, frame: int) -> str:
    """The speed of the common clock on a frame of the film; a space while the clock is stopped."""
    speed = timeline.speed_at(frame)
    return say.RATE_SECOND(count=round(speed) if speed >= _WHOLE else speed) if speed else " "


def speed_turns(timeline: Timeline) -> Iterator[int]:
    """The frames on which the stated speed may change."""
    if timeline.shows_speed:
        yield from (timeline.intro + part.start for part in timeline.stretches)
        yield timeline.intro
        yield timeline.intro + timeline.race


class ProgressBar(Panel):
    """Filled in proportion to the steps done by the search that ends last: empty before the race,
    full when it ends."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        timeline = context.script.timeline
        ends = timeline.steps_at(timeline.race)
        self._last = max(
            range(len(ends)),
            key=lambda search: (timeline.frame_of(search, ends[search]), ends[search]),
        )
        self._begun = timeline.steps_at(0)[self._last]
        self._span = ends[self._last] - self._begun
        self._filled = np.zeros(1, np.int64)
        self._kind = self._sprites.index.kind(("progress", self._box), self._area)

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._box, self._theme.track)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        done = np.maximum(frames.steps[self._last] - self._begun, 0)
        # A race without steps is done at once.
        filled = done * self._box.width // self._span if self._span else done + self._box.width
        before = np.concatenate((self._filled, filled[:-1]))
        (grown,) = (filled != before).nonzero()
        x, width = before[grown], (filled - before)[grown]
        draft.look_up(grown, width, self._kind, self._box.x + x, self._box.y)
        self._filled = filled[-1:]

    def _area(self, width: int) -> Sprite:
        """The rectangle of a filled part of the bar."""
        return self._sprites.area(width, self._box.height, self._theme.accent)


_NEARLY_TITLE = Fraction(6, 7)
"""The share of the size of a title from which a name is nearly as large."""


def draw_title(canvas: Canvas, box: Rect, title: str, text: TextSizes, sprites: SpriteBook) -> None:
    """Draw a title in its box, on the background. A long one has smaller letters, down to those of
    a name, or to two thirds where names are nearly as large; then it lacks its last sentences; only
    then it is cut."""
    least = text.name
    if least > _NEARLY_TITLE * text.title:
        least = text.title * 2 // 3
    sentences = re.split(r"(?<=[.!?]) +", title)
    shorter = [" ".join(sentences[:count]) for count in range(len(sentences), 0, -1)]
    title, size = fitting_line(shorter, Face.BOLD, box.width, (least, text.title))
    (x, y, width, height), ink, align = box, sprites.theme.text, Align.CENTRE
    sprites.write(canvas, (x, y), title, Face.BOLD, size, ink, width, height=height, align=align)


def clock_texts(timeline: Timeline) -> list[str]:
    """The texts about clock and rate, the fullest first."""
    rate = timeline.mean_rate
    shared = timeline.clock is Clock.STEPS or len(timeline.totals) < 2
    if timeline.clock is Clock.TIME and timeline.race:
        share = timeline.mean_rate / timeline.longest
        speed = say.RATE_TIME(time=say.time_text(max(timeline.seconds) * share))
    elif rate >= 1 or not rate:
        speed = (say.RATE_FRAME if shared else say.RATE_FRAME_LONGEST)(count=rate)
    else:
        speed = (say.RATE_SECOND if shared else say.RATE_SECOND_LONGEST)(count=rate * timeline.fps)
    if len(timeline.stretches) > 1:
        speed = say.ON_AVERAGE(speed=speed)
    whole = speed
    if len(timeline.totals) > 1:
        clock = {
            Clock.STEPS: say.IN_EVERY_PANEL,
            Clock.FINISH: say.ALL_FINISH_TOGETHER,
            Clock.TIME: say.EACH_AS_FAST,
        }[timeline.clock]
        whole = clock(speed=speed)
    return [say.WITH_FRAMES(speed=whole, frames=timeline.fps), whole, speed]


class FramePanel(Panel):
    """Title and clock. The notes about the film replace the clock, with their sentences one after
    the other if they do not fit side by side."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script = context.script
        self._layout = script.layout
        self._notes = [note for note in script.notes if note.search == FILM]
        turns = {turn for note in self._notes for turn in note.line_starts}
        self.changes = self._turns = sorted(turns | set(speed_turns(script.timeline)))
        self._turn: object = None
        self._shown: object = None

    def start(self, canvas: Canvas) -> None:
        if title := self._layout.title:
            draw_title(canvas, title, self._context.script.title, self._text, self._sprites)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        shot = moment.shot
        turn = shot.phase, bisect_right(self._turns, shot.start)
        if (box := self._layout.footer) and (turn != self._turn or shot.phase is Phase.STILL):
            self._turn = turn
            texts, ink = self._texts(moment)
            size, align = self._text.footer, Align.CENTRE
            text, _ = fitting_line(texts, Face.REGULAR, box.width, (size, size))
            if (text, ink) != self._shown:
                self._shown, place = (text, ink), (box.x, box.y)
                self._sprites.write(
                    canvas, place, text, Face.REGULAR, size, ink, box.width, align=align
                )

    def _texts(self, moment: Moment) -> tuple[Sequence[str], Colour]:
        """The texts below the film, the fullest first, and their colour: the notice of the frame,
        the speed of the clock in films that state it, or the clock."""
        timeline, shot, theme = moment.timeline, moment.shot, self._theme
        if shot.phase is Phase.STILL:
            return [say.STEP_OF(step=max(shot.steps), steps=timeline.longest)], theme.muted
        if notice := note_on(self._notes, shot.start):
            return [notice.one_line, notice.line_at(shot.start)], theme.text
        if timeline.shows_speed and shot.phase in (Phase.INTRO, Phase.RACE):
            return [speed_text(timeline, shot.start)], theme.text
        return clock_texts(timeline), theme.muted
