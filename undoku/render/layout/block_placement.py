"""Divides a picture into blocks, and each block into the places of its panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import (
    Measures,
    TextSizes,
    board_side,
    least_heights,
    line_height_of,
    stacked_height,
)
from undoku.render.layout.blocks import Block, BlockStyle, Contents, Form
from undoku.render.layout.form_choice import row_shift
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape


def cut_into_blocks(
    area: Rect,
    form: Form,
    searches: int,
    text: TextSizes,
    gap: int,
    grid: int,
) -> tuple[Block, ...]:
    """The blocks of `searches` boards in `area`, in a form that has room there.

    Remaining space is distributed evenly between and around the blocks, on the grid. A last row
    that is not full is centred.
    """
    # The gaps between blocks equal those at the edges of the picture.
    pitch_x = _pitch(area.width, area.x, form.width, form.columns, gap, grid)
    pitch_y = _pitch(area.height, 2 * gap, form.height, form.rows, gap, grid)
    form = replace(form, width=_centred_width(area.width, pitch_x, form, grid))
    left = area.x + (area.width - (form.columns - 1) * pitch_x - form.width) // 2
    top = area.y + (area.height - (form.rows - 1) * pitch_y - form.height) // 2
    blocks = []
    for number in range(searches):
        row, column = divmod(number, form.columns)
        in_row = min(form.columns, searches - row * form.columns)
        indent = (form.columns - in_row) * pitch_x // 2
        x = _near(left + indent + column * pitch_x, grid)
        y = top + row * pitch_y
        cut = _stacked if form.contents.style is BlockStyle.STACK else _sided
        blocks.append(cut(x, y, form, text, grid))
    return tuple(blocks)


def _centred_width(room: int, pitch: int, form: Form, grid: int) -> int:
    """The width of a block, reduced so that the blocks can be centred in `room` and on the grid at
    the same time; boards do not become smaller."""
    excess = (room - (form.columns - 1) * pitch - form.width) % (2 * grid)
    width = form.width - (2 * grid - excess if excess else 0)
    m = form.contents.measures
    least = board_side(form.cell, form.contents.size) + 2 * m.gap + m.counter_width
    stacked = form.contents.style is BlockStyle.STACK
    return form.width if stacked or width < least else width


def _near(pixels: int, grid: int) -> int:
    return (pixels + grid // 2) // grid * grid


def _pitch(room: int, margin: int, block: int, count: int, gap: int, grid: int) -> int:
    """The distance between two blocks, a multiple of the grid if that leaves a gap between them."""
    pitch = _near((room + 2 * margin + block) // (count + 1), grid)
    while (count - 1) * pitch + block > room and pitch - grid >= block + gap:
        pitch -= grid
    return pitch


def _stacked(x: int, y: int, form: Form, text: TextSizes, grid: int) -> Block:
    """Heading, board, counters and charts, one below the other."""
    contents, m = form.contents, form.contents.measures
    side = board_side(form.cell, contents.size)
    name_line, status_line = m.name_line, line_height(Face.REGULAR, text.status)
    # A name has one or two lines of its own if only charts become smaller.
    spare = contents.room(form.height, form.height) - side - status_line
    own_lines = min(2, spare // name_line + 1) if spare >= 0 else 0
    head = m.head + (status_line + (own_lines - 1) * name_line if own_lines else 0)
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
    if contents.counters:
        counters = _counter_row(Rect(x, end + m.gap // 2, side, m.counter), m)
        end = counters[0].bottom
    lines = contents.below(Shape.LINE)
    bottom -= contents.lines_height(lines)
    panels = _below(lines, x, bottom, side, m)
    panels |= _charts(Rect(x, end, side, bottom - end), contents.extras, contents, beside=True)
    return Block(name, status, square, form.cell, counters, panels)


def _below(lines: Sequence[PanelKind], x: int, y: int, wide: int, m: Measures) -> dict[str, Rect]:
    """Lines of text below each other from (x, y) on, with a gap above each."""
    half, found = m.gap // 2, {}
    for kind in lines:
        high = line_height_of(kind, m)
        found[kind.name] = Rect(x, y + half, wide, high - half)
        y += high
    return found


def _sided(x: int, y: int, form: Form, text: TextSizes, grid: int) -> Block:
    """The board on the left, the rest in a column beside it; timelines below both in a wide
    block, and lines of text that have no room in the column."""
    contents, m = form.contents, form.contents.measures
    side = board_side(form.cell, contents.size)
    square = Rect(x, _near(y, grid), side, side)
    left = square.right + 2 * m.gap
    wide = x + form.width - left
    lines = contents.below(Shape.LINE)
    panels = _below(lines, x, square.bottom, form.width, m)
    top = square.bottom + contents.lines_height(lines) + m.gap
    below = Rect(x, top, form.width, square.y + form.height - top)
    panels |= _stacked_panels(contents.below(Shape.TIMELINE), below, contents)
    column = contents.beside(Shape.TIMELINE, Shape.CHART, Shape.MAP)
    lines = contents.beside(Shape.LINE)
    least = sum(m.gap + height for height in least_heights(column, contents.size, m))
    least += contents.lines_height(lines)
    rows = -(-len(m.counter_least) // max(1, wide // m.counter_width))
    spare = side - m.side_head - least - contents.counters * rows * m.counter
    name = Rect(left, square.y, wide, _name_height(text, spare))
    status = Rect(left, name.bottom, wide, line_height(Face.REGULAR, text.status))
    end = status.bottom + m.gap
    counters: tuple[Rect, ...] = ()
    if contents.counters:
        if lower := contents.beside(Shape.CHART, Shape.MAP):
            most = square.bottom - end - rows * m.counter
            least = max(least, min(most, side * (1 + len(lower)) // 5))
        counters = _counter_grid(Rect(left, end, wide, square.bottom - least - end), m)
        end = max((rect.bottom for rect in counters), default=end)
    panels |= _below(lines, left, end, wide, m)
    end += contents.lines_height(lines)
    right = Rect(left, end, wide, square.bottom - end)
    panels |= _charts(right, column, contents, beside=False)
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
    room: Rect, kinds: Sequence[PanelKind], contents: Contents, *, beside: bool
) -> dict[str, Rect]:
    """Timelines, charts and maps below each other in `room`, a gap above each; the maps `beside`
    the charts, also where these are wide enough."""
    m = contents.measures
    timelines, charts, maps = (
        by_shape(kinds, shape) for shape in (Shape.TIMELINE, Shape.CHART, Shape.MAP)
    )
    least, chart, map_ = (
        stacked_height(each, contents.size, m) for each in (timelines, charts, maps)
    )
    panels: dict[str, Rect] = {}
    lower = Rect(room.x, room.y + m.gap, room.width, room.height - m.gap)
    if timelines:
        height = lower.height
        if charts or maps:
            apart = m.gap if charts and maps else 0
            need = max(chart, map_) if beside else chart + map_ + apart
            height = max(least, min(height * 2 // 5, height - m.gap - need))
        panels |= _stacked_panels(timelines, lower._replace(height=height), contents)
        below = height + m.gap
        lower = lower._replace(y=lower.y + below, height=lower.height - below)
    if not (charts and maps):
        return panels | _stacked_panels(charts or maps, lower, contents)
    left = lower.height
    if beside or room.width >= 2 * left:
        wide = min(left - m.label, room.width // 2 - m.gap)
        upper = lower._replace(width=room.width - wide - m.gap)
        lower = lower._replace(x=room.right - wide, width=wide)
    else:
        high = max(map_, min((left - m.gap) // 2, room.width + m.label))
        high = min(high, left - m.gap - chart)
        upper = lower._replace(height=left - high - m.gap)
        lower = lower._replace(y=lower.bottom - high, height=high)
    panels |= _stacked_panels(charts, upper, contents)
    return panels | _stacked_panels(maps, lower, contents)


def _stacked_panels(kinds: Sequence[PanelKind], room: Rect, contents: Contents) -> dict[str, Rect]:
    """Panels below each other that fill `room`: each has the height that it needs and an equal part
    of the rest."""
    if not kinds:
        return {}
    m, count = contents.measures, len(kinds)
    spare = room.height - stacked_height(kinds, contents.size, m)
    # The captions of charts have numbers that grow.
    shift = row_shift(room.y, m.letters, range(max(0, min(m.gap, spare)) + 1))
    panels, y, spare = {}, room.y + shift, spare - shift
    heights = least_heights(kinds, contents.size, m)
    for number, (kind, least) in enumerate(zip(kinds, heights, strict=True)):
        height = least + spare * (number + 1) // count - spare * number // count
        panels[kind.name] = Rect(room.x, y, room.width, height)
        y += height + m.gap
    return panels
