"""The end card: the result of the searches, in large letters, and a bar for the steps of each."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import text_width
from undoku.render.draw.reading_direction import in_reading_direction
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.end_card_plan import plan_card
from undoku.render.panels.end_card_rows import CardBar, TextLine
from undoku.render.panels.panel import Moment, Panel
from undoku.solver.trace.trace import Tally

__all__ = ["EndCardPanel"]


class EndCardPanel(Panel):
    """Covers the whole picture; all bars grow at the same rate, so short ones stop early."""

    def __init__(
        self,
        names: Sequence[str],
        tallies: Sequence[Tally],
        sprites: SpriteBook,
        text: TextSizes,
        size: tuple[int, int],
        safe: Rect | None = None,
        strategies: Sequence[str] = (),
    ) -> None:
        """`safe` is the part of a picture of this size that may be used, by default all of it."""
        self.plan = plan_card(names, tallies, text, *size, safe, strategies)
        self._sprites = sprites
        self._drawn: list[int] = []
        self._complete: set[int] = set()

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        theme, plan = self._sprites.theme, self.plan
        if not self._drawn:
            # Not mirrored: the area may be nearer to one side of the picture than to the other.
            canvas.fill(Rect(0, 0, canvas.width, canvas.height), theme.ground)
        canvas = in_reading_direction(canvas, plan.area)
        if not self._drawn:
            for line in plan.lines:
                self._write(canvas, line)
            if plan.powers:
                self._draw_marks(canvas)
            self._drawn = [0] * len(plan.bars) or [0]
        grown = moment.timeline.grown(moment.shot)
        for number, bar in enumerate(plan.bars):
            if number in self._complete:
                continue
            reach = round(grown * plan.axis.width)
            length = min(bar.rect.width, reach)
            colour = theme.search_colour(bar.search)
            if plan.powers:
                self._move_dot(canvas, bar, length, self._drawn[number], colour)
            elif length > self._drawn[number]:
                old = self._drawn[number]
                canvas.fill(
                    Rect(bar.rect.x + old, bar.rect.y, length - old, bar.rect.height), colour
                )
            self._drawn[number] = length
            if reach >= bar.rect.width:
                self._complete.add(number)
                if bar.stopped:
                    self._cut(canvas, bar)
                for line in plan.ends[number]:
                    self._write(canvas, line)

    def _write(self, canvas: Canvas, line: TextLine) -> None:
        theme = self._sprites.theme
        ink = theme.muted if line.muted else theme.text
        wide = text_width(line.text, line.face, line.size)
        canvas.blit(self._sprites.text(line.text, line.face, line.size, ink, wide), line.x, line.y)

    def _draw_marks(self, canvas: Canvas) -> None:
        """A thin line below each dot, and a mark at every power of ten."""
        theme, axis, powers = self._sprites.theme, self.plan.axis, self.plan.powers
        for bar in self.plan.bars:
            middle = bar.rect.y + bar.rect.height // 2
            canvas.fill(Rect(axis.x, middle - 1, axis.width, 2), theme.track)
            for power in range(powers + 1):
                x = min(axis.x + round(axis.width * power / powers), axis.right - 2)
                canvas.fill(Rect(x, middle - 5, 2, 10), theme.track)

    def _move_dot(self, canvas: Canvas, bar: CardBar, to: int, before: int, colour: Colour) -> None:
        """Move the dot of a search, which is a disc, along its line."""
        theme, axis, powers = self._sprites.theme, self.plan.axis, self.plan.powers
        radius = min(bar.rect.height // 2, max(3, axis.x))
        middle = bar.rect.y + bar.rect.height // 2
        if to != before:
            left = axis.x + before - radius
            old = Rect(left, middle - radius, 2 * radius, 2 * radius)
            canvas.fill(old, theme.ground)
            start, end = max(axis.x, old.x), min(axis.right, old.right)
            canvas.fill(Rect(start, middle - 1, max(0, end - start), 2), theme.track)
            for power in range(powers + 1):
                x = min(axis.x + round(axis.width * power / powers), axis.right - 2)
                if old.x <= x and x + 2 <= old.right:
                    canvas.fill(
                        Rect(x, middle - min(5, radius), 2, min(10, 2 * radius)), theme.track
                    )
        for row in range(-radius, radius):
            half = int((radius * radius - (row + 0.5) ** 2) ** 0.5 + 0.5)
            canvas.fill(Rect(axis.x + to - half, middle + row, 2 * half, 1), colour)

    def _cut(self, canvas: Canvas, bar: CardBar) -> None:
        """The end of a bar that would continue: interrupted by two gaps."""
        if self.plan.powers:
            return
        ground, gap = self._sprites.theme.ground, max(2, bar.rect.height // 8)
        for number in (1, 3):
            x = bar.rect.right - (number + 1) * gap
            if x > bar.rect.x:
                canvas.fill(Rect(x, bar.rect.y, gap, bar.rect.height), ground)
