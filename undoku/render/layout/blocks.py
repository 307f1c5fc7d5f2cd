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

from undoku.render.draw.canvas import Rect
from undoku.render.layout.block_measures import (
    MIN_MAP_CELL,
    USUAL_COUNTERS,
    Measures,
    TextSizes,
    board_side,
    largest_cell,
    least_heights,
    line_height_of,
    measured,
    stacked_height,
)
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.texts.counter_kinds import CounterKind

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
    name, without omitted panels. `centred` states whether lines of text are centred in their boxes,
    whose middle is that of the board."""

    name: Rect
    status: Rect
    board: Rect
    cell: int
    counters: tuple[Rect, ...]
    panels: Mapping[str, Rect] = field(default_factory=dict)
    labelled: bool = True
    centred: bool = False

    def regions(self) -> list[Rect]:
        """All regions of the block; none overlaps another."""
        return [self.name, self.status, self.board, *self.counters, *self.panels.values()]


class BlockStyle(Enum):
    STACK = auto()
    WIDE = auto()
    SIDE = auto()
    COLUMN = auto()


_BELOW = {
    BlockStyle.STACK: tuple(Shape),
    BlockStyle.WIDE: (Shape.TIMELINE, Shape.LINE),
    BlockStyle.SIDE: (Shape.LINE,),
    BlockStyle.COLUMN: (),
}
"""The shapes of the panels that are below the board; others are in the column beside it."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The panels of a block with a board of `size` × `size` cells, without the board and the
    counters, and the room that they need."""

    style: BlockStyle
    extras: tuple[PanelKind, ...]
    counters: bool
    size: int
    measures: Measures

    def below(self, *shapes: Shape) -> tuple[PanelKind, ...]:
        """The panels of these shapes below the board."""
        return by_shape(self.extras, *(each for each in shapes if each in _BELOW[self.style]))

    def beside(self, *shapes: Shape) -> tuple[PanelKind, ...]:
        """The panels of these shapes in the column beside the board."""
        return by_shape(self.extras, *(each for each in shapes if each not in _BELOW[self.style]))

    def lines_height(self, lines: Sequence[PanelKind]) -> int:
        """The height of lines of text."""
        return sum(line_height_of(kind, self.measures) for kind in lines)

    def room(self, wide: int, high: int) -> int:
        """The side of the square that is left for the board of a block of this size."""
        m = self.measures
        high -= self.lines_height(self.below(Shape.LINE))
        if timelines := self.below(Shape.TIMELINE):
            high -= m.gap + stacked_height(timelines, self.size, m)
        if self.style is BlockStyle.STACK:
            high -= m.head + self.counters * (m.gap // 2 + m.counter)
            if lower := self.below(Shape.CHART, Shape.MAP):
                heights = (stacked_height(kinds, self.size, m) for kinds in _apart(lower))
                high -= m.gap + max(_least_chart(m), *heights)
            return min(wide, high)
        column = self._least_column
        if self.beside(Shape.TIMELINE):
            column = max(column, 5 * m.counter)
        if self.beside(Shape.MAP):
            column = max(column, self.size * MIN_MAP_CELL)
        return min(wide - 2 * m.gap - column, high)

    @property
    def _least_column(self) -> int:
        """The minimum width of a column, for its texts."""
        lines = _LINE_COLUMN * self.measures.name_line if self.beside(Shape.LINE) else 0
        return max(self.measures.counter_width, lines)

    def fit(self, board: int) -> bool:
        """Whether everything beside a board, or below one in width, has room."""
        m = self.measures
        if self.style is BlockStyle.STACK:
            least = m.gap + max(m.counter_width, MIN_MAP_CELL * self.size)
            if all(_apart(self.extras)) and board < 2 * least:
                return False
            return not self.counters or board >= sum(m.counter_least) + m.gap // 2
        rows = -(-len(m.counter_least) // (self._least_column // m.counter_width))
        need = m.side_head + self.counters * rows * m.counter
        need += self.lines_height(self.beside(Shape.LINE))
        column = self.beside(Shape.CHART, Shape.MAP, Shape.TIMELINE)
        return need + sum(m.gap + high for high in least_heights(column, self.size, m)) <= board

    def most_width(self, board: int, wide: int) -> int:
        """The width above which a block gains nothing, at most `wide`."""
        if self.style is BlockStyle.STACK:
            return board
        lines = self.beside(Shape.LINE)
        return min(wide, board * 3 if lines else board * 2 + 2 * self.measures.gap)

    def most_height(self, board: int) -> int:
        """The height above which a block gains nothing, because a higher chart does not show
        more."""
        m = self.measures
        height = board + self.lines_height(self.below(Shape.LINE))
        for least in least_heights(self.below(Shape.TIMELINE), self.size, m):
            height += m.gap + max(least, board * 2 // 5)
        if self.style is BlockStyle.STACK:
            height += m.tall_head + self.counters * (m.gap // 2 + m.counter)
            charts, maps = _apart(self.extras)
            if lower := max(len(charts), len(maps)):
                least = max(_least_chart(m), stacked_height(charts, self.size, m))
                height += m.gap + max(least, lower * board * 3 // 5)
        return height


def _apart(kinds: Sequence[PanelKind]) -> tuple[tuple[PanelKind, ...], tuple[PanelKind, ...]]:
    """The charts and the maps among panels."""
    return by_shape(kinds, Shape.CHART), by_shape(kinds, Shape.MAP)


def _least_chart(m: Measures) -> int:
    return m.label + _MIN_CHART * m.letters


@dataclass(frozen=True, slots=True)
class Form:
    """The arrangement of blocks: the numbers of columns and rows, the `width` and `height` of a
    block and the side `cell` of its cells in pixels."""

    contents: Contents
    columns: int
    rows: int
    cell: int
    width: int
    height: int


def snapped_cell(most: int, least: int) -> int:
    """The largest good cell side up to `most`: a multiple of 16, 8 or 4, unless it would be smaller
    than `least`."""
    return next(side for grid in (16, 8, 4, 2, 1) if (side := most - most % grid) >= least)


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
    m = measured(text, gap, kinds)
    forms: list[Form] = []
    many = searches >= _MANY
    for rows in range(1, searches + 1):
        columns = -(-searches // rows)
        if (rows - 1) * columns >= searches:
            continue
        # A gap is reserved for moving the block to the grid.
        along = _BETWEEN_MANY if many else _BETWEEN
        high = (area.height - (rows - 1) * along * gap) // rows - gap
        for style in BlockStyle:
            contents = Contents(style, extras, counters, size, m)
            if style is BlockStyle.WIDE and not contents.below(Shape.TIMELINE):
                continue
            if style is BlockStyle.COLUMN and not contents.beside(Shape.LINE):
                continue
            across = _BETWEEN_COLUMNS if many and style is not BlockStyle.STACK else along
            wide = (area.width - (columns - 1) * across * gap) // columns
            if cell := _best_cell(contents, contents.room(wide, high), least):
                board = board_side(cell, size)
                width = contents.most_width(board, wide)
                height = min(high, contents.most_height(board))
                forms.append(Form(contents, columns, rows, cell, width, height))
    return max(forms, key=lambda form: form.cell, default=None)


def _best_cell(contents: Contents, room: int, least: int) -> int:
    """The side of the largest cells of a board in `room` pixels with which the contents fit; 0 if
    there is none."""
    cell = largest_cell(room, contents.size)
    while cell >= _MIN_CELL:
        # Digits of small cells are hard to read.
        lost = 6 if cell >= _READABLE_CELL else 12
        snapped = snapped_cell(cell, -(-cell * (lost - 1) // lost))
        cell = snapped if snapped >= least else cell
        if contents.fit(board_side(cell, contents.size)):
            return cell
        cell -= 1
    return 0
