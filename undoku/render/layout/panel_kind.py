"""A kind of panel: one record with everything that the rest of the program needs."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import NamedTuple


class Shape(Enum):
    """The shape of a panel in the block of its search, in drawing order."""

    TIMELINE = auto()
    """A chart over the whole race, as wide as the block or the column beside the board."""
    BOARD = auto()
    """The board itself, which every block has."""
    COUNTERS = auto()
    """Numbers in fields of their own, below the board or beside it."""
    CHART = auto()
    """A chart in the height that timelines leave."""
    LINE = auto()
    """A line of text below the board."""
    MAP = auto()
    """A map of the board's cells; it is beside the charts if possible, otherwise below them."""


class Space(NamedTuple):
    """The room that a panel needs in a block. A TIMELINE or a CHART has a caption and is at least
    `lines` >= 1 times as high as a label's letters below it; a LINE has `lines` lines of text.
    Other shapes do not use it."""

    shape: Shape
    lines: int = 3


class ShownWhen(Enum):
    """When a film has a panel by default."""

    USUALLY = auto()
    WHEN_READABLE = auto()
    """In films slow enough to read the reason of each step."""
    WHEN_EXHAUSTIVE = auto()
    """In films with an exhaustive search."""
    ON_REQUEST = auto()


class PanelKind(NamedTuple):
    """A kind of panel, one of which each search of a film has.

    `name` is its name in `--panels`. If there is not enough room for all panels, the one with the
    lowest `rank` is omitted first. `whole_history` states that its scale depends on the whole
    search (`undoku.render.panels.panel.Script.whole_histories`).
    `factory` is "module:function" of the function that makes one from a
    `undoku.render.panels.panel.PanelContext`, loaded when a film has it.
    """

    name: str
    sentence: str
    space: Space
    factory: str
    rank: int = 0
    shown: ShownWhen = ShownWhen.ON_REQUEST
    whole_history: bool = False


def by_shape(kinds: Iterable[PanelKind], *shapes: Shape) -> tuple[PanelKind, ...]:
    """Those of `kinds` with one of these shapes, in their order."""
    return tuple(kind for kind in kinds if kind.space.shape in shapes)
