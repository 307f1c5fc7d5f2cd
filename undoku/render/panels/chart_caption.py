"""The line of small letters above a chart, with the number of nodes so far at its right end, and
the chart's box below it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.counter_loops import BLANK, MARKS, SLOTS
from undoku.render.panels.counters import written_mark
from undoku.texts import wording as say
from undoku.texts.language import number, plural_form, spoken

__all__ = ["RunningNodes", "chart_box", "draw_caption", "node_form", "node_texts"]


def chart_box(box: Rect, text: TextSizes) -> Rect:
    """The part of a panel's box below its caption."""
    line = line_height(Face.REGULAR, text.label)
    return Rect(box.x, box.y + line, box.width, box.height - line)


def draw_caption(
    canvas: Canvas,
    sprites: SpriteBook,
    text: TextSizes,
    box: Rect,
    left: Sequence[str],
    right: Sequence[str],
) -> None:
    """Write the first of `left` and the first of `right` that fit side by side, the fullest text
    first in both; texts on the right are shortened first."""
    size = text.label
    gap = text_width("  ", Face.REGULAR, size)
    for name in left:
        for scale in right:
            name_width = text_width(name, Face.REGULAR, size) if name else 0
            scale_width = text_width(scale, Face.REGULAR, size) if scale else 0
            if name_width + scale_width + (gap if scale else 0) > box.width:
                continue
            if name:
                sprites.write(
                    canvas,
                    (box.x, box.y),
                    name,
                    Face.REGULAR,
                    size,
                    sprites.theme.muted,
                    name_width,
                )
            if scale:
                sprites.write(
                    canvas,
                    (box.right - scale_width, box.y),
                    scale,
                    Face.REGULAR,
                    size,
                    sprites.theme.muted,
                    scale_width,
                    align=Align.RIGHT,
                )
            return


_SHORT = 2
"""The index in `node_texts` of the form with a shortened number."""

_DIGITS = 18
"""The maximum number of digits of a number."""

_MIN_SHORTENED = 1000
"""The minimum number that is shortened."""


def node_texts(nodes: int) -> list[str]:
    """The texts of a caption about a number of nodes, the fullest first; a number is shortened,
    never rounded up."""
    return [say.NODES(count=nodes), number(nodes), _short(nodes), ""]


def _short(nodes: int) -> str:
    """Three digits and a unit."""
    for unit, size in ((" G", 10**9), (" M", 10**6), (" k", 10**3)):
        if nodes >= size:
            whole = str(nodes // size)
            digits = str(nodes * 100 // size).removeprefix(whole)[: 3 - len(whole)].rstrip("0")
            point = spoken().decimals
            return f"{whole}{point}{digits}{unit}" if digits else f"{whole}{unit}"
    return str(nodes)


def node_form(most: int, text: TextSizes, width: int) -> int:
    """Which of `node_texts` the captions of trees of up to `most` nodes, `width` pixels wide, have
    room for, so that all have the same form."""
    size = text.label
    left = width - text_width(f"{say.TREE()}  ", Face.REGULAR, size)
    texts = node_texts(most)
    if most >= 1000:
        texts[2] = (
            f"88{spoken().decimals}8 M"  # an intermediate number can be wider than the final one
        )
    wide = [_width_in_slots(count, size) for count in texts]
    if not _begins_with_number(most):
        wide[0] = left + 1
    return next(form for form, each in enumerate(wide) if each <= left or not each)


def _begins_with_number(nodes: int) -> bool:
    """Whether the language writes the number of nodes first, from left to right, so that its digits
    can change alone."""
    return say.NODES(count=nodes).startswith(f"{number(nodes)} ") and not spoken().right_to_left


def _cut(text: str) -> tuple[str, str]:
    """A text divided into the number at its beginning and the rest."""
    figures, space, unit = text.partition(" ")
    return figures, space + unit


def _width_in_slots(text: str, size: int) -> int:
    figures, unit = _cut(text)
    return sum(text_width(mark, Face.REGULAR, size) for mark in figures) + (
        text_width(unit, Face.REGULAR, size) if unit else 0
    )


class RunningNodes:
    """The number of nodes, with a slot for each digit; only digits that differ are drawn."""

    most_rows = SLOTS
    """The maximum number of sprites that `put` adds for a frame."""

    def __init__(self, sprites: SpriteBook, text: TextSizes, box: Rect, most: int) -> None:
        self._sprites = sprites
        self._size = text.label
        self._box = box
        self._form = node_form(most, text, box.width)
        self._nodes = 0
        self._unit: str | None = None
        self._right = box.right
        self._widths = np.array(
            [text_width(written_mark(mark), Face.REGULAR, self._size) for mark in MARKS]
        )
        self._marks = np.full((1, SLOTS), BLANK)
        """The shown marks, the last one of the number first; likewise their left edges."""
        self._lefts = np.zeros((1, SLOTS), np.int64)
        kind = sprites.index.kind(("node digit", self._size), self._character)
        self._sprite = partial(sprites.index.number, kind=kind)

    def _character(self, mark: int) -> Sprite:
        ink, wide = self._sprites.theme.muted, int(self._widths[mark])
        text = written_mark(MARKS[mark])
        return self._sprites.text(text, Face.REGULAR, self._size, ink, wide)

    def draw(self, canvas: Canvas, nodes: int) -> None:
        """Write what stands behind the digits of the number of nodes, if it has changed."""
        if nodes == self._nodes:
            return
        figures, unit = _cut(node_texts(nodes)[self._form])
        if not figures or unit == self._unit:
            return
        box, size = self._box, self._size
        self._clear(canvas)
        self._unit = unit
        self._right = box.right - (text_width(unit, Face.REGULAR, size) if unit else 0)
        if unit:
            ink, wide = self._sprites.theme.muted, box.right - self._right
            self._sprites.write(canvas, (self._right, box.y), unit, Face.REGULAR, size, ink, wide)

    def reach(self, nodes: NDArray[np.int64]) -> int:
        """The number of frames whose numbers of `nodes` (frames,) `put` can write."""
        if self._form > _SHORT or not len(nodes):
            return len(nodes)
        ends = np.flatnonzero(np.diff(nodes)) + 1  # only these can differ from the previous number
        for frame in (0, *ends.tolist()):
            if nodes[frame] != self._nodes and not self._writes(int(nodes[frame])):
                return int(frame)
        return len(nodes)

    def _writes(self, nodes: int) -> bool:
        """Whether only digits of the number differ from the shown text."""
        if self._form == _SHORT:
            return nodes < _MIN_SHORTENED
        tag = spoken().tag
        return plural_form(tag, nodes) == plural_form(tag, self._nodes)

    def put(self, nodes: NDArray[np.int64], draft: Draft) -> None:
        """Write the number of nodes after each frame of a run (frames,)."""
        last = int(nodes[-1])
        if self._form > _SHORT or (last == self._nodes and len(nodes) == 1):
            return
        self._nodes = last
        if len(nodes) == 1:
            figures, _ = _cut(node_texts(last)[self._form])
            marks = np.full((1, SLOTS), BLANK)
            marks[0, : len(figures)] = [_mark(figure) for figure in reversed(figures)]
        else:
            marks = _grouped(nodes)
        lefts = self._right - np.where(marks == BLANK, 0, self._widths[marks]).cumsum(1)
        before = (
            np.concatenate((self._marks, marks[:-1])),
            np.concatenate((self._lefts, lefts[:-1])),
        )
        new = (marks != BLANK) & ((marks != before[0]) | (lefts != before[1]))
        self._marks, self._lefts = marks[-1:], lefts[-1:]
        frames, _ = np.nonzero(new)
        y = self._box.y
        rows = zip(frames.tolist(), marks[new].tolist(), lefts[new].tolist(), strict=True)
        draft.add([(frame, self._sprite(mark), left, y) for frame, mark, left in rows])

    def _clear(self, canvas: Canvas) -> None:
        count = int((self._marks != BLANK).sum())
        if count:
            left = int(self._lefts[0, count - 1])
            line = line_height(Face.REGULAR, self._size)
            rect = Rect(left, self._box.y, self._box.right - left, line)
            canvas.fill(rect, self._sprites.theme.ground)
        self._marks = np.full((1, SLOTS), BLANK)


def _mark(figure: str) -> int:
    """The mark, an index into MARKS, of a character in the current language."""
    language = spoken()
    return MARKS.index({language.decimals: ".", language.thousands: ","}.get(figure, figure))


def _grouped(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n, SLOTS): the marks of numbers (n,) with separators between groups of three digits, the
    last digit first, then blanks."""
    slots = np.arange(_DIGITS + _DIGITS // 3)
    power = 10 ** (slots - slots // 4)
    marks = np.full((len(numbers), SLOTS), BLANK)
    digits = numbers[:, None] // power % 10
    shown = (numbers[:, None] >= power) | (slots == 0)
    comma = MARKS.index(",")
    marks[:, : len(slots)] = np.where(shown, np.where(slots % 4 == 3, comma, digits), BLANK)
    return marks
