"""The arrangement of the end card: its words, and a bar for the steps of each search."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil, log10
from typing import NamedTuple

from render.drawing.canvas import Rect
from render.layout.page import TextSizes
from render.panels.verdict import Verdict, verdict_of
from render.style.lettering import Face, fitted, line_height, text_width
from render.style.line_breaks import balanced
from render.style.name_lines import name_lines
from render.texts import wording as say
from render.texts.language import number
from render.texts.wording import short_number
from solver.trace import Outcome, Tally

__all__ = ["FAR_APART", "CardBar", "EndCardPlan", "TextLine", "plan_card"]

FAR_APART = 1000
"""Totals that differ by more than this factor are dots on a log scale, because a proportional bar
would be too short to see. Bars are never on a log scale."""

_THINNEST = 3
"""The minimum length in pixels of the bar of a search that took a step."""

_MAX_LINES = 2
"""The maximum number of lines of a headline."""

_ORDERED_FROM = 3
"""The number of searches from which rows are in the order of their steps, the most first; two are
in the order of their boards."""

_MAX_NAME_LINES = 3
"""The maximum number of lines of a name."""

_MAX_NAME_SHARE, _USUAL_NAME_SHARE = Fraction(1, 2), Fraction(2, 5)
"""Names beside bars get up to the first share of the width if all are whole then, otherwise the
second one."""

_MIN_WIDTH = 3
"""The minimum width of a bar or of a name beside a number, in sizes of names."""


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


class CardBar(NamedTuple):
    """The bar of search number `search` (from 0): the rectangle of its full length, its name, the
    text at its end, and whether the search was stopped, so that the bar would continue."""

    rect: Rect
    name: str
    number: str
    steps: int
    stopped: bool
    search: int = 0


class TextLine(NamedTuple):
    """A line of text and its position."""

    text: str
    face: Face
    size: int
    muted: bool
    x: int
    y: int


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
        place = _above if style.above else _beside
        order = _row_order(tallies)
        rows = [names[number] for number in order], [tallies[number] for number in order]
        axis, y = place(*rows, text, thick, axis, powers, lines, bars, ends)
        bars = [bar._replace(search=number) for bar, number in zip(bars, order, strict=False)]
        if axis.width < _MIN_WIDTH * text.name:
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


def _number(tally: Tally) -> str:
    stopped = tally.outcome is Outcome.CAPPED
    return say.BAR_STOPPED(count=tally.steps) if stopped else say.STEPS(count=tally.steps)


def _length(steps: int, longest: int, room: int, powers: int) -> int:
    """The length in pixels: linear from 0, or the position on the log scale, which begins with
    1."""
    if powers:
        return round(room * log10(max(1, steps)) / powers)
    return max(_THINNEST, round(Fraction(steps * room, longest))) if steps else 0


def _above(
    names: Sequence[str],
    tallies: Sequence[Tally],
    text: TextSizes,
    thick: int,
    area: Rect,
    powers: int,
    lines: list[TextLine],
    bars: list[CardBar],
    ends: list[tuple[TextLine, ...]],
) -> tuple[Rect, int]:
    """A row for each search, its name above its bar. Returns the rectangle of the axis, with a
    width of 0 if a name has no room, and the bottom."""
    size, gap, y = text.name, text.name // 2, area.y
    high = line_height(Face.BOLD, size)
    if not powers:
        thick = max(thick, high)  # a number beside a bar is as high as a line
    longest = max(1, *(tally.steps for tally in tallies))
    small = max(text.label, size * 9 // 10)
    numbers = [(_number(tally), say.dead_ends_text(tally.dead_ends)) for tally in tallies]
    widths = [
        (text_width(steps, Face.BOLD, size), 2 * gap + text_width(back, Face.REGULAR, small))
        for steps, back in numbers
    ]
    # Numbers above lines are in one column: all rows have dead ends or none.
    back_there = not powers or all(
        text_width(name, Face.BOLD, size) + 2 * gap + sum(wide) <= area.width
        for name, wide in zip(names, widths, strict=True)
    )
    for name, tally, (caption, back), (wide, back_wide) in zip(
        names, tallies, numbers, widths, strict=True
    ):
        length = _length(tally.steps, longest, area.width, powers)
        widest = wide + back_wide
        # A number on the line of a log scale would look crossed out.
        beside = not powers and length + gap + wide <= area.width
        there = back_there and widest + 2 * gap + text_width(name, Face.BOLD, size) <= area.width
        x = area.x + length + gap if beside else area.right - (widest if there else wide)
        room = area.width if beside else x - area.x - 2 * gap
        if room < _MIN_WIDTH * size:
            return Rect(area.x, area.y, 0, 0), y
        foot = _write_name(name, size, Rect(area.x, y, room, high), lines)
        rect = Rect(area.x, foot + 2, length, thick)
        top = rect.y + (thick - high) // 2 if beside else y
        end = [TextLine(caption, Face.BOLD, size, False, x, top)]
        if x + widest <= area.right:
            lowered = high - line_height(Face.REGULAR, small)
            end.append(
                TextLine(back, Face.REGULAR, small, True, x + wide + 2 * gap, top + lowered // 2)
            )
        stopped = tally.outcome is Outcome.CAPPED
        bars.append(CardBar(rect, name, caption, tally.steps, stopped))
        ends.append(tuple(end))
        # A dot is clearly nearer to its own name than to the next one.
        y = rect.bottom + (thick if powers else thick // 2)
    return Rect(area.x, area.y + high + 2, area.width, y - area.y - high - 2), y


def _beside(
    names: Sequence[str],
    tallies: Sequence[Tally],
    text: TextSizes,
    thick: int,
    area: Rect,
    powers: int,
    lines: list[TextLine],
    bars: list[CardBar],
    ends: list[tuple[TextLine, ...]],
) -> tuple[Rect, int]:
    """A row for each search: its name, its bar and its number side by side."""
    size, gap, y = text.name, text.name // 2, area.y
    high = line_height(Face.BOLD, size)
    row = max(high, thick)
    longest = max(1, *(tally.steps for tally in tallies))
    numbers = [
        say.BAR_AT_LEAST(steps=tally.steps)
        if tally.outcome is Outcome.CAPPED
        else number(tally.steps)
        for tally in tallies
    ]
    left = max(text_width(name, Face.BOLD, size) for name in names)
    if left > area.width * _MAX_NAME_SHARE:
        left = int(area.width * _USUAL_NAME_SHARE)
    right = max(text_width(caption, Face.BOLD, size) for caption in numbers)
    axis = Rect(area.x + left + 2 * gap, area.y, max(1, area.width - left - right - 4 * gap), 0)
    for name, tally, caption in zip(names, tallies, numbers, strict=True):
        length = _length(tally.steps, longest, axis.width, powers)
        top = y + (row - high) // 2
        foot = _write_name(name, size, Rect(area.x, top, left, high), lines)
        middle = (top + foot) // 2
        rect = Rect(axis.x, middle - thick // 2, length, thick)
        stopped = tally.outcome is Outcome.CAPPED
        bars.append(CardBar(rect, name, caption, tally.steps, stopped))
        x = area.x + area.width - right
        ends.append((TextLine(caption, Face.BOLD, size, False, x, middle - high // 2),))
        y = max(y + row, foot + (row - high) // 2) + size // 4
    return Rect(axis.x, area.y, axis.width, y - area.y), y


def _write_name(name: str, size: int, line: Rect, lines: list[TextLine]) -> int:
    """Write a name on lines of which the first is `line`; returns the bottom of the last."""
    y = line.y
    for part in name_lines(name, Face.BOLD, size, line.width, _MAX_NAME_LINES):
        lines.append(TextLine(part, Face.BOLD, size, False, line.x, y))
        y += line.height
    return y


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
