"""The counters of a search, in the order of render.blocks.COUNTERS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from render.blocks import COUNTERS
from render.canvas import Canvas, Rect, Sprite
from render.layout import Block, TextSizes
from render.lettering import Face, line_height, text_mask, text_width
from render.panels.contract import Moment, Panel
from render.snapshot import Snapshot
from render.sprites import Align, SpriteBook
from solver.trace import Op

__all__ = ["CounterPanel"]


_GRID = 16  # pixels of a macroblock
_SPREAD = 1.2


def _off_grid(place: int) -> int:
    """How far a place is from the nearest line of the grid, -8..7."""
    return (place + _GRID // 2) % _GRID - _GRID // 2


def _branching(found: Snapshot) -> str:
    """Children per node that has any, as "1.52": a guess is the child of one that is no leaf."""
    leaves = found.dead_ends
    if found.last is None or found.last[0] is not Op.UNDO:
        leaves += 1  # the node that the search has just reached
    return f"{min(9.99, found.guesses / max(1, found.guesses + 1 - leaves)):.2f}"


_READ: dict[str, Callable[[Snapshot], str]] = {
    "steps": lambda found: f"{found.steps:,}",
    "backtracks": lambda found: f"{found.backtracks:,}",
    "depth": lambda found: f"{found.depth}",
    "dead ends": lambda found: f"{found.dead_ends:,}",
    "branching": _branching,
}


_LETTERS = "kMGT"
"""Thousands, millions, milliards, billions of them."""


def _shortened(text: str) -> list[str]:
    """Shorter forms of a number with separators, the longest first, each cut and not rounded, so
    that none says more than was counted: "17.5k" and "17k" for "17,536"."""
    head, *groups = text.split(",")
    if not groups:
        return []
    letter = _LETTERS[min(len(groups), len(_LETTERS)) - 1]
    digits = 3 - len(head)
    fine = [f"{head}.{groups[0][:digits]}{letter}"] if digits else []
    return [*fine, f"{head}{letter}"]


@dataclass(slots=True)
class _Field:
    """The place of one number: its box, the text that was read last, its slots with the widths
    that their characters need, and what stands in them."""

    box: Rect
    read: str = ""
    slots: list[Rect] = dataclass_field(default_factory=list)
    advances: list[int] = dataclass_field(default_factory=list)
    shown: str = ""

    @property
    def length(self) -> int:
        return len(self.slots)


class CounterPanel(Panel):
    """Each digit has a slot of its own in a field as wide as the number has been so far: numbers
    shift only when they reach a new length, never back. Only digits that differ are drawn."""

    def __init__(self, number: int, block: Block, sprites: SpriteBook, text: TextSizes) -> None:
        self._number = number
        self._block = block
        self._sprites = sprites
        self._text = text
        size = text.number
        # Digits of this face are equally wide; the separator has a narrower slot of its own.
        self._digit = text_width("0", Face.REGULAR, size)
        self._comma = text_width(",", Face.REGULAR, size)
        # Spread a little where that gives the last digits, which change most, macroblocks of their
        # own: a film that is written directly then copies one for each.
        wide = -(-self._digit // _GRID) * _GRID
        self._wide = wide if wide <= _SPREAD * self._digit else 0
        self._ink = int(text_mask("0", Face.REGULAR, size).max(1).argmax())
        self._letter = max(text_width(letter, Face.REGULAR, size) for letter in _LETTERS)
        self._fields = {
            name: _Field(box) for name, box in zip(COUNTERS, block.counters, strict=False)
        }
        self._digits: dict[tuple[str, int], Sprite] = {}
        self._started = False

    def _advances(self, text: str) -> list[int]:
        """The width of each character's slot."""
        narrow, wide = self._comma, self._digit
        return [
            narrow if mark in ",." else wide if mark.isdigit() else self._letter for mark in text
        ]

    def _fitting(self, text: str, width: int) -> str:
        """`text`, or a shorter one for a number that has no room."""
        if sum(self._advances(text)) <= width:
            return text
        return next((t for t in _shortened(text) if sum(self._advances(t)) <= width), "")

    def _grow(self, field: _Field, text: str) -> None:
        """Give a field a slot for each character of `text`."""
        advances = self._spread(text, field.box.width)
        height = line_height(Face.REGULAR, self._text.number)
        spare = field.box.width - sum(advances)
        x = field.box.x + (0 if self._beside else spare // 2)
        y = field.box.y + line_height(Face.REGULAR, self._text.label)
        if self._wide and advances[-1] == self._wide:
            off = _off_grid(x + sum(advances))
            # Beside a board all begins at one place, and nothing hangs out on the left.
            off -= _GRID if self._beside and off > 1 else 0
            if abs(off) <= _GRID // 2 and x - off + sum(advances) <= field.box.right:
                x -= off
            off = _off_grid(y + self._ink)
            y -= off if abs(off) <= _GRID // 4 else 0
        field.slots = []
        for advance in advances:
            field.slots.append(Rect(x, y, advance, height))
            x += advance
        field.advances = self._advances(text)
        field.shown = " " * len(field.slots)

    def _spread(self, text: str, width: int) -> list[int]:
        """As `_advances`, with wider slots for the last digits where there is room for that."""
        advances = self._advances(text)
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
        for name, field in self._fields.items():
            read = _READ[name](snapshot)
            if read == field.read:
                continue
            field.read = read
            text = self._fitting(read, field.box.width)
            if not self._started:
                self._draw_label(canvas, name, field.box)
            if len(text) > field.length or self._advances(text) != field.advances[-len(text) :]:
                for slot in field.slots:
                    canvas.fill(slot, self._sprites.theme.ground)
                self._grow(field, text)
            text = text.rjust(len(field.slots))
            if text == field.shown:
                continue
            for mark, before, slot in zip(text, field.shown, field.slots, strict=True):
                if mark != before:
                    canvas.blit(self._digit_sprite(mark, slot), slot.x, slot.y)
            field.shown = text
        self._started = True

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
