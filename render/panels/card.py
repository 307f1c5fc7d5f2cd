"""The end card: one line that says what the viewer saw, and a bar for each search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

import numpy as np

from render.canvas import Canvas, Rect
from render.layout import TextSizes
from render.lettering import Face, line_height, text_width
from render.panels.charts import paint_depths
from render.panels.contract import Moment, Panel
from render.panels.depth import tints_of_rows
from render.recorders.history import History
from render.sprites import Align, SpriteBook
from solver.trace import Outcome, Tally

__all__ = ["CardPanel", "summary"]


def summary(names: Sequence[str], tallies: Sequence[Tally]) -> str:
    """What happened, in one line, as "mrv: 1/33 of the steps of row-major"."""
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
    return f"{names[best]}: {share} of {names[worst]}"


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


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    number: str
    detail: str
    share: Fraction
    capped: bool
    history: History | None


class CardPanel(Panel):
    """Covers the whole picture, once. With `histories`, which must share one scale of steps, each
    search has its depth over time; without, a bar."""

    def __init__(
        self,
        names: Sequence[str],
        tallies: Sequence[Tally],
        title: str,
        sprites: SpriteBook,
        text: TextSizes,
        histories: Sequence[History] = (),
    ) -> None:
        self._title = title
        self._sprites = sprites
        self._text = text
        self._summary = summary(names, tallies)
        longest = max((tally.steps for tally in tallies), default=0) or 1
        self._rows = [
            _Row(
                name,
                counted(tally.steps, "step") + " (capped)" * (tally.outcome is Outcome.CAPPED),
                f"{counted(tally.nodes, 'node')}, {counted(tally.backtracks, 'backtrack')}, "
                f"{counted(tally.dead_ends, 'dead end')}, depth {tally.max_depth:,}",
                Fraction(tally.steps, longest),
                tally.outcome is Outcome.CAPPED,
                history if history and len(history.high) else None,
            )
            for name, tally, history in zip_longest(names, tallies, histories)
        ]
        self._deepest = max((tally.max_depth for tally in tallies), default=0)
        self._drawn = False

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        del moment
        if self._drawn:
            return
        self._drawn = True
        theme, text = self._sprites.theme, self._text
        width = canvas.width
        margin = width // 10
        room = width - 2 * margin
        canvas.fill(Rect(0, 0, width, canvas.height), theme.ground)
        sentence = self._sentence_lines(room)
        line = line_height(Face.BOLD, text.title)
        head = line_height(Face.REGULAR, text.name) if self._title else 0
        gap = text.title
        above = head + gap // 2 + line * len(sentence) + gap + gap // 2
        chart, detail = self._row_parts(canvas.height - above - gap)
        row = line_height(Face.REGULAR, text.name) + chart + detail + text.name
        whole = above + row * len(self._rows) - text.name
        y = max(0, (canvas.height - whole) // 2)
        if self._title:
            self._line(canvas, self._title, Face.REGULAR, text.name, theme.muted, y, margin)
        y += head + gap // 2
        for part in sentence:
            self._line(canvas, part, Face.BOLD, text.title, theme.text, y, margin)
            y += line
        y += gap + gap // 2
        for entry in self._rows:
            self._draw_row(canvas, entry, Rect(margin, y, room, row - text.name), chart, detail)
            y += row

    def _sentence_lines(self, room: int) -> list[str]:
        """The sentence on one line or more, broken between words."""
        lines: list[str] = []
        for word in self._summary.split():
            joined = f"{lines[-1]} {word}" if lines else word
            if lines and text_width(joined, Face.BOLD, self._text.title) <= room:
                lines[-1] = joined
            else:
                lines.append(word)
        return lines

    def _line(
        self,
        canvas: Canvas,
        text: str,
        face: Face,
        size: int,
        ink: tuple[int, int, int],
        y: int,
        margin: int,
    ) -> None:
        room = canvas.width - 2 * margin
        sprite = self._sprites.text(text, face, size, ink, room, align=Align.CENTRE)
        if y + sprite.pixels.shape[0] <= canvas.height:
            canvas.blit(sprite, margin, y)

    def _row_parts(self, room: int) -> tuple[int, int]:
        """The heights of a row's chart and of its details, 0 where `room` is too small for them."""
        text = self._text
        name = line_height(Face.REGULAR, text.name) + text.name
        bar = max(4, text.name // 2) + 2
        each = room // max(1, len(self._rows))
        detail = line_height(Face.REGULAR, text.label) + 4
        if each < name + bar + detail:
            return bar, 0
        if any(row.history is None for row in self._rows):
            return bar, detail
        chart = min(4 * text.name, each - name - detail)
        return (chart if chart >= 2 * text.name else bar), detail

    def _draw_row(self, canvas: Canvas, entry: _Row, box: Rect, chart: int, detail: int) -> None:
        theme, size = self._sprites.theme, self._text.name
        height = line_height(Face.REGULAR, size)
        if box.bottom > canvas.height:
            return
        number_width = min(text_width(entry.number, Face.REGULAR, size), box.width // 2)
        name_width = box.width - number_width - size
        name = self._sprites.text(entry.name, Face.BOLD, size, theme.text, name_width)
        number = self._sprites.text(
            entry.number, Face.REGULAR, size, theme.text, number_width, align=Align.RIGHT
        )
        canvas.blit(name, box.x, box.y)
        canvas.blit(number, box.right - number_width, box.y)
        bar = Rect(box.x, box.y + height + 2, box.width, chart - 2)
        canvas.fill(bar, theme.track)
        filled = max(2, round(box.width * entry.share))
        high = bar.height
        if entry.history and chart >= 2 * size:
            self._draw_depths(canvas, entry.history, bar, filled)
            high = max(2, bar.height // 14)  # a search that was never deep is seen all the same
        colour = theme.undoing if entry.capped else theme.accent
        canvas.fill(Rect(bar.x, bar.bottom - high, filled, high), colour)
        if detail:
            line = self._sprites.text(
                entry.detail, Face.REGULAR, self._text.label, theme.muted, box.width
            )
            canvas.blit(line, box.x, bar.bottom + 2)

    def _draw_depths(self, canvas: Canvas, history: History, bar: Rect, filled: int) -> None:
        """The depth over time of a whole search, in the first `filled` columns."""
        theme = self._sprites.theme
        columns = np.arange(filled) * max(1, history.reached) // filled
        bright, dim = tints_of_rows(theme, bar.height, max(1, self._deepest))
        paint_depths(
            canvas.pixels,
            bar.x,
            bar.y,
            0,
            filled,
            max(1, self._deepest),
            max(1, round(bar.height / 40)),
            history.low[columns],
            history.high[columns],
            bright,
            dim,
            np.array(theme.track, np.uint8),
        )
        canvas.touch(Rect(bar.x, bar.y, filled, bar.height))
