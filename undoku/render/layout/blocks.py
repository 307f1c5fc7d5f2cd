"""The places of the searches of a picture without a story: a block for each, with its board and
its panels.

A block has one of four forms, whichever leaves the board largest:

    STACK    heading, board, counters and charts one below the other
    WIDE     as SIDE, but the timelines below both
    SIDE     the board on the left; heading, counters and charts in a column on its right, lines of
             text below both
    COLUMN   as SIDE, but the lines of text in the column as well

Of all sizes of texts the largest is taken with which boards are large enough. Panels that do not
fit are left out in the order of their ranks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import product
from typing import NamedTuple

from undoku.render.draw.canvas import Rect
from undoku.render.layout.block_measures import (
    Measures,
    TextSizes,
    board_side,
    largest_cell,
    measured,
    snapped_cell,
)
from undoku.render.layout.boxes import (
    FREE,
    Box,
    column,
    largest,
    leaf,
    places,
    row,
    row_counts,
    slots,
    square,
)
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.texts.counter_kinds import CounterKind

_BETWEEN, _BETWEEN_MANY, _MANY = 4, 2, 4
"""The distance of two blocks in gaps: greater than that of the parts of a block; and that of many
blocks, which need the room; and how many these are."""

_MIN_CELL = 8

_READABLE_CELL = 32
"""The pixels from which on the digit of a cell is read with ease."""

_MIN_MAP_CELL = 4
"""Pixels of a cell on a map of the board."""

_LINE_COLUMN = 10
"""The minimum width of a column with lines of text, in lines of a name."""

_TIMELINE_SHARE, _CHART_SHARE = 2 / 5, 3 / 5
"""The height of a chart above which it does not show more, relative to the board."""

_STATUS_WIDTHS = 1, 13
"""The least and the most width of a status, in sizes of its letters."""

_MIN_CELL_SHARE = 0.75
"""Panels beside the board may make its cells smaller, but not below this share."""

_MIN_CELL_SHARE_OF_TEXTS, _MIN_SHARE_OF_SMALL_CELL = 0.85, 0.95
"""Larger texts may make cells smaller, but not below this share; the second one is that of cells
that are small in any case."""

_SMALL_CELL = 40
"""The pixels below which cells are small."""


@dataclass(frozen=True, slots=True)
class Block:
    """The place of one search.

    `board` is the square of the board, with cells of `cell` × `cell` pixels and the closing lines
    on the right and below. `counters` are the boxes of the counters, in order. `panels` has the
    boxes of the other panels by name, without omitted panels. `centred` states whether lines of
    text are centred in their boxes, whose middle is that of the board."""

    name: Rect
    status: Rect
    board: Rect
    cell: int
    counters: tuple[Rect, ...]
    panels: Mapping[str, Rect] = field(default_factory=dict)
    centred: bool = False

    def regions(self) -> list[Rect]:
        """All regions of the block; none overlaps another."""
        return [self.name, self.status, self.board, *self.counters, *self.panels.values()]


class _Style(Enum):
    STACK = auto()
    WIDE = auto()
    SIDE = auto()
    COLUMN = auto()


_BELOW = {
    _Style.STACK: tuple(Shape),
    _Style.WIDE: (Shape.TIMELINE, Shape.LINE),
    _Style.SIDE: (Shape.LINE,),
    _Style.COLUMN: (),
}
"""The shapes of the panels that are below the board; others are in the column beside it."""


class _Part(Enum):
    NAME = auto()
    STATUS = auto()
    BOARD = auto()
    COUNTERS = auto()


class BlockForm(NamedTuple):
    """A block in a `style`, with texts of the sizes `text`, the panels `extras`, without the board
    and the counters, if there are `counters`, and a board of `size` × `size` cells of `cell`
    pixels."""

    style: _Style
    text: TextSizes
    measures: Measures
    extras: tuple[PanelKind, ...]
    counters: bool
    size: int
    grid: int
    rows: int
    cell: int = 0

    def box(self, cell: int) -> Box:
        """The block with cells of so many pixels."""
        m, side, status_em = self.measures, board_side(cell, self.size), self.text.status
        stacked = self.style is _Style.STACK
        below = by_shape(self.extras, *_BELOW[self.style])
        beside = [kind for kind in self.extras if kind not in below]
        board = square(_Part.BOARD, side, self.grid, self.grid // 2)
        least, most = (round(ems * status_em) for ems in _STATUS_WIDTHS)
        status = leaf(_Part.STATUS, least, m.status_line, most if stacked else FREE)
        most, rows = (0, 1) if stacked else (3 * m.name_line + m.label, len(m.counter_usual))
        # A name has most of the width of a board, and a status the rest.
        wide = min(side * 2 // 3, 10 * m.name_line) if stacked else 2 * m.name_line
        name = leaf(_Part.NAME, wide, m.name_line, FREE, most)
        wide, high = (sum(m.counter_least), 1) if stacked else (m.counter_width, 2)
        counters = leaf(_Part.COUNTERS, wide, high * m.counter, FREE, rows * m.counter)
        shown = counters if self.counters else None
        lower = self._panels(below, side)
        if stacked:
            heading = row(name, status, gap=m.gap // 2)
            parts = column(heading, board, shown, gap=m.gap // 2)
            return column(parts, *lower, gap=m.gap).at_most(board.most.width)
        texts = column(column(name, status), shown, *self._panels(beside, side), gap=m.gap)
        texts = texts.at_most(side * (2 if by_shape(beside, Shape.LINE) else 1))
        return column(row(board, texts, gap=2 * m.gap), *lower, gap=m.gap)

    def _panels(self, kinds: Sequence[PanelKind], side: int) -> list[Box]:
        """Panels below each other; maps beside the charts."""
        timelines, charts, maps, lines = (
            [self._panel(kind, side) for kind in by_shape(kinds, shape)]
            for shape in (Shape.TIMELINE, Shape.CHART, Shape.MAP, Shape.LINE)
        )
        gap = self.measures.gap
        stacks = [column(*stack, gap=gap) for stack in (charts, maps) if stack]
        return [*timelines, *([row(*stacks, gap=gap)] if stacks else []), *lines]

    def _panel(self, kind: PanelKind, side: int) -> Box:
        m, shape, lines = self.measures, kind.space.shape, kind.space.lines
        if shape is Shape.LINE:
            # Several lines contain sentences, whose letters are larger than those of a name.
            high = m.status_line if lines == 1 else lines * m.sentence_line
            return leaf(kind.name, min(side, _LINE_COLUMN * m.name_line), high)
        share = _TIMELINE_SHARE if shape is Shape.TIMELINE else _CHART_SHARE
        least = _MIN_MAP_CELL * self.size if shape is Shape.MAP else lines * m.letters
        wide = least if shape is Shape.MAP else m.counter_width
        return leaf(kind.name, wide, m.label + least, FREE, round(share * side))

    def block(self, room: Rect) -> Block:
        """The block in the middle of `room`. The parts of a stack are as wide as the board."""
        found = places(self.box(self.cell), room, self.grid)
        board = found.pop(_Part.BOARD)
        if self.style is _Style.STACK:
            for key, rect in found.items():
                x = max(rect.x, board.x)
                found[key] = rect._replace(x=x, width=min(rect.right, board.right) - x)
        name, status = found.pop(_Part.NAME), found.pop(_Part.STATUS)
        counters = _counters(found.pop(_Part.COUNTERS), self.measures) if self.counters else ()
        panels = {str(key): rect for key, rect in found.items()}
        return Block(name, status, board, self.cell, counters, panels)


def _counters(room: Rect, m: Measures) -> tuple[Rect, ...]:
    """As many counters as there is room for, at least the first two, in equal columns, row by row.
    Each begins on a macroblock, like the board, so that equal digits are equal blocks."""
    usual, lines = m.counter_usual, room.height // m.counter
    fitting = [n for n in range(1, len(usual) + 1) if n * max(usual[:n]) <= room.width]
    across = max(fitting, default=1)
    count = min(len(usual), across * lines)
    if count < len(m.counter_least):
        across = count = len(m.counter_least)
    rows = -(-count // across)
    across = -(-count // rows)
    part = room.width // across
    if part - part % 16 >= max(usual[:across]):
        part -= part % 16
    return tuple(slots(room._replace(width=across * part), count, rows, 0))


def blocks_in(
    area: Rect,
    searches: int,
    size: int,
    texts: Sequence[TextSizes],
    gap: int,
    grid: int,
    panels: Sequence[PanelKind],
    kinds: Sequence[CounterKind],
    least: int,
) -> tuple[BlockForm, tuple[Block, ...]] | None:
    """The blocks of `searches` boards of `size` × `size` cells in `area`, with the largest of the
    sizes of `texts`, the largest first, with which boards and counters do not lose too much. Cells
    have at least `least` pixels if possible. None if there is no room."""

    def best(text: TextSizes, extras: Sequence[PanelKind], *, counters: bool) -> BlockForm | None:
        """The form with the largest cells; of equal ones that with the fewest rows."""
        found, m = [], measured(text, gap, kinds)
        for rows, style in product(row_counts(searches), _Style):
            form = BlockForm(style, text, m, tuple(extras), counters, size, grid, rows)
            room = slots(area, searches, rows, between)[0]
            cell = largest_cell(min(room.width, room.height), size)
            if cell := largest(form.box, room, cell, _MIN_CELL, size):
                found.append(form._replace(cell=_good_cell(cell, least)))
        return max(found, key=lambda form: form.cell, default=None)

    def richest(text: TextSizes) -> BlockForm | None:
        """The form with as many of the panels as possible without making boards too small."""
        counters = bool(by_shape(panels, Shape.COUNTERS))
        bare = best(text, (), counters=counters)
        if bare is None or bare.cell < least:
            alone = best(text, (), counters=False)
            if bare is None or (alone and alone.cell > bare.cell):
                return alone
        wanted = [kind for kind in panels if kind.space.shape not in (Shape.BOARD, Shape.COUNTERS)]
        for omitted in (None, *sorted(wanted, key=lambda kind: kind.rank)):
            if omitted:
                wanted.remove(omitted)
            form = best(text, wanted, counters=counters)
            if form and form.cell >= max(bare.cell * _MIN_CELL_SHARE, min(least, bare.cell)):
                return form
        return bare

    between = gap * (_BETWEEN_MANY if searches >= _MANY else _BETWEEN)
    plainest = richest(texts[-1])
    if not plainest:
        return None
    small = plainest.cell < _SMALL_CELL
    share = _MIN_SHARE_OF_SMALL_CELL if small else _MIN_CELL_SHARE_OF_TEXTS
    form = next(
        form
        for form in map(richest, texts)
        if form and form.cell >= plainest.cell * share and form.counters >= plainest.counters
    )
    rooms = slots(area, searches, form.rows, between)
    return form, tuple(form.block(room) for room in rooms)


def _good_cell(cell: int, least: int) -> int:
    """A cell side of a good size, unless it would be smaller than `least`. Digits of small cells
    are hard to read."""
    lost = 6 if cell >= _READABLE_CELL else 12
    snapped = snapped_cell(cell, -(-cell * (lost - 1) // lost))
    return snapped if snapped >= least else cell
