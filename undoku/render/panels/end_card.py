"""The end card: the result of the searches, in large letters, and a bar for the steps of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil, log10
from typing import NamedTuple

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.lettering import Face, fitted, line_height, text_width
from undoku.render.draw.line_breaks import balanced
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.end_card_rows import (
    MIN_WIDTH,
    CardBar,
    CardSearches,
    TextLine,
    names_above,
    names_beside,
)
from undoku.render.panels.panel import Moment, Panel
from undoku.render.playback.search_texts import Verdict, verdict_of
from undoku.solver.trace.trace import Tally
from undoku.texts import wording as say
from undoku.texts.language import number
from undoku.texts.wording import short_number

__all__ = ["FAR_APART", "EndCardPanel", "EndCardPlan", "plan_card"]

FAR_APART = 1000
"""Totals that differ by more than this factor are dots on a log scale, because a proportional bar
would be too short to see. Bars are never on a log scale."""

_MAX_LINES = 2
"""The maximum number of lines of a headline."""

_ORDERED_FROM = 3
"""The number of searches from which rows are in the order of their steps, the most first; two are
in the order of their boards."""


class _Style(NamedTuple):
    """Sizes of a card, as factors: of the headline and the sentence in sizes of the film's title
    and names, of a bar's height in sizes of its name; whether names stand above the bars or beside
    them; whether the reason and the note are there."""

    headline: float
    sentence: float
    bar: float
    above: bool
    reason: bool
    note: bool


_STYLES = (
    _Style(5 / 2, 3 / 2, 5 / 2, above=True, reason=True, note=True),
    _Style(9 / 4, 5 / 4, 2, above=True, reason=True, note=True),
    _Style(7 / 4, 1, 3 / 2, above=True, reason=True, note=True),
    _Style(3 / 2, 1, 3 / 4, above=True, reason=True, note=True),
    _Style(3 / 2, 1, 3 / 2, above=False, reason=True, note=True),
    _Style(3 / 2, 1, 1, above=True, reason=True, note=False),
    _Style(3 / 2, 1, 1, above=False, reason=True, note=False),
    _Style(5 / 4, 1, 1, above=False, reason=True, note=False),
    _Style(5 / 4, 1, 1, above=False, reason=False, note=False),
    _Style(1, 0, 1, above=False, reason=False, note=False),
)
"""The styles from the richest to the simplest; the first that fits is used."""


class EndCardPlan(NamedTuple):
    """The arrangement of a card: its `lines`, which are visible from the start, the `bars`, the
    lines at their ends, which appear when a bar is complete, and for a log scale its `axis` and
    `powers`, the number of powers of ten; 0 for a linear scale, which begins with 0."""

    lines: tuple[TextLine, ...]
    bars: tuple[CardBar, ...]
    ends: tuple[tuple[TextLine, ...], ...]
    axis: Rect
    powers: int
    area: Rect
    """The area that contains all of it."""


def plan_card(
    names: Sequence[str],
    tallies: Sequence[Tally],
    text: TextSizes,
    width: int,
    height: int,
    safe: Rect | None = None,
    strategies: Sequence[str] = (),
) -> EndCardPlan:
    """The plan of a card of `width` × `height` pixels, of which only the part `safe` (by default
    all) is used, about searches with these `strategies`, if they are known. If there is no room for
    bars, there is only the headline."""
    margin, safe = _margin(width), safe or Rect(0, 0, width, height)
    x, y = max(margin, safe.x), max(margin // 2, safe.y)
    right, bottom = min(width - margin, safe.right), min(height - margin // 2, safe.bottom)
    area = Rect(x, y, max(1, right - x), max(1, bottom - y))
    verdict = verdict_of(names, tallies, strategies)
    plans = (_planned(style, verdict, names, tallies, text, area, safe) for style in _STYLES)
    found = next(filter(None, plans), None)
    if found:
        return found
    line = fitted(verdict.headline, Face.BOLD, text.name, area.width)
    y = max(safe.y, area.y + (area.height - line_height(Face.BOLD, text.name)) // 2)
    caption = TextLine(line, Face.BOLD, text.name, False, area.x, y)
    return EndCardPlan((caption,), (), (), Rect(area.x, y, area.width, 0), 0, area)


def _margin(width: int) -> int:
    return width * 3 // 40


def _planned(
    style: _Style,
    verdict: Verdict,
    names: Sequence[str],
    tallies: Sequence[Tally],
    text: TextSizes,
    area: Rect,
    safe: Rect,
) -> EndCardPlan | None:
    """The plan in one style; None if it does not fit into `area`."""
    thick = max(4, round(style.bar * text.name) // 2 * 2)
    longest = max(tally.steps for tally in tallies)
    fewest = max(1, min(tally.steps for tally in tallies))
    powers = ceil(log10(longest)) if longest > FAR_APART * fewest else 0
    if powers:
        # Dots extend beyond their axis by half their width.
        left = max(area.x, safe.x + thick // 2)
        area = area._replace(x=left, width=min(area.right, safe.right - thick // 2) - left)
    margin, room = area.x, area.width
    lines: list[TextLine] = []
    y = 0

    def write(line: str, face: Face, factor: float, size: int, *, muted: bool = False) -> None:
        nonlocal y
        pixels = max(text.label, round(factor * size))
        for part in balanced(line, face, pixels, room):
            lines.append(TextLine(fitted(part, face, pixels, room), face, pixels, muted, margin, y))
            y += line_height(face, pixels)

    write(verdict.headline, Face.BOLD, style.headline, text.title)
    if len(lines) > _MAX_LINES:
        return None
    if style.sentence:
        write(verdict.sentence, Face.REGULAR, style.sentence, text.name, muted=True)
    if style.note:
        y += text.name // 2
        note = f"{say.NOTE_STEP()}   {say.NOTE_MARKS()}" if powers else say.NOTE_STEP()
        write(note, Face.REGULAR, 9 / 10, text.name, muted=True)
    y += text.title
    bars: list[CardBar] = []
    ends: list[tuple[TextLine, ...]] = []
    axis = Rect(margin, y, room, 0)
    if len(tallies) > 1:
        place = names_above if style.above else names_beside
        order = _row_order(tallies)
        searches = CardSearches(
            [names[number] for number in order],
            [tallies[number] for number in order],
            text,
            thick,
            powers,
        )
        more, rows, ends, axis, y = place(searches, axis)
        lines += more
        bars = [bar._replace(search=number) for bar, number in zip(rows, order, strict=False)]
        if axis.width < MIN_WIDTH * text.name:
            return None
        if powers:
            y = _write_powers(axis, powers, text, lines, y, safe)
    if style.reason and verdict.reason:
        y += text.name // 2
        write(verdict.reason, Face.REGULAR, 1, text.name)
    if y > area.height:
        return None
    top = area.y + (area.height - y) // 2
    return EndCardPlan(
        tuple(line._replace(y=line.y + top) for line in lines),
        tuple(bar._replace(rect=_lowered(bar.rect, top)) for bar in bars),
        tuple(tuple(line._replace(y=line.y + top) for line in end) for end in ends),
        _lowered(axis, top),
        powers,
        area,
    )


def _row_order(tallies: Sequence[Tally]) -> list[int]:
    """The numbers of the searches, from the first row to the last."""
    order = list(range(len(tallies)))
    if len(order) >= _ORDERED_FROM:
        order.sort(key=lambda number: -tallies[number].steps)
    return order


def _lowered(rect: Rect, by: int) -> Rect:
    return Rect(rect.x, rect.y + by, rect.width, rect.height)


def _write_powers(
    axis: Rect, powers: int, text: TextSizes, lines: list[TextLine], y: int, safe: Rect
) -> int:
    """Write the numbers below the marks of a log scale, from the left to the right of `safe`. If
    there is no room for all, they are shorter, then only below every second mark, every third, …"""
    size = max(text.label, text.name * 3 // 4)
    for stride, written in product(range(1, powers + 2), (number, short_number)):
        found, free = list[TextLine](), safe.x
        for power in range(0, powers + 1, stride):
            caption = written(10**power)
            wide = text_width(caption, Face.REGULAR, size)
            x = axis.x + round(axis.width * power / powers) - wide // 2
            x = max(safe.x, min(x, safe.right - wide))
            if x < free:
                break
            found.append(TextLine(caption, Face.REGULAR, size, True, x, y))
            free = x + wide + size // 2
        else:
            lines += found
            break
    return y + line_height(Face.REGULAR, size)


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
        for row, bar in enumerate(plan.bars):
            if row in self._complete:
                continue
            reach = round(grown * plan.axis.width)
            length = min(bar.rect.width, reach)
            colour = theme.search_colour(bar.search)
            if plan.powers:
                self._move_dot(canvas, bar, length, self._drawn[row], colour)
            elif length > self._drawn[row]:
                old = self._drawn[row]
                canvas.fill(
                    Rect(bar.rect.x + old, bar.rect.y, length - old, bar.rect.height), colour
                )
            self._drawn[row] = length
            if reach >= bar.rect.width:
                self._complete.add(row)
                if bar.stopped:
                    self._cut(canvas, bar)
                for line in plan.ends[row]:
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
        for gap_number in (1, 3):
            x = bar.rect.right - (gap_number + 1) * gap
            if x > bar.rect.x:
                canvas.fill(Rect(x, bar.rect.y, gap, bar.rect.height), ground)
