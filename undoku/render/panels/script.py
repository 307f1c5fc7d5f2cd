"""The information for a scene before its first frame, and for making the panels of one search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from undoku.render.draw.canvas import Rect
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import Theme
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Block
from undoku.render.layout.page import Layout
from undoku.render.panels.panel import Callout, Notice, Rule
from undoku.render.playback.history import History
from undoku.render.playback.solution_recorder import Solutions
from undoku.render.playback.survey import Survey
from undoku.render.timeline.timeline import Clock, Timeline
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.trace import Header, Outcome, Tally

__all__ = ["PanelContext", "Script"]

T = TypeVar("T")


@dataclass(frozen=True)
class Script:
    """The information that a scene needs before its first frame. `surveys` describe the whole
    searches, if a panel needs them for its scale (`PanelKind.survey`). `plain` shows the last board
    of a frame of many steps instead of how long each digit stood. `notices` are sentences about the
    film, and `explanation` is one that replaces the title. `rules` are the rules of the searches,
    as far as they can be shown, and `callouts` the sentences about the searches, by search and
    frame. `code` are lines of code instead of those of the strategies.
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
    explanation: Notice | None = None
    rules: Sequence[Rule | None] = ()
    callouts: Sequence[Callout] = ()
    code: Sequence[str] = ()
    _shared: dict[object, object] = field(default_factory=dict, repr=False, compare=False)

    @property
    def deepest(self) -> int:
        """The largest depth of all searches."""
        return max((tally.max_depth for tally in self.tallies), default=0)

    @property
    def most_nodes(self) -> int:
        """The maximum number of nodes of all searches, as far as the film shows them."""
        last = self.timeline.steps_at(self.timeline.race)
        # Each guess takes one step, and each undone guess another one.
        return max(
            min(tally.nodes, (steps + tally.max_depth) // 2 + 1)
            for tally, steps in zip(self.tallies, last, strict=True)
        )

    @property
    def most_tried(self) -> int:
        """The maximum number of values placed in one cell of all searches."""
        return max((int(survey.history.tries.max()) for survey in self.surveys), default=1)

    def goes_on(self, number: int) -> bool:
        """Whether a search continues after a solution."""
        tally = self.tallies[number]
        ended = tally.solutions and tally.outcome is Outcome.EXHAUSTED
        return self.headers[number].exhaustive or bool(ended) or tally.solutions > 1

    def total(self, number: int) -> int:
        """The steps on the axes of a search's charts: those of the film with the clock `steps`,
        otherwise its own, because its charts then follow the time of the film."""
        last = self.timeline.steps_at(self.timeline.race)
        return max(last) if self.timeline.clock is Clock.STEPS else last[number]

    def shared(self, make: Callable[[Script], T]) -> T:
        """The result of `make` for this script, which is made once for the panels of all
        searches."""
        if make not in self._shared:
            self._shared[make] = make(self)
        return cast("Any", self._shared[make])  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class PanelContext:
    """The parameters for making a panel of search `number`: the script, the `box` of the panel (the
    whole block for the board and the counters), the history of the search so far, without columns,
    and the sprites of the film's letters and cells. `solutions` are those of an exhaustive
    search."""

    script: Script
    number: int
    box: Rect
    history: History
    sprites: SpriteBook
    solutions: Solutions | None = None

    @property
    def puzzle(self) -> Puzzle:
        return self.script.headers[self.number].puzzle

    @property
    def block(self) -> Block:
        """The block of the search."""
        return self.script.layout.blocks[self.number]

    @property
    def text(self) -> TextSizes:
        return self.script.layout.text
