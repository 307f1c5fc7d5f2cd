"""The parts of a picture of a story, as boxes: names, boards, bars, sentences.

A picture has one size of letters, which can be read on a phone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from undoku.render.draw.canvas import Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height
from undoku.render.layout.block_measures import board_side, largest_cell, snapped_cell
from undoku.render.layout.boxes import FREE, Box, column, largest, leaf, places, row, slots, square
from undoku.render.layout.page import RING, grid_of, inner_area, safe_area
from undoku.render.layout.panel_kind import PanelKind

_LETTERS = Fraction(375, 10_000)
"""The size of letters relative to the width of the picture: their x-height is eight pixels if a
phone shows the picture 390 pixels wide."""

_MIN_LETTERS = 11

_NAME_WIDTHS = 11.5, 8.0, 5.5
"""The widths of a name on one to three lines, in sizes of letters."""

_FACTS_WIDTH = 7.5
"""The width of a number with a noun, in sizes of letters."""

_LAPS_LINES = 4
"""The minimum height of the lap counter, in lines: two for its number, two for what it counts."""

_SOLUTIONS_LINES = 4
"""The minimum height and width of the solutions, in lines."""

_CHART_SHARES = 0.17, 0.2
"""The least and the largest share of the chart in the height."""

_BAR_SHARE = 1 / 40
"""The height of a bar relative to the picture's shorter side."""

_STRIP_SHARE = 1 / 10
"""The share of a picture for the boards of searches without names."""

_MIN_CELL = 8
"""Pixels of a cell of a large board."""

_GOOD_CELL_SHARE = 0.95
"""Cells are smaller than possible by at most this share, to have a good size, and in wide pictures
not smaller than SHARE_OF_ALL requires."""

SHARE_OF_ALL = 0.6
"""The least size of a large board, relative to the picture's shorter side, if possible."""

_WIDE = 1.25
"""The ratio of width to height from which a picture is wide."""


@dataclass(frozen=True)
class StoryPage:
    """A picture to be laid out, with letters of `letters` pixels per em, of boards of `size` ×
    `size` cells. `solutions` is the panel of solutions, None if there is none. A `plain` one, for
    tiny pictures, has boards and names alone. Searches that are `unnamed` have small boards with
    bars and no texts. The key of a box that each search has is its number and the name of the
    box."""

    width: int
    height: int
    searches: int
    size: int
    margins: tuple[Fraction, ...]
    solutions: PanelKind | None
    letters: int
    plain: bool = False
    unnamed: tuple[int, ...] = ()

    @property
    def named(self) -> tuple[int, ...]:
        """The searches with names."""
        return tuple(each for each in range(self.searches) if each not in self.unnamed)

    @cached_property
    def grid(self) -> int:
        return grid_of(self.width, self.height)

    @cached_property
    def gap(self) -> int:
        return max(RING, self.grid // 2)

    @cached_property
    def safe(self) -> Rect:
        return safe_area(self.width, self.height, self.margins)

    @cached_property
    def _areas(self) -> Mapping[Hashable, Rect]:
        """What is `inside`, and the `strip` of the searches without names, if there are any: at the
        right of a wide picture, otherwise below everything."""
        area = inner_area(self.safe.inset(RING), self.width, self.height, self.grid, self.grid // 4)
        if not self.unnamed:
            return {"inside": area}
        thin = int((area.width if self.is_wide else area.height) * _STRIP_SHARE)
        strip = leaf("strip", 0, 0, *((thin, FREE) if self.is_wide else (FREE, thin)))
        parts = leaf("inside", 0, 0, FREE, FREE), strip
        return places((row if self.is_wide else column)(*parts, gap=self.gap), area, 1)

    @property
    def inside(self) -> Rect:
        """The place of searches with names."""
        return self._areas["inside"]

    @cached_property
    def strip(self) -> tuple[int, Mapping[Hashable, Rect]]:
        """The side of the cells of searches without names, 0 if there is no room, and the places of
        their boards and bars."""
        found: dict[Hashable, Rect] = {}
        if not self.unnamed:
            return 0, found
        count, high = len(self.unnamed), self.bar(0).least.height + RING + self.grid // 4
        boxes = slots(self._areas["strip"], count, count if self.is_wide else 1, self.gap)
        cell = max(0, min(boxes[0].width, boxes[0].height - high) // self.size)
        for number, box in zip(self.unnamed, boxes, strict=True):
            parts = self.board(number, cell), self.bar(number)
            found |= places(column(*parts, gap=RING, key=(number, "stack")), box, self.grid)
        return cell, found

    @property
    def is_wide(self) -> bool:
        return self.width >= _WIDE * self.height

    @cached_property
    def line(self) -> int:
        return line_height(Face.BOLD, self.letters)

    def _wide(self, ems: float) -> int:
        """The width of a text in pixels."""
        return round(ems * self.letters)

    def name(self, number: int, lines: int) -> Box:
        """The name of a search, on one to three lines."""
        return leaf((number, "name"), self._wide(_NAME_WIDTHS[lines - 1]), lines * self.line)

    def counts(self, number: int, lines: int = 2) -> Box | None:
        """The bar of a search and the facts below it, which are short beside a name on three
        `lines`."""
        if self.plain:
            return None
        bar = self.bar(number, self._wide(min(_FACTS_WIDTH, _NAME_WIDTHS[lines - 1])))
        return column(bar, leaf((number, "facts"), 0, self.line), key=(number, "doors"))

    def bar(self, number: int, wide: int = 0) -> Box:
        """The bar of a search, at least so `wide`."""
        high = max(RING, round(min(self.width, self.height) * _BAR_SHARE / 2) * 2)
        return leaf((number, "bar"), wide, high)

    def doors(self, number: int) -> Box | None:
        """The options of a cell of a search, in the place of bar and facts."""
        high = self.line + self.bar(number).least.height
        return None if self.plain else leaf((number, "doors"), 0, high)

    def board(self, number: int, cell: int) -> Box:
        return square((number, "board"), board_side(cell, self.size), self.grid, self.grid // 4)

    def sentence(self, lines: int) -> Box | None:
        """The sentence of a beat, which the speed of the clock shares, on up to so many lines."""
        return None if self.plain else leaf("sentence", 0, lines * self.line)

    def found(self, number: int, *, shown: bool) -> Box | None:
        """The solutions of a search, if they are to be shown."""
        least = _SOLUTIONS_LINES * self.line
        if not self.solutions or not shown:
            return None
        return leaf((number, self.solutions.name), least, least, most_height=FREE)

    def laps(self) -> Box:
        """The lap counter."""
        return leaf("laps", self._wide(_NAME_WIDTHS[1]), _LAPS_LINES * self.line, FREE, FREE)

    def chart(self) -> Box:
        """The chart below a board that goes on alone."""
        least, most = (round(share * self.safe.height) for share in _CHART_SHARES)
        return leaf("chart", 0, least, most_height=most)

    def cell(self, make: Callable[[int], Box], room: Rect) -> int:
        """The side of the cells of the largest board, of a good size, with which the box that
        `make` returns for it fits into `room`; 0 if there is none."""
        most = largest_cell(min(room.width, room.height), self.size)
        cell = largest(make, room, most, _MIN_CELL, self.size)
        least, wanted = ceil(cell * _GOOD_CELL_SHARE), self.cell_of(SHARE_OF_ALL)
        return snapped_cell(cell, wanted if self.is_wide and least < wanted <= cell else least)

    def cell_of(self, share: float) -> int:
        """The least side of the cells of a board of this size relative to the picture's shorter
        side."""
        return ceil(share * min(self.width, self.height) / self.size)


def story_pages(
    width: int,
    height: int,
    searches: int,
    size: int,
    margins: Sequence[Fraction],
    solutions: PanelKind | None,
) -> list[StoryPage]:
    """The same picture with ever smaller letters."""
    return [
        StoryPage(width, height, searches, size, tuple(margins), solutions, letters)
        for letters in _sizes(round(_LETTERS * width))
    ]


def _sizes(largest_size: int) -> Iterator[int]:
    """Ever smaller sizes of letters."""
    size = max(_MIN_LETTERS, largest_size)
    while size > _MIN_LETTERS:
        yield size
        size = max(_MIN_LETTERS, size * 9 // 10)
    yield size
