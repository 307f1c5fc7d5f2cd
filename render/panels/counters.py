"""The counters of a search, in the order of render.layout.blocks.COUNTERS."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from render.drawing.canvas import Canvas, Rect, Sprite
from render.drawing.direct_loop import direct
from render.drawing.run_draft import Draft
from render.drawing.sprites import Align, SpriteBook
from render.layout.blocks import COUNTERS
from render.layout.page import Block, TextSizes
from render.panels.contract import Moment, Panel
from render.panels.counter_digits import (
    BLANK,
    MARK_BITS,
    MARKS,
    NUMBERS,
    SLOTS,
    CounterArrays,
    count_on,
    spell,
)
from render.panels.script import PanelContext
from render.style.lettering import Face, line_height, text_mask, text_width

__all__ = ["CounterPanel", "counter_panel"]


_GRID = 16  # pixels of a macroblock
_SPREAD = 1.2


def _off_grid(pixel: int) -> int:
    """How far a row or column of pixels is from the nearest line of the grid, -8..7."""
    return (pixel + _GRID // 2) % _GRID - _GRID // 2


class CounterPanel(Panel):
    """Each digit has a slot of its own in a field as wide as the number has been so far: numbers
    shift only when they reach a new length, never back. Only digits that differ are drawn."""

    batched = True

    def __init__(self, number: int, block: Block, sprites: SpriteBook, text: TextSizes) -> None:
        self._number = number
        self._block = block
        self._sprites = sprites
        self._text = text
        size = text.number
        # All digits have the widest one's slot; the separator has a narrower one of its own.
        self._digit = max(text_width(digit, Face.REGULAR, size) for digit in "0123456789")
        comma = text_width(",", Face.REGULAR, size)
        # Spread a little where that gives the last digits, which change most, macroblocks of their
        # own: a film that is written directly then copies one for each.
        wide = -(-self._digit // _GRID) * _GRID
        self._wide = wide if wide <= _SPREAD * self._digit else 0
        self._ink = int(text_mask("0", Face.REGULAR, size).max(1).argmax())
        letter = max(text_width(mark, Face.REGULAR, size) for mark in MARKS if mark.isalpha())
        self._names = COUNTERS[: len(block.counters)]
        self._boxes = block.counters[: len(COUNTERS)]
        fields = len(self._boxes)
        self._arrays = CounterArrays(
            sizes=np.array([self._digit, comma, letter], np.int64),
            widths=np.array([box.width for box in self._boxes], np.int64),
            told=np.full(NUMBERS, -1, np.int64),
            lengths=np.zeros(fields, np.int64),
            advances=np.zeros((fields, SLOTS), np.int64),
            slots=np.zeros((fields, SLOTS, 3), np.int32),
            shown=np.full((fields, SLOTS), BLANK, np.uint8),
            marks=np.zeros(SLOTS, np.uint8),
            kind=sprites.index.kind(("digit", size), self._character),
        )
        self._numbers = np.zeros(NUMBERS, np.int64)
        self._draft = Draft(sprites.index, fields * SLOTS)
        self._height = line_height(Face.REGULAR, size)
        self._count_on = count_on
        self._started = False

    def _grow(self, canvas: Canvas, field: int) -> None:
        """Give a field a slot for each character of its number."""
        box, counters = self._boxes[field], self._arrays
        for x, y, width in counters.slots[field, : counters.lengths[field]].tolist():
            canvas.fill(Rect(x, y, width, self._height), self._sprites.theme.ground)
        number = int(self._numbers[field])
        length = spell(field, number, box.width, counters.sizes, counters.marks)
        text = "".join(MARKS[mark] for mark in counters.marks[:length].tolist())
        needed = [self._needed(mark) for mark in text]
        advances = self._spread(text, needed, box.width)
        spare = box.width - sum(advances)
        x = box.x + (0 if self._beside else spare // 2)
        y = box.y + line_height(Face.REGULAR, self._text.label)
        if self._wide and advances[-1] == self._wide:
            off = _off_grid(x + sum(advances))
            # Beside a board all begins at one place, and nothing hangs out on the left.
            off -= _GRID if self._beside and off > 1 else 0
            if abs(off) <= _GRID // 2 and x - off + sum(advances) <= box.right:
                x -= off
            off = _off_grid(y + self._ink)
            y -= off if abs(off) <= _GRID // 4 else 0
        for slot, advance in enumerate(advances):
            counters.slots[field, slot] = x, y, advance
            x += advance
        counters.lengths[field] = length
        counters.advances[field, :length] = needed
        counters.shown[field] = BLANK
        counters.told[field] = -1

    def _needed(self, mark: str) -> int:
        """The width that a character needs."""
        kind = 0 if mark.isdigit() else 2 if mark.isalpha() else 1
        return int(self._arrays.sizes[kind])

    def _spread(self, text: str, needed: Sequence[int], width: int) -> list[int]:
        """The widths of the slots: wider ones for the last digits where there is room for that."""
        advances = [*needed]
        last = len(text) - len(text.rstrip("0123456789"))
        if self._wide and sum(advances) + last * (self._wide - self._digit) <= width:
            advances[len(text) - last :] = [self._wide] * last
        return advances

    @property
    def _beside(self) -> bool:
        """Whether the counters stand beside the board, where all begins on the left."""
        return self._block.counters[0].x >= self._block.board.right

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._started and not snapshot.span:
            return
        if not self._started:
            self._started = True
            self._count_on = direct(
                count_on, snapshot.registers, self._numbers, self._arrays, self._draft.begin()
            )
            for name, box in zip(self._names, self._boxes, strict=True):
                self._draw_label(canvas, name, box)
        given = snapshot.registers, self._numbers, self._arrays, self._draft.begin()
        while (field := self._count_on(*given)) >= 0:
            self._grow(canvas, field)
        self._draft.draw(canvas)

    def _character(self, key: int) -> Sprite:
        """A mark in a slot, by mark | width << MARK_BITS."""
        mark, width = MARKS[key & (1 << MARK_BITS) - 1], key >> MARK_BITS
        ink, size = self._sprites.theme.text, self._text.number
        return self._sprites.text(mark, Face.REGULAR, size, ink, width, height=self._height)

    @property
    def fields(self) -> int:
        """How many numbers are shown."""
        return len(self._boxes)

    @property
    def arrays(self) -> CounterArrays:
        return self._arrays

    def _draw_label(self, canvas: Canvas, name: str, box: Rect) -> None:
        sprite = self._sprites.text(
            name,
            Face.REGULAR,
            self._text.label,
            self._sprites.theme.muted,
            box.width,
            align=Align.LEFT if self._beside else Align.CENTRE,
        )
        canvas.blit(sprite, box.x, box.y)


def counter_panel(context: PanelContext) -> CounterPanel:
    """The counters of one search: none where there is no room for them."""
    return CounterPanel(context.number, context.block, context.sprites, context.text)
