"""The place of one search in a picture: its board and its panels.

A block has one of four forms, whichever leaves the board largest:

    STACK    heading, board, counters and charts one below the other
    WIDE     as SIDE, but the timelines below both
    SIDE     the board on the left; heading, counters and charts in a column on its right, lines of
             text below both
    COLUMN   as SIDE, but the lines of text in the column as well
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import product

from undoku.render.draw.canvas import Rect
from undoku.render.draw.cells import strong_width
from undoku.render.layout.block_measures import (
    MIN_MAP_CELL,
    USUAL_COUNTERS,
    Measures,
    TextSizes,
    least_heights,
    line_height_of,
    measured,
    stacked_height,
)
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.texts.counter_kinds import CounterKind

__all__ = ["Block", "BlockStyle", "Form", "best_form", "least_stacked"]

_BETWEEN = 4
"""The distance of two blocks in gaps: greater than that of the parts of a block."""

_BETWEEN_COLUMNS, _BETWEEN_MANY = 3, 2
"""The same between many blocks, which need the room: between columns with texts beside the boards,
and otherwise."""

_MANY = 4
"""The minimum number of searches whose blocks are so close to each other."""

_MIN_CELL = 8

_READABLE_CELL = 32
"""The pixels from which on the digit of a cell is read with ease."""

_LINE_COLUMN = 10
"""The minimum width of a column with lines of text, in lines of a name."""

_MIN_CHART = 4
"""The minimum height of the charts and maps of a block, in heights of the letters of labels."""


@dataclass(frozen=True, slots=True)
class Block:
    """The place of one search.

    `board` is the square of the board, with cells of `cell` × `cell` pixels and the closing lines
    on the right and below. `counters` are the boxes of the counters, in order; if they are
    `labelled`, each has its label above its number. `panels` has the boxes of the other panels by
    name, without omitted panels."""

    name: Rect
    status: Rect
    board: Rect
    cell: int
    counters: tuple[Rect, ...]
    panels: Mapping[str, Rect] = field(default_factory=dict)
    labelled: bool = True

    def regions(self) -> list[Rect]:
        """All regions of the block; none overlaps another."""
        return [self.name, self.status, self.board, *self.counters, *self.panels.values()]


class BlockStyle(Enum):
    STACK = auto()
    WIDE = auto()
    SIDE = auto()
    COLUMN = auto()


@dataclass(frozen=True, slots=True)
class Form:
    """The arrangement of blocks: the numbers of columns and rows, the `width` and `height` of a
    block and the side `cell` of its cells in pixels."""

    style: BlockStyle
    columns: int
    rows: int
    cell: int
    extras: tuple[PanelKind, ...]
    """The panels of a block, without the board and the counters."""
    counters: bool
    width: int
    height: int


def _snapped_cell(most: int) -> int:
    """The largest good cell side up to `most`: a multiple of 16, 8 or 4, unless it would be smaller
    by more than a sixth, or for small cells, whose digits are hard to read, by a twelfth."""
    lost = 6 if most >= _READABLE_CELL else 12
    for grid in (16, 8, 4, 2):
        side = most // grid * grid
        if side and side * lost >= most * (lost - 1):
            return side
    return most


def best_form(
    area: Rect,
    searches: int,
    size: int,
    text: TextSizes,
    gap: int,
    extras: tuple[PanelKind, ...],
    kinds: Sequence[CounterKind] = USUAL_COUNTERS,
    *,
    counters: bool,
    least: int = 0,
) -> Form | None:
    """The arrangement with the largest cells that has room for all `extras`; of equal ones the
    one with the fewest rows. None if there is no room. Cells have good sizes unless this makes them
    smaller than `least` pixels."""
    best: Form | None = None
    m = measured(text, gap, kinds)
    along = _BETWEEN_MANY if searches >= _MANY else _BETWEEN
    for rows, style in product(range(1, searches + 1), BlockStyle):
        columns = -(-searches // rows)
        across = along
        if searches >= _MANY and style is not BlockStyle.STACK:
            across = _BETWEEN_COLUMNS
        if (rows - 1) * columns >= searches:
            continue
        wide = (area.width - (columns - 1) * across * gap) // columns
        # A gap is reserved for moving the block to the grid.
        high = (area.height - (rows - 1) * along * gap) // rows - gap
        most = min(_room(wide, high, style, extras, m, size, counters=counters))
        cell = most // size
        while cell >= _MIN_CELL and cell * size + strong_width(cell) > most:
            cell -= 1  # the closing line of a large cell is wider than a pixel
        while cell >= _MIN_CELL:
            snapped = _snapped_cell(cell)
            cell = snapped if snapped >= least else cell
            board = cell * size + strong_width(cell)
            if _holds(board, style, extras, m, size, counters=counters):
                break
            cell -= 1
        if cell < _MIN_CELL or (best is not None and cell <= best.cell):
            continue
        board = cell * size + strong_width(cell)
        best = Form(
            style,
            columns,
            rows,
            cell,
            extras,
            counters,
            _most_width(board, style, wide, gap),
            min(high, _most_height(board, style, extras, m, size, counters=counters)),
        )
    return best


def _most_width(board: int, style: BlockStyle, wide: int, gap: int) -> int:
    """The width above which a block gains nothing, at most `wide`."""
    match style:
        case BlockStyle.STACK:
            return board
        case BlockStyle.COLUMN:
            return min(wide, board * 3)
        case _:
            return min(wide, board * 2 + 2 * gap)


def _lines_height(extras: tuple[PanelKind, ...], style: BlockStyle, m: Measures) -> int:
    """The height of the lines of text below a board."""
    if style is BlockStyle.COLUMN:
        return 0
    return sum(line_height_of(kind, m) for kind in by_shape(extras, Shape.LINE))


def _room(
    wide: int,
    high: int,
    style: BlockStyle,
    extras: tuple[PanelKind, ...],
    m: Measures,
    size: int,
    *,
    counters: bool,
) -> tuple[int, int]:
    """The width and the height that are left for the board."""
    timelines = by_shape(extras, Shape.TIMELINE)
    high -= _lines_height(extras, style, m)
    if style is BlockStyle.STACK:
        high -= m.head
        high -= m.gap // 2 + m.counter if counters else 0
        high -= m.gap + stacked_height(timelines, size, m) if timelines else 0
        lower = by_shape(extras, Shape.CHART, Shape.MAP)
        high -= m.gap + _lower_height(extras, m, size) if lower else 0
        return wide, high
    if style is BlockStyle.COLUMN and not by_shape(extras, Shape.LINE):
        return 0, 0
    column = _least_column(style, m)
    if style in (BlockStyle.SIDE, BlockStyle.COLUMN) and timelines:
        column = max(column, 5 * m.counter)
    wide -= 2 * m.gap
    wide -= max(column, size * MIN_MAP_CELL if by_shape(extras, Shape.MAP) else 0)
    if style is BlockStyle.WIDE:
        if not timelines:
            return 0, 0
        high -= m.gap + stacked_height(timelines, size, m)
    return wide, high


def _least_column(style: BlockStyle, m: Measures) -> int:
    """The minimum width of a column, for its texts."""
    lines = _LINE_COLUMN * m.name_line if style is BlockStyle.COLUMN else 0
    return max(m.counter_width, lines)


def _least_chart(m: Measures) -> int:
    return m.label + _MIN_CHART * m.letters


def _lower_height(extras: tuple[PanelKind, ...], m: Measures, size: int) -> int:
    """The minimum height of the charts, or of the maps beside them."""
    charts, maps = by_shape(extras, Shape.CHART), by_shape(extras, Shape.MAP)
    return max(
        _least_chart(m),
        stacked_height(charts, size, m),
        stacked_height(maps, size, m),
    )


def _holds(
    board: int,
    style: BlockStyle,
    extras: tuple[PanelKind, ...],
    m: Measures,
    size: int,
    *,
    counters: bool,
) -> bool:
    """Whether everything beside a board, or below one in width, has room."""
    if style is BlockStyle.STACK:
        least = m.gap + max(m.counter_width, MIN_MAP_CELL * size)
        both = by_shape(extras, Shape.CHART) and by_shape(extras, Shape.MAP)
        if both and board < 2 * least:
            return False
        return not counters or board >= sum(m.counter_least) + m.gap // 2
    rows = -(-len(m.counter_least) // (_least_column(style, m) // m.counter_width))
    need = m.side_head + (rows * m.counter if counters else 0)
    column = by_shape(extras, Shape.CHART, Shape.MAP)
    if style is not BlockStyle.WIDE:
        column += by_shape(extras, Shape.TIMELINE)
    if style is BlockStyle.COLUMN:
        need += sum(line_height_of(kind, m) for kind in by_shape(extras, Shape.LINE))
    return need + sum(m.gap + height for height in least_heights(column, size, m)) <= board


def least_stacked(board: int, form: Form, m: Measures, size: int) -> int:
    """The minimum height of a stacked block whose board has `board` pixels a side."""
    _, left = _room(0, 0, BlockStyle.STACK, form.extras, m, size, counters=form.counters)
    return board - left


def _most_height(
    board: int,
    style: BlockStyle,
    extras: tuple[PanelKind, ...],
    m: Measures,
    size: int,
    *,
    counters: bool,
) -> int:
    """The height above which a block gains nothing, because a higher chart does not show more."""
    height = board + _lines_height(extras, style, m)
    if style in (BlockStyle.SIDE, BlockStyle.COLUMN):
        return height
    for least in least_heights(by_shape(extras, Shape.TIMELINE), size, m):
        height += m.gap + max(least, board * 2 // 5)
    if style is BlockStyle.STACK:
        height += m.tall_head + (m.gap // 2 + m.counter if counters else 0)
        charts, maps = by_shape(extras, Shape.CHART), by_shape(extras, Shape.MAP)
        if lower := max(len(charts), len(maps)):
            least = max(_least_chart(m), stacked_height(charts, size, m))
            height += m.gap + max(least, lower * board * 3 // 5)
    return height
