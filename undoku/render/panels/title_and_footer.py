"""The title above the film; its clock, or the speed of its clock, and a progress bar below."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.cells import pencil_size
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import Face, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.render.timeline.beats import BeatKind
from undoku.render.timeline.notes import note_on
from undoku.render.timeline.timeline import Clock, Phase, Shot, Timeline
from undoku.texts import wording as say

__all__ = ["FramePanel", "ProgressBar", "clock_texts", "draw_title", "speed_texts", "speed_turns"]

_WHOLE = Fraction(3, 2)
"""From this number of steps per second on, the speed is stated as an integer."""


def speed_texts(timeline: Timeline, frame: int, *, pencils: bool = False) -> list[str]:
    """The speed of the common clock on a frame of the film, the fullest text first; before the
    first step an explanation of steps, at the first step of the small digits where boards have
    `pencils`, and a space while the clock is stopped."""
    speed, beat = timeline.speed_at(frame), timeline.beat_at(frame)
    if beat and beat.kind in (BeatKind.OPENING, BeatKind.RULES):
        return [say.A_STEP(), say.A_STEP_BRIEFLY(), " "]
    if beat and beat.kind is BeatKind.FIRST_STEP:
        return [*([say.SMALL_DIGITS()] if pencils else []), say.STEP_NUMBER(step=1)]
    if not speed:
        return [" "]
    text = say.RATE_SECOND(count=round(speed) if speed >= _WHOLE else speed)
    done = timeline.steps_at(frame - timeline.intro)
    running = sum(total > step for total, step in zip(timeline.totals, done, strict=True))
    if len(timeline.totals) < 2 or running < 2:
        return [text]
    boards = say.ON_BOTH_BOARDS if len(timeline.totals) == 2 else say.ON_ALL_BOARDS
    return [boards(speed=text), text]


def speed_turns(timeline: Timeline) -> Iterator[int]:
    """The frames on which the stated speed may change."""
    if timeline.shows_speed:
        yield from (timeline.intro + part.start for part in timeline.stretches)
        yield timeline.intro + timeline.race


class ProgressBar(Panel):
    """Filled in proportion to the steps done: empty before the race, full when it ends. It does not
    change while the clock is stopped."""

    changes = ()
    most_rows = 1

    _filled: int | None = None

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the empty bar."""
        if self._filled is None:
            canvas.fill(self._box, self._sprites.theme.track)
            self._filled = 0

    def put(self, frames: NextFrames, draft: Draft) -> None:
        kind = draft.index.kind("bar", self._area)
        rect = self._box
        draft.add(
            [
                (frame, draft.index.number(end - begin, kind), rect.x + begin, rect.y)
                for frame, begin, end in self._fills(frames)
            ]
        )

    def _fills(self, frames: NextFrames) -> Iterator[tuple[int, int, int]]:
        """(frame from 0, begin, end) of the pixels that each frame fills, if there are any."""
        filled, frame = self._filled or 0, 0
        while frame < len(frames):
            now = self._filled_on(frames, frame)
            if now > filled:
                yield frame, filled, now
                filled = now
                frame += 1
                continue
            # The bar never gets shorter: a binary search finds the next frame that fills more.
            later = range(frame + 1, len(frames))
            frame += 1 + bisect_left(
                later, filled + 1, key=lambda other: self._filled_on(frames, other)
            )
        self._filled = filled

    def _filled_on(self, frames: NextFrames, frame: int) -> int:
        """The number of filled pixels on one of the frames."""
        timeline, elapsed = frames.timeline, frames.start + frame - frames.timeline.intro + 1
        if frames.still:
            done = Fraction(int(frames.steps.max(initial=0)), max(1, timeline.longest))
        else:
            done = timeline.position(elapsed) if elapsed > 0 else Fraction(0)
        return int(self._box.width * done)

    def _area(self, width: int) -> Sprite:
        """The rectangle of a filled part of the bar."""
        return self._sprites.area(width, self._box.height, self._sprites.theme.accent)


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
    shorter = (" ".join(sentences[:count]) for count in range(len(sentences), 0, -1))
    title = next(
        (each for each in shorter if text_width(each, Face.BOLD, least) <= box.width), title
    )
    size = next(
        (
            size
            for size in range(text.title, least, -1)
            if text_width(title, Face.BOLD, size) <= box.width
        ),
        least,
    )
    ink, align = sprites.theme.text, Align.CENTRE
    sprites.write(
        canvas,
        (box.x, box.y),
        title,
        Face.BOLD,
        size,
        ink,
        box.width,
        height=box.height,
        align=align,
    )


def clock_texts(timeline: Timeline) -> list[str]:
    """The texts about clock and rate, the fullest first."""
    rate = timeline.mean_rate
    shared = timeline.clock is Clock.STEPS or len(timeline.totals) < 2
    if timeline.clock is Clock.TIME and timeline.race:
        share = Fraction(timeline.span, max(1, timeline.longest) * timeline.race)
        speed = say.RATE_TIME(time=say.time_text(max(timeline.seconds) * share))
    elif rate >= 1 or not rate:
        speed = (say.RATE_FRAME if shared else say.RATE_FRAME_LONGEST)(count=rate)
    else:
        speed = (say.RATE_SECOND if shared else say.RATE_SECOND_LONGEST)(count=rate * timeline.fps)
    if timeline.ramp or timeline.stretches:
        speed = say.ON_AVERAGE(speed=speed)
    whole = speed
    if len(timeline.totals) > 1:
        clock = {
            Clock.STEPS: say.IN_EVERY_PANEL,
            Clock.FINISH: say.ALL_FINISH_TOGETHER,
            Clock.TIME: say.EACH_AS_FAST,
        }[timeline.clock]
        whole = clock(speed=speed)
    short = speed
    if timeline.ramp or (timeline.stretches and not timeline.cued):
        manner = say.SLOW_AT_ENDS if timeline.ramp else say.SLOW_AT_HIGHLIGHTS
        whole, short = manner(speed=whole), manner(speed=speed)
    return [say.WITH_FRAMES(speed=whole, frames=timeline.fps), whole, short, speed]


class FramePanel(Panel):
    """Title and clock. The script's explanation replaces the title on
    its frames. Its notices replace the clock, with their sentences one after the other if they do
    not fit side by side."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        script = context.script
        layout, timeline = script.layout, script.timeline
        self._notices = script.notices
        self._explanation = script.explanation
        turns = {turn for notice in script.notices for turn in notice.line_starts}
        turns |= set(script.explanation.line_starts) if script.explanation else set()
        self.changes = sorted(turns | set(speed_turns(timeline)))
        self._sentence = ""
        self._layout = layout
        self._title = script.title
        self._shown_title: str | None = None
        self._started = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        theme = self._sprites.theme
        self._draw_title(canvas, moment.shot)
        if not self._started:
            self._started = True
            self._draw_footer(canvas, self._clock_text(moment), theme.muted)
        sentence = self._notice(moment.shot) or self._speed_text(moment)
        if sentence != self._sentence:
            self._sentence = sentence
            self._draw_footer(
                canvas,
                sentence or self._clock_text(moment),
                theme.text if sentence else theme.muted,
            )

    def _notice(self, shot: Shot) -> str:
        """The sentence of this frame, "" for none."""
        notice = note_on(self._notices, shot.start)
        if notice is None or shot.phase is Phase.STILL:
            return ""
        return notice.one_line if self._fits(notice.one_line) else notice.line_at(shot.start)

    def _draw_title(self, canvas: Canvas, shot: Shot) -> None:
        box, title, after = self._layout.title, self._title, self._explanation
        if after and shot.phase is not Phase.STILL and after.start <= shot.start < after.end:
            title = after.one_line
        if not box or title == self._shown_title:
            return
        self._shown_title = title
        draw_title(canvas, box, title, self._layout.text, self._sprites)

    def _speed_text(self, moment: Moment) -> str:
        """The current speed of the clock in films that state it; "" in others."""
        timeline, shot = moment.timeline, moment.shot
        if not timeline.shows_speed or shot.phase not in (Phase.INTRO, Phase.RACE):
            return ""
        texts = speed_texts(timeline, shot.start, pencils=self._has_pencils)
        return next(filter(self._fits, texts), texts[-1])

    @cached_property
    def _has_pencils(self) -> bool:
        """Whether pencil marks on all boards can be read."""
        sides = ((block.cell, block.board.width) for block in self._layout.blocks)
        return all(pencil_size(cell, wide // cell) > 0 for cell, wide in sides)

    def _clock_text(self, moment: Moment) -> str:
        if moment.shot.phase is Phase.STILL:
            return say.STEP_OF(step=max(moment.shot.steps), steps=moment.timeline.longest)
        texts = clock_texts(moment.timeline)
        return next(filter(self._fits, texts), texts[-1])

    def _fits(self, text: str) -> bool:
        """Whether it has room below the film."""
        footer = self._layout.footer
        return (
            footer is None
            or text_width(text, Face.REGULAR, self._layout.text.footer) <= footer.width
        )

    def _draw_footer(self, canvas: Canvas, text: str, ink: Colour) -> None:
        box = self._layout.footer
        if box is None:
            return
        # Above the boards it is part of a table.
        align = Align.CENTRE if box.y > self._layout.progress.y else Align.LEFT
        self._sprites.write(
            canvas,
            (box.x, box.y),
            text,
            Face.REGULAR,
            self._layout.text.footer,
            ink,
            box.width,
            align=align,
        )
