"""All panels of a film on one canvas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.layout.panel_kind import PanelKind, Shape
from undoku.render.panels.callout import SharedCalloutPanel
from undoku.render.panels.card import CardPanel
from undoku.render.panels.card_plan import plan_card
from undoku.render.panels.heading import HeadingPanel
from undoku.render.panels.legend import BoardLegendPanel, LegendPanel
from undoku.render.panels.panel import Moment, Panel, PanelContext, Script, show
from undoku.render.panels.panel_registry import made, named
from undoku.render.panels.race_chart import RaceChartPanel
from undoku.render.panels.rings import EndRing, SentenceRing, SolutionFlashPanel
from undoku.render.panels.solutions import ProofBanner
from undoku.render.panels.title_and_footer import FramePanel, ProgressBar
from undoku.render.panels.title_card import TitleCardPanel
from undoku.render.playback.history import History
from undoku.render.playback.player import Snapshot
from undoku.render.playback.solution_recorder import Solutions
from undoku.render.timeline.timeline import Phase, Shot
from undoku.solver.trace.steps import Observer

_ALWAYS = named(["board", "counters"])
"""The panels that each search always has; the list of counters may be empty."""


def _in_order(kinds: Sequence[PanelKind]) -> list[PanelKind]:
    """The panels in drawing order, which is also the order of changes in runs of frames."""
    return sorted(kinds, key=lambda kind: kind.space.shape.value)


class Scene:
    """Draws shots. All frames use the same canvas; each frame lists what changed."""

    def __init__(
        self, script: Script, canvas: Canvas | None = None, sprites: SpriteBook | None = None
    ) -> None:
        layout = script.layout
        self.canvas = canvas or Canvas(layout.width, layout.height)
        self.timeline = script.timeline
        self.sprites = sprites or SpriteBook(script.theme)
        self.histories = [
            History(header.puzzle, total=script.total(number))
            for number, header in enumerate(script.headers)
        ]
        self._explained: set[int] = set()
        """The searches for which panels or marks show why candidates were removed."""
        self._recorders: list[list[Observer]] = [[history] for history in self.histories]
        self._whole = Rect(0, 0, layout.width, layout.height)
        film = PanelContext(script, 0, self._whole, self.histories[0], self.sprites)
        contexts = [
            replace(film, number=number, box=block.board, history=history)
            for number, (block, history) in enumerate(
                zip(layout.blocks, self.histories, strict=True)
            )
        ]
        self.panels: list[Panel] = [
            FramePanel(film),
            *(
                kind(replace(film, box=box))
                for kind, box in (
                    (ProgressBar, layout.progress),
                    (LegendPanel, layout.legend),
                    (BoardLegendPanel, layout.board_legend),
                )
                if box
            ),
        ]
        if layout.sentence:
            self.panels.append(SharedCalloutPanel(film))
            self.panels += [
                SentenceRing(context)
                for context in contexts
                if not script.goes_on(context.number)  # a solution frames the board
            ]
        if layout.chart:
            chart = RaceChartPanel(replace(film, box=layout.chart))
            self.panels.append(chart)
            for number, recorders in enumerate(self._recorders):
                recorders.extend(chart.recorders_of(number))
        for context in contexts:
            self.panels += self._panels_of(context)
        self._cards: dict[Phase, list[Panel]] = {
            Phase.CARD: [CardPanel(plan_card(script), self.sprites)],
            Phase.TITLE: [TitleCardPanel(replace(film, box=layout.inside))],
        }
        rows = max(panel.most_rows for panel in self.panels)
        self._draft = Draft(self.sprites.index, max(1, rows))
        self._covered = False
        if not canvas:
            self.canvas.fill(self._whole, script.theme.background)

    def _panels_of(self, context: PanelContext) -> list[Panel]:
        """The panels of one search, whose recorders become those of the search."""
        script, number, block = context.script, context.number, context.block
        goes_on = script.goes_on(number)
        panels: list[Panel] = [HeadingPanel(context)]
        if goes_on:
            solutions = Solutions(context.puzzle)
            context = replace(context, solutions=solutions)
            self._recorders[number].append(solutions)
            panels.append(SolutionFlashPanel(context))
        for kind in _in_order([*_ALWAYS, *script.layout.panels]):
            box = block.board if kind in _ALWAYS else block.panels.get(kind.name)
            if box is None:
                continue  # a finished board has fewer panels beside it
            panels.append(made(kind, replace(context, box=box)))
            if kind.space.shape is Shape.BOARD:
                panels.append(EndRing(context))
        if goes_on:
            panels.append(ProofBanner(context))
        self._recorders[number] += (each for panel in panels for each in panel.recorders)
        if any(panel.explains for panel in panels):
            self._explained.add(number)
        return panels

    def recorders(self, number: int) -> Sequence[Observer]:
        """The recorders that must see every event of a search before its frames are drawn."""
        return self._recorders[number]

    def explains(self, number: int) -> bool:
        """Whether some picture shows why inference removed candidates of a search."""
        return number in self._explained

    def paint(self, shot: Shot, snapshots: Sequence[Snapshot]) -> None:
        """Draw `shot` on the canvas; `snapshots` are the states of the searches."""
        moment = Moment(shot, self.timeline, snapshots)
        if self._covered and shot.phase not in self._cards:
            self.canvas.fill(self._whole, self.sprites.theme.background)
        self._covered = shot.phase is Phase.TITLE
        show(self._cards.get(shot.phase, self.panels), self.canvas, moment, self._draft)
