"""Sizes of text, and the heights and widths in pixels that follow from them for a block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.unit_marks import strong_width
from undoku.render.layout.panel_kind import PanelKind, Shape
from undoku.texts.counter_kinds import (
    COUNTERS,
    CounterKind,
    counter_kinds,
    usual_counters,
)

USUAL_COUNTERS = counter_kinds(usual_counters(exhaustive=False))

_SHORT = "88.8M"
"""A shortened number."""

MIN_MAP_CELL = 4
"""Pixels of a cell on a map of the board."""


@dataclass(frozen=True, slots=True)
class TextSizes:
    """Pixels per em; `sentence` is for the sentences about one search. In a film 1280 pixels wide
    that a phone shows 360 pixels wide, those of the usual size are eight pixels high."""

    title: int
    name: int
    sentence: int
    status: int
    number: int
    label: int
    footer: int


@dataclass(frozen=True, slots=True)
class Measures:
    """Heights and widths in pixels that follow from the sizes of text."""

    head: int
    side_head: int
    tall_head: int
    """A name on two lines with the status below it, above a board."""
    label: int
    counter: int
    counter_width: int
    counter_usual: tuple[int, ...]
    """The width of each counter's label and of a number of usual length."""
    counter_least: tuple[int, ...]
    """The minimum width of the first two counters, with shortened numbers."""
    letters: int
    """Pixels per em of labels, the unit of the heights of charts."""
    line: int
    """A line of text below the board, with the gap above it."""
    gap: int
    name_line: int
    """A line in the letters of a name."""
    sentence_line: int
    """A line in the letters of a sentence about the search."""


def _rounded(pixels: int) -> int:
    """Rounded up to whole macroblocks if the difference is small, so that counters below each other
    have the same position relative to the grid."""
    whole = -(-pixels // 16) * 16
    return whole if whole <= pixels + 4 else pixels


def measured(
    text: TextSizes, gap: int, counters: Sequence[CounterKind] = USUAL_COUNTERS
) -> Measures:
    """The room for texts of these sizes and for these `counters`, in the order of their
    importance."""
    name, status = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.status)
    label, number = line_height(Face.REGULAR, text.label), line_height(Face.REGULAR, text.number)

    def counter_width(kind: CounterKind, figures: str = "") -> int:
        wide = text_width(figures or kind.usual, Face.REGULAR, text.number)
        return max(wide, text_width(kind.label(), Face.REGULAR, text.label))

    return Measures(
        head=max(name, status) + gap // 2,
        side_head=name + status + gap,
        tall_head=2 * name + status + gap // 2,
        label=label,
        counter=_rounded(label + number + gap // 4),
        counter_width=max(map(counter_width, COUNTERS)) + gap // 2,
        counter_usual=tuple(map(counter_width, counters)),
        counter_least=tuple(counter_width(kind, _SHORT) for kind in counters[:2]),
        letters=text.label,
        line=status + gap // 2,
        gap=gap,
        name_line=name,
        sentence_line=line_height(Face.BOLD, text.sentence),
    )


def least_heights(extras: Iterable[PanelKind], size: int, m: Measures) -> list[int]:
    """The minimum height of each panel, which is no line of text: of a chart its caption and lines,
    of a map a caption and a few pixels for each cell."""
    return [
        m.label
        + (MIN_MAP_CELL * size if kind.space.shape is Shape.MAP else kind.space.lines * m.letters)
        for kind in extras
    ]


def stacked_height(extras: Iterable[PanelKind], size: int, m: Measures) -> int:
    """The minimum height of panels below each other, with the gaps between them; 0 for none."""
    heights = least_heights(extras, size, m)
    return sum(heights) + m.gap * max(0, len(heights) - 1)


def board_side(cell: int, size: int) -> int:
    """The side in pixels of a board of `size` × `size` cells of `cell` × `cell` pixels, with the
    closing line."""
    return cell * size + strong_width(cell)


def largest_cell(room: int, size: int, step: int = 1) -> int:
    """The largest side of cells, a multiple of `step` pixels, with which a board fits into `room`
    pixels; 0 if there is none."""
    cell = max(0, room) // size // step * step
    while cell and board_side(cell, size) > room:
        cell -= step  # the closing line of a large cell is wider than a pixel
    return cell


def line_height_of(kind: PanelKind, m: Measures) -> int:
    """The height of the lines of a panel, with the gap above them. Several lines contain sentences,
    which are important: their letters are larger than those of a name."""
    if kind.space.lines == 1:
        return m.line
    return m.gap // 2 + kind.space.lines * m.sentence_line
