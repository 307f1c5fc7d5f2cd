"""The tall picture in which two searches take turns: the board of one is as wide as the picture,
the other one small. A table of both, with the speed of the clock, their names and their steps,
stays where it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.unit_marks import strong_width
from undoku.render.layout.block_measures import (
    TextSizes,
    board_side,
    largest_cell,
    measured,
)
from undoku.render.layout.blocks import Block
from undoku.render.layout.page import RING, Layout
from undoku.render.layout.panel_kind import beside_large_board
from undoku.render.layout.spotlight import side_by_side

_TALL = Fraction(3, 2)
"""The ratio of height to width from which a picture is too narrow for two boards side by side."""

_MIN_LARGE, _MIN_SMALL = 16, 72
"""The minimum size in pixels of a cell of the large board, and of the whole small board."""

_MIN_BESIDE, _MAX_BESIDE = Fraction(1, 4), Fraction(3, 10)
"""The width of a small board beside a large one relative to the picture between its margins."""

_LONGEST = "Fewest options first ✓"
"""A name with its status that must fit into the table."""

_WIDE = Fraction(96, 100), Fraction(4, 5)
"""The shares of the picture's width for a large board: the wanted one, and the least one for which
texts are not made smaller."""

_TEXT_SHARES = tuple(Fraction(part, 20) for part in (26, 24, 22, 20, 19, 18, 17, 16, 15, 14))
"""The sizes of texts relative to their usual size."""

_LEAST_LETTERS = Fraction(1, 45)
"""The minimum size of letters relative to the picture's width: they are eight pixels high if a
phone shows the picture 360 pixels wide."""

_CHART_SHARE, _MAX_CHART_SHARE = Fraction(1, 5), Fraction(3, 10)
"""The chart's share of the height, and its share where nothing else needs the room."""

_LINES = 2
"""Lines of a sentence."""

_SENTENCE_SHARE = Fraction(19, 20)
"""The size of sentences relative to the title's."""


@dataclass(frozen=True, slots=True)
class SoloLayouts:
    """The layout while one of two searches is large, and while it continues alone, with a chart of
    both."""

    large: Layout
    alone: Layout


def shows_solo(layout: Layout) -> bool:
    """Whether the searches of this picture take turns in a story: there are two, the picture is
    tall, and they have nothing but boards, counters and sentences."""
    tall = layout.height >= _TALL * layout.width
    plain = beside_large_board(layout.panels) == layout.panels
    return tall and plain and len(layout.blocks) == 2 and layout.footer is not None


def solo_layouts(layout: Layout, size: int) -> tuple[SoloLayouts, ...]:
    """The turn of each of two searches with boards of `size` × `size` cells; () if there is no
    room. All have texts of the same size: the largest that leave the board its width."""
    lettered = [replace(layout, text=_text_sizes(layout, share)) for share in _TEXT_SHARES]
    pairs = [(_layouts_of(each, size, 0), _layouts_of(each, size, 1)) for each in lettered]
    found = [(one, other) for one, other in pairs if one and other]
    named = [solo for solo in found if _has_names(solo[0].large)] or found[-1:]
    for wide, solo in product(_WIDE, named):
        if solo[0].large.blocks[0].board.width >= wide * layout.inside.width:
            return solo
    return named[-1] if named else ()


def _layouts_of(layout: Layout, size: int, number: int) -> SoloLayouts | None:
    large, alone = (_layout(layout, size, number, chart=chart) for chart in (False, True))
    return SoloLayouts(large, alone) if large and alone else None


def _has_names(layout: Layout) -> bool:
    """Whether the table has room for long names."""
    size = layout.text.name
    indent = size // 5 + size // 3 + layout.text.status // 2
    wide = min(block.status.right - block.name.x for block in layout.blocks)
    return wide - indent >= text_width(_LONGEST, Face.BOLD, size)


def _text_sizes(layout: Layout, share: Fraction) -> TextSizes:
    """The sizes of texts in proportion to the title's, none smaller than can be read."""
    text = layout.text
    least = max(11, round(_LEAST_LETTERS * layout.width))

    def size(part: Fraction) -> int:
        return max(least, round(text.title * part * share))

    return replace(
        text,
        name=size(Fraction(4, 5)),
        status=size(Fraction(8, 15)),
        number=size(Fraction(4, 5)),
        label=size(Fraction(8, 15)),
        sentence=max(least, round(text.title * _SENTENCE_SHARE)),
        footer=max(least, text.footer),
    )


def _layout(layout: Layout, size: int, large: int, *, chart: bool = False) -> Layout | None:
    """The same picture as `layout`, one of two searches with boards of `size` × `size` cells, with
    search number `large` (0 or 1) large; below it, where there is to be one, the `chart` of both.
    None if there is not enough room."""
    layout = _with_legend_below(layout)
    text, grid, inside = layout.text, layout.grid, layout.inside
    gap = max(4, grid // 2)
    top = layout.title.bottom + gap // 2 if layout.title else inside.y + RING
    assert layout.progress
    bottom = layout.progress.y - gap
    chart_box = None
    if chart:
        high = max(5 * text.label, int((bottom - top) * _CHART_SHARE))
        chart_box = Rect(inside.x, bottom - high, inside.width, high)
        bottom = chart_box.y - gap
    kinds = beside_large_board(layout.panels)
    sentence = _LINES * line_height(Face.BOLD, text.sentence) + gap if kinds else 0
    least = -(-_MIN_SMALL // (2 * size)) * 2
    table = max(_table_height(text), board_side(least, size))
    wide = inside.width
    if chart:
        wide -= 3 * gap + max(board_side(least, size), int(_MIN_BESIDE * wide))
    cell = _largest(min(wide, bottom - top - table - gap - sentence), size, _MIN_LARGE)
    if not cell:
        return None
    side = board_side(cell, size)
    # The table stays where it is. The remaining space is above and below the large board, or the
    # chart gets it.
    rest = bottom - top - table - gap - sentence - side
    if chart_box:
        taller = min(rest, int(_MAX_CHART_SHARE * layout.height) - chart_box.height)
        chart_box = chart_box._replace(
            y=chart_box.y - max(0, taller), height=chart_box.height + max(0, taller)
        )
        rest -= max(0, taller)
    y = -(-(top + table + gap + rest // 2) // 2) * 2
    left = inside.x if chart else inside.x + (inside.width - side) // 2 // grid * grid
    slot = small = _largest(table, size, least)
    if chart:
        beside = min(inside.right - left - side - 3 * gap, int(_MAX_BESIDE * inside.width))
        small = _largest(beside, size, least)
    if not slot or not small:
        return None
    own = board_side(small, size)
    # The small board is on the right of the table or, where there is more room, below that place.
    small_y = y if chart else top + (table - own) // 2
    boards = {
        large: Rect(left, y, side, side),
        1 - large: Rect(inside.right - own, small_y, own, own),
    }
    # Below the ring of a board that is done.
    start = y + side + max(gap // 2, strong_width(cell))
    below = Rect(left, start, inside.right - left, max(1, y + side + sentence - start))
    panels = side_by_side(below, kinds, gap, text.label * 6 // 5)
    wide = inside.width - board_side(slot, size) - 2 * gap
    clock, rows = _rows(Rect(inside.x, top, wide, table), layout)
    blocks = tuple(
        Block(
            *rows[number][:2],
            boards[number],
            cell if number == large else small,
            rows[number][2],
            panels if number == large else {},
            labelled=number == 0,
        )
        for number in range(2)
    )
    return replace(layout, blocks=blocks, chart=chart_box, panels=kinds, footer=clock)


def _with_legend_below(layout: Layout) -> Layout:
    """The layout with the legend of the boards on the line of the footer, which is in the table."""
    footer = layout.footer
    assert footer and layout.progress
    high = line_height(Face.REGULAR, layout.text.footer)
    legend = Rect(layout.inside.x, footer.bottom - high, layout.progress.width, high)
    bar = layout.progress
    progress = bar._replace(y=(legend.y - (footer.y - bar.bottom) - bar.height) // 2 * 2)
    return replace(layout, board_legend=legend, progress=progress)


def _table_height(text: TextSizes) -> int:
    return line_height(Face.REGULAR, text.label) + 2 * _row_height(text)


def _row_height(text: TextSizes) -> int:
    return max(line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.number))


def _rows(room: Rect, layout: Layout) -> tuple[Rect, list[tuple[Rect, Rect, tuple[Rect, ...]]]]:
    """The place of the clock in a table, and those of the name, the status and the first counter of
    each search. The counter of the first row has its label above it, beside the clock."""
    text = layout.text
    counter = _counter_width(layout)
    label, row = line_height(Face.REGULAR, text.label), _row_height(text)
    first = room.y + (room.height - _table_height(text)) // 2 + label
    line, number = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.number)
    named = max(2, room.width - counter - text.label // 2)
    mark = min(named // 2, text_width("✓", Face.REGULAR, text.status) + text.status // 2)
    rows: list[tuple[Rect, Rect, tuple[Rect, ...]]] = []
    for at in range(2):
        y = first + at * row
        name = Rect(room.x, y + (row - line) // 2, named - mark, line)
        above = 0 if at else label
        top = y + (row - number) // 2 - above
        steps = Rect(room.right - counter, top, counter, above + number)
        rows.append((name, name._replace(x=name.right, width=mark), (steps,)))
    line = line_height(Face.REGULAR, text.footer)
    return Rect(room.x, first - line, named, line), rows


def _counter_width(layout: Layout) -> int:
    """The width of the first counter, with a gap after it that is wider than a digit."""
    wide, *_ = measured(layout.text, layout.grid // 2, layout.counters).counter_usual
    return wide + layout.text.label


def _largest(room: int, size: int, least: int) -> int:
    """The largest even side of the cells of a board that fits into `room` pixels; 0 below
    `least`."""
    cell = largest_cell(room, size, 2)
    return cell if cell >= least else 0
