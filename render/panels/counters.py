"""The counters of a search, in the order of render.layout.blocks.COUNTERS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from render.drawing.canvas import Canvas, Pixels, Rect, Sprite
from render.drawing.sprite_index import SpriteIndex
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
    count_on,
)
from render.panels.script import PanelContext
from render.playback.player import Snapshot
from render.style.lettering import Face, line_height, text_mask, text_width

__all__ = ["CounterPanel", "counter_panel"]


_GRID = 16  # pixels of a macroblock
_SPREAD = 1.2


def _off_grid(place: int) -> int:
    """How far a place is from the nearest line of the grid, -8..7."""
    return (place + _GRID // 2) % _GRID - _GRID // 2


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
        # Digits of this face are equally wide; the separator has a narrower slot of its own.
        self._digit = text_width("0", Face.REGULAR, size)
        comma = text_width(",", Face.REGULAR, size)
        # Spread a little where that gives the last digits, which change most, macroblocks of their
        # own: a film that is written directly then copies one for each.
        wide = -(-self._digit // _GRID) * _GRID
        self._wide = wide if wide <= _SPREAD * self._digit else 0
        self._ink = int(text_mask("0", Face.REGULAR, size).max(1).argmax())
        letter = max(text_width(mark, Face.REGULAR, size) for mark in MARKS if mark.isalpha())
        self._widths = np.array([self._digit, comma, letter], np.int64)
        self._names = COUNTERS[: len(block.counters)]
        self._boxes = block.counters[: len(COUNTERS)]
        fields = len(self._boxes)
        self._rooms = np.array([box.width for box in self._boxes], np.int64)
        self._lengths = np.zeros(fields, np.int64)
        self._advances = np.zeros((fields, SLOTS), np.int64)
        self._shown = np.full((fields, SLOTS), BLANK, np.uint8)
        self._told = np.full(NUMBERS, -1, np.int64)
        self._numbers = np.zeros(NUMBERS, np.int64)
        self._marks = np.zeros(SLOTS, np.uint8)
        self._turned = np.zeros((max(1, fields) * SLOTS, 3), np.int32)
        self._slots = np.zeros((fields, SLOTS, 3), np.int32)
        self._height = line_height(Face.REGULAR, size)
        self._digits: dict[tuple[int, int], Sprite] = {}
        self._started = False

    def _grow(self, canvas: Canvas, field: int) -> None:
        """Give a field a slot for each character of the number that was spelled."""
        box = self._boxes[field]
        for x, y, width in self._slots[field, : self._lengths[field]].tolist():
            canvas.fill(Rect(x, y, width, self._height), self._sprites.theme.ground)
        length = int(self._turned[0, 0])
        text = "".join(MARKS[mark] for mark in self._marks[:length].tolist())
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
            self._slots[field, slot] = x, y, advance
            x += advance
        self._lengths[field] = length
        self._advances[field, :length] = needed
        self._shown[field] = BLANK
        self._told[field] = -1

    def _needed(self, mark: str) -> int:
        """The width that a character needs."""
        kind = 0 if mark.isdigit() else 2 if mark.isalpha() else 1
        return int(self._widths[kind])

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
            for name, box in zip(self._names, self._boxes, strict=True):
                self._draw_label(canvas, name, box)
        while (count := self._count_on(snapshot)) < 0:
            self._grow(canvas, -1 - count)
        for field, slot, mark in self._turned[:count].tolist():
            x, y, width = self._slots[field, slot].tolist()
            canvas.blit(self._digit_sprite(mark, width), x, y)

    def _count_on(self, snapshot: Snapshot) -> int:
        """What `digits.count_on` returns for the search as it stands."""
        return count_on(
            snapshot.registers,
            self._numbers,
            self._told,
            self._widths,
            self._rooms,
            self._lengths,
            self._advances,
            self._shown,
            self._marks,
            self._turned,
        )

    def _digit_sprite(self, mark: int, width: int) -> Sprite:
        key = mark, width
        if key not in self._digits:
            self._digits[key] = self._sprites.text(
                MARKS[mark], Face.REGULAR, self._text.number, self._sprites.theme.text, width,
                height=self._height,
            )  # fmt: skip
        return self._digits[key]

    @property
    def fields(self) -> int:
        """How many numbers are shown."""
        return len(self._boxes)

    @property
    def to_scout(self) -> tuple[Any, ...]:
        """told, sizes, rooms, lengths, advances: what `digits.field_to_grow` takes."""
        return self._told, self._widths, self._rooms, self._lengths, self._advances

    @property
    def arrays(self) -> tuple[Any, ...]:
        """told, sizes, rooms, lengths, shown, marks, turned, as `digits.turn` takes them, and the
        slots, (fields, slots, 3) int32: x, y, width."""
        return (
            *self.to_scout[:4],
            self._shown,
            self._marks,
            self._turned,
            self._slots,
        )

    def kind(self, index: SpriteIndex) -> int:
        """The kind of the characters in a index, by mark | width << MARK_BITS."""

        def draw(key: int) -> Pixels:
            return self._digit_sprite(key & (1 << MARK_BITS) - 1, key >> MARK_BITS).pixels

        return index.kind(("digit", self._text.number), draw)

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
