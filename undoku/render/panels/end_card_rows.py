"""The rows of the end card: the name of each search, a bar for its steps, and their number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log10
from typing import NamedTuple

from undoku.render.draw.canvas import Rect
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.line_breaks import name_lines
from undoku.render.layout.block_measures import TextSizes
from undoku.render.playback.search_texts import fewer_of
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.language import number

__all__ = [
    "MIN_WIDTH",
    "CardBar",
    "CardRows",
    "CardSearches",
    "TextLine",
    "names_above",
    "names_beside",
]

_THINNEST = 3
"""The minimum length in pixels of the bar of a search that took a step."""

_MAX_NAME_LINES = 3
"""The maximum number of lines of a name."""

_MAX_NAME_SHARE, _USUAL_NAME_SHARE = Fraction(1, 2), Fraction(2, 5)
"""Names beside bars get up to the first share of the width if all are whole then, otherwise the
second one."""

_MIN_AXIS = 11
"""The minimum width of the bars beside which there is room for ratios, in sizes of names."""

MIN_WIDTH = 3
"""The minimum width of a bar or of a name beside a number, in sizes of names."""


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


class CardSearches(NamedTuple):
    """The searches of the rows, from the top: their names and counts; the sizes of texts, the
    thickness of the bars, and the power of ten at the end of a log scale, 0 for a linear scale."""

    names: Sequence[str]
    tallies: Sequence[Tally]
    text: TextSizes
    thick: int
    powers: int


class CardRows(NamedTuple):
    """Rows: their lines of text, their bars, the texts at the end of each bar, the rectangle of the
    axis, and the bottom."""

    lines: list[TextLine]
    bars: list[CardBar]
    ends: list[tuple[TextLine, ...]]
    axis: Rect
    bottom: int


def _number(tally: Tally) -> str:
    stopped = tally.outcome is Outcome.CAPPED
    return say.BAR_STOPPED(count=tally.steps) if stopped else say.STEPS(count=tally.steps)


def _length(steps: int, longest: int, room: int, powers: int) -> int:
    """The length in pixels: linear from 0, or the position on the log scale, which begins with
    1."""
    if powers:
        return round(room * log10(max(1, steps)) / powers)
    return max(_THINNEST, round(Fraction(steps * room, longest))) if steps else 0


def names_above(searches: CardSearches, area: Rect) -> CardRows:
    """A row for each search, its name above its bar, from the top of `area` on. The axis has a
    width of 0 if a name has no room."""
    names, tallies, text, thick, powers = searches
    lines: list[TextLine] = []
    bars: list[CardBar] = []
    ends: list[tuple[TextLine, ...]] = []
    size, gap, y = text.name, text.name // 2, area.y
    high = line_height(Face.BOLD, size)
    if not powers:
        thick = max(thick, high)  # a number beside a bar is as high as a line
    longest = max(1, *(tally.steps for tally in tallies))
    small = max(text.label, size * 9 // 10)
    numbers, widths = _numbers_with_notes(tallies, names, size, small, area.width, gap)
    # Numbers above lines are in one column: all rows have notes or none.
    notes_fit = not powers or all(
        text_width(name, Face.BOLD, size) + 2 * gap + sum(wide) <= area.width
        for name, wide in zip(names, widths, strict=True)
    )
    for name, tally, (caption, note), (wide, note_wide) in zip(
        names, tallies, numbers, widths, strict=True
    ):
        length = _length(tally.steps, longest, area.width, powers)
        widest = wide + note_wide
        # A number on the line of a log scale would look crossed out.
        beside = not powers and length + gap + wide <= area.width
        there = notes_fit and widest + 2 * gap + text_width(name, Face.BOLD, size) <= area.width
        x = area.x + length + gap if beside else area.right - (widest if there else wide)
        room = area.width if beside else x - area.x - 2 * gap
        if room < MIN_WIDTH * size:
            return CardRows(lines, bars, ends, Rect(area.x, area.y, 0, 0), y)
        foot = _write_name(name, size, Rect(area.x, y, room, high), lines)
        rect = Rect(area.x, foot + 2, length, thick)
        top = rect.y + (thick - high) // 2 if beside else y
        end = [TextLine(caption, Face.BOLD, size, False, x, top)]
        if x + widest <= area.right:
            lowered = high - line_height(Face.REGULAR, small)
            end.append(
                TextLine(note, Face.REGULAR, small, True, x + wide + 2 * gap, top + lowered // 2)
            )
        stopped = tally.outcome is Outcome.CAPPED
        bars.append(CardBar(rect, name, caption, tally.steps, stopped))
        ends.append(tuple(end))
        # A dot is clearly nearer to its own name than to the next one.
        y = rect.bottom + (thick if powers else thick // 2)
    axis = Rect(area.x, area.y + high + 2, area.width, y - area.y - high - 2)
    return CardRows(lines, bars, ends, axis, y)


def _numbers_with_notes(
    tallies: Sequence[Tally], names: Sequence[str], size: int, small: int, room: int, gap: int
) -> tuple[list[tuple[str, str]], list[tuple[int, int]]]:
    """The number of each search and the note after it, with their widths: its dead ends, and how
    many times fewer steps it took than the longest one, if all notes fit beside the names."""
    dead_ends = [say.dead_ends_text(tally.dead_ends) for tally in tallies]
    fuller = [
        say.BAR_DEAD_ENDS_FEWER(dead_ends=each, factor=factor) if factor else each
        for each, factor in zip(dead_ends, fewer_of(tallies), strict=True)
    ]
    for notes in (fuller, dead_ends):
        numbers = [(_number(tally), note) for tally, note in zip(tallies, notes, strict=True)]
        widths = [
            (text_width(steps, Face.BOLD, size), 2 * gap + text_width(note, Face.REGULAR, small))
            for steps, note in numbers
        ]
        if all(
            text_width(name, Face.BOLD, size) + 2 * gap + sum(wide) <= room
            for name, wide in zip(names, widths, strict=True)
        ):
            break
    return numbers, widths


def names_beside(searches: CardSearches, area: Rect) -> CardRows:
    """A row for each search: its name, its bar and its number side by side, from the top of `area`
    on."""
    names, tallies, text, thick, powers = searches
    lines: list[TextLine] = []
    bars: list[CardBar] = []
    ends: list[tuple[TextLine, ...]] = []
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
    small = max(text.label, size * 4 // 5)
    notes = [say.BAR_FEWER(factor=each) if each else "" for each in fewer_of(tallies)]
    widest = max(text_width(note, Face.REGULAR, small) for note in notes)
    room = area.width - left - right - 4 * gap
    noted = widest + 2 * gap if widest and room - widest - 2 * gap > _MIN_AXIS * size else 0
    right += noted
    axis = Rect(area.x + left + 2 * gap, area.y, max(1, room - noted), 0)
    for name, tally, caption, note in zip(names, tallies, numbers, notes, strict=True):
        length = _length(tally.steps, longest, axis.width, powers)
        top = y + (row - high) // 2
        foot = _write_name(name, size, Rect(area.x, top, left, high), lines)
        middle = (top + foot) // 2
        rect = Rect(axis.x, middle - thick // 2, length, thick)
        stopped = tally.outcome is Outcome.CAPPED
        bars.append(CardBar(rect, name, caption, tally.steps, stopped))
        x = area.x + area.width - right
        end = [TextLine(caption, Face.BOLD, size, False, x, middle - high // 2)]
        if noted and note:
            y_of_note = middle - line_height(Face.REGULAR, small) // 2
            end.append(
                TextLine(note, Face.REGULAR, small, True, x + right - noted + 2 * gap, y_of_note)
            )
        ends.append(tuple(end))
        y = max(y + row, foot + (row - high) // 2) + size // 4
    return CardRows(lines, bars, ends, axis._replace(height=y - area.y), y)


def _write_name(name: str, size: int, line: Rect, lines: list[TextLine]) -> int:
    """Write a name on lines of which the first is `line`; returns the bottom of the last."""
    y = line.y
    for part in name_lines(name, Face.BOLD, size, line.width, _MAX_NAME_LINES):
        lines.append(TextLine(part, Face.BOLD, size, False, line.x, y))
        y += line.height
    return y
