"""The layout in which one search continues alone: its board is large, finished ones are small, and
a chart of all searches spans the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.layout.block_measures import (
    Measures,
    TextSizes,
    board_side,
    largest_cell,
    measured,
)
from undoku.render.layout.blocks import Block, snapped_cell
from undoku.render.layout.page import Layout
from undoku.render.layout.panel_kind import PanelKind, Shape, beside_large_board, by_shape

_MIN_CELL, _MIN_SMALL = 16, 4
"""Pixels of a cell of the large board and of a small one."""

_SMALL_SHARE = 0.3
"""The size of a finished board relative to its previous size."""

_MIN_PART, _MIN_PART_OF_MANY = 8, 6
"""The shorter side of the picture divided by the least side of the large board, if there is room;
the second number if names are beside several small boards."""

_RESULT = "✓ 888,888 steps"
"""A text that must fit beside a small board."""

_MAX_NAME_LINES = 3
"""The maximum number of lines of a name beside a small board, and above one of many."""

_MANY = 2
"""From this number of small boards in a row on, each is so narrow that its name needs several
lines."""

_NAME, _SENTENCE = "▌Fewest options first", "Only now is the wrong 8 taken back."
"""Texts that must fit beside the large board: a part of a name, a sentence."""

_SENTENCE_SHARE, _MAX_BESIDE = 0.55, 10
"""The minimum share of the width for a sentence beside another panel, and the maximum width of that
panel, in sizes of the letters of labels: the sentence needs the rest."""

_MIN_KEPT, _MAX_KEPT = 4, 7
"""The height of a panel below the sentence, in heights of the letters of labels."""

_CHART_SHARE, _CHART_SHARE_OF_TALL, _CHART_SHARE_OF_MANY = 0.26, 0.2, 0.14
"""The chart's share of the height, in a picture that is higher than wide, and in such a picture of
many searches."""


def spotlight(layout: Layout, size: int, last: int) -> Layout | None:
    """The picture of `layout`, with boards of `size` × `size` cells, with search number `last`
    large; None if there is no room, as in small pictures, or only one search."""
    searches = len(layout.blocks)
    if searches < 2 or layout.footer is None or layout.progress is None:
        return None
    m = measured(layout.text, layout.grid // 2, layout.counters)
    gap = max(m.gap, layout.grid // 2)
    heading = layout.title or layout.sentence
    top = heading.bottom + gap if heading else layout.inside.y
    bottom = layout.progress.y - gap
    area = Rect(layout.inside.x, top, layout.inside.width, bottom - top)
    wide = layout.width >= layout.height
    share_of_chart = _CHART_SHARE if wide else _CHART_SHARE_OF_TALL
    if not wide and searches - 1 > _MANY:
        share_of_chart = _CHART_SHARE_OF_MANY
    high = int(area.height * share_of_chart)
    if wide:
        # The large board is not smaller than before.
        high = min(high, area.height - 2 * gap - layout.blocks[last].board.height)
    high = max(5 * layout.text.label, high)
    chart = Rect(area.x, area.bottom - high, area.width, high)
    upper = area._replace(height=chart.y - 2 * gap - area.y)
    cut = _beside if wide else _below
    share = int(layout.blocks[0].cell * _SMALL_SHARE)
    small = max(_MIN_SMALL, share, min(layout.width, layout.height) // (_MIN_PART * size))
    cut_blocks = cut(upper, layout, m, gap, size, small, last)
    if cut_blocks is None:
        return None
    blocks, large = cut_blocks
    blocks.insert(last, large)
    panels = beside_large_board(layout.panels)
    return replace(layout, blocks=tuple(blocks), chart=chart, panels=panels)


def _largest(room: int, size: int) -> int:
    cell = largest_cell(room, size)
    return snapped_cell(cell, cell * 7 // 8)


def _small_block(
    x: int, y: int, wide: int, text: TextSizes, cell: int, size: int, lines: int = 1
) -> Block:
    """A small board with its name, of so many lines at most, and its result above it."""
    name, status = lines * line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.status)
    side = board_side(cell, size)
    board = Rect(x, y + name + status + text.label // 2, side, side)
    return Block(Rect(x, y, wide, name), Rect(x, y + name, wide, status), board, cell, (), {})


def _named_beside(
    x: int, y: int, wide: int, high: int, text: TextSizes, cell: int, size: int, gap: int
) -> Block:
    """A small board with its name and its result on its right, in `wide` × `high` pixels."""
    line, status = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.status)
    side = board_side(cell, size)
    left = x + side + 2 * gap
    lines = max(1, min(_MAX_NAME_LINES, (max(high, side) - status) // line))
    name = Rect(left, y, x + wide - left, lines * line)
    return Block(
        name,
        Rect(left, name.bottom, name.width, status),
        Rect(x, y, side, side),
        cell,
        (),
        {},
    )


def _beside(
    area: Rect, layout: Layout, m: Measures, gap: int, size: int, small: int, last: int
) -> tuple[list[Block], Block] | None:
    """Small boards in a column on the left, the large one beside them, its numbers on its right.
    Several small boards have their names beside them, which leaves more of the height to each."""
    count = len(layout.blocks) - 1
    text, grid = layout.text, layout.grid
    head = line_height(Face.BOLD, text.name) + line_height(Face.REGULAR, text.status)
    head += text.label // 2
    each = area.height // count
    many = count > 1
    if many:
        head, small = 0, min(layout.width, layout.height) // (_MIN_PART_OF_MANY * size)
    cell = min(max(_MIN_SMALL, small), _largest(each - head - gap, size))
    large, before = _largest(area.height, size), layout.blocks[last].cell
    if large < before and board_side(before, size) <= area.height:
        large = before  # as large as before rather than of a better size
    if cell < _MIN_SMALL or large < _MIN_CELL:
        return None
    column = max(board_side(cell, size), text_width(_NAME, Face.BOLD, text.name))
    if many:
        column = board_side(cell, size) + 2 * gap + text.label
        column += max(
            text_width(_RESULT, Face.REGULAR, text.status),
            text_width(_NAME, Face.BOLD, text.name) * 3 // 4,
        )
    side = board_side(large, size)
    texts_wide = text_width(_SENTENCE, Face.BOLD, text.name)
    # The three parts have equal distances, on the grid.
    spare = max(0, area.width - column - side - texts_wide) // 2
    x = (area.x + column + max(4 * gap, spare) + grid - 1) // grid * grid
    y = max(area.y, (area.y + (area.height - side) // 2) // grid * grid)
    right = x + side + max(3 * gap, min(spare, 6 * gap))
    wide = area.right - right
    if wide < m.counter_width + gap:
        return None
    first = min(y, area.bottom - count * each)
    blocks = [
        _named_beside(area.x, first + at * each, column, each - gap, text, cell, size, gap)
        if many
        else _small_block(area.x, first, column, text, cell, size)
        for at in range(count)
    ]
    name = Rect(right, y, wide, line_height(Face.BOLD, text.name))
    status = Rect(right, name.bottom, wide, line_height(Face.REGULAR, text.status))
    counters = tuple(
        Rect(right, status.bottom + gap + at * (m.counter + gap), wide, m.counter)
        for at in range(_counters(layout))
    )
    end = counters[-1].bottom if counters else status.bottom
    panels = _panels(layout, Rect(right, end + 2 * gap, wide, y + side - end - 2 * gap), gap)
    return blocks, Block(name, status, Rect(x, y, side, side), large, counters, panels)


def _below(
    area: Rect, layout: Layout, m: Measures, gap: int, size: int, small: int, last: int
) -> tuple[list[Block], Block] | None:
    """Small boards in a row at the top, the large one below them, its numbers below that."""
    count = len(layout.blocks) - 1
    text, grid = layout.text, layout.grid
    name, status = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.status)
    each = area.width // count
    if count > _MANY:
        small = small * 2 // 3  # all show the same solution
    cell = min(small, _largest(each - gap, size))
    lines_of_name = _MAX_NAME_LINES if count > _MANY else count
    row = lines_of_name * name + status + text.label // 2 + board_side(cell, size)
    lines = m.line * 2 if by_shape(layout.panels, Shape.LINE) else 0
    lower = name + gap + 2 * gap + (m.counter + gap if _counters(layout) else 0) + lines
    large = _largest(min(area.width, area.height - row - 2 * gap - lower), size)
    if cell < _MIN_SMALL or large < _MIN_CELL:
        return None
    side = board_side(large, size)
    x = (area.x + (area.width - side) // 2) // grid * grid
    places = [(area.x + at * each, each - gap) for at in range(count)]
    if count == 1:
        places = [(x, area.right - x)]
    blocks = [
        _small_block(left, area.y, wide, text, cell, size, lines_of_name) for left, wide in places
    ]
    y = area.y + row + 2 * gap
    half = side // 2
    named = Rect(x, y, half, name)
    status_box = Rect(x + half, y + (name - status) // 2, side - half, status)
    board = Rect(x, (named.bottom + gap + grid - 1) // grid * grid, side, side)
    end = board.bottom + gap
    counters: tuple[Rect, ...] = ()
    if shown := _counters(layout):
        # Below a narrow board the counters extend beyond its sides.
        room = min(area.width, max(side, shown * (m.counter_width + gap)))
        start = max(area.x, min(x - (room - side) // 2, area.right - room))
        counters = tuple(
            Rect(start + room * at // shown, end, room // shown, m.counter) for at in range(shown)
        )
        end += m.counter + gap
    # Sentences begin below the first counter, and may be wider than a narrow board.
    first = min([x, *(box.x for box in counters)])
    below = Rect(first, end, area.right - first, area.bottom - end)
    panels = _panels(layout, below, gap)
    return blocks, Block(named, status_box, board, large, counters, panels)


def _counters(layout: Layout) -> int:
    """The number of counters of the large board: at most two, which all boards have."""
    return min(2, *(len(block.counters) for block in layout.blocks))


def _panels(layout: Layout, room: Rect, gap: int) -> dict[str, Rect]:
    """The places of the sentence about the large board and of its other panels: below each other,
    or side by side if there is no room for that."""
    kinds = beside_large_board(layout.panels)
    high = 3 * line_height(Face.BOLD, layout.text.name)
    sentence = room._replace(height=max(1, min(high, room.height)))
    lower = room._replace(y=sentence.bottom + gap, height=room.bottom - sentence.bottom - gap)
    if lower.height < _MIN_KEPT * layout.text.label:
        return side_by_side(sentence, kinds, gap, layout.text.label)
    lower = lower._replace(height=min(lower.height, _MAX_KEPT * layout.text.label))
    return {kind.name: sentence if kind.space.shape is Shape.LINE else lower for kind in kinds}


def side_by_side(room: Rect, kinds: Sequence[PanelKind], gap: int, letters: int) -> dict[str, Rect]:
    """The places in `room` of a line of text on the left, and of another panel, with labels of
    `letters` pixels per em, on its right."""
    if len(kinds) < 2:
        return {kind.name: room for kind in kinds}
    wide = max(int(room.width * _SENTENCE_SHARE), room.width - _MAX_BESIDE * letters)
    left = room._replace(width=max(1, wide - 3 * gap))
    right = room._replace(x=room.x + wide, width=max(1, room.width - wide))
    return {kind.name: left if kind.space.shape is Shape.LINE else right for kind in kinds}
