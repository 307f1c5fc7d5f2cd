"""The counters of a search, in the order of render.blocks.COUNTERS."""

from __future__ import annotations

from collections.abc import Callable

from render.blocks import COUNTERS
from render.canvas import Canvas, Rect, Sprite
from render.layout import Block, TextSizes
from render.lettering import Face, line_height, text_width
from render.panels.contract import Moment, Panel
from render.snapshot import Snapshot
from render.sprites import Align, SpriteBook
from solver.trace import Tally

__all__ = ["CounterPanel"]


def _branching(guesses: int, dead_ends: int) -> str:
    """Children per node that has any, as "1.52": a guess is the child of one that is no leaf."""
    return f"{min(9.99, guesses / max(1, guesses + 1 - dead_ends)):.2f}"


_READ: dict[str, Callable[[Snapshot | Tally], str]] = {
    "steps": lambda found: f"{found.steps:,}",
    "backtracks": lambda found: f"{found.backtracks:,}",
    "depth": lambda found: f"{found.depth if isinstance(found, Snapshot) else found.max_depth}",
    "dead ends": lambda found: f"{found.dead_ends:,}",
    "branching": lambda found: (
        _branching(found.guesses, found.dead_ends) if isinstance(found, Snapshot) else "9.99"
    ),
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
        size = text.number
        # Digits of this face are equally wide; the separator has a narrower slot of its own.
        self._digit = text_width("0", Face.REGULAR, size)
        self._comma = text_width(",", Face.REGULAR, size)
        self._fields: dict[str, list[Rect]] = {}
        self._shown: dict[str, str] = {}
        self._digits: dict[tuple[str, int], Sprite] = {}
        for name, box in zip(COUNTERS, block.counters, strict=False):
            self._fields[name] = self._slots(_READ[name](tally), box)

    def _slots(self, widest: str, box: Rect) -> list[Rect]:
        """The slots of a number's characters, from the left."""
        advances = [self._comma if mark in ",." else self._digit for mark in widest]
        while sum(advances) > box.width and len(advances) > 1:  # cut on the left, never on others
            advances.pop(0)
        height = line_height(Face.REGULAR, self._text.number)
        spare = box.width - sum(advances)
        x = box.x + (0 if self._beside else spare // 2)
        y = box.bottom - height
        slots = []
        for advance in advances:
            slots.append(Rect(x, y, advance, height))
            x += advance
        return slots

    @property
    def _beside(self) -> bool:
        """Whether the counters stand beside the board, where all begins on the left."""
        return self._block.counters[0].x >= self._block.board.right

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._shown and not snapshot.span:
            return
        for name, box in zip(COUNTERS, self._block.counters, strict=False):
            slots = self._fields[name]
            text = _READ[name](snapshot).rjust(len(slots))[-len(slots) :]
            shown = self._shown.get(name)
            if shown is None:
                self._draw_label(canvas, name, box)
                shown = " " * len(slots)
            self._shown[name] = text
            if text == shown:
                continue
            for mark, before, slot in zip(text, shown, slots, strict=True):
                if mark != before:
                    canvas.blit(self._digit_sprite(mark, slot), slot.x, slot.y)

    def _digit_sprite(self, mark: str, slot: Rect) -> Sprite:
        key = mark, slot.width
        if key not in self._digits:
            self._digits[key] = self._sprites.text(
                mark, Face.REGULAR, self._text.number, self._sprites.theme.text, slot.width,
                height=slot.height,
            )  # fmt: skip
        return self._digits[key]

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
