"""All panels of a film on one canvas."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.page import RING
from undoku.render.layout.panel_kind import Shape
from undoku.render.panels.card import CardPanel
from undoku.render.panels.card_plan import plan_card, plan_ratio
from undoku.render.panels.doors import DoorsPanel
from undoku.render.panels.heading import HeadingPanel, StoryName
from undoku.render.panels.lap_counter import LapCounter
from undoku.render.panels.lap_tree import LapTree
from undoku.render.panels.legend import LegendPanel
from undoku.render.panels.panel import Moment, Panel, PanelContext, Script, show
from undoku.render.panels.panel_registry import made, named
from undoku.render.panels.rings import RingPanel
from undoku.render.panels.sentence import SentencePanel
from undoku.render.panels.tally_bar import StepsBar, TallyBar
from undoku.render.panels.title_and_footer import FramePanel, ProgressBar
from undoku.render.playback.history import History
from undoku.render.playback.player import Snapshot
from undoku.render.playback.solution_recorder import Solutions
from undoku.render.timeline.beats import NOBODY
from undoku.render.timeline.timeline import Phase, Shot
from undoku.solver.trace.steps import Observer

_ALWAYS = named(["board", "counters"])
"""The panels that each search always has; the list of counters may be empty."""

_DIMMED = 0.35
"""The strength of a board that an act is not about."""


class Scene:
    """Draws shots. All frames use the same canvas; each frame lists what changed."""

    def __init__(
        self, script: Script, canvas: Canvas | None = None, sprites: SpriteBook | None = None
    ) -> None:
        layout = script.layout
        self.canvas = canvas or Canvas(layout.width, layout.height)
        self.timeline = script.timeline
        self.sprites = sprites or SpriteBook(script.theme)
        self.histories = [History(header.puzzle) for header in script.headers]
        self._blocks, self._lit = layout.blocks, script.lit
        self._explained: set[int] = set()
        """The searches for which panels or marks show why candidates were removed."""
        self._recorders: list[list[Observer]] = [[history] for history in self.histories]
        self._whole = Rect(0, 0, layout.width, layout.height)
        film = PanelContext(script, 0, self._whole, self.histories[0], self.sprites)
        contexts = [
            film._replace(number=number, box=block.board, history=history)
            for number, (block, history) in enumerate(
                zip(layout.blocks, self.histories, strict=True)
            )
        ]
        self.panels: list[Panel] = [
            FramePanel(film),
            *(
                kind(film._replace(box=box))
                for kind, box in (
                    (ProgressBar, layout.progress),
                    (LegendPanel, layout.legend),
                    (LapCounter, layout.laps),
                    (SentencePanel, layout.sentence),
                )
                if box
            ),
        ]
        self._dimmed: list[Panel] = []
        for context in contexts:
            own = self._panels_of(context)
            (self.panels if self.is_lit(context.number) else self._dimmed).extend(own)
        self._film = film
        rows = max(panel.most_rows for panel in [*self.panels, *self._dimmed])
        self._draft = Draft(self.sprites.index, max(1, rows))
        if not canvas:
            self.canvas.fill(self._whole, script.theme.background)

    @cached_property
    def _card(self) -> Panel:
        """The panel of the ratio or of the end card, which most scenes do not show."""
        script = self._film.script
        return CardPanel((plan_ratio if script.answers else plan_card)(script), self.sprites)

    def _panels_of(self, context: PanelContext) -> list[Panel]:
        """The panels of one search, whose recorders become those of the search."""
        script, number, block = context.script, context.number, context.block
        goes_on = script.goes_on(number)
        named = StoryName if script.timeline.beats else HeadingPanel
        panels: list[Panel] = [named(context._replace(box=block.name))] if block.name.width else []
        if goes_on:
            solutions = Solutions(context.puzzle)
            context = context._replace(solutions=solutions)
            self._recorders[number].append(solutions)
        if script.explains and "doors" in block.panels:
            panels.append(DoorsPanel(context._replace(box=block.panels["doors"])))
        elif "bar" in block.panels:
            # The board of a search for all solutions is empty at its end.
            steps = script.answers or script.headers[number].exhaustive
            bar = StepsBar if steps else TallyBar
            panels.append(bar(context._replace(box=block.panels["bar"])))
        if script.layout.chart:
            panels.append(LapTree(context))
        shown = [*_ALWAYS, *script.layout.panels]
        # The drawing order is also the order of changes in runs of frames.
        for kind in sorted(shown, key=lambda kind: kind.space.shape.value):
            box = block.board if kind in _ALWAYS else block.panels.get(kind.name)
            if box is None:
                continue  # a finished board has fewer panels beside it
            panels.append(made(kind, context._replace(box=box)))
            if kind.space.shape is Shape.BOARD:
                panels.append(RingPanel(context))
        self._recorders[number] += (each for panel in panels for each in panel.recorders)
        if any(panel.explains for panel in panels):
            self._explained.add(number)
        return panels

    def recorders(self, number: int) -> Sequence[Observer]:
        """The recorders that must see every event of a search before its frames are drawn."""
        return self._recorders[number]

    def is_lit(self, number: int) -> bool:
        """Whether pictures show the steps of a search; a dimmed board does not change."""
        return self._lit in (NOBODY, number)

    def explains(self, number: int) -> bool:
        """Whether some picture shows why inference removed candidates of a search."""
        return number in self._explained

    def paint(self, shot: Shot, snapshots: Sequence[Snapshot]) -> None:
        """Draw `shot` on the canvas; `snapshots` are the states of the searches."""
        moment = Moment(shot, self.timeline, snapshots)
        panels = [self._card] if shot.phase is Phase.CARD else self.panels
        show(panels, self.canvas, moment, self._draft)
        if self._dimmed:
            show(self._dimmed, self.canvas, moment, self._draft)
            self._dim()

    def _dim(self) -> None:
        """Dim the boards that the act is not about. They don't change in it."""
        background = np.array(self.sprites.theme.background)[:, None]
        dim = np.rint(background + (np.arange(256) - background) * _DIMMED).astype(np.uint8)
        bright = self.canvas.pixels.copy()
        for number, block in enumerate(self._blocks):
            if not self.is_lit(number):
                boxes = block.board.inset(-RING), block.name, *block.panels.values()
                for x, y, width, height in boxes:
                    part = np.s_[y : y + height, x : x + width]
                    for channel, levels in enumerate(dim):
                        self.canvas.pixels[part][..., channel] = levels[bright[part][..., channel]]
                    self.canvas.touch(Rect(x, y, width, height))
        self._dimmed = []
