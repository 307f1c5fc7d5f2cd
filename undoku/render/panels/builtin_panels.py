"""The built-in panels."""

from __future__ import annotations

from undoku.render.layout.panel_kind import PanelKind, Shape, ShownWhen, Space

__all__ = ["BUILTIN_PANELS"]

BUILTIN_PANELS = (
    PanelKind(
        "board",
        "The board: givens, digits in the tint of their depth, tried and undone digits. In every "
        "film.",
        Space(Shape.BOARD),
        "undoku.render.panels.board:board_panel",
        rank=1000,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "counters",
        "Steps, backtracks, depth, dead ends and branching, as far as there is room.",
        Space(Shape.COUNTERS),
        "undoku.render.panels.counters:counter_panel",
        rank=900,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "solutions",
        "The solutions found so far, as small boards; in films of exhaustive searches.",
        Space(Shape.CHART, lines=4),
        "undoku.render.panels.solutions:solutions_panel",
        rank=500,
        shown=ShownWhen.WHEN_EXHAUSTIVE,
    ),
    PanelKind(
        "depth",
        "Depth over time.",
        Space(Shape.TIMELINE, lines=3),
        "undoku.render.panels.depth:depth_panel",
        rank=400,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "tree",
        "The search tree as it grows: nodes and links if they can be told apart, otherwise an "
        "icicle plot.",
        Space(Shape.CHART, lines=4),
        "undoku.render.panels.search_tree:tree_panel",
        rank=300,
        shown=ShownWhen.USUALLY,
        survey=True,
        remembers=True,
    ),
    PanelKind(
        "why",
        "One line with the reason of the last step; by default in slow films.",
        Space(Shape.LINE, lines=1),
        "undoku.render.panels.reason_line:why_panel",
        rank=200,
        shown=ShownWhen.WHEN_READABLE,
        remembers=True,
    ),
    PanelKind(
        "callout",
        "Sentences that explain the search, one at a time; in stories.",
        Space(Shape.LINE, lines=2),
        "undoku.render.panels.callout:callout_panel",
        rank=800,
        shown=ShownWhen.IN_STORIES,
    ),
    PanelKind(
        "code",
        "Pseudocode of the search, with the running line and the count of each line; hidden while "
        "the search is too fast to follow.",
        Space(Shape.TIMELINE, lines=9),
        "undoku.render.panels.code:code_panel",
        rank=450,
    ),
    PanelKind(
        "heat",
        "A map of how often each cell was tried.",
        Space(Shape.MAP),
        "undoku.render.panels.heat:heat_panel",
        rank=100,
        survey=True,
        remembers=True,
    ),
)
