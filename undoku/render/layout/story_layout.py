"""The layouts of a story: all boards alike, one of them large, and one that goes on alone.

A picture has one size of letters, which can be read on a phone. Where it leaves boards too small,
as in pictures of many boards, letters are smaller. Of all forms that a layout can have, the one
with the largest boards is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import ceil

from undoku.errors import SettingsError
from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import (
    TextSizes,
    board_side,
    largest_cell,
    snapped_cell,
)
from undoku.render.layout.blocks import Block
from undoku.render.layout.boxes import (
    FREE,
    Box,
    column,
    largest,
    leaf,
    places,
    row,
    row_counts,
    slots,
    square,
)
from undoku.render.layout.page import RING, Layout, check_size, grid_of, inner_area, safe_area
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape

_LETTERS = Fraction(375, 10_000)
"""The size of letters relative to the width of the picture: their x-height is eight pixels if a
phone shows the picture 390 pixels wide."""

_MIN_LETTERS = 11

_NAME_WIDTHS = 7.5, 11.5, 8.0
"""The widths of a name, in sizes of letters: where it may have smaller ones than other texts, on
one line, and on two."""

_FACTS_WIDTH = 7.5
"""The width of a number with a noun, in sizes of letters."""

_LAPS_LINES = 4
"""The minimum height of the lap counter, in lines: two for its number, two for what it counts."""

_SOLUTIONS_LINES = 4
"""The minimum height and width of the solutions, in lines."""

_CHART_SHARES = 0.17, 0.2
"""The least and the largest share of the chart in the height."""

_BAR_SHARE = 1 / 35
"""The height of a bar relative to the picture's shorter side."""

_MIN_CELL, _MIN_SMALL_CELL = 8, 4
"""Pixels of a cell of a large board and of a small one."""

_SMALL_SHARES = 1 / 8, 0.6
"""The least and the largest size of a board beside a large one, relative to that."""

_GOOD_CELL_SHARE = 0.95
"""Cells are smaller than possible by at most this share, to have a good size."""

_LIT_GROWTH = 1.05
"""A board is lit in a layout of its own if that makes it larger by this factor."""

_WIDE = 1.25
"""The ratio of width to height from which a picture is wide."""

_BOARD_SHARE, _KEPT_CELL = 0.6, 0.65
"""Letters may make a large board smaller, but not below this share of the picture's shorter side,
and boards that are smaller in any case not below this share of their size."""

_FEW, _PAIR = 3, 2
"""The most searches whose boards are so large that names may be smaller than other texts, and of
which the first has the large board of a picture that is not wide; and of which each board is large
enough beside the others in a wide one."""


class _Part(Enum):
    """What a picture has once, or each search."""

    NAME = auto()
    BOARD = auto()
    STACK = auto()
    """A board with its texts above and below it."""
    SENTENCE = auto()
    CHART = auto()
    LAPS = auto()


class _Entry(Enum):
    """What the list beside a large board has for each search: a board beside its name, which is on
    one line or on two, or below it."""

    ONE_LINE = auto()
    TWO_LINES = auto()
    STACK = auto()


class _Stage(Enum):
    """What a layout with one large board is for: a race, an explanation, the laps."""

    TOGETHER = auto()
    LIT = auto()
    LAPS = auto()


@dataclass(frozen=True, slots=True)
class _Page:
    """A picture to be laid out, with letters of `letters` pixels per em. `solutions` is the panel
    of solutions, None if there is none. A `plain` one, for tiny pictures, has boards and names
    alone."""

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
        safe = self.safe.inset(RING)
        return inner_area(safe, self.width, self.height, self.grid, self.grid // 4)

    @property
    def is_wide(self) -> bool:
        return self.width >= _WIDE * self.height

    @property
    def line(self) -> int:
        return line_height(Face.BOLD, self.letters)

    def wide(self, ems: float) -> int:
        """The width of a text in pixels."""
        return round(ems * self.letters)

    def name(self, number: int, lines: int = 1, most_width: int = FREE) -> Box:
        """The name of a search, on one or two lines; without lines on one, where it may have
        smaller letters than other texts."""
        wide = self.wide(_NAME_WIDTHS[lines])
        lines = max(1, lines)
        return leaf((number, _Part.NAME), wide, lines * self.line, most_width)

    def counts(self, number: int) -> Box | None:
        """The bar of a search and the facts below it; doors take their place."""
        if self.plain:
            return None
        high = max(RING, round(min(self.width, self.height) * _BAR_SHARE / 2) * 2)
        bar = leaf((number, "bar"), self.wide(_FACTS_WIDTH), high)
        return column(bar, leaf((number, "facts"), 0, self.line), key=(number, "doors"))

    def board(self, number: int, cell: int) -> Box:
        return square((number, _Part.BOARD), board_side(cell, self.size), self.grid, self.grid // 4)

    def sentence(self, lines: int) -> Box | None:
        """The sentence of a beat, which the speed of the clock shares, on up to so many lines."""
        return None if self.plain else leaf(_Part.SENTENCE, 0, lines * self.line)

    def found(self, number: int, *, shown: bool) -> Box | None:
        """The solutions of a search, if they are to be shown."""
        least = _SOLUTIONS_LINES * self.line
        if not self.solutions or not shown:
            return None
        return leaf((number, self.solutions.name), least, least, most_height=FREE)

    def cell(self, make: Callable[[int], Box], room: Rect) -> int:
        """The side of the cells of the largest board, of a good size, with which the box that
        `make` returns for it fits into `room`; 0 if there is none."""
        most = largest_cell(min(room.width, room.height), self.size)
        cell = largest(make, room, most, _MIN_CELL, self.size)
        return snapped_cell(cell, ceil(cell * _GOOD_CELL_SHARE))


@dataclass(frozen=True, slots=True)
class _Form:
    """A possible layout: the `places` of boxes, the sides of the `cells` of the boards, and whether
    it shows something that is not necessary (`extra`). Of several, the best has the largest board,
    then the most that is shown, then the largest other boards."""

    page: _Page
    places: Mapping[Hashable, Rect]
    cells: Sequence[int]
    extra: bool

    @property
    def rank(self) -> tuple[int, int, int]:
        return max(self.cells), self.extra, min(self.cells)

    def layout(self) -> Layout:
        page, size, kind = self.page, self.page.letters, self.page.solutions
        blocks = [self._block(number) for number in range(page.searches)]
        shown = kind and any(kind.name in block.panels for block in blocks)
        return Layout(
            page.width,
            page.height,
            page.grid,
            None,
            tuple(blocks),
            (kind,) if kind and shown else (),
            None,
            None,
            TextSizes(size * 5 // 4, size, size, size, size, size, size),
            page.safe,
            page.inside,
            chart=self.places.get(_Part.CHART),
            sentence=self.places.get(_Part.SENTENCE),
            laps=self.places.get(_Part.LAPS),
        )

    def _block(self, number: int) -> Block:
        """The place of a search. The texts of a stack are centred above and below its board."""
        name, board = self.places[number, _Part.NAME], self.places[number, _Part.BOARD]
        kind = self.page.solutions
        names = ["bar", "facts", "doors", *([kind.name] if kind else [])]
        panels = {key: self.places[number, key] for key in names if (number, key) in self.places}
        if stack := self.places.get((number, _Part.STACK)):
            half = min(board.x - stack.x, stack.right - board.right)
            wide = {"x": board.x - half, "width": board.width + 2 * half}
            name = name._replace(**wide)
            for key in {"facts", "doors"} & set(panels):
                panels[key] = panels[key]._replace(**wide)
            if "bar" in panels:
                panels["bar"] = panels["bar"]._replace(x=board.x, width=board.width)
        status = Rect(name.right, name.y, 0, name.height)
        cell = self.cells[number]
        return Block(name, status, board, cell, (), panels, centred=stack is not None)


def _best(forms: Iterable[_Form | None]) -> Layout | None:
    """The layout of the best form; None if there is none."""
    found = max(filter(None, forms), key=lambda form: form.rank, default=None)
    return found.layout() if found else None


def _even(page: _Page) -> Layout | None:
    """All boards equally large, in rows."""
    forms = product(row_counts(page.searches), (False, True), (False, True))
    return _best(_even_form(page, *form) for form in forms)


def _even_form(page: _Page, rows: int, beside: bool, solutions: bool) -> _Form | None:
    """Texts are above and below the boards or `beside` them; the sentence is beside a single board,
    too, otherwise below all."""
    gap, area, sentence = page.gap, page.inside, page.sentence(lines=2)
    aside = page.sentence(lines=4) if beside and page.searches == 1 else None
    if sentence and not aside:
        high = sentence.least.height
        area = area._replace(height=area.height - high - gap // 2)
        sentence_box = area._replace(y=area.bottom + gap // 2, height=high)
    boxes = slots(area, page.searches, rows, gap)

    def make(number: int, cell: int) -> Box:
        board, counts = page.board(number, cell), page.counts(number)
        found = page.found(number, shown=solutions)
        if beside:
            texts = column(page.name(number, 2), counts, aside, found, gap=gap)
            return row(board, texts, gap=2 * gap)
        stack = (number, _Part.STACK)
        name = page.name(number, 0 if page.searches <= _FEW else 1)
        texts = column(name, board, counts, gap=gap // 2, key=stack)
        return row(texts, found, gap=2 * gap)

    cell = page.cell(partial(make, 0), boxes[0])
    if not cell:
        return None
    found: dict[Hashable, Rect] = {}
    if sentence and not aside:
        found[_Part.SENTENCE] = sentence_box
    for number, box in enumerate(boxes):
        found |= places(make(number, cell), box, page.grid)
    return _Form(page, found, [cell] * page.searches, solutions)


def _focus(page: _Page, number: int, stage: _Stage, *, at_right: bool) -> Layout | None:
    """The board of search `number` as large as possible, the others small in a list, beside it, to
    the left if it is `at_right`, or above it."""
    forms = product((True, False), _Entry, (False, True))
    return _best(_focus_form(page, number, stage, at_right, *form) for form in forms)


def _focus_form(
    page: _Page,
    number: int,
    stage: _Stage,
    at_right: bool,
    beside: bool,
    entries_are: _Entry,
    extra: bool,
) -> _Form | None:
    """The list is `beside` the large board or above it. What can be shown in addition is a sentence
    below the lap counter, or, before the laps, solutions."""
    gap, laps, room = page.gap, stage is _Stage.LAPS, page.inside
    others = [each for each in range(page.searches) if each != number]
    sentence, counter, chart = page.sentence(2), None, None
    lines = 1 if entries_are is _Entry.ONE_LINE else 2
    if laps:
        least, most = (round(share * page.safe.height) for share in _CHART_SHARES)
        counter = leaf(_Part.LAPS, page.wide(_NAME_WIDTHS[2]), _LAPS_LINES * page.line, FREE, FREE)
        counter = column(counter, sentence if extra else None)
        sentence, chart = None, leaf(_Part.CHART, 0, least, most_height=most)

    def entry(each: int, small: int) -> Box:
        board = page.board(each, small)
        counts = page.counts(each) if stage is _Stage.TOGETHER else None
        if entries_are is _Entry.STACK:
            stack = (each, _Part.STACK)
            return column(page.name(each, lines), board, counts, gap=gap // 2, key=stack)
        parts = board, column(page.name(each, lines), counts, gap=gap // 2)
        # A finished board moves away from the one that grows.
        return row(*(parts if at_right or not beside else parts[::-1]), gap=gap)

    def make(cell: int, small: int = 0) -> Box:
        small = small or max(_MIN_SMALL_CELL, int(cell * _SMALL_SHARES[0]))
        entries = [entry(each, small) for each in others]
        board, name, stack = page.board(number, cell), page.name(number), (number, _Part.STACK)
        own = [name, board]
        if not laps:
            own += filter(None, (page.counts(number), page.found(number, shown=extra)))
        elif beside:
            own = [board]
            entries.insert(0, page.name(number, 1 + (entries_are is _Entry.STACK)))
        large = column(*own, gap=gap // 2, key=stack if name in own else None)
        if beside:
            parts = large.at_most(board.most.width), column(*entries, counter, gap=gap)
            return column(
                row(*parts[:: -1 if at_right else 1], gap=2 * gap), sentence, chart, gap=gap
            )
        listed = row(column(*entries, gap=gap), counter, gap=2 * gap) if others else None
        return column(listed, large, sentence, chart, gap=gap)

    cell = page.cell(make, room)
    if not cell:
        return None
    most = max(_MIN_SMALL_CELL, int(cell * _SMALL_SHARES[1]))
    small = largest(partial(make, cell), room, most, _MIN_SMALL_CELL, page.size * len(others))
    found = places(make(cell, small), room, page.grid)
    cells = [cell if each == number else small for each in range(page.searches)]
    return _Form(page, found, cells, extra)


def _together(page: _Page) -> Layout | None:
    """All boards equally large, or the first of few boards large if the picture is not wide."""
    if page.searches <= _FEW and not page.is_wide:
        return _focus(page, 0, _Stage.TOGETHER, at_right=False) or _even(page)
    return _even(page)


def _largest_cell(layout: Layout) -> int:
    return max(block.cell for block in layout.blocks)


@dataclass(frozen=True, slots=True)
class StoryLayouts:
    """The layouts of one film. `together` has all boards, equally large or, where the picture is
    too narrow for that, the first one large. Tiny pictures have no other layout."""

    together: Layout
    _pages: tuple[_Page, ...]

    def lit(self, number: int) -> Layout:
        """The layout while search `number` is the subject: its board is large. Two boards of a wide
        picture are so already."""
        is_large = self._pages and self._pages[0].is_wide and self._pages[0].searches <= _PAIR
        found = None if is_large else self._focus(number, _Stage.LIT)
        least = self.together.blocks[number].cell * _LIT_GROWTH
        return found if found and _largest_cell(found) >= least else self.together

    def laps(self, number: int) -> Layout:
        """The layout in which search `number` goes on alone, with the chart and the box of the lap
        counter; the same as before where there is no room or no other search."""
        return self._focus(number, _Stage.LAPS) or self.lit(number)

    def _focus(self, number: int, stage: _Stage) -> Layout | None:
        board = self.together.blocks[number].board
        at_right = 2 * board.x + board.width > self.together.width
        if len(self.together.blocks) == 1:
            return None
        return _focused(self._pages, number, stage, at_right)


@lru_cache
def _focused(pages: tuple[_Page, ...], number: int, stage: _Stage, at_right: bool) -> Layout | None:
    """The layout of `_focus` with the largest letters. Several beats have it."""
    return _with_largest_letters(pages, lambda page: _focus(page, number, stage, at_right=at_right))


def _with_largest_letters(
    pages: Sequence[_Page], make: Callable[[_Page], Layout | None]
) -> Layout | None:
    """The layout with the largest letters that does not make boards much smaller; `pages` have ever
    smaller ones. None if there is no room."""
    smallest = make(pages[-1]) if pages else None
    if not smallest:
        return None
    page, most = pages[-1], _largest_cell(smallest)
    least = _BOARD_SHARE * min(page.width, page.height) / page.size
    least = least if most >= least else most * _KEPT_CELL
    found = filter(None, map(make, pages))
    return next(layout for layout in found if _largest_cell(layout) >= least)


def _sizes(largest_size: int) -> Iterator[int]:
    """Ever smaller sizes of letters."""
    size = max(_MIN_LETTERS, largest_size)
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
    together = _with_largest_letters(pages, _together)
    if together is None:
        together = _even(replace(pages.pop(), plain=True))
        pages = []
    if together is None:
        raise SettingsError(
            f"{width}×{height} is too small for {searches} boards of size {size}",
            remedy="use a larger picture or fewer searches",
        )
    return StoryLayouts(together, tuple(pages))
