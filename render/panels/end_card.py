"""The end card: one line that says what the viewer saw, and a chart of the totals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import Align, SpriteBook
from render.layout.page import TextSizes
from render.panels.contract import Moment, Panel
from render.panels.end_card_chart import Bar, CardChart, details_height, fact_lines
from render.panels.end_card_process import CardPress
from render.style.lettering import Face, line_height, wrapped
from render.style.theme import Colour
from solver.trace import Outcome, Tally

__all__ = ["CardPanel", "counted", "summary"]


def summary(names: Sequence[str], tallies: Sequence[Tally]) -> str:
    """What happened, in one line, as "mrv needed 1/33 of the steps of row-major"."""
    if len(tallies) == 1:
        tally = tallies[0]
        done = {Outcome.SOLVED: "solved it in", Outcome.EXHAUSTED: "searched the whole tree in",
                Outcome.CAPPED: "was stopped after"}[tally.outcome]  # fmt: skip
        backtracks = counted(tally.backtracks, "backtrack")
        return f"{names[0]} {done} {counted(tally.steps, 'step')}, {backtracks}"
    # A capped search didn't arrive, so it can't be called the shortest.
    arrived = [n for n, tally in enumerate(tallies) if tally.outcome is not Outcome.CAPPED]
    if not arrived:
        return "no search came to its end: all were capped"
    best = min(arrived, key=lambda n: tallies[n].steps)
    worst = max(range(len(tallies)), key=lambda n: tallies[n].steps)
    took = f"took {counted(tallies[best].steps, 'step')}"
    if tallies[best].steps == tallies[worst].steps:
        if len(arrived) == len(tallies):
            return f"all {took}"
        first = [names[n] for n in arrived if tallies[n].steps == tallies[best].steps]
        capped = [names[n] for n in range(len(tallies)) if n not in arrived]
        were = "was" if len(capped) == 1 else "were"
        return f"{listed(first)} {took}; {listed(capped)} {were} capped"
    if not tallies[best].steps:
        return f"{names[best]} {took}, {names[worst]} {tallies[worst].steps:,}"
    share = f"{ratio(tallies[best].steps, tallies[worst].steps)} of the steps"
    if tallies[worst].outcome is Outcome.CAPPED:
        share = f"less than {share}"
    return f"{names[best]} needed {share} of {names[worst]}"


def counted(number: int, thing: str) -> str:
    """ "1 step", "534 steps" """
    return f"{number:,} {thing}{'s' * (number != 1)}"


def listed(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c" """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def ratio(small: int, large: int) -> str:
    """1/33 where that is within a twentieth of the truth, else a percentage."""
    if small:
        parts = round(Fraction(large, small))
        if parts >= 2 and abs(Fraction(parts * small, large) - 1) <= Fraction(1, 20):
            return f"1/{parts:,}"
    share = Fraction(100 * small, large)
    return f"{round(share)} %" if share < 99 else "almost all"


class CardPanel(Panel):
    """Covers the whole picture, once. `order` may be called before, so that the chart is ready by
    then; `close` when no frame follows any more. `several`: see CardPress."""

    def __init__(
        self,
        names: Sequence[str],
        tallies: Sequence[Tally],
        title: str,
        sprites: SpriteBook,
        text: TextSizes,
        size: tuple[int, int],
        *,
        several: bool = False,
    ) -> None:
        self._title = title
        self._sprites = sprites
        self._text = text
        self._drawn = False
        width, height = size
        self._margin = width // 10
        room = width - 2 * self._margin
        self._sentence = wrapped(summary(names, tallies), Face.BOLD, text.title, room)
        line, gap = line_height(Face.BOLD, text.title), text.title
        head = line_height(Face.REGULAR, text.name) if title else 0
        self._above = head + gap // 2 + line * len(self._sentence) + gap + gap // 2
        bars = tuple(
            Bar(
                name,
                tally.steps,
                (
                    counted(tally.nodes, "node"),
                    counted(tally.backtracks, "backtrack"),
                    counted(tally.dead_ends, "dead end"),
                    f"depth {tally.max_depth:,}",
                ),
                tally.outcome is Outcome.CAPPED,
            )
            for name, tally in zip(names, tallies, strict=True)
        )
        # More room than this would only make thicker bars.
        lines = max(len(fact_lines(bar.facts, text.label, room - text.label)) for bar in bars)
        row = 4.5 * text.name + details_height(lines, text.label)
        high = round(len(bars) * row + 4 * text.label)
        least = len(bars) * text.name
        left = height - self._above - 2 * gap
        chart = CardChart(
            bars, room, max(least, min(left, high)), text.name, text.label, sprites.theme
        )
        self._chart = chart if chart.height <= max(left, height - self._above) else None
        self._press = CardPress(chart, several=several)

    def order(self) -> None:
        """Have the chart drawn."""
        if self._chart:
            self._press.order()

    def close(self) -> None:
        """Give up what was ordered."""
        self._press.close()

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        del moment
        if self._drawn:
            return
        self._drawn = True
        theme, text = self._sprites.theme, self._text
        canvas.fill(Rect(0, 0, canvas.width, canvas.height), theme.ground)
        whole = self._above + (self._chart.height if self._chart else 0)
        top = y = max(0, (canvas.height - whole) // 2)
        if self._title:
            self._line(canvas, self._title, Face.REGULAR, text.name, theme.muted, y)
            y += line_height(Face.REGULAR, text.name)
        y += text.title // 2
        for part in self._sentence:
            self._line(canvas, part, Face.BOLD, text.title, theme.text, y)
            y += line_height(Face.BOLD, text.title)
        if self._chart:
            canvas.put(self._press.pixels(), self._margin, top + self._above)

    def _line(self, canvas: Canvas, text: str, face: Face, size: int, ink: Colour, y: int) -> None:
        room = canvas.width - 2 * self._margin
        sprite = self._sprites.text(text, face, size, ink, room, align=Align.CENTRE)
        if y + sprite.pixels.shape[0] <= canvas.height:
            canvas.blit(sprite, self._margin, y)
