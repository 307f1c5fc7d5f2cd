"""The bar below a film, which shows the progress of the race."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from fractions import Fraction

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.panel import Moment, Panel
from undoku.render.playback.next_frames import NextFrames

__all__ = ["ProgressBar"]


class ProgressBar(Panel):
    """Filled in proportion to the steps done: empty before the race, full when it ends. It does not
    change while the clock is stopped."""

    changes = ()
    most_rows = 1

    def __init__(self, rect: Rect, sprites: SpriteBook) -> None:
        self._rect = rect
        self._sprites = sprites
        self._filled: int | None = None

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Draw the empty bar."""
        if self._filled is None:
            canvas.fill(self._rect, self._sprites.theme.track)
            self._filled = 0

    def put(self, frames: NextFrames, draft: Draft) -> None:
        kind = draft.index.kind("bar", self._area)
        rect = self._rect
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
        return int(self._rect.width * done)

    def _area(self, width: int) -> Sprite:
        """The rectangle of a filled part of the bar."""
        return self._sprites.area(width, self._rect.height, self._sprites.theme.accent)
