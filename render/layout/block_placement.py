"""Cuts a picture into blocks, and each block into the places of its panels."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from render.drawing.canvas import Rect
from render.drawing.cells import strong_width
from render.layout.blocks import (
    COUNTERS,
    Block,
    Form,
    Measures,
    Style,
    TextSizes,
    heat_height,
    measured,
)
from render.style.lettering import Face, line_height, text_width

__all__ = ["cut_into_blocks"]


def cut_into_blocks(
    area: Rect, form: Form, searches: int, size: int, text: TextSizes, gap: int, grid: int
) -> tuple[Block, ...]:
    """The blocks of `searches` boards of `size` × `size` cells in `area`.

    What is left over goes between and around the blocks in equal parts, on the grid, so that all
    blocks stand equally far apart. A last row that is not full stands in the middle.
    """
    # Blocks stand as far from each other as from the edge of the picture.
    pitch_x = _pitch(area.width, area.x, form.width, form.columns, gap, grid)
    pitch_y = _pitch(area.height, 2 * gap, form.height, form.rows, gap, grid)
    form = replace(form, width=_centred_width(area.width, pitch_x, form, size, text, gap, grid))
    left = area.x + (area.width - (form.columns - 1) * pitch_x - form.width) // 2
    top = area.y + (area.height - (form.rows - 1) * pitch_y - form.height) // 2
    m = measured(text, gap)
    blocks = []
    for number in range(searches):
        row, column = divmod(number, form.columns)
        in_row = min(form.columns, searches - row * form.columns)
        indent = (form.columns - in_row) * pitch_x // 2
        x = _near(left + indent + column * pitch_x, grid)
        y = top + row * pitch_y
        cut = _stacked if form.style is Style.STACK else _sided
        blocks.append(cut(x, y, form, size, text, m, grid))
    return tuple(blocks)


def _centred_width(
    room: int, pitch: int, form: Form, size: int, text: TextSizes, gap: int, grid: int
) -> int:
    """The width of a block, less what would keep the blocks from standing in the middle of `room`
    and on the grid at once; a board gives nothing."""
    excess = (room - (form.columns - 1) * pitch - form.width) % (2 * grid)
    width = form.width - (2 * grid - excess if excess else 0)
    least = form.cell * size + strong_width(form.cell) + 2 * gap
    least += measured(text, gap).counter_width
    return width if form.style is not Style.STACK and width >= least else form.width


def _near(pixels: int, grid: int) -> int:
    return (pixels + grid // 2) // grid * grid


def _pitch(room: int, margin: int, block: int, count: int, gap: int, grid: int) -> int:
    """From one block to the next, on the grid wherever that leaves a gap between them."""
    pitch = _near((room + 2 * margin + block) // (count + 1), grid)
    while (count - 1) * pitch + block > room and pitch - grid >= block + gap:
        pitch -= grid
    return pitch


def _stacked(
    x: int, y: int, form: Form, size: int, text: TextSizes, m: Measures, grid: int
) -> Block:
    """Heading, board, counters and charts, one below the other."""
    side = form.cell * size + strong_width(form.cell)
    square = Rect(x, _near(y + m.head, grid), side, side)
    bottom = square.y - m.head + form.height
    name_line, status_line = (
        line_height(Face.BOLD, text.name),
        line_height(Face.REGULAR, text.status),
    )
    half = side // 2
    name = Rect(x, square.y - m.gap // 2 - name_line, half, name_line)
    lower = (name_line - status_line) // 3
    status = Rect(x + half, square.y - m.gap // 2 - status_line - lower, side - half, status_line)
    end = square.bottom
    counters: tuple[Rect, ...] = ()
    if form.counters:
        end += m.gap // 2
        counters = _counter_row(Rect(x, end, side, m.counter), m)
        end += m.counter
    why = None
    if "why" in form.extras:
        why = Rect(x, bottom - m.why + m.gap // 2, side, m.why - m.gap // 2)
        bottom -= m.why
    depth, tree, heat = _charts(Rect(x, end, side, bottom - end), form.extras, size, m, beside=True)
    return Block(name, status, square, form.cell, counters, depth, tree, why, heat)


def _sided(x: int, y: int, form: Form, size: int, text: TextSizes, m: Measures, grid: int) -> Block:
    """The board on the left, the rest in a column beside it; depth below both in a wide block."""
    side = form.cell * size + strong_width(form.cell)
    y = _near(y, grid)
    square = Rect(x, y, side, side)
    left = square.right + 2 * m.gap
    if grid == 16:
        # Counters have their last three digits on the grid. This is where "8,888" then begins.
        left += -(left + text_width("8,", Face.REGULAR, text.number)) % grid
    wide = x + form.width - left
    name = Rect(left, y, wide, line_height(Face.BOLD, text.name))
    status = Rect(left, name.bottom, wide, line_height(Face.REGULAR, text.status))
    bottom = y + form.height
    why = depth = None
    if "why" in form.extras:
        top = square.bottom + m.gap // 2
        why = Rect(x, top, form.width, m.why - m.gap // 2)
        bottom = max(bottom, why.bottom)
    extras = form.extras
    if form.style is Style.WIDE:
        top = (why.bottom if why else square.bottom) + m.gap
        depth = Rect(x, top, form.width, bottom - top)
        extras -= {"depth"}
    end = status.bottom + m.gap
    counters: tuple[Rect, ...] = ()
    if form.counters:
        least = sum(
            m.gap + need
            for extra, need in (
                ("depth", m.depth),
                ("tree", m.tree),
                ("heat", heat_height(size, m)),
            )
            if extra in extras
        )
        if lower := extras & {"tree", "heat"}:
            least = max(least, side * (1 + len(lower)) // 5)
        counters = _counter_grid(Rect(left, end, wide, square.bottom - least - end), m)
        end = max((rect.bottom for rect in counters), default=end)
    column = Rect(left, end, wide, square.bottom - end)
    in_column, tree, heat = _charts(column, extras, size, m, beside=False)
    return Block(name, status, square, form.cell, counters, depth or in_column, tree, why, heat)


def _counter_row(room: Rect, m: Measures) -> tuple[Rect, ...]:
    """As many counters as have room, at least two, each as wide as it needs and an equal part of
    what is left."""
    count = len(COUNTERS)
    while count > 1 and sum(m.counter_usual[:count]) + (count - 1) * m.gap // 2 > room.width:
        count -= 1
    needs = m.counter_usual[:count] if count > 1 else m.counter_pair
    spare = room.width - sum(needs)
    ends = [
        room.x + sum(needs[:number]) + spare * number // len(needs)
        for number in range(len(needs) + 1)
    ]
    return tuple(Rect(left, room.y, right - left, room.height) for left, right in pairwise(ends))


def _counter_grid(room: Rect, m: Measures) -> tuple[Rect, ...]:
    """As many counters as have room, at least two, row by row."""
    across = max(1, min(len(COUNTERS), room.width // m.counter_width))
    lines = max(-(-2 // across), min(room.height // m.counter, -(-len(COUNTERS) // across)))
    count = min(len(COUNTERS), across * lines)
    across = -(-count // -(-count // across))
    part = room.width // across
    # A line stands nearer to its label than to the next, where there is room; on the grid it does.
    apart = min(m.counter + m.gap // 2, max(m.counter, room.height // -(-count // across)))
    if m.counter % 16 == 0:
        apart = m.counter
    return tuple(
        Rect(room.x + n % across * part, room.y + n // across * apart, part, m.counter)
        for n in range(count)
    )


def _charts(
    room: Rect, extras: frozenset[str], size: int, m: Measures, *, beside: bool
) -> tuple[Rect | None, Rect | None, Rect | None]:
    """(depth, tree, heat) below each other in `room`, a gap above each; the heat `beside` the
    tree, also where that is wide enough."""
    depth = tree = heat = None
    y, left = room.y + m.gap, room.height - m.gap
    lower = extras & {"tree", "heat"}
    if "depth" in extras:
        needs = [{"tree": m.tree, "heat": heat_height(size, m)}[extra] for extra in lower]
        need = max(needs, default=0) if beside else sum(needs) + m.gap * (len(needs) - 1)
        height = left if not lower else max(m.depth, min(left * 2 // 5, left - m.gap - need))
        depth = Rect(room.x, y, room.width, height)
        y, left = y + height + m.gap, left - height - m.gap
    if lower == {"tree"}:
        tree = Rect(room.x, y, room.width, left)
    elif lower == {"heat"}:
        heat = Rect(room.x, y, room.width, left)
    elif lower and (beside or room.width >= 2 * left):
        wide = min(left - m.label, room.width // 2 - m.gap)
        tree = Rect(room.x, y, room.width - wide - m.gap, left)
        heat = Rect(room.right - wide, y, wide, left)
    elif lower:
        high = max(heat_height(size, m), min((left - m.gap) // 2, room.width + m.label))
        high = min(high, left - m.gap - m.tree)
        tree = Rect(room.x, y, room.width, left - high - m.gap)
        heat = Rect(room.x, y + left - high, room.width, high)
    return depth, tree, heat
