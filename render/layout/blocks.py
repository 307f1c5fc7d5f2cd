"""The place of one search in a picture: its board with everything that belongs to it.

A block has one of three forms, whichever leaves the board largest:

    STACK    heading, board, counters and charts one below the other
    SIDE     the board on the left; heading, counters and charts in a column on its right
    WIDE     as SIDE, but the chart of depth below both
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from itertools import product

from render.drawing.canvas import Rect
from render.drawing.cells import strong_width
from render.style.lettering import Face, line_height, text_width

__all__ = [
    "COUNTERS",
    "EXTRAS",
    "Block",
    "Form",
    "Measures",
    "Style",
    "TextSizes",
    "best_form",
    "heat_height",
    "measured",
]

COUNTERS = ("steps", "backtracks", "depth", "dead ends", "branching")
"""In the order in which there is room for them."""

_USUAL = ("888,888", "888,888", "88", "888,888", "8.88")
"""How long each counter's number usually becomes."""

_SHORT = "88.8M"
"""A number made shorter."""

EXTRAS = ("depth", "tree", "why", "heat")
"""What a block may have beside its board and its counters."""

BETWEEN = 4
"""Gaps between two blocks: they must look further apart than the parts of one."""

_LEAST_CELL = 8


@dataclass(frozen=True, slots=True)
class TextSizes:
    """Pixels per em."""

    title: int
    name: int
    status: int
    number: int
    label: int
    footer: int


@dataclass(frozen=True, slots=True)
class Block:
    """The place of one search.

    `board` is the board's square of `cell` × `cell` pixels a cell, the closing lines on the right
    and below included. `counters` are the boxes of the counters, in order. What is left out is
    None.
    """

    name: Rect
    status: Rect
    board: Rect
    cell: int
    counters: tuple[Rect, ...]
    depth: Rect | None = None
    tree: Rect | None = None
    why: Rect | None = None
    heat: Rect | None = None

    def regions(self) -> list[Rect]:
        """All regions of the block; none overlaps another."""
        extras = (self.depth, self.tree, self.why, self.heat)
        found = [self.name, self.status, self.board, *self.counters]
        return found + [rect for rect in extras if rect]


class Style(Enum):
    STACK = auto()
    WIDE = auto()
    SIDE = auto()


@dataclass(frozen=True, slots=True)
class Form:
    """How blocks are arranged: so many columns and rows of them, each of `width` × `height`
    pixels, its cells of `cell` pixels."""

    style: Style
    columns: int
    rows: int
    cell: int
    extras: frozenset[str]
    counters: bool
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Measures:
    """Heights and widths in pixels that follow from the sizes of text."""

    head: int
    side_head: int
    label: int
    counter: int
    counter_width: int
    counter_usual: tuple[int, ...]
    """What each counter's label and a number of usual length need."""
    counter_pair: tuple[int, int]
    """What the first two need at least, with shortened numbers."""
    depth: int
    tree: int
    why: int
    gap: int


def _rounded(pixels: int) -> int:
    """Up to whole macroblocks where that costs next to nothing, so that counters below each other
    stand alike on the grid."""
    whole = -(-pixels // 16) * 16
    return whole if whole <= pixels + 4 else pixels


def measured(text: TextSizes, gap: int) -> Measures:
    name, status = line_height(Face.BOLD, text.name), line_height(Face.REGULAR, text.status)
    label, number = line_height(Face.REGULAR, text.label), line_height(Face.REGULAR, text.number)

    def counter_width(name: str, figures: str) -> int:
        wide = text_width(figures, Face.REGULAR, text.number)
        return max(wide, text_width(name, Face.REGULAR, text.label))

    return Measures(
        head=max(name, status) + gap // 2,
        side_head=name + status + gap,
        label=label,
        counter=_rounded(label + number + gap // 4),
        counter_width=max(
            text_width("8,888,888", Face.REGULAR, text.number),
            text_width("backtracks", Face.REGULAR, text.label),
        )
        + gap // 2,
        counter_usual=tuple(map(counter_width, COUNTERS, _USUAL)),
        counter_pair=(counter_width(COUNTERS[0], _SHORT), counter_width(COUNTERS[1], _SHORT)),
        depth=label + 3 * text.label,
        tree=label + 4 * text.label,
        why=status + gap // 2,
        gap=gap,
    )


def _snapped_cell(most: int) -> int:
    """The largest good cell side up to `most`: a multiple of 16, 8 or 4, unless that would give
    away more than a sixth of it."""
    for grid in (16, 8, 4, 2):
        side = most // grid * grid
        if side and side * 6 >= most * 5:
            return side
    return most


def best_form(
    area: Rect,
    searches: int,
    size: int,
    text: TextSizes,
    gap: int,
    extras: frozenset[str],
    *,
    counters: bool,
) -> Form | None:
    """The arrangement with the largest cells that has room for all `extras`; of equal ones that
    with the fewest rows. None where there is no room."""
    best: Form | None = None
    m = measured(text, gap)
    for rows, style in product(range(1, searches + 1), Style):
        columns = -(-searches // rows)
        if (rows - 1) * columns >= searches:
            continue
        wide = (area.width - (columns - 1) * BETWEEN * gap) // columns
        # A gap is kept for moving the block to the grid.
        high = (area.height - (rows - 1) * BETWEEN * gap) // rows - gap
        most = min(_room(wide, high, style, extras, m, size, counters=counters))
        cell = most // size
        while cell >= _LEAST_CELL and cell * size + strong_width(cell) > most:
            cell -= 1  # the closing line of a large cell is wider than a pixel
        while cell >= _LEAST_CELL:
            cell = _snapped_cell(cell)
            board = cell * size + strong_width(cell)
            if _holds(board, high, style, extras, m, size, counters=counters):
                break
            cell -= 1
        if cell < _LEAST_CELL or (best is not None and cell <= best.cell):
            continue
        board = cell * size + strong_width(cell)
        best = Form(
            style,
            columns,
            rows,
            cell,
            extras,
            counters,
            board if style is Style.STACK else min(wide, board * 2 + 2 * gap),
            min(high, _most_height(board, style, extras, m, counters=counters)),
        )
    return best


def _room(
    wide: int,
    high: int,
    style: Style,
    extras: frozenset[str],
    m: Measures,
    size: int,
    *,
    counters: bool,
) -> tuple[int, int]:
    """What is left for the board in width and height."""
    high -= m.why if "why" in extras else 0
    if style is Style.STACK:
        high -= m.head
        high -= m.gap // 2 + m.counter if counters else 0
        high -= m.gap + m.depth if "depth" in extras else 0
        high -= m.gap + _tree_height(extras, m, size) if extras & {"tree", "heat"} else 0
        return wide, high
    column = m.counter_width
    if style is Style.SIDE and "depth" in extras:
        column = max(column, 5 * m.counter)
    wide -= 2 * m.gap + max(column, size * 4 if "heat" in extras else 0)
    if style is Style.WIDE:
        if "depth" not in extras:
            return 0, 0
        high -= m.gap + m.depth
    return wide, high


def heat_height(size: int, m: Measures) -> int:
    """What a map of a board's cells needs: a caption, and four pixels a cell."""
    return m.label + 4 * size


def _tree_height(extras: frozenset[str], m: Measures, size: int) -> int:
    """What the tree needs, or the heat beside it."""
    return max(m.tree, heat_height(size, m) if "heat" in extras else 0)


def _holds(
    board: int,
    high: int,
    style: Style,
    extras: frozenset[str],
    m: Measures,
    size: int,
    *,
    counters: bool,
) -> bool:
    """Whether everything beside a board, or below one in width, has room."""
    if style is Style.STACK:
        if {"tree", "heat"} <= extras and board < 2 * (m.gap + max(m.counter_width, 4 * size)):
            return False
        return not counters or board >= sum(m.counter_pair) + m.gap // 2
    need = m.side_head + (2 * m.counter if counters else 0)
    need += m.gap + m.tree if "tree" in extras else 0
    need += m.gap + heat_height(size, m) if "heat" in extras else 0
    need += m.gap + m.depth if "depth" in extras and style is Style.SIDE else 0
    return need <= board


def _most_height(
    board: int, style: Style, extras: frozenset[str], m: Measures, *, counters: bool
) -> int:
    """The height beyond which a block gains nothing: a higher chart says no more."""
    height = board + (m.why if "why" in extras else 0)
    if style is Style.SIDE:
        return height
    if "depth" in extras:
        height += m.gap + max(m.depth, board * 2 // 5)
    if style is Style.STACK:
        height += m.head + (m.gap // 2 + m.counter if counters else 0)
        if extras & {"tree", "heat"}:
            height += m.gap + max(m.tree, board * 3 // 5)
    return height
