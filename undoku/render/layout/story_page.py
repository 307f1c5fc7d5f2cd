"""The picture of a story that is laid out: its sizes, and places that several layouts need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import TextSizes, board_side, largest_cell
from undoku.render.layout.blocks import Block, snapped_cell
from undoku.render.layout.page import RING, Layout, grid_of, inner_area
from undoku.render.layout.panel_kind import PanelKind

NAME_WIDTH, FACTS_WIDTH = 11.5, 7.5
"""The widths of a name and of a number with a noun, in sizes of letters."""

_MIN_CELL, MIN_SMALL_CELL = 8, 4
"""Pixels of a cell of a large board and of a small one."""

_GOOD_CELL_SHARE = 0.96
"""Cells are smaller than possible by at most this share, to have a good size."""

_BAR_SHARE = 1 / 35
"""The height of a bar relative to the picture's shorter side."""

_SMALL = 120
"""Pictures of at most this height in pixels have sentences of one line."""

_WIDE = 1.25
"""The ratio of width to height from which a picture is wide."""


@dataclass(frozen=True, slots=True)
class StoryPage:
    """A picture to be laid out, with letters of `letters` pixels per em. `solutions` states whether
    boards have a panel of solutions if there is room. A `plain` one, for tiny pictures, has boards
    and names alone."""

    width: int
    height: int
    searches: int
    size: int
    safe: Rect
    solutions: PanelKind | None
    letters: int
    plain: bool = False

    @property
    def grid(self) -> int:
        return grid_of(self.width, self.height)

    @property
    def gap(self) -> int:
        return max(RING, self.grid // 2)

    @property
    def inside(self) -> Rect:
        return inner_area(
            self.safe.inset(RING),
            self.width,
            self.height,
            self.grid,
            self.grid // 4,
        )

    @property
    def is_wide(self) -> bool:
        return self.width >= _WIDE * self.height

    @property
    def line(self) -> int:
        return line_height(Face.BOLD, self.letters)

    @property
    def bar(self) -> int:
        return max(RING, round(min(self.width, self.height) * _BAR_SHARE / 2) * 2)

    @property
    def sentence_height(self) -> int:
        lines = 0 if self.plain else 1 if self.height <= _SMALL else 2
        return lines * self.line

    @property
    def below_board(self) -> int:
        """The height of the bar and the facts below a board, with the gap above them."""
        return 0 if self.plain else self.gap + self.bar + self.line

    def wide(self, ems: float) -> int:
        """The width of a text in pixels."""
        return round(ems * self.letters)

    def cell(self, room: int, least: int = _MIN_CELL) -> int:
        """The side of the cells of the largest board, of a good size, in `room` pixels; 0 below
        `least`."""
        cell = largest_cell(room, self.size)
        cell = snapped_cell(cell, ceil(cell * _GOOD_CELL_SHARE))
        return cell if cell >= least else 0

    def side(self, cell: int) -> int:
        return board_side(cell, self.size)

    def layout(
        self,
        blocks: Sequence[Block],
        *,
        sentence: Rect | None = None,
        laps: Rect | None = None,
        name: int = 0,
    ) -> Layout:
        """The layout of these blocks and boxes. The speed of the clock has the last line of the
        `sentence`. Names have at most `name` pixels per em, if it is given."""
        size, panels = self.letters, self.solutions
        if panels and not any(panels.name in block.panels for block in blocks):
            panels = None
        return Layout(
            self.width,
            self.height,
            self.grid,
            None,
            tuple(blocks),
            (panels,) if panels else (),
            None,
            None,
            TextSizes(size * 5 // 4, min(size, name or size), size, size, size, size, size),
            self.safe,
            self.inside,
            sentence=sentence,
            laps=laps,
        )


def on_grid(wanted: int, low: int, high: int, grid: int) -> int:
    """The position nearest to `wanted` in low..high on the grid, or on a finer one."""
    for step in (grid, 8, 4, 2):
        near = (wanted + step // 2) // step * step
        for each in (near, near - step, near + step):
            if low <= each <= high:
                return each
    return wanted


def block_at(
    name: Rect,
    board: Rect,
    cell: int,
    panels: dict[str, Rect] | None = None,
    *,
    centred: bool = False,
) -> Block:
    """The place of a search with these boxes, without a status."""
    status = Rect(name.right, name.y, 0, name.height)
    return Block(name, status, board, cell, (), panels or {}, centred=centred)


def packed(
    page: StoryPage, boards: Sequence[Rect], room: Rect, most: int, *, at_left: bool = False
) -> list[tuple[Rect, int]]:
    """Small places in `room`, at its right or at its left, and the sides of their cells, at most
    `most`, for boards: in rows as they are, or in one row, or below each other, so that none passes
    another on its way. Empty if there is no room."""
    numbers = range(len(boards))
    by_row = sorted(numbers, key=lambda each: (boards[each].y, boards[each].x))
    forms = [
        [list(row) for _, row in groupby(by_row, key=lambda each: boards[each].y)],
        [sorted(numbers, key=lambda each: boards[each].x)],
        [[each] for each in by_row],
    ]

    def cell_of(rows: Sequence[Sequence[int]]) -> int:
        across = max(map(len, rows))
        wide = (room.width + page.gap) // across - page.gap
        high = (room.height + page.gap) // len(rows) - page.gap
        return largest_cell(min(wide, high), page.size)

    rows = max(forms, key=cell_of)
    cell = min(most, cell_of(rows))
    if cell < MIN_SMALL_CELL:
        return []
    side = page.side(cell)
    places = {}
    for y, row in enumerate(rows):
        left = room.x if at_left else room.right - len(row) * (side + page.gap) + page.gap
        for x, number in enumerate(row):
            corner = left + x * (side + page.gap), room.y + y * (side + page.gap)
            places[number] = Rect(*corner, side, side)
    return [(places[number], cell) for number in numbers]


def cell_of_largest(layout: Layout) -> int:
    """The side of the largest cells of a layout."""
    return max(block.cell for block in layout.blocks)
