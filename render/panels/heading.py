"""The line above a board: the search's name, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from render.drawing.canvas import Canvas, Rect
from render.drawing.sprites import Align, SpriteBook
from render.layout.page import Block, TextSizes
from render.panels.contract import Moment, Panel
from render.playback.player import Snapshot
from render.style.lettering import Face, fitted_name, text_width
from solver.trace import Outcome

__all__ = ["HeadingPanel", "status_texts"]

_SEARCHING = "searching"
_SHORT = "✓ 8,888", "✓"
"""What a name leaves room for, as long as no name is cut for it; the last in any case."""


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
    """The name in bold, all `names` of a film in one size; on its right or below it the status,
    which changes once, when the search is done."""

    batched = True

    def __init__(
        self,
        number: int,
        block: Block,
        names: Sequence[str],
        sprites: SpriteBook,
        text: TextSizes,
    ) -> None:
        self._number = number
        self._block = block
        self._names = names
        self._sprites = sprites
        self._text = text
        self._shown: str | None = None

    @property
    def _beside(self) -> bool:
        """Whether the heading stands beside the board, its status below the name."""
        return self._block.status.y >= self._block.name.bottom

    @cached_property
    def _room(self) -> int:
        """How wide a name may be. On one line with the status it leaves room for a short one."""
        name, status = self._block.name, self._block.status
        if self._beside:
            return name.width
        size, room = self._text.status, 0
        longest = max(text_width(each, Face.BOLD, size) for each in self._names)
        for short in _SHORT:
            least = text_width(short, Face.REGULAR, size) + size // 2
            room = max(0, status.right - name.x - least)
            if longest <= room:
                break
        return room

    @cached_property
    def _size(self) -> int:
        """The size of all names: they are set smaller, down to the status's size, before one is
        cut."""
        for size in range(self._text.name, self._text.status, -1):
            if all(text_width(name, Face.BOLD, size) <= self._room for name in self._names):
                return size
        return self._text.status

    @cached_property
    def _says_searching(self) -> bool:
        """Whether there is room for it beside every name: all searches say it or none."""
        wide = text_width(_SEARCHING, Face.REGULAR, self._text.status)
        if self._beside:
            return wide <= self._block.status.width
        longest = max(text_width(each, Face.BOLD, self._size) for each in self._names)
        left = self._block.name.x + min(longest, self._room) + self._text.status // 2
        return wide <= self._block.status.right - left

    @cached_property
    def _boxes(self) -> tuple[Rect, Rect]:
        """The places of name and status. On one line the name takes what it needs."""
        name, status = self._block.name, self._block.status
        if self._beside:
            return name, status
        own = self._names[self._number]
        wide = min(text_width(own, Face.BOLD, self._size), self._room)
        left = name.x + wide + self._text.status // 2
        return (
            name._replace(width=wide),
            status._replace(x=left, width=max(1, status.right - left)),
        )

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        snapshot = moment.snapshots[self._number]
        if self._shown is not None and not (snapshot.span and snapshot.finished):
            return
        theme = self._sprites.theme
        name, box = self._boxes
        if self._shown is None:
            text = fitted_name(self._names[self._number], Face.BOLD, self._size, name.width)
            sprite = self._sprites.text(
                text, Face.BOLD, self._size, theme.text, name.width, height=name.height
            )
            canvas.blit(sprite, name.x, name.y)
        ink = theme.muted
        size = self._text.status
        text = _SEARCHING if self._says_searching else ""
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
