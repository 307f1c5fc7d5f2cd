"""The layout of a contact sheet: a band for each search, with its moments in order."""

from __future__ import annotations

from collections.abc import Sequence

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import board_side, largest_cell
from undoku.render.layout.blocks import Block
from undoku.render.layout.boxes import row_counts, slots
from undoku.render.layout.page import Layout, too_small

_MIN_CELL = 8


def arrange_contact_sheet(layout: Layout, sizes: Sequence[int], moments: int) -> list[Layout]:
    """The layout of each of `moments` (>= 1) moments: the places of its boards, whose status is the
    label below, and of their names. A band between the title of `layout` and its legend or footer
    has the boards of one search; `sizes` are the sides of the boards in cells. All cells have the
    same, largest possible size; a band has more than one row if that makes them larger. Raises
    SettingsError if cells would be too small to read.
    """
    text, inside, size = layout.text, layout.inside, max(sizes)
    gap = max(4, text.label // 2)
    head = line_height(Face.BOLD, text.name) + gap // 2
    foot = line_height(Face.REGULAR, text.label) + gap // 2
    top = layout.title.bottom + gap if layout.title else inside.y
    below = layout.legend or layout.footer or layout.progress
    bottom = (below.y if below else inside.bottom) - gap
    bands = slots(Rect(inside.x, top, inside.width, bottom - top), len(sizes), len(sizes), gap)
    grids = [band._replace(y=band.y + head, height=band.height - head) for band in bands]
    forms = []
    for rows in row_counts(moments):
        slot = slots(grids[0], moments, rows, gap)[0]
        forms.append((largest_cell(min(slot.width, slot.height - foot), size), -rows))
    cell, rows = max(forms)
    if cell < _MIN_CELL:
        raise too_small(layout.width, layout.height, len(sizes) * moments, size, "moments")

    def place(moment: int, search: int) -> Block:
        spaces, side = slots(grids[search], moments, -rows, gap), board_side(cell, sizes[search])
        left, (x, y, wide, _) = spaces[0].x, spaces[moment]
        indent = (wide - side) // 2
        name = Rect(left + indent, bands[search].y, inside.right - left - indent, head - gap // 2)
        # Labels may be wider than small boards.
        label = Rect(x, y + side + gap // 2, wide, foot - gap // 2)
        return Block(name, label, Rect(x + indent, y, side, side), cell, ())

    return [
        layout._replace(blocks=tuple(place(moment, search) for search in range(len(sizes))))
        for moment in range(moments)
    ]
