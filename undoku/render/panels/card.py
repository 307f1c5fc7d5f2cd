"""Pictures of texts and bars: the ratio, and the end card."""

from __future__ import annotations

from collections.abc import Iterable

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.sprites import SpriteBook
from undoku.render.panels.card_plan import CardBar, CardPlan, CardText
from undoku.render.panels.panel import Moment, Panel
from undoku.render.timeline.easing import eased
from undoku.texts.language import spoken


class CardPanel(Panel):
    """Covers the whole picture. All bars move from their beginnings to their places at once; texts
    that they pass on their way, or that are inside them, appear when they are there."""

    def __init__(self, plan: CardPlan, sprites: SpriteBook) -> None:
        self.plan, self._sprites, self._theme = plan, sprites, sprites.theme
        self._drawn: list[Rect] = []
        self._complete = False
        texts = plan.texts if all(bar.start.y == bar.rect.y for bar in plan.bars) else ()
        self._first = [*plan.headline, *(text for text in texts if text.background is None)]

    def start(self, canvas: Canvas) -> None:
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), self._theme.background)
        self._write(canvas, self._first)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        if self._complete:
            return
        share = eased(float(moment.timeline.grown(moment.shot))) if self.plan.bars else 1
        for rect in self._drawn:
            canvas.fill(rect, self._theme.background)
        self._drawn = [_between(bar.start, bar.rect, share) for bar in self.plan.bars]
        for bar, rect in zip(self.plan.bars, self._drawn, strict=True):
            self._draw_bar(canvas, bar, rect)
        self._complete = share == 1
        if self._complete:
            self._write(canvas, (text for text in self.plan.texts if text not in self._first))

    def _draw_bar(self, canvas: Canvas, bar: CardBar, rect: Rect) -> None:
        canvas.fill(rect, self._theme.search_colour(bar.search))
        warm = round(rect.width * bar.warm)
        x = rect.right - warm if spoken().right_to_left else rect.x
        canvas.fill(rect._replace(x=x, width=warm), self._theme.undoing)

    def _write(self, canvas: Canvas, texts: Iterable[CardText]) -> None:
        for line in texts:
            at, background = (line.x, line.y), line.background
            self._sprites.write(
                canvas, at, line.text, line.face, line.size, line.ink, background=background
            )


def _between(first: Rect, last: Rect, share: float) -> Rect:
    """The rectangle after a share (0..1) of the way. Its edges are rounded one by one, so that
    rectangles that are below each other at both ends are always so."""
    x, y, right, bottom = (
        round(a + (b - a) * share) for a, b in zip(_edges(first), _edges(last), strict=True)
    )
    return Rect(x, y, right - x, bottom - y)


def _edges(rect: Rect) -> tuple[int, int, int, int]:
    return rect.x, rect.y, rect.right, rect.bottom
