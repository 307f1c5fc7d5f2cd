"""The line above a board: the search's name, and how it stands."""

from __future__ import annotations

from render.canvas import Canvas
from render.layout import Block, TextSizes
from render.lettering import Face, text_width
from render.panels.contract import Moment, Panel
from render.snapshot import Snapshot
from render.sprites import Align, SpriteBook
from solver.trace import Outcome

__all__ = ["HeadingPanel", "status_texts"]


def status_texts(snapshot: Snapshot) -> list[str]:
    """What is said of a finished search, the fullest text first."""
    steps = f"{snapshot.total:,} step{'s' * (snapshot.total != 1)}"
    if snapshot.cut:
        return [f"the trace ends here, after {steps}", f"trace ends at {steps}", "trace ends"]
    if snapshot.outcome is Outcome.SOLVED:
        return [f"✓ solved in {steps}", f"✓ {steps}", "✓"]
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

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        theme = self._sprites.theme
        snapshot = moment.snapshots[self._number]
        box = self._block.status
        if self._shown is None:
            name = self._block.name
            sprite = self._sprites.text(
                self._name, Face.BOLD, self._text.name, theme.text, name.width, height=name.height
            )
            canvas.blit(sprite, name.x, name.y)
        ink = theme.muted
        text = "searching"
        if snapshot.finished:
            size = self._text.status
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
        beside = box.y >= self._block.name.bottom
        sprite = self._sprites.text(
            text,
            Face.REGULAR,
            self._text.status,
            ink,
            box.width,
            height=box.height,
            align=Align.LEFT if beside else Align.RIGHT,
        )
        canvas.blit(sprite, box.x, box.y)
