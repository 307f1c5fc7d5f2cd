"""What all search trees have: a caption, and the number of nodes so far at its right end."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Canvas, Rect, Sprite
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.layout.block_measures import TextSizes
from undoku.render.panels.counter_loops import BLANK, MARKS, SLOTS
from undoku.render.panels.counters import written_mark
from undoku.render.panels.panel import Moment, Panel, PanelContext, chart_box
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.solution_recorder import SolutionPlaces
from undoku.solver.trace.state import DECISIONS
from undoku.solver.trace.steps import Observer
from undoku.texts import wording as say
from undoku.texts.language import number, plural_form, spoken

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
            point = spoken().decimals if digits else ""
            return f"{whole}{point}{digits}{unit}"
    return str(nodes)


def node_form(most: int, text: TextSizes, width: int) -> int:
    """Which of `node_texts` the captions of trees of up to `most` nodes, `width` pixels wide, have
    room for, so that all have the same form."""
    size = text.label
    left = width - text_width(f"{say.TREE()}  ", Face.REGULAR, size)
    texts = node_texts(most)
    if most >= _MIN_SHORTENED:
        # An intermediate number can be wider than the final one.
        texts[_SHORT] = f"88{spoken().decimals}8 M"
    # Digits can change alone if the language writes the number first, from left to right.
    counts = texts[0].startswith(f"{texts[1]} ") and not spoken().right_to_left
    return next(
        form
        for form, each in enumerate(texts)
        if (form or counts) and (_width_in_slots(each, size) <= left or not each)
    )


def _width_in_slots(text: str, size: int) -> int:
    figures, space, unit = text.partition(" ")
    return sum(text_width(part, Face.REGULAR, size) for part in (*figures, space + unit))


class TreePanel(Panel):
    """A search tree, whose caption has a slot for each digit of the number of nodes; only digits
    that differ are drawn. Solutions are marked in searches that continue after them."""

    def __init__(
        self, context: PanelContext, tree: Observer, where: Callable[[], Hashable], most: int
    ) -> None:
        """`tree` records the nodes, `most` at most, and `where` returns its current place."""
        super().__init__(context)
        self._chart = chart_box(context.box, context.text)
        self._solutions = None
        if context.script.goes_on(context.number):
            self._solutions = SolutionPlaces(context.puzzle, tree, where)
        self.recorders = self.played = (self._solutions or tree,)
        self._size = size = context.text.label
        self._form = node_form(most, context.text, context.box.width)
        self._nodes = 0
        self._unit = ""
        self._right = context.box.right
        self._widths = np.array([text_width(written_mark(mark), Face.REGULAR, size)
                                 for mark in MARKS])  # fmt: skip
        self._marks = np.full((1, SLOTS), BLANK)
        """The shown marks, the last one of the number first; likewise their left edges."""
        self._lefts = np.zeros((1, SLOTS), np.int64)
        kind = self._sprites.index.kind(("node digit", size), self._character)
        self._sprite = partial(self._sprites.index.number, kind=kind)
        self.most_rows = SLOTS

    def _character(self, mark: int) -> Sprite:
        ink, wide = self._theme.muted, int(self._widths[mark])
        return self._sprites.text(written_mark(MARKS[mark]), Face.REGULAR, self._size, ink, wide)

    def start(self, canvas: Canvas) -> None:
        canvas.fill(self._chart, self._theme.cell)
        self._draw_caption(canvas, [say.TREE(), ""])

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Write what stands behind the digits of the number of nodes, if it has changed."""
        nodes = int(moment.snapshots[self._number].registers[DECISIONS]) + 1
        _, space, unit = node_texts(nodes)[self._form].partition(" ")
        if space + unit == self._unit:
            return
        self._unit, box, size = space + unit, self._box, self._size
        if count := int((self._marks != BLANK).sum()):
            left = int(self._lefts[0, count - 1])
            line = Rect(left, box.y, box.right - left, line_height(Face.REGULAR, size))
            canvas.fill(line, self._theme.background)
        self._marks = np.full((1, SLOTS), BLANK)
        self._right = box.right - text_width(self._unit, Face.REGULAR, size)
        if self._unit:
            at, ink = (self._right, box.y), self._theme.muted
            self._sprites.write(canvas, at, self._unit, Face.REGULAR, size, ink)

    def reach(self, frames: NextFrames) -> int:
        """The number of frames on whose numbers of nodes only digits differ."""
        if self._form > _SHORT or not frames.moves(self._number):
            return len(frames)
        nodes = frames.events(self._number).registers[:, DECISIONS] + 1
        ends = np.flatnonzero(np.diff(nodes, prepend=self._nodes))
        for frame in ends.tolist():
            if not self._writes(int(nodes[frame])):
                return int(frame)
        return len(frames)

    def _writes(self, nodes: int) -> bool:
        """Whether only digits of the number differ from the shown text."""
        if self._form == _SHORT:
            return nodes < _MIN_SHORTENED
        tag = spoken().tag
        return plural_form(tag, nodes) == plural_form(tag, self._nodes)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        """Write the number of nodes."""
        nodes = frames.events(self._number).registers[:, DECISIONS] + 1
        last = int(nodes[-1])
        if self._form > _SHORT or (last == self._nodes and len(nodes) == 1):
            return
        self._nodes = last
        if len(nodes) == 1:
            figures, _, _ = node_texts(last)[self._form].partition(" ")
            marks = np.full((1, SLOTS), BLANK)
            marks[0, : len(figures)] = [_mark(figure) for figure in reversed(figures)]
        else:
            marks = _grouped(nodes)
        lefts = self._right - np.where(marks == BLANK, 0, self._widths[marks]).cumsum(1)
        before = np.concatenate((self._marks, marks[:-1]))
        moved = lefts != np.concatenate((self._lefts, lefts[:-1]))
        new = (marks != BLANK) & ((marks != before) | moved)
        self._marks, self._lefts = marks[-1:], lefts[-1:]
        at, y = np.nonzero(new)[0].tolist(), self._box.y
        rows = zip(at, marks[new].tolist(), lefts[new].tolist(), strict=True)
        draft.add([(frame, self._sprite(mark), left, y) for frame, mark, left in rows])


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
    digits = np.where(slots % 4 == 3, MARKS.index(","), numbers[:, None] // power % 10)
    shown = (numbers[:, None] >= power) | (slots == 0)
    marks[:, : len(slots)] = np.where(shown, digits, BLANK)
    return marks
