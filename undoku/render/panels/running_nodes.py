"""The number of nodes so far, at the right end of a caption."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.direct_loop import direct
from undoku.render.draw.lettering import Face, line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.counter_digits import MARKS, SLOTS
from undoku.render.panels.right_aligned_digits import DigitArrays, put_digits, put_number
from undoku.texts import wording as say
from undoku.texts.language import number, spoken
from undoku.texts.plural_rules import plural_form

__all__ = ["RunningNodes", "node_form", "node_texts"]

_SHORT = 2
"""The index in `node_texts` of the form with a shortened number."""

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

    def __init__(self, sprites: SpriteBook, text: TextSizes, box: Rect, most: int) -> None:
        self._sprites = sprites
        self._size = text.label
        self._box = box
        self._form = node_form(most, text, box.width)
        self._nodes = 0
        self._unit: str | None = None
        wide = [text_width(self._written(mark), Face.REGULAR, self._size) for mark in MARKS]
        self._digits = DigitArrays(
            widths=np.array(wide, np.int64),
            place=np.zeros(2, np.int64),
            shown=np.zeros((SLOTS, 2), np.int64),
            length=np.zeros(1, np.int64),
            marks=np.zeros(SLOTS, np.uint8),
            kind=sprites.index.kind(("node digit", self._size), self._character),
        )
        self.most_rows = SLOTS
        self._draft = Draft(sprites.index, SLOTS)
        self._put: Callable[..., object] = put_digits

    def _written(self, mark: str) -> str:
        language = spoken()
        return {",": language.thousands, ".": language.decimals}.get(mark, mark)

    def _character(self, mark: int) -> Sprite:
        ink, wide = self._sprites.theme.muted, int(self._digits.widths[mark])
        return self._sprites.text(self._written(MARKS[mark]), Face.REGULAR, self._size, ink, wide)

    def show(self, canvas: Canvas, nodes: int) -> None:
        """Write the number of nodes, which must not be less than before."""
        if nodes == self._nodes:
            return
        started, self._nodes = bool(self._nodes), nodes
        figures, unit = _cut(node_texts(nodes)[self._form])
        if not figures:
            return
        box = self._box
        right = box.right - (text_width(unit, Face.REGULAR, self._size) if unit else 0)
        if unit != self._unit:
            self._clear(canvas)
            self._unit = unit
            self._digits.place[:] = right, box.y
            if unit:
                ink, wide = self._sprites.theme.muted, box.right - right
                sprite = self._sprites.text(unit, Face.REGULAR, self._size, ink, wide)
                canvas.blit(sprite, right, box.y)
        marks = [MARKS.index(self._mark(figure)) for figure in figures]
        self._digits.marks[: len(marks)] = marks
        given = 0, len(marks), self._digits, self._draft.begin()
        if not started:
            self._put = direct(put_digits, *given)
        self._put(*given)
        self._draft.draw(canvas)

    def _mark(self, figure: str) -> str:
        """The mark of a character."""
        language = spoken()
        return {language.decimals: ".", language.thousands: ","}.get(figure, figure)

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
        if self._form <= _SHORT:
            put_number(self._nodes, nodes, self._digits, draft.arrays)
        self._nodes = int(nodes[-1])

    def _clear(self, canvas: Canvas) -> None:
        count = int(self._digits.length[0])
        if count:
            left = int(self._digits.shown[count - 1, 1])
            line = line_height(Face.REGULAR, self._size)
            rect = Rect(left, self._box.y, self._box.right - left, line)
            canvas.fill(rect, self._sprites.theme.ground)
        self._digits.length[0] = 0
