"""The layout of a contact sheet: a band for each search, with its moments in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import board_side, largest_cell
from undoku.render.layout.blocks import Block
from undoku.render.layout.page import Layout

_MIN_CELL = 8


def arrange_contact_sheet(layout: Layout, sizes: Sequence[int], moments: int) -> list[Layout]:
    """The layout of each of `moments` (>= 1) moments: the places of its boards, whose status is the
    label below, and of their names. A band between the title of `layout` and its legend or footer
    has the boards of one search; `sizes` are the sides of the boards in cells. All cells have the
    same, largest possible size; a band has more than one row if that makes them larger. Raises
    SettingsError if cells would be too small to read.
    """
    text, inside = layout.text, layout.inside
    gap = max(4, text.label // 2)
    top = layout.title.bottom + gap if layout.title else inside.y
    below = layout.legend or layout.footer or layout.progress
    bottom = (below.y if below else inside.bottom) - gap
    area = Rect(inside.x, top, inside.width, bottom - top)
    head = line_height(Face.BOLD, text.name) + gap // 2
    label = line_height(Face.REGULAR, text.label)
    searches, size = len(sizes), max(sizes)
    cell, columns, rows = 0, moments, 1
    for down in range(1, moments + 1):
        across = -(-moments // down)
        wide = (area.width + gap) // across - gap
        high = (area.height - searches * head) // (searches * down) - label - 2 * gap
        most = largest_cell(min(wide, high), size)
        if most > cell:
            cell, columns, rows = most, across, down
    if cell < _MIN_CELL:
        raise SettingsError(
            f"{layout.width}×{layout.height} is too small for {searches * moments} boards of size "
            f"{size}",
            remedy="use a larger picture or fewer moments",
        )
    side = board_side(cell, size)
    pitch_x = min((area.width - side) // (columns - 1) if columns > 1 else 0, side * 3 // 2)
    pitch_y = side + label + 2 * gap
    band = head + rows * pitch_y
    left = area.x + (area.width - (columns - 1) * pitch_x - side) // 2
    spare = max(0, area.height - searches * band) // (searches + 1)
    last = left + (columns - 1) * pitch_x + side
    over = min(left - layout.safe.x, layout.safe.right - last)
    if columns > 1:
        over = max(0, min(over, (pitch_x - gap - side) // 2))

    def place(moment: int, search: int) -> Block:
        row, column = divmod(moment, columns)
        y = area.y + spare + search * (band + spare)
        name = Rect(left, y, area.right - left, line_height(Face.BOLD, text.name))
        own = board_side(cell, sizes[search])
        board = Rect(left + column * pitch_x, y + head + row * pitch_y, own, own)
        # Labels may be a little wider than small boards, but not touch each other.
        below = Rect(board.x - over, board.bottom + gap // 2, own + 2 * over, label)
        return Block(name, below, board, cell, ())

    return [
        replace(layout, blocks=tuple(place(moment, search) for search in range(searches)))
        for moment in range(moments)
    ]
