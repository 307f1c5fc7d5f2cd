"""Where everything stands: panels placed for any even size and one to four searches.

Everything snaps to a grid of 16 pixels (a macroblock of H.264), or of 8 or 4 in small pictures,
so that what changes covers few macroblocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from render.canvas import Rect
from render.cells import strong_width
from render.lettering import Face, line_height, text_width
from solver.errors import SettingsError

__all__ = ["Block", "Layout", "TextSizes", "arrange"]

_LEAST_CELL = 8
SMALLEST = 160
LARGEST = 8192
_COUNTERS = 3
"""Counters below or beside a board; where they don't fit, the last ones are left out first."""


@dataclass(frozen=True, slots=True)
class TextSizes:
    """Pixels per em."""

    title: int
    name: int
    status: int
    number: int
    label: int
    footer: int


@dataclass(frozen=True, slots=True)
class Block:
    """The place of one search: its name, its status, its board and its counters.

    `board` is the board's square of `cell` × `cell` pixels a cell, the closing lines on the right
    and below included. `counters` are the boxes of the counters, in order.
    """

    name: Rect
    status: Rect
    board: Rect
    cell: int
    counters: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's regions. `title` is None where there is none."""

    width: int
    height: int
    grid: int
    title: Rect | None
    blocks: tuple[Block, ...]
    progress: Rect
    footer: Rect
    text: TextSizes

    def regions(self) -> list[Rect]:
        """All regions that something is drawn in; none overlaps another."""
        found = [self.progress, self.footer]
        if self.title:
            found.append(self.title)
        for block in self.blocks:
            found += [block.name, block.status, block.board, *block.counters]
        return found


@dataclass(frozen=True, slots=True)
class _Shape:
    """How blocks are arranged: so many columns and rows, the counters below or beside."""

    columns: int
    rows: int
    beside: bool
    counters: int
    cell: int


def arrange(width: int, height: int, searches: int, size: int = 9, *, title: bool = True) -> Layout:
    """Lay out a picture of `width` × `height` pixels (both even) for `searches` boards of
    `size` × `size` cells.

    Raises SettingsError for a size that is odd, too small for the boards, or too large.
    """
    if width % 2 or height % 2:
        raise SettingsError(
            f"{width}×{height} has an odd side, which no player of H.264 shows",
            remedy=f"take {width + width % 2}×{height + height % 2}",
        )
    if not (SMALLEST <= width <= LARGEST and SMALLEST <= height <= LARGEST):
        raise SettingsError(
            f"{width}×{height} is out of range",
            remedy=f"take {SMALLEST} to {LARGEST} pixels a side",
        )
    short = min(width, height)
    grid = 16 if short >= 640 else 8 if short >= 320 else 4
    text = _text_sizes(min((width * height) ** 0.5 / 960, short / 560))
    margin = _up(short / 30, grid)
    gap = max(4, _up(short / 60, grid) // 2)
    top = margin
    title_box = None
    if title:
        title_box = Rect(
            margin, margin - gap // 2, width - 2 * margin, _line(Face.BOLD, text.title)
        )
        top = _up(title_box.bottom + gap, grid)
    footer_height = _line(Face.REGULAR, text.footer)
    footer = Rect(margin, height - margin // 2 - footer_height, width - 2 * margin, footer_height)
    bar = max(2, grid // 4)
    progress = Rect(margin, _down(footer.y - gap // 2 - bar, 2), width - 2 * margin, bar)
    area = Rect(margin, top, width - 2 * margin, progress.y - gap - top)
    shape = next(
        filter(
            None,
            (
                _best_shape(area, searches, size, text, gap, count)
                for count in range(_COUNTERS, -1, -1)
            ),
        ),
        None,
    )
    if shape is None:
        raise SettingsError(
            f"{width}×{height} is too small for {searches} boards of size {size}",
            remedy="take a larger picture or fewer searches",
        )
    blocks = _place(area, shape, searches, size, text, gap, grid)
    return Layout(width, height, grid, title_box, blocks, progress, footer, text)


def _text_sizes(scale: float) -> TextSizes:
    def size(pixels: float, least: int) -> int:
        return max(least, round(pixels * scale))

    return TextSizes(
        title=size(30, 14),
        name=size(22, 12),
        status=size(17, 11),
        number=size(25, 13),
        label=size(16, 11),
        footer=size(16, 11),
    )


def _line(face: Face, size: int) -> int:
    return line_height(face, size)


def _up(pixels: float, grid: int) -> int:
    return -int(-pixels // grid) * grid


def _down(pixels: float, grid: int) -> int:
    return int(pixels // grid) * grid


def _snapped_cell(most: int) -> int:
    """The largest good cell side up to `most`: a multiple of 16, 8 or 4, unless that would give
    away more than a sixth of it."""
    for grid in (16, 8, 4, 2):
        side = _down(most, grid)
        if side and side * 6 >= most * 5:
            return side
    return most


def _head_height(text: TextSizes, gap: int) -> int:
    return max(_line(Face.BOLD, text.name), _line(Face.REGULAR, text.status)) + gap // 2


def _counter_height(text: TextSizes) -> int:
    return _line(Face.REGULAR, text.label) + _line(Face.REGULAR, text.number)


def _counter_width(text: TextSizes) -> int:
    """Room for "10,000,000" and for the longest label."""
    return max(
        text_width("88,888,888", Face.REGULAR, text.number),
        text_width("backtracks", Face.REGULAR, text.label),
    )


def _best_shape(
    area: Rect, searches: int, size: int, text: TextSizes, gap: int, counters: int
) -> _Shape | None:
    """The arrangement with the largest cells that has room for so many counters; of equal ones
    that with the fewest rows, then with the counters below."""
    best: _Shape | None = None
    head, below = _head_height(text, gap), _below_height(text, gap, counters)
    for rows, beside in product(range(1, searches + 1), (False, True)):
        columns = -(-searches // rows)
        if (rows - 1) * columns >= searches:
            continue
        wide = (area.width - (columns - 1) * 2 * gap) // columns
        high = (area.height - (rows - 1) * 2 * gap) // rows
        if beside:
            wide -= _side_width(text, gap)
        else:
            high -= head + below
        room = min(wide, high)
        most = room // size
        most -= most * size + strong_width(max(most, 1)) > room
        if most < _LEAST_CELL:
            continue
        cell = _snapped_cell(most)
        board = cell * size
        if beside and board < _side_height(text, gap, counters):
            continue
        if not beside and counters and board < counters * _counter_width(text) * 4 // 5:
            continue
        if best is None or cell > best.cell:
            best = _Shape(columns, rows, beside, counters, cell)
    return best


def _below_height(text: TextSizes, gap: int, counters: int) -> int:
    return gap // 2 + _counter_height(text) if counters else 0


def _side_height(text: TextSizes, gap: int, counters: int) -> int:
    lines = _line(Face.BOLD, text.name) + _line(Face.REGULAR, text.status)
    return lines + (gap if counters else 0) + counters * _line(Face.REGULAR, text.number)


def _side_width(text: TextSizes, gap: int) -> int:
    row = text_width("backtracks", Face.REGULAR, text.label) + text_width(
        " 8,888,888", Face.REGULAR, text.number
    )
    return 2 * gap + max(row, text_width("✓ 10,000,000 steps", Face.REGULAR, text.status))


def _place(
    area: Rect, shape: _Shape, searches: int, size: int, text: TextSizes, gap: int, grid: int
) -> tuple[Block, ...]:
    board = shape.cell * size + strong_width(shape.cell)
    head = _head_height(text, gap)
    if shape.beside:
        block_width, block_height = board + _side_width(text, gap), board
    else:
        block_width = board
        block_height = head + board + _below_height(text, gap, shape.counters)
    # What is left over goes between and around the blocks in equal parts, on the grid, so that all
    # blocks stand equally far apart.
    pitch_x = _down((area.width + block_width) // (shape.columns + 1) + grid // 2, grid)
    pitch_y = _down((area.height + block_height) // (shape.rows + 1) + grid // 2, grid)
    pitch_x = _fitting_pitch(pitch_x, block_width, shape.columns, area.width, grid)
    pitch_y = _fitting_pitch(pitch_y, block_height, shape.rows, area.height, grid)
    left = area.x + (area.width - (shape.columns - 1) * pitch_x - block_width) // 2
    top = area.y + (area.height - (shape.rows - 1) * pitch_y - block_height) // 2
    blocks = []
    for number in range(searches):
        row, column = divmod(number, shape.columns)
        in_row = min(shape.columns, searches - row * shape.columns)
        # A last row that is not full stands in the middle.
        indent = (shape.columns - in_row) * pitch_x // 2
        x = left + indent + column * pitch_x
        y = top + row * pitch_y
        blocks.append(_block(x, y, board, head, shape, text, gap, grid))
    return tuple(blocks)


def _fitting_pitch(pitch: int, block: int, count: int, room: int, grid: int) -> int:
    """`pitch` made smaller by whole grid steps until `count` blocks fit into `room`."""
    while (count - 1) * pitch + block > room and pitch - grid >= block:
        pitch -= grid
    return pitch


def _block(
    x: int, y: int, board: int, head: int, shape: _Shape, text: TextSizes, gap: int, grid: int
) -> Block:
    x = _down(x + grid // 2, grid)
    name_line, status_line = _line(Face.BOLD, text.name), _line(Face.REGULAR, text.status)
    counter = _counter_height(text)
    if shape.beside:
        y = _down(y + grid // 2, grid)
        square = Rect(x, y, board, board)
        left = square.right + 2 * gap
        wide = _side_width(text, gap) - 2 * gap
        name = Rect(left, y, wide, name_line)
        status = Rect(left, name.bottom, wide, status_line)
        row = _line(Face.REGULAR, text.number)
        first = status.bottom + gap
        pitch = min(row + gap // 2, (square.bottom - first) // max(1, shape.counters))
        counters = tuple(
            Rect(left, first + number * pitch, wide, row) for number in range(shape.counters)
        )
        return Block(name, status, square, shape.cell, counters)
    top = _down(y + head + grid // 2, grid)
    square = Rect(x, top, board, board)
    half = board * 2 // 5
    name = Rect(x, top - gap // 2 - name_line, half, name_line)
    status = Rect(x + half, top - gap // 2 - status_line - (name_line - status_line) // 3,
                  board - half, status_line)  # fmt: skip
    part = board // max(1, shape.counters)
    counters = tuple(
        Rect(x + number * part, square.bottom + gap // 2, part, counter)
        for number in range(shape.counters)
    )
    return Block(name, status, square, shape.cell, counters)
