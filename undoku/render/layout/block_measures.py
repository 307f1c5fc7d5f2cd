"""Sizes of text, and the heights and widths in pixels that follow from them for a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.unit_marks import strong_width
from undoku.texts.counter_kinds import (
    COUNTERS,
    CounterKind,
    counter_kinds,
    usual_counters,
)

_FOOTER_SHARE = 0.017
"""The size of the footer's letters relative to the picture's width: they are six pixels high if a
phone shows the picture 360 pixels wide."""

_MAX_BOARDS_OF_SENTENCES = 2
"""The most boards whose sentences have larger letters than names."""

USUAL_COUNTERS = counter_kinds(usual_counters(exhaustive=False))

_SHORT = "88.8M"
"""A shortened number."""


class TextSizes(NamedTuple):
    """Pixels per em; `sentence` is for the sentences about one search. In a film 1280 pixels wide
    that a phone shows 360 pixels wide, those of the usual size are eight pixels high."""

    title: int
    name: int
    sentence: int
    status: int
    number: int
    label: int
    footer: int


def text_sizes(
    scale: float, width: int, searches: int, outside: TextSizes | None = None
) -> TextSizes:
    """The sizes of texts in a picture `width` pixels wide that is `scale` times as large as
    1280×720; those of the title and the footer are taken from `outside`. Below few boards there
    is room for large sentences."""

    def size(pixels: float, least: int) -> int:
        return max(least, round(pixels * scale))

    return TextSizes(
        title=outside.title if outside else size(30, 14),
        name=size(24, 12),
        sentence=size(29, 14) if searches <= _MAX_BOARDS_OF_SENTENCES else size(24, 12),
        status=size(20, 11),
        number=size(31, 13),
        label=size(20, 11),
        footer=outside.footer if outside else max(size(16, 11), round(_FOOTER_SHARE * width)),
    )


class Measures(NamedTuple):
    """Heights and widths in pixels that follow from the sizes of text."""

    name_line: int
    status_line: int
    sentence_line: int
    label: int
    """A line of a label."""
    letters: int
    """Pixels per em of labels, the unit of the heights of charts."""
    counter: int
    """A label above a number."""
    counter_width: int
    counter_usual: tuple[int, ...]
    """The width of each counter's label and of a number of usual length."""
    counter_least: tuple[int, ...]
    """The minimum width of the first two counters, with shortened numbers."""
    gap: int


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
    label, number = line_height(Face.REGULAR, text.label), line_height(Face.REGULAR, text.number)

    def counter_width(kind: CounterKind, figures: str = "") -> int:
        wide = text_width(figures or kind.usual, Face.REGULAR, text.number)
        return max(wide, text_width(kind.label(), Face.REGULAR, text.label)) + gap // 2

    return Measures(
        name_line=line_height(Face.BOLD, text.name),
        status_line=line_height(Face.REGULAR, text.status),
        sentence_line=line_height(Face.BOLD, text.sentence),
        label=label,
        letters=text.label,
        counter=_rounded(label + number + gap // 4),
        counter_width=max(map(counter_width, COUNTERS)),
        counter_usual=tuple(map(counter_width, counters)),
        counter_least=tuple(counter_width(kind, _SHORT) for kind in counters[:2]),
        gap=gap,
    )


def board_side(cell: int, size: int) -> int:
    """The side in pixels of a board of `size` × `size` cells of `cell` × `cell` pixels, with the
    closing line."""
    return cell * size + strong_width(cell)


def largest_cell(room: int, size: int) -> int:
    """The largest side of cells with which a board fits into `room` pixels; 0 if there is none."""
    cell = max(0, room) // size
    while cell and board_side(cell, size) > room:
        cell -= 1  # the closing line of a large cell is wider than a pixel
    return cell


def snapped_cell(most: int, least: int) -> int:
    """The largest good cell side up to `most`: a multiple of 16, 8 or 4, unless it would be smaller
    than `least`."""
    return next(side for grid in (16, 8, 4, 2, 1) if (side := most - most % grid) >= least)
