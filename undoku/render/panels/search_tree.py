"""The panel of the search tree: nodes and links if they can be told apart, otherwise an icicle
plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from undoku.render.layout.tree_layout import Places, places
from undoku.render.panels.chart_caption import chart_box
from undoku.render.panels.icicle_tree import TreePanel, recorded
from undoku.render.panels.node_link_tree import NodeLinkPanel, pitch_of
from undoku.render.panels.panel import Panel
from undoku.render.panels.script import PanelContext, Script
from undoku.render.playback.solution_recorder import SolutionPlaces
from undoku.render.playback.survey import MAX_NODES, Tree

__all__ = ["tree_panel"]

TREE = "tree"
"""The panel's name."""


@dataclass(frozen=True, slots=True)
class _NodeLinks:
    """The trees of a film that are all small enough to show each node, and their scale."""

    trees: Sequence[Places]
    pitch: tuple[int, float]


def _node_links(script: Script) -> _NodeLinks | None:
    if not all(survey.tree.whole for survey in script.surveys):
        return None
    box = script.layout.blocks[0].panels[TREE]
    trees = [places(found.tree.parents[: found.tree.count].tolist()) for found in script.surveys]
    pitch = pitch_of(chart_box(box, script.layout.text), trees)
    return _NodeLinks(trees, pitch) if pitch else None


def tree_panel(context: PanelContext) -> Panel:
    """The tree of one search, in the form that suits all searches of the film."""
    script, number = context.script, context.number
    links = script.shared(_node_links)
    goes_on = script.goes_on(number)
    if not links:
        box, text = context.box, context.text
        icicle = recorded(context.puzzle, box, text, script.deepest, script.most_nodes)
        return TreePanel(
            number,
            box,
            icicle,
            SolutionPlaces(context.puzzle, icicle, lambda: (icicle.column, icicle.depth))
            if goes_on
            else None,
            max(tally.nodes for tally in script.tallies),
            script.deepest,
            context.sprites,
            context.text,
        )
    whole = script.surveys[number].tree
    tree = Tree(context.puzzle, MAX_NODES)
    return NodeLinkPanel(
        number,
        context.box,
        tree,
        SolutionPlaces(context.puzzle, tree, lambda: tree.current) if goes_on else None,
        whole.parents[: whole.count],
        links.trees[number],
        links.pitch,
        script.deepest,
        context.sprites,
        context.text,
    )
