"""Divides a picture into blocks, and each block into the places of its panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from undoku.render.draw.canvas import Rect
from undoku.render.draw.cells import strong_width
from undoku.render.draw.lettering import Face, line_height
from undoku.render.layout.block_measures import (
    USUAL_COUNTERS,
    Measures,
    TextSizes,
    least_heights,
    line_height_of,
    measured,
    stacked_height,
)
from undoku.render.layout.blocks import Block, BlockStyle, Form, least_stacked
from undoku.render.layout.form_choice import row_shift
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.texts.counter_kinds import CounterKind

__all__ = ["cut_into_blocks"]


def cut_into_blocks(
    area: Rect,
    form: Form,
    searches: int,
    size: int,
    text: TextSizes,
    gap: int,
    grid: int,
    kinds: Sequence[CounterKind] = USUAL_COUNTERS,
) -> tuple[Block, ...]:
    """The blocks of `searches` boards of `size` × `size` cells in `area`, with counters of
    these `kinds` if there is room.

    Remaining space is distributed evenly between and around the blocks, on the grid. A last row
    that is not full is centred.
    """
    # The gaps between blocks equal those at the edges of the picture.
    pitch_x = _pitch(area.width, area.x, form.width, form.columns, gap, grid)
    pitch_y = _pitch(area.height, 2 * gap, form.height, form.rows, gap, grid)
    m = measured(text, gap, kinds)
    form = replace(form, width=_centred_width(area.width, pitch_x, form, size, m, grid))
    left = area.x + (area.width - (form.columns - 1) * pitch_x - form.width) // 2
    top = area.y + (area.height - (form.rows - 1) * pitch_y - form.height) // 2
    blocks = []
    for number in range(searches):
        row, column = divmod(number, form.columns)
        in_row = min(form.columns, searches - row * form.columns)
        indent = (form.columns - in_row) * pitch_x // 2
        x = _near(left + indent + column * pitch_x, grid)
        y = top + row * pitch_y
        cut = _stacked if form.style is BlockStyle.STACK else _sided
        blocks.append(cut(x, y, form, size, text, m, grid))
    return tuple(blocks)


def _centred_width(room: int, pitch: int, form: Form, size: int, m: Measures, grid: int) -> int:
    """The width of a block, reduced so that the blocks can be centred in `room` and on the grid at
    the same time; boards do not become smaller."""
    excess = (room - (form.columns - 1) * pitch - form.width) % (2 * grid)
    width = form.width - (2 * grid - excess if excess else 0)
    least = form.cell * size + strong_width(form.cell) + 2 * m.gap + m.counter_width
    return width if form.style is not BlockStyle.STACK and width >= least else form.width


def _near(pixels: int, grid: int) -> int:
    return (pixels + grid // 2) // grid * grid


def _pitch(room: int, margin: int, block: int, count: int, gap: int, grid: int) -> int:
    """The distance between two blocks, a multiple of the grid if that leaves a gap between them."""
    pitch = _near((room + 2 * margin + block) // (count + 1), grid)
    while (count - 1) * pitch + block > room and pitch - grid >= block + gap:
        pitch -= grid
    return pitch


def _stacked(
    x: int, y: int, form: Form, size: int, text: TextSizes, m: Measures, grid: int
) -> Block:
    """Heading, board, counters and charts, one below the other."""
    side = form.cell * size + strong_width(form.cell)
    name_line, status_line = (
        line_height(Face.BOLD, text.name),
        line_height(Face.REGULAR, text.status),
    )
    # A name has one or two lines of its own if only charts become smaller.
    spare = form.height - least_stacked(side, form, m, size)
    own_lines = 0
    while own_lines < 2 and spare >= status_line + own_lines * name_line:
        own_lines += 1
    head = m.head
    if own_lines:
        head += status_line + (own_lines - 1) * name_line
    square = Rect(x, _near(y + head, grid), side, side)
    bottom = square.y - head + form.height
    foot = square.y - m.gap // 2
    if own_lines:
        status = Rect(x, foot - status_line, side, status_line)
        name = Rect(x, status.y - own_lines * name_line, side, own_lines * name_line)
    else:
        half, lower = side // 2, (name_line - status_line) // 3
        name = Rect(x, foot - name_line, half, name_line)
        status = Rect(x + half, foot - status_line - lower, side - half, status_line)
    end = square.bottom
    counters: tuple[Rect, ...] = ()
    if form.counters:
        end += m.gap // 2
        counters = _counter_row(Rect(x, end, side, m.counter), m)
        end += m.counter
    lines = by_shape(form.extras, Shape.LINE)
    bottom -= sum(line_height_of(kind, m) for kind in lines)
    panels = _below(lines, x, bottom, side, m)
    below = Rect(x, end, side, bottom - end)
    panels |= _charts(below, form.extras, size, m, beside=True)
    return Block(name, status, square, form.cell, counters, panels)


def _below(lines: Sequence[PanelKind], x: int, y: int, wide: int, m: Measures) -> dict[str, Rect]:
    """Lines of text below each other from (x, y) on, with a gap above each."""
    half, found = m.gap // 2, {}
    for kind in lines:
        high = line_height_of(kind, m)
        found[kind.name] = Rect(x, y + half, wide, high - half)
        y += high
    return found


def _sided(x: int, y: int, form: Form, size: int, text: TextSizes, m: Measures, grid: int) -> Block:
    """The board on the left, the rest in a column beside it; timelines below both in a wide
    block, and lines of text that have no room in the column."""
    side = form.cell * size + strong_width(form.cell)
    y = _near(y, grid)
    square = Rect(x, y, side, side)
    left = square.right + 2 * m.gap
    wide = x + form.width - left
    bottom = y + form.height
    lines = by_shape(form.extras, Shape.LINE)
    lines_height = sum(line_height_of(kind, m) for kind in lines)
    panels: dict[str, Rect] = {}
    below = square.bottom
    if form.style is not BlockStyle.COLUMN:
        panels |= _below(lines, x, below, form.width, m)
        below += lines_height
    bottom = max(bottom, below)
    extras = form.extras
    if form.style is BlockStyle.WIDE:
        timelines = by_shape(extras, Shape.TIMELINE)
        top = below + m.gap
        panels |= _stacked_panels(timelines, Rect(x, top, form.width, bottom - top), size, m)
        extras = by_shape(extras, Shape.CHART, Shape.MAP)
    column = by_shape(extras, Shape.TIMELINE, Shape.CHART, Shape.MAP)
    least = sum(m.gap + height for height in least_heights(column, size, m))
    if form.style is BlockStyle.COLUMN:
        least += lines_height
    spare = side - m.side_head - least
    rows = -(-len(m.counter_least) // max(1, wide // m.counter_width))
    spare -= rows * m.counter if form.counters else 0
    high = _name_height(text, spare)
    name = Rect(left, y, wide, high)
    status = Rect(left, name.bottom, wide, line_height(Face.REGULAR, text.status))
    end = status.bottom + m.gap
    counters: tuple[Rect, ...] = ()
    if form.counters:
        if lower := by_shape(extras, Shape.CHART, Shape.MAP):
            most = square.bottom - end - rows * m.counter
            least = max(least, min(most, side * (1 + len(lower)) // 5))
        counters = _counter_grid(Rect(left, end, wide, square.bottom - least - end), m)
        end = max((rect.bottom for rect in counters), default=end)
    if form.style is BlockStyle.COLUMN:
        panels |= _below(lines, left, end, wide, m)
        end += lines_height
    right = Rect(left, end, wide, square.bottom - end)
    panels |= _charts(right, extras, size, m, beside=False)
    return Block(name, status, square, form.cell, counters, panels)


def _name_height(text: TextSizes, spare: int) -> int:
    """The height of a name beside a board if `spare` pixels are left: one line, with more room two
    or three, and one in the letters of labels for the specification of the strategy."""
    line, spec = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.label)
    high = (3 * line + spec, 2 * line + spec, 2 * line, line + spec)
    return next((each for each in high if each - line <= spare), line)


def _counter_row(room: Rect, m: Measures) -> tuple[Rect, ...]:
    """As many counters as there is room for, at least the first two; each has the width that it
    needs and an equal part of the rest."""
    count, least = len(m.counter_usual), len(m.counter_least)
    while count >= least and sum(m.counter_usual[:count]) + (count - 1) * m.gap // 2 > room.width:
        count -= 1
    needs = m.counter_usual[:count] if count >= least else m.counter_least
    spare = room.width - sum(needs)
    ends = [
        room.x + sum(needs[:number]) + spare * number // len(needs)
        for number in range(len(needs) + 1)
    ]
    # Each begins on a macroblock, like the board, so that equal digits are equal blocks, if the
    # previous one still has the room that it needs.
    for number, need in enumerate(needs[:-1], 1):
        snapped = ends[number] - (ends[number] - room.x) % 16
        if snapped - ends[number - 1] >= need:
            ends[number] = snapped
    # A number is shortened rather than placed next to the next one without a gap.
    apart = m.letters // 2
    return tuple(
        Rect(
            left,
            room.y,
            max(need, right - left - (apart if right < room.right else 0)),
            room.height,
        )
        for (left, right), need in zip(pairwise(ends), needs, strict=True)
    )


def _counter_grid(room: Rect, m: Measures) -> tuple[Rect, ...]:
    """As many counters as there is room for, at least the first two, row by row."""
    wanted, least = len(m.counter_usual), len(m.counter_least)
    across = max(1, min(wanted, room.width // m.counter_width))
    lines = max(-(-least // across), min(room.height // m.counter, -(-wanted // across)))
    count = min(wanted, across * lines)
    across = -(-count // -(-count // across))
    part = room.width // across
    # If there is room, a number is nearer to its own label than to the next one.
    apart = min(m.counter + m.gap // 2, max(m.counter, room.height // -(-count // across)))
    return tuple(
        Rect(room.x + n % across * part, room.y + n // across * apart, part, m.counter)
        for n in range(count)
    )


def _charts(
    room: Rect, extras: Sequence[PanelKind], size: int, m: Measures, *, beside: bool
) -> dict[str, Rect]:
    """Timelines, charts and maps below each other in `room`, a gap above each; the maps `beside`
    the charts, also where these are wide enough."""
    timelines = by_shape(extras, Shape.TIMELINE)
    charts, maps = by_shape(extras, Shape.CHART), by_shape(extras, Shape.MAP)
    panels: dict[str, Rect] = {}
    y, left = room.y + m.gap, room.height - m.gap
    if timelines:
        height = left
        if charts or maps:
            needs = [stacked_height(kinds, size, m) for kinds in (charts, maps) if kinds]
            need = max(needs) if beside else sum(needs) + m.gap * (len(needs) - 1)
            least = stacked_height(timelines, size, m)
            height = max(least, min(left * 2 // 5, left - m.gap - need))
        panels |= _stacked_panels(timelines, Rect(room.x, y, room.width, height), size, m)
        y, left = y + height + m.gap, left - height - m.gap
    lower = Rect(room.x, y, room.width, left)
    if not (charts and maps):
        return panels | _stacked_panels(charts or maps, lower, size, m)
    if beside or room.width >= 2 * left:
        wide = min(left - m.label, room.width // 2 - m.gap)
        upper = lower._replace(width=room.width - wide - m.gap)
        lower = Rect(room.right - wide, y, wide, left)
    else:
        least = stacked_height(maps, size, m)
        high = max(least, min((left - m.gap) // 2, room.width + m.label))
        high = min(high, left - m.gap - stacked_height(charts, size, m))
        upper = lower._replace(height=left - high - m.gap)
        lower = Rect(room.x, y + left - high, room.width, high)
    panels |= _stacked_panels(charts, upper, size, m)
    return panels | _stacked_panels(maps, lower, size, m)


def _stacked_panels(
    kinds: Sequence[PanelKind], room: Rect, size: int, m: Measures
) -> dict[str, Rect]:
    """Panels below each other that fill `room`: each has the height that it needs and an equal part
    of the rest."""
    if not kinds:
        return {}
    spare = room.height - stacked_height(kinds, size, m)
    # The captions of charts have numbers that grow.
    shift = row_shift(room.y, m.letters, range(max(0, min(m.gap, spare)) + 1))
    panels, y, spare = {}, room.y + shift, spare - shift
    for number, (kind, least) in enumerate(
        zip(kinds, least_heights(kinds, size, m), strict=True), start=1
    ):
        height = least + spare * number // len(kinds) - spare * (number - 1) // len(kinds)
        panels[kind.name] = Rect(room.x, y, room.width, height)
        y += height + m.gap
    return panels
