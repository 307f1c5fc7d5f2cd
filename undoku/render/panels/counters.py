"""The counters of a search: numbers, usually with their labels above them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect, Sprite, bounding
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.layout.form_choice import column_shift, row_shift, slight_shifts
from undoku.render.panels.counter_loops import (
    BLANK,
    MARK_BITS,
    MARKS,
    NUMBERS,
    SLOTS,
    CounterArrays,
    field_to_grow,
    frames_with_room,
    put_all_counters,
    spell,
)
from undoku.render.panels.panel import Moment, Panel, PanelContext
from undoku.render.playback.next_frames import NextFrames
from undoku.texts.counter_kinds import COUNTERS
from undoku.texts.language import spoken


def written_mark(mark: str) -> str:
    """A mark of a number in the current language."""
    language = spoken()
    return {",": language.thousands, ".": language.decimals}.get(mark, mark)


def _pitch(width: int) -> int:
    """The slot of a character that is `width` pixels wide: rounded up to a multiple of 4 if that is
    hardly visible. At such positions equal characters are equal blocks for encoders, whatever is
    beside them."""
    wide = -(-width // 4) * 4
    return wide if wide - width <= max(2, width // 8) else width


def _as_read(boxes: Sequence[Rect]) -> tuple[Rect, ...]:
    """The boxes of counters in reading order."""
    around = bounding(boxes)
    if around is None or not spoken().right_to_left:
        return tuple(boxes)
    return tuple(box._replace(x=around.x + around.right - box.right) for box in boxes)


class CounterPanel(Panel):
    """Numbers are left-aligned below their labels, up to slight shifts for the sake of encoders,
    with digits of equal width. Each character has its own slot, so that only changed characters
    are drawn: slots move when a number becomes longer than ever before, but not when it becomes
    shorter."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        block, text, sprites = context.block, context.text, context.sprites
        kinds = context.script.layout.counters
        size = text.number
        # All digits have slots of the widest digit; separators have narrower slots.
        digit = max(text_width(mark, Face.REGULAR, size) for mark in "0123456789")
        comma = max(text_width(written_mark(mark), Face.REGULAR, size) for mark in ",.")
        letter = max(text_width(mark, Face.REGULAR, size) for mark in MARKS if mark.isalpha())
        self._boxes = _as_read(block.counters[: len(kinds)])
        self._kinds = kinds[: len(self._boxes)]
        self._labelled = block.labelled
        fields = len(self._boxes)
        self.arrays = CounterArrays(
            sizes=np.array([*map(_pitch, (digit, comma, letter))], np.int64),
            picks=np.array([COUNTERS.index(kind) for kind in self._kinds], np.int64),
            widths=np.array([box.width for box in self._boxes], np.int64),
            written=np.full(fields, -1, np.int64),
            lengths=np.zeros(fields, np.int64),
            advances=np.zeros((fields, SLOTS), np.int64),
            slots=np.zeros((fields, SLOTS, 3), np.int32),
            shown=np.full((fields, SLOTS), BLANK, np.uint8),
            marks=np.zeros(SLOTS, np.uint8),
            numbers=np.zeros(NUMBERS, np.int64),
            kind=sprites.index.kind(("digit", size), self._character),
        )
        self.most_rows = fields * SLOTS
        self._height = line_height(Face.REGULAR, size)

    def _grow(self, canvas: Canvas, field: int) -> None:
        """Give a field a slot for each character of its number."""
        box, counters = self._boxes[field], self.arrays
        for x, y, width in counters.slots[field, : counters.lengths[field]].tolist():
            canvas.fill(Rect(x, y, width, self._height), self._theme.background)
        pick = int(counters.picks[field])
        number = int(counters.numbers[pick])
        length = spell(pick, number, box.width, counters.sizes, counters.marks)
        advances = [self._needed(MARKS[mark]) for mark in counters.marks[:length].tolist()]
        # Aligned with the label: on the left, or on the right in right-to-left languages.
        x = box.right - sum(advances) if spoken().right_to_left else box.x
        y = box.y + (line_height(Face.REGULAR, self._text.label) if self._labelled else 0)
        digit, size = int(counters.sizes[0]), self._text.number
        below = max(0, box.bottom - y - self._height)
        y += row_shift(y, size, slight_shifts(digit, 0, below))
        if advances[-2:] == [digit, digit]:
            shifts = slight_shifts(digit, x - box.x, box.right - x - sum(advances))
            x += column_shift(x + sum(advances[:-1]), digit, size, shifts)
        for slot, advance in enumerate(advances):
            counters.slots[field, slot] = x, y, advance
            x += advance
        counters.lengths[field] = length
        counters.advances[field, :length] = advances
        counters.shown[field] = BLANK
        counters.written[field] = -1

    def _needed(self, mark: str) -> int:
        """The width of a character's slot."""
        kind = 0 if mark.isdigit() else 2 if mark.isalpha() else 1
        return int(self.arrays.sizes[kind])

    def start(self, canvas: Canvas) -> None:
        if self._labelled:
            size, ink = self._text.label, self._theme.muted
            for kind, (x, y, width, _) in zip(self._kinds, self._boxes, strict=True):
                self._sprites.write(canvas, (x, y), kind.label(), Face.REGULAR, size, ink, width)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        registers = moment.snapshots[self._number].registers
        while (field := field_to_grow(registers, self.arrays)) >= 0:
            self._grow(canvas, field)

    def _character(self, key: int) -> Sprite:
        """The sprite of a mark in a slot; the key is mark | width << MARK_BITS."""
        mark, width = written_mark(MARKS[key & (1 << MARK_BITS) - 1]), key >> MARK_BITS
        ink, size = self._theme.text, self._text.number
        return self._sprites.text(mark, Face.REGULAR, size, ink, width, height=self._height)

    def reach(self, frames: NextFrames) -> int:
        if not self._boxes or not frames.moves(self._number):
            return len(frames)
        registers = frames.events(self._number).registers
        return frames_with_room(registers, self.arrays)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        if self._boxes and (frames.present or frames.moves(self._number)):
            registers = frames.events(self._number).registers
            put_all_counters(registers, self.arrays, draft.arrays)
