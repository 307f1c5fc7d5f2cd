"""The end card: the result of the searches, in large letters, and a bar for the steps of each."""

from __future__ import annotations

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.panels.end_card_plan import CardBar, EndCardPlan, TextLine
from undoku.render.panels.panel import Moment, Panel


class EndCardPanel(Panel):
    """Covers the whole picture; all bars grow at the same rate, so short ones stop early."""

    def __init__(self, plan: EndCardPlan, sprites: SpriteBook) -> None:
        self.plan, self._sprites, self._theme = plan, sprites, sprites.theme
        self._lengths = [0] * len(plan.bars)
        self._complete: set[int] = set()

    def start(self, canvas: Canvas) -> None:
        # Not mirrored: the area may be nearer to one side of the picture than to the other.
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), self._theme.background)
        canvas = in_reading_direction(canvas, self.plan.area)
        for line in self.plan.lines:
            self._write(canvas, line)
        if self.plan.powers:
            for bar in self.plan.bars:
                middle = bar.rect.y + bar.rect.height // 2
                axis = self.plan.axis._replace(y=middle - 5, height=10)
                self._draw_scale(canvas, axis)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        canvas = in_reading_direction(canvas, self.plan.area)
        reach = round(moment.timeline.grown(moment.shot) * self.plan.axis.width)
        for row, bar in enumerate(self.plan.bars):
            if row in self._complete:
                continue
            before, length = self._lengths[row], min(bar.rect.width, reach)
            self._lengths[row] = length
            if self.plan.powers:
                self._move_dot(canvas, bar, length, before)
            elif length > before:
                added = bar.rect._replace(x=bar.rect.x + before, width=length - before)
                canvas.fill(added, self._theme.search_colour(bar.search))
            if reach >= bar.rect.width:
                self._complete.add(row)
                if bar.stopped and not self.plan.powers:
                    self._cut(canvas, bar.rect)
                for line in bar.end:
                    self._write(canvas, line)

    def _write(self, canvas: Canvas, line: TextLine) -> None:
        ink = self._theme.muted if line.muted else self._theme.text
        self._sprites.write(canvas, (line.x, line.y), line.text, line.face, line.size, ink)

    def _draw_scale(self, canvas: Canvas, part: Rect) -> None:
        """Draw the line of a row in a part of the picture around it, and a mark at every power of
        ten."""
        track, axis, powers = self._theme.track, self.plan.axis, self.plan.powers
        middle, high = part.y + part.height // 2, min(5, part.height // 2)
        left, right = max(axis.x, part.x), min(axis.right, part.right)
        canvas.fill(Rect(left, middle - 1, max(0, right - left), 2), track)
        for power in range(powers + 1):
            x = min(axis.x + round(axis.width * power / powers), axis.right - 2)
            if part.x <= x and x + 2 <= part.right:
                canvas.fill(Rect(x, middle - high, 2, 2 * high), track)

    def _move_dot(self, canvas: Canvas, bar: CardBar, to: int, before: int) -> None:
        """Move the dot of a search, which is a disc, along its line."""
        x, middle = self.plan.axis.x, bar.rect.y + bar.rect.height // 2
        radius = min(bar.rect.height // 2, max(3, x))
        if to != before:
            old = Rect(x + before - radius, middle - radius, 2 * radius, 2 * radius)
            canvas.fill(old, self._theme.background)
            self._draw_scale(canvas, old)
        for row in range(-radius, radius):
            half = int((radius * radius - (row + 0.5) ** 2) ** 0.5 + 0.5)
            disc = Rect(x + to - half, middle + row, 2 * half, 1)
            canvas.fill(disc, self._theme.search_colour(bar.search))

    def _cut(self, canvas: Canvas, rect: Rect) -> None:
        """The end of a bar that would continue: interrupted by two gaps."""
        gap = max(2, rect.height // 8)
        for number in (1, 3):
            x = rect.right - (number + 1) * gap
            if x > rect.x:
                canvas.fill(rect._replace(x=x, width=gap), self._theme.background)
