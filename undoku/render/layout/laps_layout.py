"""The layouts in which one search of a story goes on alone: its board is large, finished ones are
small, a large number counts the laps, and the chart of all searches is at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from undoku.render.draw.canvas import Rect
from undoku.render.layout.block_measures import largest_cell
from undoku.render.layout.blocks import Block
from undoku.render.layout.page import Layout
from undoku.render.layout.story_page import (
    MIN_SMALL_CELL,
    NAME_WIDTH,
    StoryPage,
    block_at,
    cell_of_largest,
    on_grid,
    packed,
)

_LAPS_WIDTH, _LAPS_LINES = 6.0, 4
"""The minimum width of the lap counter, in sizes of letters, and its minimum height in lines."""

_FINISHED_SHARE = 0.6
"""The maximum size of a finished board relative to its previous size."""

_SMALL_SHARE = 2 / 7
"""The width for finished boards beside their names, relative to the room for the large board."""

_CHART_SHARES = 0.2, 0.15, 0.11
"""The chart's share of the height: the first for which the board that goes on is not smaller than
before."""


def _apart(
    boards: Sequence[Rect], number: int, *, along_x: bool
) -> tuple[list[int], list[int]] | None:
    """The searches whose boards are before and after that of search `number`, from left to right or
    from top to bottom; those at the same place are where others are. None if all are there."""
    centres = [2 * box.x + box.width if along_x else 2 * box.y + box.height for box in boards]
    before = [at for at, centre in enumerate(centres) if centre < centres[number]]
    after = [at for at, centre in enumerate(centres) if centre > centres[number]]
    same = [at for at in range(len(boards)) if at not in (number, *before, *after)]
    if not before and not after:
        return None
    return (before, sorted(after + same)) if after else (sorted(before + same), after)


def _finished_cell(source: Layout) -> int:
    """The maximum side of the cells of boards that are finished in the layout `source`."""
    smallest = min(block.cell for block in source.blocks)
    return min(smallest, int(_FINISHED_SHARE * cell_of_largest(source)))


@dataclass(frozen=True, slots=True)
class _Finished:
    """Finished boards beside their names, above these the name of the board that goes on if it is
    there, and below them `laps`, the box of the lap counter."""

    blocks: dict[int, Block]
    name: Rect
    laps: Rect


def _finished(
    page: StoryPage,
    room: Rect,
    group: Sequence[int],
    source: Layout,
    *,
    named: bool,
    at_left: bool = False,
) -> _Finished | None:
    """The small boards of a `group` of searches at the right or the left end of `room`, beside
    their names and, if it is to be `named`, the name of the board that goes on."""
    lines = len(group) + named
    high = min(room.height // 2, room.height - _LAPS_LINES * page.line - page.gap)
    upper = room._replace(height=max(high, lines * page.line))
    text = upper._replace(height=page.line)
    below = room.y + lines * page.line
    small: list[tuple[Rect, int]] = []
    if group:
        wide = room.width - page.wide(NAME_WIDTH) - 2 * page.gap
        end = upper._replace(x=room.x if at_left else room.right - wide, width=wide)
        boards = [source.blocks[at].board for at in group]
        small = packed(page, boards, end, _finished_cell(source), at_left=at_left)
        if not small:
            return None
        left = max(box.right for box, _ in small) + 2 * page.gap if at_left else room.x
        below = max(below, *(box.bottom for box, _ in small))
        right = room.right if at_left else min(box.x for box, _ in small) - 2 * page.gap
        text = text._replace(x=left, width=right - left)
    rows = [text._replace(y=room.y + at * page.line) for at in range(lines)]
    names = rows[named:]
    blocks = {
        at: block_at(name, *place) for at, name, place in zip(group, names, small, strict=True)
    }
    below += page.gap
    laps = room._replace(y=below, height=room.bottom - below)
    return _Finished(blocks, (rows or [upper])[0], laps)


def _laps_beside(page: StoryPage, upper: Rect, number: int, source: Layout) -> Layout | None:
    """The board that goes on at one side of `upper`, all texts and finished boards at the other."""
    parts = _apart([block.board for block in source.blocks], number, along_x=True)
    if parts is None or all(parts):
        return None
    before, after = parts
    column = page.wide(NAME_WIDTH) + int(_SMALL_SHARE * min(upper.width, upper.height))
    cell = page.cell(min(upper.height, upper.width - column - 4 * page.gap))
    if not cell:
        return None
    side = page.side(cell)
    wide = upper.width - side - 2 * page.gap
    x = upper.right - side if before else upper.x
    x = on_grid(x, upper.x, upper.right - side, page.grid)
    y = on_grid(upper.y, upper.y, upper.bottom - side, page.grid)
    room = Rect(upper.x if before else upper.right - wide, upper.y, wide, upper.height)
    group, at_left = before or after, bool(before)
    found = _finished(page, room, group, source, named=True, at_left=at_left)
    if not found or found.laps.height < _LAPS_LINES * page.line:
        return None
    large = block_at(found.name, Rect(x, y, side, side), cell)
    blocks = found.blocks | {number: large}
    return page.layout([blocks[at] for at in sorted(blocks)], laps=found.laps)


def _laps_between(page: StoryPage, upper: Rect, number: int, source: Layout) -> Layout | None:
    """The board that goes on with its name above it; finished boards and the lap counter in narrow
    columns at its sides."""
    parts = _apart([block.board for block in source.blocks], number, along_x=True)
    if parts is None:
        return None
    before, after = parts
    count = 1 + all(parts)
    gap, head = page.gap, page.line + page.gap // 2
    across = upper.width - count * (page.wide(_LAPS_WIDTH) + 2 * gap)
    cell = page.cell(min(upper.height - head, across))
    if not cell:
        return None
    side = page.side(cell)
    wide = (upper.width - side) // count - 2 * gap
    x, y = upper.x + (wide + 2 * gap if before else 0), upper.y + head
    x = on_grid(x, x - gap * bool(before), x + gap * bool(after), page.grid)
    board = Rect(x, on_grid(y, y, upper.bottom - side, page.grid), side, side)
    name = Rect(x, board.y - head, side, page.line)
    blocks = {number: block_at(name, board, cell, centred=True)}
    laps = right = upper._replace(x=upper.right - wide, width=wide)
    for group, room in ((before, right._replace(x=upper.x)), (after, right)):
        if group:
            finished = _column(page, room, group, source)
            if not finished:
                return None
            blocks |= finished
            below = max(block.board.bottom for block in finished.values()) + gap
            laps = room._replace(y=below, height=room.bottom - below)
    return page.layout([blocks[at] for at in sorted(blocks)], laps=laps)


def _column(page: StoryPage, room: Rect, group: Sequence[int], source: Layout) -> dict[int, Block]:
    """The small boards of a `group` of searches below each other in `room`, each with its name on
    up to two lines above it, and with room for the lap counter below them; empty if there is no
    room."""
    name = 2 * page.line
    each = (room.height - _LAPS_LINES * page.line) // len(group)
    cell = largest_cell(min(room.width, each - name - page.gap), page.size)
    cell = min(cell, _finished_cell(source))
    if cell < MIN_SMALL_CELL:
        return {}
    side, y, blocks = page.side(cell), room.y, {}
    for at in sorted(group, key=lambda at: source.blocks[at].board.y):
        board = Rect(room.x + (room.width - side) // 2, y + name, side, side)
        blocks[at] = block_at(room._replace(y=y, height=name), board, cell, centred=True)
        y = board.bottom + page.gap
    return blocks


def _laps_below(page: StoryPage, upper: Rect, number: int, source: Layout) -> Layout | None:
    """The board that goes on as wide as the picture; texts and finished boards above or below."""
    parts = _apart([block.board for block in source.blocks], number, along_x=False)
    if parts is None:
        return None
    before, after = parts
    gap, counter = page.gap, _LAPS_LINES * page.line + page.gap
    above = len(before) + bool(before)
    below = len(after) + (not before)
    strips = (above + below) * page.line + counter
    cell = page.cell(min(upper.width, upper.height - strips - 3 * gap))
    if not cell:
        return None
    side = page.side(cell)
    spare = upper.height - strips - 3 * gap - side
    counter += min(spare, 3 * page.line)
    spare -= min(spare, 3 * page.line)
    first = upper._replace(height=above * page.line + (0 if after else counter))
    y = first.bottom + gap if first.height else upper.y
    x = upper.x + (upper.width - side) // 2
    x = on_grid(x, upper.x, upper.right - side, page.grid)
    board = Rect(x, on_grid(y, y, y + spare, page.grid), side, side)
    second = upper._replace(y=board.bottom + gap, height=below * page.line + counter)
    upper_part = _finished(page, first, before, source, named=bool(before))
    lower_part = _finished(page, second, after, source, named=not before)
    if not upper_part or not lower_part:
        return None
    name = (upper_part if before else lower_part).name
    large = block_at(name, board, cell)
    blocks = {number: large} | upper_part.blocks | lower_part.blocks
    laps = lower_part.laps if after else upper_part.laps
    return page.layout([blocks[at] for at in sorted(blocks)], laps=laps)


def laps_layout(page: StoryPage, number: int, source: Layout) -> Layout | None:
    """Search `number` goes on alone from the layout `source`, with the chart of all searches at the
    bottom."""
    found = []
    for share in _CHART_SHARES:
        inside, high = page.inside, round(page.safe.height * share)
        chart = Rect(inside.x, inside.bottom - high, inside.width, high)
        top = inside.y + page.gap // 2
        upper = inside._replace(y=top, height=chart.y - 2 * page.gap - top)
        forms = (form(page, upper, number, source) for form in _LAPS_FORMS)
        found += [_with_sentence(page, replace(form, chart=chart)) for form in forms if form]
        best = max(found, key=lambda each: each.blocks[number].cell, default=None)
        if best and best.blocks[number].cell >= source.blocks[number].cell:
            return best
    return best


def _with_sentence(page: StoryPage, layout: Layout) -> Layout:
    """The layout with two lines for a sentence below the lap counter, if there is room."""
    laps, high = layout.laps, 2 * page.line
    if laps is None or laps.height < _LAPS_LINES * page.line + high:
        return layout
    sentence = laps._replace(y=laps.bottom - high, height=high)
    return replace(layout, laps=laps._replace(height=laps.height - high), sentence=sentence)


_LAPS_FORMS = _laps_beside, _laps_between, _laps_below
