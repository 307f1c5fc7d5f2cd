"""The layouts of a story: all boards alike, one of them large, and one that goes on alone.

Letters are as large as on a phone they must be, or smaller where that leaves boards too small, as
in pictures of many boards. Of all forms that a layout can have, the one with the largest boards is
taken.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

from undoku.render.draw.canvas import Rect
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Block
from undoku.render.layout.boxes import Box, column, largest, places, row, row_counts, slots
from undoku.render.layout.page import Layout, check_size, too_small
from undoku.render.layout.panel_kind import PanelKind, Shape, by_shape
from undoku.render.layout.story_page import SHARE_OF_ALL, StoryPage, story_pages

_MIN_SMALL_CELL = 4
"""Pixels of a cell of a small board."""

_SMALL_SHARES = 1 / 8, 0.6
"""The least and the largest size of a board beside a large one, relative to that."""

_LIT_GROWTH = 1.05
"""A board is lit in a layout of its own if that makes it larger by this factor."""

_SHARE_OF_ONE, _KEPT_CELL = 0.55, 0.65
"""Letters may make a large board smaller, but not below SHARE_OF_ALL, the other where one board is
the subject, and boards that are smaller in any case not below this share of their size."""

_FEW, _PAIR = 3, 2
"""The most searches of which the first has the large board of a picture that is not wide, and of
which each board is large enough beside the others in a wide one."""


class _Stage(Enum):
    """What a layout with one large board is for: a race, an explanation, the laps."""

    TOGETHER = auto()
    LIT = auto()
    LAPS = auto()


class _Form(NamedTuple):
    """A possible layout: the `places` of boxes and the sides of the `cells` of the boards of
    searches with names, and whether it shows something that is not necessary (`extra`). Of several,
    the best has the largest board, then the most that is shown, then the largest other boards."""

    page: StoryPage
    places: Mapping[Hashable, Rect]
    cells: Mapping[int, int]
    extra: bool

    @property
    def rank(self) -> tuple[int, int, int]:
        return max(self.cells.values()), self.extra, min(self.cells.values())

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
            chart=self.places.get("chart"),
            sentence=self.places.get("sentence"),
            laps=self.places.get("laps"),
        )

    def _block(self, number: int) -> Block:
        """The place of a search. The texts of a stack are centred above and below its board."""
        kind = self.page.solutions
        names = ["name", "board", "bar", "facts", "doors", "stack", *([kind.name] if kind else [])]
        small, strip = self.page.strip
        found = {**strip, **self.places}
        panels = {key: found[number, key] for key in names if (number, key) in found}
        board, stack = panels.pop("board"), panels.pop("stack", None)
        name = panels.pop("name", Rect(board.x, board.y, 0, 0))
        if stack:
            half = min(board.x - stack.x, stack.right - board.right)
            wide = {"x": board.x - half, "width": board.width + 2 * half}
            name = name._replace(**wide) if name.width else name
            for key in {"facts", "doors"} & set(panels):
                panels[key] = panels[key]._replace(**wide)
            if "bar" in panels:
                panels["bar"] = panels["bar"]._replace(x=board.x, width=board.width)
        status = Rect(name.right, name.y, 0, name.height)
        cell = self.cells.get(number, small)
        return Block(name, status, board, cell, (), panels, centred=stack is not None)


def _best(forms: Iterable[_Form | None]) -> Layout | None:
    """The layout of the best form; None if there is none."""
    found = max(filter(None, forms), key=lambda form: form.rank, default=None)
    return found.layout() if found else None


def _choices(matters: object) -> tuple[bool, ...]:
    """Without and with something in a form; only without it where it changes nothing."""
    return (False, True) if matters else (False,)


def _even(page: StoryPage) -> Layout | None:
    """All boards with names equally large, in rows."""
    forms = product(row_counts(len(page.named)), (False, True), (2, 1), _choices(page.solutions))
    return _best(_even_form(page, *form) for form in forms)


def _even_form(
    page: StoryPage, rows: int, beside: bool, lines: int, solutions: bool
) -> _Form | None:
    """Texts, with names on so many lines, are above and below the boards or `beside` them; the
    sentence is beside a single board, too, otherwise below all."""
    gap, area, sentence = page.gap, page.inside, page.sentence(lines=2)
    aside = page.sentence(lines=4) if beside and page.searches == 1 else None
    found: dict[Hashable, Rect] = {}
    if not beside:  # a line of text has its own margin above its letters
        area = area._replace(y=page.safe.y, height=area.bottom - page.safe.y)
    if sentence and not aside:
        high = sentence.least.height
        area = area._replace(height=area.height - high)
        found["sentence"] = area._replace(y=area.bottom, height=high)
    boxes = slots(area, len(page.named), rows, gap)

    def make(number: int, cell: int) -> Box:
        board, counts = page.board(number, cell), page.counts(number)
        extra = page.found(number, shown=solutions)
        name = page.name(number, lines)
        if beside:
            return row(board, column(name, counts, aside, extra, gap=gap), gap=2 * gap)
        stack = column(name, board, counts, gap=gap // 2, key=(number, "stack"))
        return row(stack, extra, gap=2 * gap)

    cell = page.cell(partial(make, 0), boxes[0])
    if not cell:
        return None
    for number, box in zip(page.named, boxes, strict=True):
        found |= places(make(number, cell), box, page.grid)
    return _Form(page, found, dict.fromkeys(page.named, cell), solutions)


def _focus(page: StoryPage, number: int, stage: _Stage, *, at_right: bool) -> Layout | None:
    """The board of search `number` as large as possible, the others small in a list, beside it, to
    the left if it is `at_right`, or above it."""
    extras = _choices(stage is _Stage.LAPS or page.solutions)
    forms = product((True, False), (False, True), (1, 2, 3), extras)
    return _best(_focus_form(page, number, stage, at_right, *form) for form in forms)


def _focus_form(
    page: StoryPage,
    number: int,
    stage: _Stage,
    at_right: bool,
    beside: bool,
    stacked: bool,
    lines: int,
    extra: bool,
) -> _Form | None:
    """The list is `beside` the large board or above it; in it, names are above boards (`stacked`)
    or beside them, on so many `lines`. What can be shown in addition is a sentence below the lap
    counter, or, before the laps, solutions."""
    gap, laps, room = page.gap, stage is _Stage.LAPS, page.inside
    others = [each for each in page.named if each != number]
    sentence, counter, chart = page.sentence(2), None, None
    if laps:
        counter = column(page.laps(), sentence if extra else None)
        sentence, chart = None, page.chart()

    def entry(each: int, small: int) -> Box:
        board, name = page.board(each, small), page.name(each, lines)
        counts = page.counts(each, lines) if stage is _Stage.TOGETHER else None
        if stacked:
            return column(name, board, counts, gap=gap // 2, key=(each, "stack"))
        parts = board, column(name, counts, gap=gap // 2)
        # A finished board moves away from the one that grows.
        return row(*(parts if at_right or not beside else parts[::-1]), gap=gap)

    def make(cell: int, small: int = 0) -> Box:
        small = small or max(_MIN_SMALL_CELL, int(cell * _SMALL_SHARES[0]))
        entries = [entry(each, small) for each in others]
        board = page.board(number, cell)
        if laps and beside:
            large = board
            entries.insert(0, page.name(number, lines))
        else:
            below = page.doors(number) if stage is _Stage.LIT else page.counts(number)
            own = [] if laps else [below, page.found(number, shown=extra)]
            stack = page.name(number, 1), board, *own
            large = column(*stack, gap=gap // 2, key=(number, "stack"))
        if beside:
            parts = large.at_most(board.most.width), column(*entries, counter, gap=gap)
            side_by_side = row(*parts[:: -1 if at_right else 1], gap=2 * gap)
            return column(side_by_side, sentence, chart, gap=gap)
        listed = row(column(*entries, gap=gap), counter, gap=2 * gap) if others else None
        return column(listed, large, sentence, chart, gap=gap)

    cell = page.cell(make, room)
    if not cell:
        return None
    most = max(_MIN_SMALL_CELL, int(cell * _SMALL_SHARES[1]))
    small = largest(partial(make, cell), room, most, _MIN_SMALL_CELL, page.size * len(others))
    found = places(make(cell, small), room, page.grid)
    return _Form(page, found, dict.fromkeys(others, small) | {number: cell}, extra)


def _together(page: StoryPage) -> Layout | None:
    """All boards equally large, or the first of few boards large if the picture is not wide."""
    if len(page.named) <= _FEW and not page.is_wide:
        return _focus(page, page.named[0], _Stage.TOGETHER, at_right=False) or _even(page)
    return _even(page)


def _largest_cell(layout: Layout) -> int:
    return max(block.cell for block in layout.blocks)


@dataclass(frozen=True, slots=True)
class StoryLayouts:
    """The layouts of one film. `together` has all boards, equally large or, where the picture is
    too narrow for that, the first one large. Tiny pictures have no other layout."""

    together: Layout
    _pages: tuple[StoryPage, ...]

    def naming(self, searches: Sequence[int]) -> StoryLayouts:
        """The layouts in which only these have names, if there is room for that."""
        numbers = range(len(self.together.blocks))
        unnamed = tuple(each for each in numbers if each not in searches)
        pages = tuple(replace(page, unnamed=unnamed) for page in self._pages)
        if not (unnamed and pages and pages[0].strip[0]):
            return self
        together = _with_largest_letters(pages, _together, SHARE_OF_ALL)
        return StoryLayouts(together, pages) if together else self

    def lit(self, number: int) -> Layout:
        """The layout while search `number` is the subject: its board is large. Two boards of a wide
        picture are so already."""
        page = next(iter(self._pages), None)
        is_large = page and page.is_wide and number in page.named and len(page.named) <= _PAIR
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
def _focused(
    pages: tuple[StoryPage, ...],
    number: int,
    stage: _Stage,
    at_right: bool,
) -> Layout | None:
    """The layout of `_focus` with the largest letters. Several beats have it."""
    focus = partial(_focus, number=number, stage=stage, at_right=at_right)
    return _with_largest_letters(pages, focus, _SHARE_OF_ONE)


def _with_largest_letters(
    pages: Sequence[StoryPage], make: Callable[[StoryPage], Layout | None], share: float
) -> Layout | None:
    """The layout with the largest letters with which the largest board has this share of the
    picture's shorter side, or is not much smaller than with the smallest letters; `pages` have ever
    smaller ones. None if there is no room."""
    smaller: list[Layout] = []
    for page in pages:
        if layout := make(page):
            if _largest_cell(layout) >= page.cell_of(share) - 1:  # cells have whole pixels
                return layout
            smaller.append(layout)
    least = _KEPT_CELL * max(map(_largest_cell, smaller), default=0)
    return next((layout for layout in smaller if _largest_cell(layout) >= least), None)


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
    solutions = next(iter(by_shape(panels, Shape.CHART)), None)
    pages = story_pages(width, height, searches, size, margins, solutions)
    together = _with_largest_letters(pages, _together, SHARE_OF_ALL)
    if together is None:
        together = _even(replace(pages.pop(), plain=True))
        pages = []
    if together is None:
        raise too_small(width, height, searches, size)
    return StoryLayouts(together, tuple(pages))
