"""The contract of panels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from undoku.render.draw.canvas import Canvas
from undoku.render.draw.run_draft import Draft
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Recorder, Snapshot
from undoku.render.timeline.timeline import Shot, Timeline

__all__ = ["Callout", "Moment", "Notice", "Panel", "Rule", "show"]


@dataclass(frozen=True, slots=True)
class Moment:
    """The input for drawing: the shot, the timeline of the film, and the state of each search."""

    shot: Shot
    timeline: Timeline
    snapshots: Sequence[Snapshot]


@dataclass(frozen=True, slots=True)
class Notice:
    """One or more sentences about a moment, shown on the film's frames `start` to `end` - 1."""

    start: int
    end: int
    sentences: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """All sentences on one line."""
        return "; ".join(self.sentences)

    @property
    def turns(self) -> list[int]:
        """The frames on which the shown sentence may change: its beginning, the beginning of each
        further sentence, and its end."""
        frames, number = self.end - self.start, len(self.sentences)
        return [*(self.start - -turn * frames // number for turn in range(number)), self.end]


@dataclass(frozen=True, slots=True)
class Callout:
    """One sentence about search number `search`, shown on the film's frames `start` to `end` - 1.
    Before frame `rings_end` its cells have rings: `placed`, the cell whose value it mentions, -1
    for none, and `shown`, the cells that prove it. `lit` are the cells of a unit that it mentions,
    or those whose values exclude all but one; they light up one after the other. `wrong` marks a
    sentence about a mistake, `result` one about the end of the search. `mistakes` are more cells
    with wrong values, which have thin rings; `wanted` is the value that all cells `shown` need, 0
    for none, which is drawn in them instead of pencil marks. `others` are further searches that a
    sentence is about, which then has no name in front."""

    search: int
    start: int
    end: int
    sentence: str
    rings_end: int = 0
    placed: int = -1
    shown: tuple[int, ...] = ()
    lit: tuple[int, ...] = ()
    wrong: bool = False
    result: bool = False
    mistakes: tuple[int, ...] = ()
    wanted: int = 0
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of a strategy on a board: the `order` of the empty cells if it is fixed, otherwise
    the number of options of each (`options`: cell and number); the next cell is one of `best`,
    which is empty if it is not known. Of these, `forced` are the ones that inference fills before
    the first guess: cell and value. A strategy that weights failures has `failures`: those of the
    units of each cell, before the first step and after each of the first steps."""

    order: tuple[int, ...] = ()
    options: tuple[tuple[int, int], ...] = ()
    best: tuple[int, ...] = ()
    forced: tuple[tuple[int, int], ...] = ()
    failures: tuple[tuple[int, ...], ...] = ()


class Panel(ABC):
    """Draws one region of a canvas, which initially shows the plain background. A panel remembers
    what it drew and draws only differences; it never draws outside its region.

    What changes on many frames is added by `put`, for a run of any number of frames. What changes
    now and then, such as texts, is drawn by `draw`, on single frames, which are runs of length 1:
    `show` calls `draw`, then `put` for the present frame. `reach` returns the number of frames
    before the next one that `draw` must draw, so that all these frames are one run
    (`undoku.render.film.batcher`). A simple panel has `draw` alone, which then draws every frame.

    `recorders` must see every event of the search before a frame is drawn.
    """

    recorders: Sequence[Recorder] = ()
    played: Sequence[Recorder] = ()
    """The recorders to which `put` itself passes the events of a run."""
    most_rows = 0
    """The maximum number of sprites of the index that `put` adds for a frame."""
    new_bytes = 0
    """The maximum number of new pixels of a frame, if there are many."""
    explains = False
    """Whether it shows why inference removed candidates (`Snapshot.removals`)."""

    changes: Sequence[int] | None = None
    """The frames of the film, ascending, on which `draw` may draw something new; None: all."""

    @abstractmethod
    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Draw what has changed at this moment, except for what `put` adds."""

    def reach(self, frames: NextFrames) -> int:
        """The number of the next frames, after one that was drawn, whose changes `put` can add. By
        default, those before the next of `changes`."""
        return 0 if self.changes is None else frames.before(self.changes)

    def put(self, frames: NextFrames, draft: Draft) -> None:  # noqa: B027 - adding nothing is valid
        """Add the changes in the region on these frames, which do not overlap on any frame. By
        default there are none."""


def show(panels: Iterable[Panel], canvas: Canvas, moment: Moment, draft: Draft) -> None:
    """Draw a single frame of panels. `draft` has room for the rows of each of them."""
    frame = NextFrames.at(moment.timeline, moment.shot, moment.snapshots)
    for panel in panels:
        panel.draw(canvas, moment)
        draft.begin()
        panel.put(frame, draft)
        draft.draw(canvas)
