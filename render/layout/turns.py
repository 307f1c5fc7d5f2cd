"""The tall picture in which two searches take turns: the board of one is as wide as the picture,
the other one small above it, with its numbers beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from render.drawing.canvas import Rect
from render.drawing.cells import strong_width
from render.layout.block_measures import measured
from render.layout.blocks import Block
from render.layout.page import RING, Layout, TextSizes
from render.layout.panel_kind import Shape, beside_large_board, by_shape
from render.layout.spotlight import side_by_side
from render.style.lettering import Face, line_height, text_width

__all__ = ["Turn", "takes_turns", "turns_of"]

_TALL = Fraction(3, 2)
"""The ratio of height to width from which a picture is too narrow for two boards side by side."""

_MIN_LARGE, _MIN_SMALL = 16, 8
"""Pixels of a cell of the large board and of the small one."""

_MAX_SMALL = Fraction(3, 10)
"""The maximum width of the small board relative to the large one."""

_NAME = "Fewest options first"
"""A name that must fit."""

_WIDE = Fraction(4, 5)
"""The minimum share of the picture's width for a large board; otherwise its texts are made
smaller."""

_TEXT_SHARES = tuple(Fraction(part, 20) for part in (20, 18, 17, 16, 15, 14))
"""The sizes of texts relative to their usual size."""

_CHART_SHARE = Fraction(1, 5)
"""The chart's share of the height."""

_LINES = 2
"""Lines of a sentence below the large board, and beside another panel; otherwise a sentence beside
the small board has one line. Without other panels the lines are those of labels, because the large
board needs the height."""

_MIN_NUMBER = Fraction(5, 6)
"""The minimum size of the numbers relative to their size in the picture without turns."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The layout while one of two searches is large, and while it continues alone, with a chart of
    both."""

    large: Layout
    alone: Layout


def takes_turns(layout: Layout) -> bool:
    """Whether the searches of this picture take turns in a story: there are two, the picture is
    tall, and they have nothing but boards, counters and sentences."""
    tall = layout.height >= _TALL * layout.width
    plain = beside_large_board(layout.panels) == layout.panels
    return tall and plain and len(layout.blocks) == 2 and layout.footer is not None


def turns_of(layout: Layout, size: int) -> tuple[Turn, ...]:
    """The turn of each of two searches with boards of `size` × `size` cells; () if there is no
    room."""
    found = []
    for number in range(2):
        large = alone = None
        for share in _TEXT_SHARES:
            lettered = replace(layout, text=_text_sizes(layout.text, share))
            large = _turn(lettered, size, number)
            alone = _turn(lettered, size, number, chart=True)
            if large and alone and _is_good(large, number):
                break
        if large is None or alone is None:
            return ()
        found.append(Turn(large, alone))
    return tuple(found)


def _is_good(layout: Layout, large: int) -> bool:
    """Whether the large board is wide enough, and names have room beside the small one."""
    name = layout.blocks[1 - large].name.width - 2 * layout.text.name // 3
    wide = layout.blocks[large].board.width >= _WIDE * layout.inside.width
    return wide and name >= text_width(_NAME, Face.BOLD, layout.text.name)


def _text_sizes(text: TextSizes, share: Fraction) -> TextSizes:
    """The sizes of texts in proportion to the title's, none much smaller than they are."""

    def size(usual: int, part: Fraction) -> int:
        return max(usual, round(text.title * part * share))

    return replace(
        text,
        name=size(text.name, Fraction(4, 5)),
        status=size(text.status, Fraction(2, 3)),
        number=size(round(text.number * _MIN_NUMBER), Fraction(16, 15)),
        label=size(text.label, Fraction(2, 3)),
    )


def _turn(layout: Layout, size: int, large: int, *, chart: bool = False) -> Layout | None:
    """The same picture as `layout`, one of two searches with boards of `size` × `size` cells, with
    search number `large` (0 or 1) large; below it, where there is to be one, the `chart` of both.
    None if there is not enough room."""
    text, grid = layout.text, layout.grid
    gap = max(4, grid // 2)
    inside = layout.inside
    top = layout.title.bottom + gap // 2 if layout.title else inside.y + RING
    bottom = (layout.legend or layout.progress).y - gap
    chart_box = None
    if chart:
        high = max(5 * text.label, int((bottom - top) * _CHART_SHARE))
        chart_box = Rect(inside.x, bottom - high, inside.width, high)
        bottom = chart_box.y - gap
    name, status = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.status)
    number = line_height(Face.REGULAR, text.number)
    head = max(name + status, line_height(Face.REGULAR, text.label) + number)
    kinds = beside_large_board(layout.panels)
    several = len(kinds) > 1
    line = name if several else line_height(Face.BOLD, text.label)
    sentence = _LINES * line + gap // 2 if kinds else 0
    brief = sentence if several else min(sentence, line + gap // 2)
    # What is left for the two boards: beside the small one there are as many texts as above and
    # below the large one.
    least = max(head + brief, _side(_MIN_SMALL, size))
    fixed = least + gap + head + gap // 2 + sentence
    cell = _largest(min(inside.width, bottom - top - fixed), size, _MIN_LARGE)
    if not cell:
        return None
    side = _side(cell, size)
    spare = bottom - top - fixed - side
    band = least + max(0, min(spare // 2, int(side * _MAX_SMALL) - least))
    small = _largest(band, size, _MIN_SMALL)
    if not small:
        return None
    spare -= band - least
    # The remaining space is distributed above, between and below.
    part = min(spare // 3, 3 * gap)
    y = top + part
    left = inside.x + (inside.width - side) // 2 // grid * grid
    start = inside.x if chart else left
    wide = inside.right - start
    own = _side(small, size)
    board = Rect(start, y + (band - own) // 2, own, own)
    beside = Rect(board.right + 2 * gap, y, start + wide - board.right - 2 * gap, band)
    places = _texts(beside, layout, head, name, status)
    below = Rect(beside.x, y + head + gap // 2, beside.width, max(1, band - head - gap // 2))
    # The small board shows a solution itself, and its sentence needs the width.
    lines = by_shape(kinds, Shape.LINE)
    other = Block(*places[:2], board, small, places[2], {kind.name: below for kind in lines})
    y += band + gap + part
    places = _texts(Rect(start, y, wide, head), layout, head, name, status)
    square = Rect(left, -(-(y + head + gap // 2) // 2) * 2, side, side)
    below = Rect(start, square.bottom + gap // 2, wide, max(1, sentence - gap // 2))
    panels = side_by_side(below, kinds, gap, text.label)
    first = Block(*places[:2], square, cell, places[2], panels)
    blocks = (first, other) if large == 0 else (other, first)
    return replace(layout, blocks=blocks, chart=chart_box, panels=kinds)


def _texts(
    room: Rect, layout: Layout, head: int, name: int, status: int
) -> tuple[Rect, Rect, tuple[Rect, ...]]:
    """The places of a name, a status below it and two counters on the right, in a room `head`
    high."""
    needs = _counter_widths(layout)
    half = room.width - sum(needs)
    wide = max(1, half - layout.text.label // 2)
    named = Rect(room.x, room.y, wide, name)
    status_box = Rect(room.x, room.y + name, wide, status)
    counters, x = [], room.x + half
    for wide in needs:
        counters.append(Rect(x, room.y, wide, head))
        x += wide
    return named, status_box, tuple(counters)


def _counter_widths(layout: Layout) -> list[int]:
    """The widths of the first two counters, with a gap before each that is wider than a digit."""
    count = min(2, *(len(block.counters) for block in layout.blocks))
    usual = measured(layout.text, layout.grid // 2, layout.counters).counter_usual
    return [wide + 3 * layout.text.label // 2 for wide in usual[:count]]


def _side(cell: int, size: int) -> int:
    return cell * size + strong_width(cell)


def _largest(room: int, size: int, least: int) -> int:
    """The largest even side of the cells of a board that fits into `room` pixels; 0 below
    `least`."""
    cell = max(0, room) // size // 2 * 2
    while cell and _side(cell, size) > room:
        cell -= 2
    return cell if cell >= least else 0
