"""All panels of a film on one canvas."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Canvas, Frame, Rect
from render.layout import Layout
from render.panels.board import BoardPanel
from render.panels.card import CardPanel
from render.panels.contract import Moment, Panel
from render.panels.counters import CounterPanel
from render.panels.frame import FramePanel
from render.panels.heading import HeadingPanel
from render.snapshot import Snapshot
from render.sprites import SpriteBook
from render.theme import Theme
from render.timeline import Phase, Shot, Timeline
from solver.trace import Header, Tally

__all__ = ["Scene"]


class Scene:
    """Draws shots. The canvas is one and the same throughout; each frame says what changed."""

    def __init__(
        self,
        layout: Layout,
        theme: Theme,
        title: str,
        headers: Sequence[Header],
        tallies: Sequence[Tally],
        timeline: Timeline,
    ) -> None:
        self.canvas = Canvas(layout.width, layout.height)
        self.timeline = timeline
        self._sprites = SpriteBook(theme)
        names = [header.name for header in headers]
        deepest = max((tally.max_depth for tally in tallies), default=0)
        self._panels: list[Panel] = [FramePanel(layout, title, self._sprites)]
        for number, (header, tally, block) in enumerate(
            zip(headers, tallies, layout.blocks, strict=True)
        ):
            self._panels += [
                HeadingPanel(number, block, names[number], self._sprites, layout.text),
                BoardPanel(number, block, header.puzzle, self._sprites, deepest),
                CounterPanel(number, block, tally, self._sprites, layout.text),
            ]
        self._card = CardPanel(names, tallies, title, self._sprites, layout.text)
        self.canvas.fill(Rect(0, 0, layout.width, layout.height), theme.ground)

    def draw(self, shot: Shot, snapshots: Sequence[Snapshot]) -> Frame:
        """The picture of `shot`, given the searches as they stand in it."""
        moment = Moment(shot, self.timeline, snapshots)
        if shot.phase is Phase.CARD:
            self._card.draw(self.canvas, moment)
        else:
            for panel in self._panels:
                panel.draw(self.canvas, moment)
        return self.canvas.frame(shot.ticks)
