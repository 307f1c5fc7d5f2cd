"""Where the texts and the bars of the end card are: each style is tried from the top of the card
on, and the first that fits is used."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil, log10
from typing import NamedTuple

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import fitted, line_height, text_width
from undoku.render.draw.line_breaks import balanced, name_lines
from undoku.render.layout.block_measures import TextSizes
from undoku.render.playback.search_texts import fewer_of, verdict_of
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.language import number as written

FAR_APART = 1000
"""Totals that differ by more than this factor are dots on a log scale, because a proportional bar
would be too short to see. Bars are never on a log scale."""

_MAX_LINES = 2
"""The maximum number of lines of a headline."""

_MAX_NAME_LINES = 3
"""The maximum number of lines of a name."""

_ORDERED_FROM = 3
"""The number of searches from which rows are in the order of their steps, the most first; two are
in the order of their boards."""

_THINNEST = 3
"""The minimum length in pixels of the bar of a search that took a step."""

_MAX_NAME_SHARE, _USUAL_NAME_SHARE = Fraction(1, 2), Fraction(2, 5)
"""Names beside bars get up to the first share of the width if all are whole then, otherwise the
second one."""

_MIN_AXIS = 11
"""The minimum width of the bars beside which there is room for ratios, in sizes of names."""

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


class TextLine(NamedTuple):
    """A line of text and its position."""

    text: str
    face: Face
    size: int
    muted: bool
    x: int
    y: int


class CardBar(NamedTuple):
    """The bar of search number `search` (from 0): the rectangle of its full length, the lines at
    its end, which appear when it is complete, and whether the search was stopped, so that the bar
    would continue."""

    search: int
    rect: Rect
    end: tuple[TextLine, ...]
    stopped: bool


class EndCardPlan(NamedTuple):
    """The arrangement of a card: its `lines`, which are visible from the start, the `bars`, and for
    a log scale its `axis` and `powers`, the number of powers of ten; 0 for a linear scale, which
    begins with 0."""

    lines: tuple[TextLine, ...]
    bars: tuple[CardBar, ...]
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
    margin, safe = width * 3 // 40, safe or Rect(0, 0, width, height)
    x, y = max(margin, safe.x), max(margin // 2, safe.y)
    right, bottom = min(width - margin, safe.right), min(height - margin // 2, safe.bottom)
    area = Rect(x, y, max(1, right - x), max(1, bottom - y))
    verdict = verdict_of(names, tallies, strategies)
    for style in _STYLES:
        card = _Card(style, names, tallies, text, area, safe)
        card.write(verdict.headline, Face.BOLD, style.headline, text.title)
        if len(card.lines) > _MAX_LINES:
            continue
        if style.sentence:
            card.write(verdict.sentence, Face.REGULAR, style.sentence, text.name, muted=True)
        card.add_rows()
        if style.reason and verdict.reason:
            card.y += text.name // 2
            card.write(verdict.reason, Face.REGULAR, 1, text.name)
        is_wide = len(tallies) < 2 or card.axis.width >= _MIN_WIDTH * text.name
        if is_wide and card.y <= area.height:
            return card.plan(area)
    line = fitted(verdict.headline, Face.BOLD, text.name, area.width)
    y = max(safe.y, area.y + (area.height - line_height(Face.BOLD, text.name)) // 2)
    caption = TextLine(line, Face.BOLD, text.name, False, area.x, y)
    return EndCardPlan((caption,), (), Rect(area.x, y, area.width, 0), 0, area)


class _Row(NamedTuple):
    """The search of a row, and the texts at the end of its bar: its number of steps and a note,
    with their widths in pixels."""

    search: int
    name: str
    tally: Tally
    number: str
    note: str
    width: int
    note_width: int


class _Card:
    """The lines and bars of a card in one style, from y = 0 on; `y` is their bottom so far."""

    def __init__(
        self,
        style: _Style,
        names: Sequence[str],
        tallies: Sequence[Tally],
        text: TextSizes,
        area: Rect,
        safe: Rect,
    ) -> None:
        self._style, self._names, self._tallies = style, names, tallies
        self._text, self._safe = text, safe
        self._thick = thick = max(4, round(style.bar * text.name) // 2 * 2)
        steps = [tally.steps for tally in tallies]
        self._longest = max(1, *steps)
        far = self._longest > FAR_APART * max(1, min(steps))
        self._powers = ceil(log10(self._longest)) if far else 0
        x, right = area.x, area.right
        if self._powers:
            # Dots extend beyond their axis by half their width.
            x, right = max(x, safe.x + thick // 2), min(right, safe.right - thick // 2)
        self.axis = Rect(x, 0, right - x, 0)
        self._x, self._right, self._room = x, right, right - x
        self.lines: list[TextLine] = []
        self.bars: list[CardBar] = []
        self.y = 0

    def plan(self, area: Rect) -> EndCardPlan:
        """The plan, in the middle of the height of `area`."""
        top = area.y + (area.height - self.y) // 2

        def lowered(lines: Sequence[TextLine]) -> tuple[TextLine, ...]:
            return tuple(line._replace(y=line.y + top) for line in lines)

        bars = tuple(
            bar._replace(rect=bar.rect._replace(y=bar.rect.y + top), end=lowered(bar.end))
            for bar in self.bars
        )
        axis = self.axis._replace(y=self.axis.y + top)
        return EndCardPlan(lowered(self.lines), bars, axis, self._powers, area)

    def write(
        self, line: str, face: Face, factor: float, size: int, *, muted: bool = False
    ) -> None:
        """Write a text, `factor` times as large as `size`, on as many lines as it needs."""
        pixels = max(self._text.label, round(factor * size))
        for part in balanced(line, face, pixels, self._room):
            short = fitted(part, face, pixels, self._room)
            self.lines.append(TextLine(short, face, pixels, muted, self._x, self.y))
            self.y += line_height(face, pixels)

    def add_rows(self) -> None:
        """Add the note about steps and scale, a row for each search, and the numbers below a log
        scale. The axis is too narrow if a name has no room."""
        name = self._text.name
        if self._style.note:
            self.y += name // 2
            note = say.NOTE_STEP()
            note = f"{note}   {say.NOTE_MARKS()}" if self._powers else note
            self.write(note, Face.REGULAR, 9 / 10, name, muted=True)
        self.y += self._text.title
        if len(self._tallies) < 2:
            return
        if self._style.above:
            self._add_names_above()
        else:
            self._add_names_beside()
        if self._powers and self.axis.width >= _MIN_WIDTH * name:
            self._write_powers()

    def _rows(
        self, numbers: Sequence[str], notes: Sequence[str], small: int, gap: int
    ) -> list[_Row]:
        """The rows from the top, with these numbers and these notes in letters of size `small`,
        before which there are gaps."""
        order = list(range(len(self._tallies)))
        if len(order) >= _ORDERED_FROM:
            order.sort(key=lambda search: -self._tallies[search].steps)
        size = self._text.name
        return [
            _Row(
                search,
                self._names[search],
                self._tallies[search],
                numbers[search],
                notes[search],
                text_width(numbers[search], Face.BOLD, size),
                gap + text_width(notes[search], Face.REGULAR, small),
            )
            for search in order
        ]

    def _length(self, steps: int, room: int) -> int:
        """The length in pixels: linear from 0, or the position on the log scale, which begins with
        1."""
        if self._powers:
            return round(room * log10(max(1, steps)) / self._powers)
        return max(_THINNEST, round(Fraction(steps * room, self._longest))) if steps else 0

    def _add_names_above(self) -> None:
        """Add a row for each search, its name above its bar. Notes are dead ends, and how many
        times fewer steps it took than the longest one, if all notes fit beside the names."""
        size, gap, room, begin = self._text.name, self._text.name // 2, self._room, self.y
        small = max(self._text.label, size * 9 // 10)
        high = line_height(Face.BOLD, size)
        # A number beside a bar is as high as a line.
        thick = self._thick if self._powers else max(self._thick, high)
        numbers = [
            (say.BAR_STOPPED if tally.outcome is Outcome.CAPPED else say.STEPS)(count=tally.steps)
            for tally in self._tallies
        ]
        dead_ends = [say.dead_ends_text(tally.dead_ends) for tally in self._tallies]
        fuller = [
            say.BAR_DEAD_ENDS_FEWER(dead_ends=each, factor=factor) if factor else each
            for each, factor in zip(dead_ends, fewer_of(self._tallies), strict=True)
        ]

        def has_note(row: _Row) -> bool:
            name = text_width(row.name, Face.BOLD, size)
            return name + 2 * gap + row.width + row.note_width <= room

        rows = self._rows(numbers, fuller, small, 2 * gap)
        if not all(map(has_note, rows)):
            rows = self._rows(numbers, dead_ends, small, 2 * gap)
        # Numbers above lines are in one column: all rows have notes or none.
        notes_fit = not self._powers or all(map(has_note, rows))
        for row in rows:
            length, widest = self._length(row.tally.steps, room), row.width + row.note_width
            # A number on the line of a log scale would look crossed out.
            beside = not self._powers and length + gap + row.width <= room
            x = self._right - (widest if notes_fit and has_note(row) else row.width)
            if beside:
                x = self._x + length + gap
            left = room if beside else x - self._x - 2 * gap
            if left < _MIN_WIDTH * size:
                self.axis = Rect(self._x, begin, 0, 0)
                return
            foot = self._write_name(row.name, Rect(self._x, self.y, left, high))
            rect = Rect(self._x, foot + 2, length, thick)
            top = rect.y + (thick - high) // 2 if beside else self.y
            end = [TextLine(row.number, Face.BOLD, size, False, x, top)]
            if x + widest <= self._right:
                top += (high - line_height(Face.REGULAR, small)) // 2
                x += row.width + 2 * gap
                end.append(TextLine(row.note, Face.REGULAR, small, True, x, top))
            self._add_bar(row, rect, end)
            # A dot is clearly nearer to its own name than to the next one.
            self.y = rect.bottom + (thick if self._powers else thick // 2)
        top = begin + high + 2
        self.axis = Rect(self._x, top, room, self.y - top)

    def _add_names_beside(self) -> None:
        """Add a row for each search: its name, its bar and its number side by side."""
        size, gap, begin = self._text.name, self._text.name // 2, self.y
        small = max(self._text.label, size * 4 // 5)
        high = line_height(Face.BOLD, size)
        thick, height = self._thick, max(high, self._thick)
        numbers = [
            (say.BAR_AT_LEAST(steps=tally.steps) if tally.outcome is Outcome.CAPPED
             else written(tally.steps))
            for tally in self._tallies
        ]  # fmt: skip
        notes = [say.BAR_FEWER(factor=each) if each else "" for each in fewer_of(self._tallies)]
        rows = self._rows(numbers, notes, small, 2 * gap)
        left = max(text_width(row.name, Face.BOLD, size) for row in rows)
        if left > self._room * _MAX_NAME_SHARE:
            left = int(self._room * _USUAL_NAME_SHARE)
        right = max(row.width for row in rows)
        room, noted = self._room - left - right - 4 * gap, max(row.note_width for row in rows)
        if not any(notes) or room - noted <= _MIN_AXIS * size:
            noted = 0
        axis = Rect(self._x + left + 2 * gap, begin, max(1, room - noted), 0)
        x = self._right - right - noted
        for row in rows:
            top = self.y + (height - high) // 2
            foot = self._write_name(row.name, Rect(self._x, top, left, high))
            middle = (top + foot) // 2
            length = self._length(row.tally.steps, axis.width)
            end = [TextLine(row.number, Face.BOLD, size, False, x, middle - high // 2)]
            if noted and row.note:
                above = middle - line_height(Face.REGULAR, small) // 2
                after = x + right + 2 * gap
                end.append(TextLine(row.note, Face.REGULAR, small, True, after, above))
            self._add_bar(row, Rect(axis.x, middle - thick // 2, length, thick), end)
            self.y = max(self.y + height, foot + (height - high) // 2) + size // 4
        self.axis = axis._replace(height=self.y - begin)

    def _add_bar(self, row: _Row, rect: Rect, end: Sequence[TextLine]) -> None:
        stopped = row.tally.outcome is Outcome.CAPPED
        self.bars.append(CardBar(row.search, rect, tuple(end), stopped))

    def _write_name(self, name: str, line: Rect) -> int:
        """Write a name on lines of which the first is `line`; returns the bottom of the last."""
        size, y = self._text.name, line.y
        for part in name_lines(name, Face.BOLD, size, line.width, _MAX_NAME_LINES):
            self.lines.append(TextLine(part, Face.BOLD, size, False, line.x, y))
            y += line.height
        return y

    def _write_powers(self) -> None:
        """Write the numbers below the marks of a log scale, from the left to the right of the safe
        part. If there is no room for all, they are shorter, then only below every second mark,
        every third, …"""
        powers, safe = self._powers, self._safe
        size = max(self._text.label, self._text.name * 3 // 4)
        for stride, spell in product(range(1, powers + 2), (written, say.short_number)):
            found, free = list[TextLine](), safe.x
            for power in range(0, powers + 1, stride):
                caption = spell(10**power)
                wide = text_width(caption, Face.REGULAR, size)
                x = self.axis.x + round(self.axis.width * power / powers) - wide // 2
                x = max(safe.x, min(x, safe.right - wide))
                if x < free:
                    break
                found.append(TextLine(caption, Face.REGULAR, size, True, x, self.y))
                free = x + wide + size // 2
            else:
                self.lines += found
                break
        self.y += line_height(Face.REGULAR, size)
