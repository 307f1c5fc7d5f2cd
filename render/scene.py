"""All panels of a film on one canvas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render.canvas import Canvas, Frame, Rect
from render.layout import Layout
from render.panels.board import BoardPanel
from render.panels.card import CardPanel
from render.panels.contract import Moment, Panel
from render.panels.counters import CounterPanel
from render.panels.frame import FramePanel
from render.panels.heading import HeadingPanel
from render.recorders.history import History
from render.snapshot import Recorder, Snapshot
from render.sprites import SpriteBook
from render.theme import Theme
from render.timeline import Phase, Shot, Timeline
from solver.trace import Header, Tally

__all__ = ["Scene", "Script"]


@dataclass(frozen=True)
class Script:
    """All that a scene needs to know before its first frame. `plain` shows the last board of a
    frame of many steps instead of how long each digit stood."""

    layout: Layout
    theme: Theme
    title: str
    headers: Sequence[Header]
    tallies: Sequence[Tally]
    timeline: Timeline
    plain: bool = False

    @property
    def deepest(self) -> int:
        """The largest depth of all searches."""
        return max((tally.max_depth for tally in self.tallies), default=0)


class Scene:
    """Draws shots. The canvas is one and the same throughout; each frame says what changed."""

    def __init__(self, script: Script) -> None:
        layout = script.layout
        self.canvas = Canvas(layout.width, layout.height)
        self.timeline = script.timeline
        self._sprites = SpriteBook(script.theme)
        self._histories = [History(header.puzzle) for header in script.headers]
        self._panels: list[Panel] = [FramePanel(layout, script.title, self._sprites)]
        for number in range(len(script.headers)):
            self._panels += self._panels_of(number, script)
        names = [header.name for header in script.headers]
        self._card = CardPanel(names, script.tallies, script.title, self._sprites, layout.text)
        self.canvas.fill(Rect(0, 0, layout.width, layout.height), script.theme.ground)

    def _panels_of(self, number: int, script: Script) -> list[Panel]:
        """The panels of one search."""
        block, sprites, text = script.layout.blocks[number], self._sprites, script.layout.text
        header, tally, history = (
            script.headers[number],
            script.tallies[number],
            self._histories[number],
        )
        return [
            HeadingPanel(number, block, header.name, sprites, text),
            BoardPanel(
                number, block, header.puzzle, sprites, script.deepest, history, plain=script.plain
            ),
            CounterPanel(number, block, tally, sprites, text),
        ]

    def recorders(self, number: int) -> Sequence[Recorder]:
        """What must see every event of a search before its frames are drawn."""
        return [self._histories[number]]

    def draw(self, shot: Shot, snapshots: Sequence[Snapshot]) -> Frame:
        """The picture of `shot`, given the searches as they stand in it."""
        moment = Moment(shot, self.timeline, snapshots)
        if shot.phase is Phase.CARD:
            self._card.draw(self.canvas, moment)
        else:
            for panel in self._panels:
                panel.draw(self.canvas, moment)
        return self.canvas.frame(shot.ticks)
