"""The line above a board: the search's name, and how it stands."""

from __future__ import annotations

from functools import cached_property

from render.canvas import Canvas, Rect
from render.layout import Block, TextSizes
from render.lettering import Face, text_width
from render.panels.contract import Moment, Panel
from render.snapshot import Snapshot
from render.sprites import Align, SpriteBook
from solver.trace import Outcome

__all__ = ["HeadingPanel", "status_texts"]

_SEARCHING = "searching"
_SHORT = "✓ 8,888"
"""What a name must leave room for."""


def status_texts(snapshot: Snapshot) -> list[str]:
    """What is said of a finished search, the fullest text first."""
    steps = f"{snapshot.total:,} step{'s' * (snapshot.total != 1)}"
    if snapshot.cut:
        return [f"the trace ends here, after {steps}", f"trace ends at {steps}", "trace ends"]
    if snapshot.outcome is Outcome.SOLVED:
        return [f"✓ solved in {steps}", f"✓ {steps}", "✓ solved", "✓"]
    if snapshot.outcome is Outcome.CAPPED:
        return [f"capped after {steps}", f"capped at {steps}", "capped"]
    return [f"searched to the end: {steps}", f"exhausted: {steps}", "exhausted"]


class HeadingPanel(Panel):
    """The name in bold; on its right the status, which changes once, when the search is done."""

    def __init__(
        self, number: int, block: Block, name: str, sprites: SpriteBook, text: TextSizes
    ) -> None:
        self._number = number
        self._block = block
        self._name = name
        self._sprites = sprites
        self._text = text
        self._shown: str | None = None

    @property
    def _beside(self) -> bool:
        """Whether the heading stands beside the board, its status below the name."""
        return self._block.status.y >= self._block.name.bottom

    @cached_property
    def _boxes(self) -> tuple[Rect, Rect]:
        """The places of name and status. On one line the name takes what it needs, but leaves room
        for the shortest status."""
        name, status = self._block.name, self._block.status
        if self._beside:
            return name, status
        least = text_width(_SHORT, Face.REGULAR, self._text.status) + self._text.status // 2
        whole = status.right - name.x
        wide = min(text_width(self._name, Face.BOLD, self._text.name), max(0, whole - least))
        left = name.x + wide + self._text.status // 2
        return (
            name._replace(width=wide),
            status._replace(x=left, width=max(1, status.right - left)),
        )

    @cached_property
    def _size(self) -> int:
        """The name's size: a long name is set smaller, down to the status's size, before it is
        cut."""
        wide = self._boxes[0].width
        sizes = range(self._text.name, self._text.status, -1)
        fitting = (size for size in sizes if text_width(self._name, Face.BOLD, size) <= wide)
        return next(fitting, self._text.status)

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._shown is not None and not (snapshot.span and snapshot.finished):
            return
        theme = self._sprites.theme
        name, box = self._boxes
        if self._shown is None:
            sprite = self._sprites.text(
                self._name, Face.BOLD, self._size, theme.text, name.width, height=name.height
            )
            canvas.blit(sprite, name.x, name.y)
        ink = theme.muted
        size = self._text.status
        text = _SEARCHING if text_width(_SEARCHING, Face.REGULAR, size) <= box.width else ""
        if snapshot.finished:
            text = next(
                (
                    text
                    for text in status_texts(snapshot)
                    if text_width(text, Face.REGULAR, size) <= box.width
                ),
                "",
            )
            ink = theme.accent if snapshot.outcome is Outcome.SOLVED else theme.undoing
        if text == self._shown:
            return
        self._shown = text
        sprite = self._sprites.text(
            text,
            Face.REGULAR,
            self._text.status,
            ink,
            box.width,
            height=box.height,
            align=Align.LEFT if self._beside else Align.RIGHT,
        )
        canvas.blit(sprite, box.x, box.y)
