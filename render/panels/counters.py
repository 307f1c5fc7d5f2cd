"""The counters of a search: steps, backtracks, depth."""

from __future__ import annotations

from collections.abc import Callable

from render.canvas import Canvas, Rect
from render.layout import Block, TextSizes
from render.lettering import Face, ascent, line_height, text_width
from render.panels.contract import Moment, Panel
from render.snapshot import Snapshot
from render.sprites import Align, SpriteBook
from solver.trace import Tally

__all__ = ["CounterPanel"]

_READ: dict[str, Callable[[Snapshot], int]] = {
    "steps": lambda snapshot: snapshot.steps,
    "backtracks": lambda snapshot: snapshot.backtracks,
    "depth": lambda snapshot: snapshot.depth,
}


class CounterPanel(Panel):
    """Numbers that never shift: each digit has a slot, counted from the right, in a field that is
    wide enough for the number's largest value; only digits that differ are drawn."""

    def __init__(
        self, number: int, block: Block, tally: Tally, sprites: SpriteBook, text: TextSizes
    ) -> None:
        self._number = number
        self._block = block
        self._sprites = sprites
        self._text = text
        largest = {"steps": tally.steps, "backtracks": tally.backtracks, "depth": tally.max_depth}
        size = text.number
        # Digits of this face are equally wide; the separator has a narrower slot of its own.
        self._digit = text_width("0", Face.REGULAR, size)
        self._comma = text_width(",", Face.REGULAR, size)
        self._fields: dict[str, list[Rect]] = {}
        self._shown: dict[str, str] = {}
        for name, box in zip(_READ, block.counters, strict=False):
            self._fields[name] = self._slots(f"{largest[name]:,}", box)

    def _slots(self, widest: str, box: Rect) -> list[Rect]:
        """The slots of a number's characters, from the left."""
        advances = [self._comma if mark == "," else self._digit for mark in widest]
        while sum(advances) > box.width and len(advances) > 1:  # cut on the left, never on others
            advances.pop(0)
        height = line_height(Face.REGULAR, self._text.number)
        spare = box.width - sum(advances)
        x = box.x + (spare if self._beside else spare // 2)
        y = box.bottom - height
        slots = []
        for advance in advances:
            slots.append(Rect(x, y, advance, height))
            x += advance
        return slots

    @property
    def _beside(self) -> bool:
        """Whether the counters stand beside the board, as rows: label left, number right."""
        return self._block.counters[0].x >= self._block.board.right

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        theme = self._sprites.theme
        for (name, read), box in zip(_READ.items(), self._block.counters, strict=False):
            slots = self._fields[name]
            text = f"{read(snapshot):,}".rjust(len(slots))[-len(slots) :]
            shown = self._shown.get(name)
            if shown is None:
                self._draw_label(canvas, name, box)
                shown = " " * len(slots)
            self._shown[name] = text
            for mark, before, slot in zip(text, shown, slots, strict=True):
                if mark != before:
                    sprite = self._sprites.text(
                        mark, Face.REGULAR, self._text.number, theme.text, slot.width,
                        height=slot.height,
                    )  # fmt: skip
                    canvas.blit(sprite, slot.x, slot.y)

    def _draw_label(self, canvas: Canvas, name: str, box: Rect) -> None:
        size = self._text.label
        width = text_width(name, Face.REGULAR, size) if self._beside else box.width
        sprite = self._sprites.text(
            name, Face.REGULAR, size, self._sprites.theme.muted, width, align=Align.CENTRE
        )
        # In a row, label and number stand on one line of writing.
        lower = ascent(Face.REGULAR, self._text.number) - ascent(Face.REGULAR, size)
        canvas.blit(sprite, box.x, box.y + (lower if self._beside else 0))
