"""The layouts of a story: all boards alike, one of them large, and one that goes on alone.

A picture has one size of letters, which can be read on a phone. Where it leaves boards too small,
as in pictures of many boards, letters are smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import ceil

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import TextSizes, board_side, largest_cell
from undoku.render.layout.blocks import Block, snapped_cell
from undoku.render.layout.page import RING, Layout, check_size, grid_of, inner_area, safe_area
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape

_LETTERS = Fraction(367, 10_000)
"""The size of letters relative to the width of the picture: their x-height is eight pixels if a
phone shows the picture 390 pixels wide."""

_MIN_LETTERS = 11

_MIN_CELL, _MIN_SMALL_CELL = 8, 4
"""Pixels of a cell of a large board and of a small one."""

_NAME, _FACTS, _LAPS = 11.5, 7.5, 6.0
"""The widths of a name, of a number with a noun, and of the lap counter, in sizes of letters."""

_LAPS_LINES, _SOLUTIONS_LINES = 3, 4
"""The minimum heights of the lap counter and of the solutions, in lines of text."""

_KEPT_CELL = 0.75
"""Letters may make the cells of a board smaller, but not below this share."""

_BOARD_SHARE, _FEW = 0.6, 3
"""The share of the picture's shorter side that the boards of few searches have if possible."""

_BAR_SHARE = 1 / 35
"""The height of a bar relative to the picture's shorter side."""

_SMALL = 240
"""Pictures of at most this height in pixels have sentences of one line."""

_WIDE = 1.25
"""The ratio of width to height from which a picture is wide."""

_FINISHED_SHARE = 0.6
"""The maximum size of a finished board relative to its previous size."""

_CHART_SHARES = 0.2, 0.15, 0.11
"""The chart's share of the height: the first for which the board that goes on is not smaller than
before."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A picture to be laid out, with letters of `letters` pixels per em. `solutions` states whether
    boards have a panel of solutions if there is room. A `plain` one, for tiny pictures, has neither
    facts nor sentences."""

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
            self.safe.inset(0 if self.plain else RING),
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
        return self.gap + self.bar + (0 if self.plain else self.line)

    def wide(self, ems: float) -> int:
        """The width of a text in pixels."""
        return round(ems * self.letters)

    def cell(self, room: int, least: int = _MIN_CELL) -> int:
        """The side of the cells of the largest board, of a good size, in `room` pixels; 0 below
        `least`."""
        cell = largest_cell(room, self.size)
        cell = snapped_cell(cell, -(-cell * 24 // 25))
        return cell if cell >= least else 0

    def side(self, cell: int) -> int:
        return board_side(cell, self.size)

    def layout(self, blocks: Sequence[Block], letters: int = 0, **boxes: Rect | None) -> Layout:
        """The layout of these blocks and boxes; names have `letters` pixels per em."""
        size = self.letters
        return Layout(
            self.width,
            self.height,
            self.grid,
            None,
            tuple(blocks),
            (self.solutions,) if self.solutions else (),
            None,
            boxes.pop("footer", None),
            TextSizes(size * 5 // 4, min(size, letters or size), size, size, size, size, size),
            self.safe,
            self.inside,
            **boxes,  # type: ignore[arg-type]
        )


def _snapped(wanted: int, low: int, high: int, grid: int) -> int:
    """The position nearest to `wanted` in low..high on the grid, or on a finer one."""
    for step in (grid, 8, 4, 2):
        near = (wanted + step // 2) // step * step
        for each in (near, near - step, near + step):
            if low <= each <= high:
                return each
    return wanted


def _block(name: Rect, board: Rect, cell: int, panels: dict[str, Rect] | None = None) -> Block:
    status = Rect(name.right, name.y, 0, name.height)
    return Block(name, status, board, cell, (), panels or {})


def _grid(page: _Page) -> Layout | None:
    """All boards equally large, in rows; None if there is no room."""
    area = page.inside
    area = area._replace(height=area.height - page.sentence_height)
    head = page.line + page.gap // 2
    forms = []
    for rows in range(1, page.searches + 1):
        columns = -(-page.searches // rows)
        wide, high = area.width // columns, area.height // rows
        if (rows - 1) * columns < page.searches and (page.plain or wide > page.wide(_FACTS)):
            apart = page.gap * (1 if page.plain else 2)
            room = min(wide - apart, high - head - page.below_board - (rows > 1) * page.gap)
            forms.append((page.cell(room), -rows, columns))
    cell, rows, columns = max(forms, default=(0, 0, 0))
    if not cell:
        return None
    side = page.side(cell)
    wide, high = area.width // columns, area.height // -rows
    own = head + side + page.below_board
    beside = wide - side - 3 * page.gap
    shows_solutions = page.solutions is not None and beside >= 3 * page.letters
    blocks = []
    for number in range(page.searches):
        row, column = divmod(number, columns)
        last = min(columns, page.searches - row * columns)
        left = area.x + column * wide + (columns - last) * wide // 2
        top = area.y + row * high
        x = left + page.gap if shows_solutions else left + (wide - side) // 2
        x = _snapped(x, left + page.gap // 2, left + wide - side - page.gap // 2, page.grid)
        y = top + head + (high - own) // 2
        y = _snapped(y, top + head, top + high - own + head, page.grid)
        board = Rect(x, y, side, side)
        half = min(x - left, left + wide - board.right) - page.gap // 2
        text = Rect(x - half, y - head, side + 2 * half, page.line)
        if shows_solutions:
            text = Rect(x, y - head, left + wide - page.gap - x, page.line)
        panels = _below(page, board, text)
        if page.solutions and shows_solutions:
            right = board.right + 2 * page.gap
            panels[page.solutions.name] = Rect(right, y, text.right - right, side)
        blocks.append(_block(text, board, cell, panels))
    sentence = _line(page, area.bottom)
    return page.layout(
        blocks, max(_MIN_LETTERS, int(wide / _NAME)), sentence=sentence, footer=sentence
    )


def _line(page: _Page, y: int) -> Rect | None:
    """The box of the sentence; None if there is none."""
    high = page.sentence_height
    return Rect(page.inside.x, y, page.inside.width, high) if high else None


def _below(page: _Page, board: Rect, text: Rect) -> dict[str, Rect]:
    """The bar and the facts below a board, as wide as the name `text` above it, and the doors in
    their place."""
    bar = Rect(board.x, board.bottom + page.gap, board.width, page.bar)
    doors = bar._replace(height=page.below_board - page.gap)
    if page.plain:
        return {"bar": bar, "doors": doors}
    return {"bar": bar, "facts": text._replace(y=bar.bottom), "doors": doors}


def _packed(
    page: _Page, boards: Sequence[Rect], room: Rect, most: int, *, at_left: bool = False
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
    if cell < _MIN_SMALL_CELL:
        return []
    side = page.side(cell)
    places = {}
    for y, row in enumerate(rows):
        left = room.x if at_left else room.right - len(row) * (side + page.gap) + page.gap
        for x, number in enumerate(row):
            corner = left + x * (side + page.gap), room.y + y * (side + page.gap)
            places[number] = Rect(*corner, side, side)
    return [(places[number], cell) for number in numbers]


def _table(page: _Page, number: int) -> Layout | None:
    """Names, facts and bars of all searches in a table, below it the board of search `number`, as
    large as possible; the other boards beside it or, if they are larger there, beside the table."""
    inside, gap, grid = page.inside, page.gap, page.grid
    row = page.line + gap // 2 + page.bar
    table = inside._replace(height=page.searches * (row + gap) - gap)
    high = inside.height - table.height - page.sentence_height - gap - gap // 2
    cell = page.cell(min(inside.width, high))
    if not cell:
        return None
    side, others = page.side(cell), [each for each in range(page.searches) if each != number]
    spare = high - side
    doors = 2 * page.line if spare >= 2 * page.line + gap else 0
    solutions = spare - doors - 3 * gap
    if not page.solutions or solutions < _SOLUTIONS_LINES * page.line:
        solutions = 0
    spare -= doors + solutions + gap * bool(doors) + gap * bool(solutions)
    table = table._replace(y=inside.y + spare // 2)
    below = table.bottom + gap
    y = _snapped(below, below, below + spare // 2, grid)
    x = inside.x + (inside.width - side) // 2
    texts = page.wide(_NAME + (0 if page.plain else _FACTS))
    small: list[tuple[Rect, int]] = []
    if others:
        in_pairs = [Rect(each % 2, each // 2, 1, 1) for each in range(len(others))]
        beside = Rect(inside.x + side + 2 * gap, y, inside.width - side - 2 * gap, side)
        if number:
            beside = beside._replace(x=inside.x)
        right = table._replace(x=table.x + texts + 2 * gap, width=table.width - texts - 2 * gap)
        small = _packed(page, in_pairs, beside, cell // 2, at_left=number > 0)
        in_table = _packed(page, in_pairs, right, cell // 2)
        if small and small[0][1] >= (in_table[0][1] if in_table else 0):
            x = inside.right - side if number else inside.x
        elif in_table:
            small = in_table
            table = table._replace(width=min(box.x for box, _ in small) - 2 * gap - table.x)
        else:
            return None
    board = Rect(_snapped(x, inside.x, inside.right - side, grid), y, side, side)
    places = dict(zip(others, small, strict=True)) | {number: (board, cell)}
    blocks = []
    for at in range(page.searches):
        line = table._replace(y=table.y + at * (row + gap), height=page.line)
        bar = line._replace(y=line.bottom + gap // 2, height=page.bar)
        name = line._replace(width=line.width - page.wide(_FACTS))
        facts = line._replace(x=name.right, width=line.right - name.right)
        panels = {"bar": bar, "facts": facts, "doors": facts._replace(height=row)}
        if page.plain:
            name, panels = line, {"bar": bar, "doors": bar}
        blocks.append(_block(name, *places[at], panels))
    below = board.bottom + gap // 2
    own = dict(blocks[number].panels)
    if doors:
        below += gap // 2
        own["doors"] = Rect(board.x, below, side, doors)
        below += doors + gap
    if page.solutions and solutions:
        own[page.solutions.name] = Rect(board.x, below, side, solutions)
        below += solutions + gap
    blocks[number] = replace(blocks[number], panels=own)
    sentence = _line(page, below)
    return page.layout(blocks, sentence=sentence, footer=sentence)


def _aside(page: _Page) -> Layout | None:
    """The board of a single search as high as the picture, everything else beside it."""
    inside, gap = page.inside, page.gap
    cell = page.cell(min(inside.height, inside.width - page.wide(_NAME) - 2 * gap))
    side = page.side(cell)
    y = inside.y + (inside.height - side) // 2
    board = Rect(inside.x, _snapped(y, inside.y, inside.bottom - side, page.grid), side, side)
    left = board.right + 2 * gap
    name = Rect(left, board.y, inside.right - left, page.line)
    panels = _below(page, name, name)
    top = panels["doors"].bottom + 2 * gap
    rest = Rect(left, top, name.width, board.bottom - top)
    if not cell or rest.height < 2 * page.sentence_height:
        return None
    sentence = rest._replace(height=2 * page.sentence_height)
    solutions = rest._replace(y=sentence.bottom + gap, height=rest.bottom - sentence.bottom - gap)
    if page.solutions and solutions.height >= _SOLUTIONS_LINES * page.line:
        panels[page.solutions.name] = solutions
    box = None if page.plain else sentence
    return page.layout([_block(name, board, cell, panels)], sentence=box, footer=box)


def _apart(
    boards: Sequence[Rect], number: int, *, along_x: bool
) -> tuple[list[int], list[int]] | None:
    """The searches whose boards are before and after that of search `number`, from left to right or
    from top to bottom; those at the same place are where others are. None if all are there."""
    centres = [2 * box.x + box.width if along_x else 2 * box.y + box.height for box in boards]
    before = [at for at, centre in enumerate(centres) if centre < centres[number]]
    after = [at for at, centre in enumerate(centres) if centre > centres[number]]
    same = [at for at in range(len(boards)) if at not in (number, *before, *after)]
    if same and not before and not after:
        return None
    return (before, sorted(after + same)) if after else (sorted(before + same), after)


def _finished_cell(source: Layout) -> int:
    """The maximum side of the cells of boards that are finished in the layout `source`."""
    smallest = min(block.cell for block in source.blocks)
    return min(smallest, int(_FINISHED_SHARE * _largest(source)))


@dataclass(frozen=True, slots=True)
class _Finished:
    """Finished boards beside their names, above these the name of the board that goes on if it is
    there, and below them `laps`, the box of the lap counter."""

    blocks: dict[int, Block]
    name: Rect
    laps: Rect


def _finished(
    page: _Page,
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
        wide = room.width - page.wide(_NAME) - 2 * page.gap
        end = upper._replace(x=room.x if at_left else room.right - wide, width=wide)
        boards = [source.blocks[at].board for at in group]
        small = _packed(page, boards, end, _finished_cell(source), at_left=at_left)
        if not small:
            return None
        left = max(box.right for box, _ in small) + 2 * page.gap if at_left else room.x
        below = max(below, *(box.bottom for box, _ in small))
        right = room.right if at_left else min(box.x for box, _ in small) - 2 * page.gap
        text = text._replace(x=left, width=right - left)
    rows = [text._replace(y=room.y + at * page.line) for at in range(lines)]
    names = rows[named:]
    blocks = {at: _block(name, *place) for at, name, place in zip(group, names, small, strict=True)}
    below += page.gap
    laps = room._replace(y=below, height=room.bottom - below)
    return _Finished(blocks, (rows or [upper])[0], laps)


def _laps_beside(page: _Page, upper: Rect, number: int, source: Layout) -> Layout | None:
    """The board that goes on at one side of `upper`, all texts and finished boards at the other."""
    parts = _apart([block.board for block in source.blocks], number, along_x=True)
    if parts is None or all(parts):
        return None
    before, after = parts
    column = page.wide(_NAME) + 2 * page.gap + (page.searches > 1) * min(upper[2:]) * 2 // 7
    cell = page.cell(min(upper.height, upper.width - column - 2 * page.gap))
    if not cell:
        return None
    side = page.side(cell)
    wide = upper.width - side - 2 * page.gap
    x = upper.right - side if before else upper.x
    x = _snapped(x, upper.x, upper.right - side, page.grid)
    y = _snapped(upper.y, upper.y, upper.bottom - side, page.grid)
    room = Rect(upper.x if before else upper.right - wide, upper.y, wide, upper.height)
    group, at_left = before or after, bool(before)
    found = _finished(page, room, group, source, named=True, at_left=at_left)
    if not found or found.laps.height < _LAPS_LINES * page.line:
        return None
    large = _block(found.name, Rect(x, y, side, side), cell)
    blocks = found.blocks | {number: large}
    return page.layout([blocks[at] for at in sorted(blocks)], laps=found.laps)


def _laps_between(page: _Page, upper: Rect, number: int, source: Layout) -> Layout | None:
    """The board that goes on with its name above it; finished boards and the lap counter in narrow
    columns at its sides."""
    parts = _apart([block.board for block in source.blocks], number, along_x=True)
    if parts is None:
        return None
    before, after = parts
    count = 1 + all(parts)
    gap, head = page.gap, page.line + page.gap // 2
    cell = page.cell(min(upper.height - head, upper.width - count * (page.wide(_LAPS) + 2 * gap)))
    if not cell:
        return None
    side = page.side(cell)
    wide = (upper.width - side) // count - 2 * gap
    x, y = upper.x + (wide + 2 * gap if before else 0), upper.y + head
    x = _snapped(x, x - gap * bool(before), x + gap * bool(after), page.grid)
    board = Rect(x, _snapped(y, y, upper.bottom - side, page.grid), side, side)
    name = Rect(x, board.y - head, side, page.line)
    blocks = {number: _block(name, board, cell)}
    laps = None
    for group, left in ((before, upper.x), (after, upper.right - wide)):
        if not group and (before or left == upper.x):
            continue
        room = Rect(left, upper.y, wide, upper.height)
        if last := group is after or not after:
            laps = room
            room = room._replace(height=room.height - _LAPS_LINES * page.line)
        high = 2 * page.line
        each = room.height // max(1, len(group))
        small = largest_cell(min(wide, each - high - gap), page.size)
        small = min(small, _finished_cell(source))
        if group and small < _MIN_SMALL_CELL:
            return None
        own = page.side(small)
        y = upper.y
        for at in sorted(group, key=lambda at: source.blocks[at].board.y):
            place = Rect(left + (wide - own) // 2, y + high, own, own)
            blocks[at] = _block(Rect(left, y, wide, high), place, small)
            y = place.bottom + gap
        if last:
            laps = Rect(left, y, wide, upper.bottom - y)
    return page.layout([blocks[at] for at in sorted(blocks)], laps=laps)


def _laps_below(page: _Page, upper: Rect, number: int, source: Layout) -> Layout | None:
    """The board that goes on as wide as the picture; texts and finished boards above or below."""
    parts = _apart([block.board for block in source.blocks], number, along_x=False)
    if parts is None:
        return None
    before, after = parts
    gap, counter = page.gap, _LAPS_LINES * page.line + page.gap
    above = len(before) + (bool(before) or not after)
    below = len(after) + (not before and bool(after))
    strips = (above + below) * page.line + counter
    cell = page.cell(min(upper.width, upper.height - strips - 3 * gap))
    if not cell:
        return None
    side = page.side(cell)
    counter += min(upper.height - strips - 3 * gap - side, 3 * page.line)
    first = upper._replace(height=above * page.line + (0 if after else counter))
    y = first.bottom + gap if first.height else upper.y
    x = upper.x + (upper.width - side) // 2
    board = Rect(_snapped(x, upper.x, upper.right - side, page.grid), y, side, side)
    second = upper._replace(y=board.bottom + gap, height=below * page.line + counter)
    upper_part = _finished(page, first, before, source, named=bool(before) or not after)
    lower_part = _finished(page, second, after, source, named=not before and bool(after))
    if not upper_part or not lower_part:
        return None
    name = (upper_part if before or not after else lower_part).name
    large = _block(name, board, cell)
    blocks = {number: large} | upper_part.blocks | lower_part.blocks
    laps = lower_part.laps if after else upper_part.laps
    return page.layout([blocks[at] for at in sorted(blocks)], laps=laps)


def _laps(page: _Page, number: int, source: Layout) -> Layout | None:
    """Search `number` goes on alone from the layout `source`, with the chart of all searches at the
    bottom."""
    found = []
    for share in _CHART_SHARES:
        inside, high = page.inside, round(page.safe.height * share)
        chart = Rect(inside.x, inside.bottom - high, inside.width, high)
        top = inside.y + page.gap // 2
        upper = inside._replace(y=top, height=chart.y - 2 * page.gap - top)
        forms = (form(page, upper, number, source) for form in _LAPS_FORMS)
        found += [replace(form, chart=chart) for form in forms if form]
        best = max(found, key=lambda each: each.blocks[number].cell, default=None)
        if best and best.blocks[number].cell >= source.blocks[number].cell:
            return best
    return best


_LAPS_FORMS = _laps_beside, _laps_between, _laps_below


def _together(page: _Page) -> Layout | None:
    """All boards equally large, or the first of few boards large if the picture is not wide. A
    single board in a wide picture is as large as possible."""
    even, is_few = _grid(page), page.searches <= _FEW
    if is_few and not page.is_wide:
        return _table(page, 0) or even
    aside = _aside(page) if page.searches == 1 else None
    return max(filter(None, (even, aside)), key=_largest, default=None)


def _largest(layout: Layout) -> int:
    return max(block.cell for block in layout.blocks)


def _is_even(layout: Layout) -> bool:
    """Whether all boards are equally large."""
    return len({block.cell for block in layout.blocks}) == 1


@dataclass(frozen=True, slots=True)
class StoryLayouts:
    """The layouts of one film. `together` has all boards, equally large or, where the picture is
    too narrow for that, the first one large."""

    together: Layout
    _pages: tuple[_Page, ...]

    def lit(self, number: int) -> Layout:
        """The layout while search `number` is the subject: in wide pictures the same as
        `together`, in others its board is large."""
        page = self._pages[0]
        if page.is_wide:
            return self.together
        found = _with_largest_letters(self._pages, lambda page: _table(page, number))
        if found is None or (
            _is_even(self.together) and _largest(found) < _largest(self.together) * 9 / 8
        ):
            return self.together
        return found

    def laps(self, number: int) -> Layout:
        """The layout in which search `number` goes on alone, with the chart and the box of the lap
        counter; without these where there is no room."""
        source = self.together if _is_even(self.together) else self.lit(number)
        found = _with_largest_letters(self._pages, lambda page: _laps(page, number, source))
        if found and len(found.blocks) == 1:
            return replace(found, sentence=found.laps, laps=None)
        return found or source


def _with_largest_letters(
    pages: Sequence[_Page], make: Callable[[_Page], Layout | None]
) -> Layout | None:
    """The layout with the largest letters that does not make boards much smaller; `pages` have ever
    smaller ones. None if there is no room."""
    found = [layout for page in pages if (layout := make(page))]
    if not found:
        return None
    page, most = pages[0], _largest(found[-1])
    least = most * _KEPT_CELL
    if page.searches <= _FEW:
        least = min(most, _BOARD_SHARE * min(page.width, page.height) / page.size)
    return next(layout for layout in found if _largest(layout) >= least)


def _sizes(largest: int) -> Iterator[int]:
    """Ever smaller sizes of letters."""
    size = max(_MIN_LETTERS, largest)
    while size > _MIN_LETTERS:
        yield size
        size = max(_MIN_LETTERS, size * 9 // 10)
    yield size


def story_layouts(
    width: int,
    height: int,
    searches: int,
    size: int = 9,
    *,
    margins: Sequence[Fraction] = (),
    panels: Sequence[PanelKind] = (),
) -> StoryLayouts:
    """The layouts of a story of `searches` boards of `size` × `size` cells in a picture of `width`
    × `height` pixels (both even). One of `panels`, a chart, has a box beside or below a board if
    there is room. `margins` stay empty: left, top, right and bottom, in percent of the width and
    the height.

    Raises SettingsError for a size that is odd, too small for the boards, or too large.
    """
    check_size(width, height)
    safe = safe_area(width, height, margins)
    solutions = next(iter(by_shape(panels, Shape.CHART)), None)
    pages = [
        _Page(width, height, searches, size, safe, solutions, letters)
        for letters in _sizes(ceil(_LETTERS * width))
    ]
    plain = replace(pages[-1], plain=True)
    together = _with_largest_letters(pages, _together)
    if together is None:
        pages = [plain]
        together = _together(plain)
    if together is None:
        raise SettingsError(
            f"{width}×{height} is too small for {searches} boards of size {size}",
            remedy="use a larger picture or fewer searches",
        )
    return StoryLayouts(together, tuple(pages))
