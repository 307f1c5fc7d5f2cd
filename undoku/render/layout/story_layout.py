"""The layouts of a story: all boards alike, one of them large, and one that goes on alone.

A picture has one size of letters, which can be read on a phone. Where it leaves boards too small,
as in pictures of many boards, letters are smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.layout.laps_layout import laps_layout
from undoku.render.layout.page import Layout, check_size, safe_area
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.render.layout.story_page import (
    FACTS_WIDTH,
    NAME_WIDTH,
    StoryPage,
    block_at,
    cell_of_largest,
    on_grid,
    packed,
)
from undoku.texts.language import spoken

_LETTERS = Fraction(375, 10_000)
"""The size of letters relative to the width of the picture: their x-height is eight pixels if a
phone shows the picture 390 pixels wide."""

_MIN_LETTERS = 11

_SOLUTIONS_LINES = 4
"""The minimum height of the solutions, in lines of text."""

_KEPT_CELL = 0.75
"""Letters may make the cells of many boards smaller, but not below this share."""

_BOARD_SHARE, _FEW = 0.6, 3
"""The share of the picture's shorter side that the boards of few searches have if possible."""


def _grid(page: StoryPage) -> Layout | None:
    """All boards equally large, in rows; None if there is no room."""
    area = page.inside
    area = area._replace(height=area.height - page.sentence_height)
    head = page.line + page.gap // 2
    facts = page.wide(FACTS_WIDTH) + 3 * page.gap
    forms = []
    for rows in range(1, page.searches + 1):
        columns = -(-page.searches // rows)
        wide, high = area.width // columns, area.height // rows
        if (rows - 1) * columns < page.searches and (page.plain or wide >= facts):
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
    shows_solutions = page.solutions is not None and beside >= page.wide(NAME_WIDTH)
    blocks = []
    for number in range(page.searches):
        row, column = divmod(number, columns)
        last = min(columns, page.searches - row * columns)
        left = area.x + column * wide + (columns - last) * wide // 2
        top = area.y + row * high
        x = left + page.gap if shows_solutions else left + (wide - side) // 2
        x = on_grid(x, left + page.gap // 2, left + wide - side - page.gap // 2, page.grid)
        y = top + head + (high - own) // 2
        y = on_grid(y, top + head, top + high - own + head, page.grid)
        board = Rect(x, y, side, side)
        names = min(page.line, y - head - top)
        half = min(x - left, left + wide - board.right) - page.gap // 2
        text = Rect(x - half, y - head - names, side + 2 * half, page.line + names)
        if shows_solutions:
            text = Rect(x, y - head, left + wide - page.gap - x, page.line)
        panels = _below(page, board, text)
        if page.solutions and shows_solutions:
            right = board.right + 2 * page.gap
            panels[page.solutions.name] = Rect(right, y, text.right - right, side)
        blocks.append(block_at(text, board, cell, panels, centred=not shows_solutions))
    sentence = _line(page, area.bottom)
    return page.layout(blocks, sentence=sentence, name=max(_MIN_LETTERS, int(wide / NAME_WIDTH)))


def _line(page: StoryPage, y: int) -> Rect | None:
    """The box of the sentence; None if there is none."""
    high = page.sentence_height
    return Rect(page.inside.x, y, page.inside.width, high) if high else None


def _below(page: StoryPage, board: Rect, text: Rect) -> dict[str, Rect]:
    """The bar and the facts below a board, as wide as the name `text` above it, and the doors in
    their place."""
    bar = Rect(board.x, board.bottom + page.gap, board.width, page.bar)
    doors = bar._replace(height=page.below_board - page.gap)
    if page.plain:
        return {}
    return {"bar": bar, "facts": text._replace(y=bar.bottom, height=page.line), "doors": doors}


def _table(page: StoryPage, number: int) -> Layout | None:
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
    y = on_grid(below, below, below + spare // 2, grid)
    x = inside.x + (inside.width - side) // 2
    texts = page.wide(NAME_WIDTH + FACTS_WIDTH)
    small: list[tuple[Rect, int]] = []
    if others:
        in_pairs = [Rect(each % 2, each // 2, 1, 1) for each in range(len(others))]
        beside = Rect(inside.x + side + 2 * gap, y, inside.width - side - 2 * gap, side)
        if number:
            beside = beside._replace(x=inside.x)
        right = table._replace(x=table.x + texts + 2 * gap, width=table.width - texts - 2 * gap)
        small = packed(page, in_pairs, beside, cell // 2, at_left=number > 0)
        in_table = packed(page, in_pairs, right, cell // 2)
        if small and small[0][1] >= (in_table[0][1] if in_table else 0):
            x = inside.right - side if number else inside.x
        elif in_table:
            small = in_table
            table = table._replace(width=min(box.x for box, _ in small) - 2 * gap - table.x)
        else:
            return None
    board = Rect(on_grid(x, inside.x, inside.right - side, grid), y, side, side)
    places = dict(zip(others, small, strict=True)) | {number: (board, cell)}
    blocks = []
    for at in range(page.searches):
        line = table._replace(y=table.y + at * (row + gap), height=page.line)
        bar = line._replace(y=line.bottom + gap // 2, height=page.bar)
        name = line._replace(width=line.width - page.wide(FACTS_WIDTH))
        facts = line._replace(x=name.right, width=line.right - name.right)
        if spoken().right_to_left:
            facts = facts._replace(x=line.x)
            name = name._replace(x=facts.right)
        panels = {"bar": bar, "facts": facts, "doors": facts._replace(height=row)}
        blocks.append(block_at(name, *places[at], panels))
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
    return page.layout(blocks, sentence=sentence)


def _aside(page: StoryPage) -> Layout | None:
    """The board of a single search as high as the picture, everything else beside it."""
    inside, gap = page.inside, page.gap
    cell = page.cell(min(inside.height, inside.width - page.wide(NAME_WIDTH) - 2 * gap))
    side = page.side(cell)
    y = inside.y + (inside.height - side) // 2
    board = Rect(inside.x, on_grid(y, inside.y, inside.bottom - side, page.grid), side, side)
    left = board.right + 2 * gap
    name = Rect(left, board.y, inside.right - left, 2 * page.line)
    panels = _below(page, name, name)
    top = panels["doors"].bottom + 2 * gap
    rest = Rect(left, top, name.width, board.bottom - top)
    if not cell or rest.height < 2 * page.sentence_height:
        return None
    sentence = rest._replace(height=2 * page.sentence_height)
    solutions = rest._replace(y=sentence.bottom + gap, height=rest.bottom - sentence.bottom - gap)
    if page.solutions and solutions.height >= _SOLUTIONS_LINES * page.line:
        panels[page.solutions.name] = solutions
    return page.layout([block_at(name, board, cell, panels)], sentence=sentence)


def _together(page: StoryPage) -> Layout | None:
    """All boards equally large, or the first of few boards large if the picture is not wide. A
    single board in a wide picture is as large as possible."""
    even, is_few = _grid(page), page.searches <= _FEW
    if is_few and not page.is_wide:
        return _table(page, 0) or even
    aside = _aside(page) if page.searches == 1 else None
    return max(filter(None, (even, aside)), key=cell_of_largest, default=None)


def _is_even(layout: Layout) -> bool:
    """Whether all boards are equally large."""
    return len({block.cell for block in layout.blocks}) == 1


@dataclass(frozen=True, slots=True)
class StoryLayouts:
    """The layouts of one film. `together` has all boards, equally large or, where the picture is
    too narrow for that, the first one large. Tiny pictures have no other layout."""

    together: Layout
    _pages: tuple[StoryPage, ...]

    def lit(self, number: int) -> Layout:
        """The layout while search `number` is the subject: in wide pictures the same as
        `together`, in others its board is large."""
        if not self._pages or self._pages[0].is_wide:
            return self.together
        found = _with_largest_letters(self._pages, lambda page: _table(page, number))
        if found is None or (
            _is_even(self.together)
            and cell_of_largest(found) < cell_of_largest(self.together) * 9 / 8
        ):
            return self.together
        return found

    def laps(self, number: int) -> Layout:
        """The layout in which search `number` goes on alone, with the chart and the box of the lap
        counter; the same as before where there is no room or no other search."""
        if len(self.together.blocks) == 1:
            return self.together
        source = self.together if _is_even(self.together) else self.lit(number)
        pages = self._pages
        return (
            _with_largest_letters(pages, lambda page: laps_layout(page, number, source)) or source
        )


def _with_largest_letters(
    pages: Sequence[StoryPage], make: Callable[[StoryPage], Layout | None]
) -> Layout | None:
    """The layout with the largest letters that does not make boards much smaller; `pages` have ever
    smaller ones. None if there is no room."""
    found = [layout for page in pages if (layout := make(page))]
    if not found:
        return None
    page, most = pages[0], cell_of_largest(found[-1])
    least = most * _KEPT_CELL
    if page.searches <= _FEW:
        least = min(most, _BOARD_SHARE * min(page.width, page.height) / page.size)
    return next(layout for layout in found if cell_of_largest(layout) >= least)


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
        StoryPage(width, height, searches, size, safe, solutions, letters)
        for letters in _sizes(ceil(_LETTERS * width))
    ]
    together = _with_largest_letters(pages, _together)
    if together is None:
        together = _grid(replace(pages.pop(), plain=True))
        pages = []
    if together is None:
        raise SettingsError(
            f"{width}×{height} is too small for {searches} boards of size {size}",
            remedy="use a larger picture or fewer searches",
        )
    return StoryLayouts(together, tuple(pages))
