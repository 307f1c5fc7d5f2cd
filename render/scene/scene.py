"""All panels of a film on one canvas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from render.drawing.canvas import Canvas, Frame, Rect
from render.drawing.easel import Easel
from render.drawing.sprites import SpriteBook
from render.layout.page import Layout
from render.layout.tree_layout import Places, places
from render.panels.board import BoardPanel
from render.panels.chart_caption import chart_box
from render.panels.contract import Moment, Notice, Panel
from render.panels.counters import CounterPanel
from render.panels.depth import DepthPanel
from render.panels.end_card import EndCardPanel
from render.panels.heading import HeadingPanel
from render.panels.heat import HeatPanel
from render.panels.icicle_tree import TreePanel, recorded
from render.panels.legend import LegendPanel
from render.panels.node_link_tree import MOST_NODES, NodeLinkPanel, pitch_of
from render.panels.reason_line import WhyPanel
from render.panels.title_and_footer import FramePanel
from render.panels.title_card import TitleCardPanel
from render.playback.player import Player, Recorder, Snapshot
from render.playback.recorders.history import History
from render.playback.recorders.small_tree import Tree
from render.playback.recorders.tree_profile import Icicle
from render.scene.survey import Survey
from render.style.theme import Theme
from render.timing.timeline import Clock, Phase, Shot, Timeline
from solver.trace import Header, Tally, Trace

__all__ = ["Scene", "Script"]


@dataclass(frozen=True)
class Script:
    """All that a scene needs to know before its first frame.

    `surveys` are the whole searches, needed where the layout has trees or heat, so that these don't
    outgrow their scale. `plain` shows the last board of a frame of many steps instead of how long
    each digit stood. `notices` are said in the film.
    """

    layout: Layout
    theme: Theme
    title: str
    headers: Sequence[Header]
    tallies: Sequence[Tally]
    timeline: Timeline
    surveys: Sequence[Survey] = ()
    plain: bool = False
    notices: Sequence[Notice] = ()

    @property
    def deepest(self) -> int:
        """The largest depth of all searches."""
        return max((tally.max_depth for tally in self.tallies), default=0)

    @property
    def most_nodes(self) -> int:
        """The most nodes of all searches, as far as the film shows them."""
        last = self.timeline.steps_at(self.timeline.race)
        # Each guess takes a step, and each that no longer stands has taken another.
        return max(
            min(tally.nodes, (steps + tally.max_depth) // 2 + 1)
            for tally, steps in zip(self.tallies, last, strict=True)
        )

    @property
    def most_tried(self) -> int:
        """The most values placed in one cell of all searches."""
        return max((int(survey.history.tries.max()) for survey in self.surveys), default=1)

    def total(self, number: int) -> int:
        """The steps over which a search's charts reach: those of the film on a clock of steps,
        else its own, for its charts then go with the time of the film."""
        last = self.timeline.steps_at(self.timeline.race)
        return max(last) if self.timeline.clock is Clock.STEPS else last[number]


@dataclass(frozen=True, slots=True)
class _NodeLinks:
    """The trees of a film where all are small enough to show each node, and their scale."""

    trees: Sequence[Places]
    pitch: tuple[int, float]


def _node_links(script: Script) -> _NodeLinks | None:
    box = script.layout.blocks[0].tree
    if box is None or not all(survey.tree.whole for survey in script.surveys):
        return None
    trees = [places(found.tree.parents[: found.tree.count].tolist()) for found in script.surveys]
    pitch = pitch_of(chart_box(box, script.layout.text), trees)
    return _NodeLinks(trees, pitch) if pitch else None


class Scene:
    """Draws shots. The canvas is one and the same throughout; each frame says what changed. On an
    `easel` what is drawn is remembered as geometry."""

    def __init__(self, script: Script, easel: Easel | None = None) -> None:
        layout = script.layout
        self.canvas = easel or Canvas(layout.width, layout.height)
        self.timeline = script.timeline
        self._sprites = easel.book if easel else SpriteBook(script.theme)
        self.histories = [
            History(header.puzzle, block.depth.width if block.depth else 0, script.total(number))
            for number, (header, block) in enumerate(
                zip(script.headers, layout.blocks, strict=True)
            )
        ]
        self._node_links = _node_links(script)
        self._trees: dict[int, Tree | Icicle] = {}
        self.panels: list[Panel] = [FramePanel(layout, script.title, self._sprites, script.notices)]
        if layout.legend:
            self.panels.append(
                LegendPanel(layout.legend, script.most_tried, self._sprites, layout.text)
            )
        for number in range(len(script.headers)):
            self.panels += self._panels_of(number, script)
        names = [header.name for header in script.headers]
        self._card = EndCardPanel(
            names, script.tallies, self._sprites, layout.text, (layout.width, layout.height)
        )
        self._title_card = TitleCardPanel(
            script.title, script.headers, self._sprites, layout.text, layout.progress.x
        )
        self._covered = False
        self._whole = Rect(0, 0, layout.width, layout.height)
        self.canvas.fill(self._whole, script.theme.ground)
        if easel:
            # Beneath the cells, so that no seams show where a viewer smooths their edges.
            for block in layout.blocks:
                easel.fill(block.board, script.theme.line)

    def _panels_of(self, number: int, script: Script) -> list[Panel]:
        """The panels of one search."""
        block, sprites, text = script.layout.blocks[number], self._sprites, script.layout.text
        header, history = script.headers[number], self.histories[number]
        names = [each.name for each in script.headers]
        panels: list[Panel] = [HeadingPanel(number, block, names, sprites, text)]
        if block.depth:  # before the board: runs have their changes in this order, too
            panels.append(DepthPanel(number, block.depth, history, script.deepest, sprites, text))
        panels += [
            BoardPanel(
                number,
                block,
                header.puzzle,
                sprites,
                script.deepest,
                history,
                plain=script.plain,
                most_tried=script.most_tried if script.layout.legend else 0,
            ),
            CounterPanel(number, block, sprites, text),
        ]
        if block.tree:
            panels.append(self._tree_panel(number, block.tree, script))
        if block.why:
            panels.append(WhyPanel(number, block.why, header.puzzle, history, sprites, text))
        if block.heat:
            panels.append(
                HeatPanel(
                    number, block.heat, header.puzzle, history, script.most_tried, sprites, text
                )
            )
        return panels

    def _tree_panel(self, number: int, box: Rect, script: Script) -> Panel:
        """Nodes and links while they can be read, else an icicle."""
        sprites, text, puzzle = self._sprites, script.layout.text, script.headers[number].puzzle
        links = self._node_links
        if not links:
            icicle = recorded(puzzle, box, text, script.deepest, script.most_nodes)
            self._trees[number] = icicle
            totals = [tally.nodes for tally in script.tallies]
            return TreePanel(
                number, box, icicle, totals[number], max(totals), script.deepest, sprites, text
            )
        tree = self._trees[number] = Tree(puzzle, MOST_NODES)
        whole = script.surveys[number].tree
        parents = whole.parents[: whole.count]
        return NodeLinkPanel(
            number,
            box,
            tree,
            parents,
            links.trees[number],
            links.pitch,
            script.deepest,
            sprites,
            text,
        )

    def recorders(self, number: int) -> Sequence[Recorder]:
        """What must see every event of a search before its frames are drawn."""
        tree = self._trees.get(number)
        return [self.histories[number], *([tree] if tree else [])]

    def players(self, traces: Sequence[Trace]) -> list[Player]:
        """Who bring the searches to each shot."""
        return [Player(trace, self.recorders(number)) for number, trace in enumerate(traces)]

    def play(self, traces: Sequence[Trace], shots: Iterable[Shot]) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        players = self.players(traces)
        for shot in shots:
            now = zip(players, shot.steps, strict=True)
            yield self.draw(shot, [player.advance(step) for player, step in now])

    def draw(self, shot: Shot, snapshots: Sequence[Snapshot]) -> Frame:
        """The picture of `shot`, given the searches as they stand in it."""
        moment = Moment(shot, self.timeline, snapshots)
        if shot.phase is Phase.CARD:
            self._card.draw(self.canvas, moment)
        elif shot.phase is Phase.TITLE:
            self._title_card.draw(self.canvas, moment)
            self._covered = True
        else:
            if self._covered:
                self.canvas.fill(self._whole, self._sprites.theme.ground)
                self._covered = False
            for panel in self.panels:
                panel.draw(self.canvas, moment)
        return self.canvas.frame(shot.ticks)
