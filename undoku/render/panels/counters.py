"""The counters of a search: numbers, usually with their labels above them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.h264.loops import I64
from undoku.render.draw.canvas import Canvas, Rect, Sprite, bounding
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.macroblocks import column_shift, row_shift, slight_shifts
from undoku.render.panels.counter_loops import (
    BLANK,
    MARK_BITS,
    MARKS,
    NUMBERS,
    SLOTS,
    CounterArrays,
    put_numbers,
)
from undoku.render.panels.panel import Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.texts.counter_kinds import COUNTERS
from undoku.texts.language import spoken

_DIGITS, _SEPARATORS, _UNITS = "0123456789", ",.", "kMGT"
"""Characters that are equally wide."""


def _written_mark(mark: str) -> str:
    """A mark of a number in the current language."""
    language = spoken()
    return {",": language.thousands, ".": language.decimals}.get(mark, mark)


def _pitch(marks: str, size: int) -> int:
    """The width of a character that is one of `marks`: rounded up to a multiple of 4 if that is
    hardly visible. At such positions equal characters are equal blocks for encoders, whatever is
    beside them."""
    width = max(text_width(_written_mark(mark), Face.REGULAR, size) for mark in marks)
    wide = -(-width // 4) * 4
    return wide if wide - width <= max(2, width // 8) else width


def number_width(number: int, size: int) -> int:
    """The width of a number with its separators."""
    digits = len(str(number))
    return digits * _pitch(_DIGITS, size) + (digits - 1) // 3 * _pitch(_SEPARATORS, size)


def _as_read(boxes: Sequence[Rect]) -> tuple[Rect, ...]:
    """The boxes of counters in reading order."""
    around = bounding(boxes)
    if around is None or not spoken().right_to_left:
        return tuple(boxes)
    return tuple(box._replace(x=around.x + around.right - box.right) for box in boxes)


class Numbers:
    """The numbers `picks` of a search (`undoku.render.panels.counter_loops`), in letters of `size`
    pixels per em at the beginning of each of `boxes`, up to slight shifts for the sake of encoders.
    Digits have equal widths, and only characters that change are drawn."""

    def __init__(
        self,
        sprites: SpriteBook,
        boxes: Sequence[Rect],
        picks: Sequence[int],
        size: int,
        ink: Colour,
    ) -> None:
        self._sprites, self._size, self._ink = sprites, size, ink
        self._height = line_height(Face.REGULAR, size)
        # Separators are narrower than digits.
        sizes = [_pitch(marks, size) for marks in (_DIGITS, _SEPARATORS, _UNITS)]
        self._digit, self._separator, _ = sizes
        fields, at_right = len(boxes), spoken().right_to_left
        places = [(box.x, self._row(box), box.width) for box in boxes]
        shifts = [[self._shift(box, count) for count in range(SLOTS + 1)] for box in boxes]
        begins = [(box.right if at_right else box.x,) * 2 for box in boxes]
        self.arrays = CounterArrays(
            sizes=np.array(sizes, np.int64),
            picks=np.array(picks, np.int64),
            places=np.array(places, np.int64).reshape(-1, 3),
            at_right=at_right,
            shifts=np.array(shifts, np.int64).reshape(-1, SLOTS + 1),
            written=np.full(fields, -1, np.int64),
            shown=np.full((fields, SLOTS, 2), BLANK, np.int64),
            ends=np.array(begins, np.int64).reshape(-1, 2),
            marks=np.zeros(SLOTS, np.uint8),
            numbers=np.zeros(NUMBERS, np.int64),
            kind=sprites.index.kind(("digit", size, ink), self._character),
        )
        self.most_rows = fields * (SLOTS + 2)

    def _row(self, box: Rect) -> int:
        """The upper edge of characters."""
        below = max(0, box.height - self._height)
        return box.y + row_shift(box.y, self._size, slight_shifts(self._digit, 0, below))

    def _shift(self, box: Rect, count: int) -> int:
        """By how much a number of `count` characters that ends with two digits is moved."""
        wide = count * self._digit - count // 4 * (self._digit - self._separator)
        spare = box.width - wide
        if spare < 0:
            return 0
        before = spare if spoken().right_to_left else 0
        shifts = slight_shifts(self._digit, before, spare - before)
        return column_shift(box.x + before + wide - self._digit, self._digit, self._size, shifts)

    def _character(self, key: int) -> Sprite:
        """The sprite of a mark and its width; the key is mark | width << MARK_BITS."""
        mark, width = _written_mark(MARKS[key & (1 << MARK_BITS) - 1]), key >> MARK_BITS
        return self._sprites.text(
            mark, Face.REGULAR, self._size, self._ink, width, height=self._height
        )

    def put(self, registers: I64, draft: Draft) -> None:
        """Draw what differs on frames after which a search has these registers (frames,
        REGISTERS)."""
        put_numbers(registers, self.arrays, draft.arrays)


class CounterPanel(Panel):
    """The counters of the film's layout."""

    changes = ()

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        block, text, kinds = context.block, context.text, context.script.layout.counters
        self._boxes = _as_read(block.counters[: len(kinds)])
        self._kinds = kinds[: len(self._boxes)]
        above = line_height(Face.REGULAR, text.label)
        boxes = [box._replace(y=box.y + above, height=box.height - above) for box in self._boxes]
        picks = [COUNTERS.index(kind) for kind in self._kinds]
        self.numbers = Numbers(context.sprites, boxes, picks, text.number, self._theme.text)
        self.most_rows = self.numbers.most_rows

    def start(self, canvas: Canvas) -> None:
        size, ink = self._text.label, self._theme.muted
        for kind, (x, y, width, _) in zip(self._kinds, self._boxes, strict=True):
            self._sprites.write(canvas, (x, y), kind.label(), Face.REGULAR, size, ink, width)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if self._kinds and (frames.present or frames.moves(self._number)):
            self.numbers.put(frames.events(self._number).registers, draft)
