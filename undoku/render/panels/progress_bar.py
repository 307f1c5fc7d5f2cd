"""The bar below a film, which shows the progress of the race."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.panel import Moment
from undoku.render.timeline.timeline import Phase, Timeline

__all__ = ["ProgressBar"]


class ProgressBar:
    """Filled in proportion to the steps done: empty before the race, full when it ends. It does not
    change while the clock is stopped."""

    def __init__(self, rect: Rect, sprites: SpriteBook) -> None:
        self._rect = rect
        self._sprites = sprites
        self._filled: int | None = None

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Update the bar."""
        shot, timeline, theme = moment.shot, moment.timeline, self._sprites.theme
        if self._filled is None:
            canvas.fill(self._rect, theme.track)
            self._filled = 0
        if shot.phase is Phase.STILL:
            done = Fraction(max(shot.steps, default=0), max(1, timeline.longest))
            filled = int(self._rect.width * done)
        else:
            filled = self._filled_on(timeline, shot.start)
        if filled > self._filled:
            canvas.fill(self._part(self._filled, filled), theme.accent)
            self._filled = filled

    def put(self, draft: Draft, timeline: Timeline, start: int, frames: int) -> None:
        """Add the changes of the bar on `frames` frames of the film from `start` on."""
        index, fills = draft.index, list(self._fills(timeline, start, frames))
        kind = index.kind("bar", self._area)
        numbers = {width: index.number(width, kind) for width in {fill[1].width for fill in fills}}
        draft.add([(frame, numbers[rect.width], rect.x, rect.y) for frame, rect in fills])

    def _fills(self, timeline: Timeline, start: int, frames: int) -> Iterator[tuple[int, Rect]]:
        """(frame from 0, rectangle) for each of a number of frames that fills more of the bar."""
        filled, frame = self._filled or 0, start
        while frame < start + frames:
            now = self._filled_on(timeline, frame)
            if now > filled:
                yield frame - start, self._part(filled, now)
                filled = now
                frame += 1
                continue
            # The bar never gets shorter: a binary search finds the next frame that fills more.
            later = range(frame + 1, start + frames)
            frame += 1 + bisect_left(
                later, filled + 1, key=lambda other: self._filled_on(timeline, other)
            )
        self._filled = filled

    def _filled_on(self, timeline: Timeline, frame: int) -> int:
        """The number of filled pixels on a frame of the film."""
        elapsed = frame - timeline.intro + 1
        if frame < timeline.intro:
            return 0
        return int(self._rect.width * timeline.position(elapsed))

    def _part(self, begin: int, end: int) -> Rect:
        rect = self._rect
        return Rect(rect.x + begin, rect.y, end - begin, rect.height)

    def _area(self, width: int) -> Sprite:
        """The rectangle of a filled part of the bar."""
        return self._sprites.area(width, self._rect.height, self._sprites.theme.accent)
