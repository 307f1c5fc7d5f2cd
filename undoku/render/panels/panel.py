"""The contract of panels, and the information from which they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple, TypeVar, cast

from undoku.render.draw.canvas import Canvas, Rect
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import line_height, text_width
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import SpriteBook
from undoku.render.draw.theme import Theme
from undoku.render.draw.typesetting import in_reading_direction
from undoku.render.layout.block_measures import TextSizes
from undoku.render.layout.blocks import Block
from undoku.render.layout.page import Layout
from undoku.render.playback.history import History
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Snapshot
from undoku.render.playback.solution_recorder import Solutions
from undoku.render.settings.settings import FilmSettings
from undoku.render.timeline.beats import NOBODY
from undoku.render.timeline.notes import Note
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Shot, Timeline
from undoku.solver.problem.puzzle import Puzzle
from undoku.solver.trace.steps import Observer
from undoku.solver.trace.trace import Header, Outcome, Tally


class Moment(NamedTuple):
    """The input for drawing: the shot, the timeline of the film, and the state of each search."""

    shot: Shot
    timeline: Timeline
    snapshots: Sequence[Snapshot]


class Panel:
    """Draws one region of a canvas, which initially shows the plain background. A panel remembers
    what it drew and draws only differences; it never draws outside its region.

    What never changes is drawn by `start`. What changes on many frames is added by `put`, for a run
    of any number of frames. What changes now and then, such as texts, is drawn by `draw`, on single
    frames, which are runs of length 1: `show` calls `start` before the first one, then `draw`, then
    `put` for the present frame. `reach` returns the number of frames before the next one that
    `draw` must draw, so that all these frames are one run (`undoku.render.film.batcher`). A simple
    panel has `draw` alone, which then draws every frame.

    `recorders` must see every event of the search before a frame is drawn.
    """

    recorders: Sequence[Observer] = ()
    played: Sequence[Observer] = ()
    """The recorders to which `put` itself passes the events of a run."""
    most_rows = 0
    """The maximum number of sprites of the index that `put` adds for a frame."""
    new_bytes = 0
    """The maximum number of new pixels of a frame, if there are many."""
    explains = False
    """Whether it shows why inference removed candidates (`Snapshot.removals`)."""

    changes: Sequence[int] | None = None
    """The frames of the film, ascending, on which `draw` may draw something new; None: all."""
    is_started = False

    def __init__(self, context: PanelContext) -> None:
        self._context = context
        self._number, self._box = context.number, context.box
        self._sprites, self._text = context.sprites, context.text
        self._theme = context.sprites.theme

    def start(self, canvas: Canvas) -> None:
        """Draw what never changes. By default there is nothing."""

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Draw what has changed at this moment, except for what `put` adds. By default there is
        nothing."""

    def _draw_caption(
        self, canvas: Canvas, left: Sequence[str], right: Sequence[str] = ("",)
    ) -> None:
        """Write the caption of a chart, a line of small letters above its `chart_box`: the first of
        `left` and the first of `right` that fit side by side, the fullest text first in both; texts
        on the right are shortened first."""
        box, size, ink = self._box, self._text.label, self._theme.muted
        canvas = in_reading_direction(canvas, box)
        for pair in product(left, right):
            name_width, scale_width = (text_width(each, Face.REGULAR, size) for each in pair)
            gap = text_width("  ", Face.REGULAR, size) if pair[1] else 0
            if name_width + scale_width + gap <= box.width:
                for text, x in zip(pair, (box.x, box.right - scale_width), strict=True):
                    if text:
                        self._sprites.write(canvas, (x, box.y), text, Face.REGULAR, size, ink)
                return

    def reach(self, frames: NextFrames) -> int:
        """The number of the next frames, after one that was drawn, whose changes `put` can add. By
        default, those before the next of `changes`."""
        return 0 if self.changes is None else frames.before(self.changes)

    def put(self, frames: NextFrames, draft: Draft) -> None:
        """Add the changes in the region on these frames, which do not overlap on any frame. By
        default there are none."""


def show(panels: Iterable[Panel], canvas: Canvas, moment: Moment, draft: Draft) -> None:
    """Draw a single frame of panels. `draft` has room for the rows of each of them."""
    frame = NextFrames.at(moment.timeline, moment.shot, moment.snapshots)
    for panel in panels:
        if not panel.is_started:
            panel.is_started = True
            panel.start(canvas)
        panel.draw(canvas, moment)
        draft.begin()
        panel.put(frame, draft)
        draft.draw(canvas)


def chart_box(box: Rect, text: TextSizes) -> Rect:
    """The part of a panel's box below its caption."""
    line = line_height(Face.REGULAR, text.label)
    return Rect(box.x, box.y + line, box.width, box.height - line)


T = TypeVar("T")


@dataclass(frozen=True)
class Script:
    """The information that a scene needs before its first frame: the settings of the film, and what
    follows from them and from the searches. `whole_histories` are those up to the ends of the
    searches, if a panel needs them for its scale (`PanelKind.whole_history`). `notes` are the
    sentences of the film, those about the same search by frame. `lit` is the search that the
    pictures are about, NOBODY for all; other boards are dim. In the first pass of a story, which
    `answers` how many steps the searches need, bars show steps. An act that `explains` a step shows
    the options of its cell.
    """

    settings: FilmSettings
    layout: Layout
    theme: Theme
    title: str
    headers: Sequence[Header]
    tallies: Sequence[Tally]
    timeline: Timeline
    whole_histories: Sequence[History] = ()
    notes: Sequence[Note] = ()
    lit: int = NOBODY
    answers: bool = False
    wrong: Sequence[tuple[int, int]] = ()
    """The steps, from and to, while a wrong digit stood in a first cell of the longest search."""
    explains: bool = False
    lost: Sequence[int] = ()
    """The steps of each search while a wrong digit stood in one of its first cells, 0 if they are
    few or not known; () for a film that does not know them of any search."""
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
        return max((int(history.tries.max()) for history in self.whole_histories), default=1)

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


class PanelContext(NamedTuple):
    """The parameters for making a panel of search `number`: the script, the `box` of the panel (the
    whole block for the board and the counters), the history of the search so far, and the
    sprites of the film's letters and cells. `solutions` are those of an exhaustive search."""

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
