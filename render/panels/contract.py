"""What every panel promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from render.drawing.canvas import Canvas
from render.drawing.run_draft import Draft
from render.playback.next_frames import NextFrames
from render.playback.player import Recorder, Snapshot
from render.timing.timeline import Shot, Timeline

__all__ = ["Callout", "Moment", "Notice", "Panel", "Rule"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to draw: the shot, the film's timeline, and each search as it stands."""

    shot: Shot
    timeline: Timeline
    snapshots: Sequence[Snapshot]


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said of a moment, on the film's frames `start` to `end` - 1: one sentence, or several
    of what happens at once."""

    start: int
    end: int
    sentences: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """All of it on one line."""
        return "; ".join(self.sentences)

    @property
    def turns(self) -> list[int]:
        """The frames on which what is said may change: where it begins, where one sentence follows
        another, where it ends."""
        frames, number = self.end - self.start, len(self.sentences)
        return [*(self.start - -turn * frames // number for turn in range(number)), self.end]


@dataclass(frozen=True, slots=True)
class Callout:
    """One sentence about search number `search`, which stands on the film's frames `start` to
    `end` - 1. On those before `rings_end` the cells that it is about have rings: `placed` the one
    whose value it is about, -1 for none, `shown` those that prove it. `lit` are the cells of a
    unit that it names. `wrong` says that it tells of a mistake, `result` that it tells how the
    search has ended."""

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


@dataclass(frozen=True, slots=True)
class Rule:
    """What a strategy goes by on the board before the first step: the `order` of the empty cells
    where that is fixed, else the number of options of each (`options`: cell and number), of which
    the cells in `best` are chosen from. A strategy that weighs failures has `failures`: those of
    the units of each cell, before the first step and after each of the first steps."""

    order: tuple[int, ...] = ()
    options: tuple[tuple[int, int], ...] = ()
    best: tuple[int, ...] = ()
    failures: tuple[tuple[int, ...], ...] = ()


class Panel(ABC):
    """Draws one region of a canvas that starts as plain ground. A panel remembers what it drew
    and draws only what differs; it never draws outside its region.

    `recorders` must see every event of the search before a frame is drawn.

    Frames of a race are made many at a time, as a run of sprites and places
    (`render.scene.batcher`). For how many of the next frames a panel says what changes in them all
    at once, it tells by `reach`, and what that is, by `put`. The frame after them is drawn, by all
    panels. A panel that has neither is drawn on every frame.
    """

    recorders: Sequence[Recorder] = ()
    played: Sequence[Recorder] = ()
    """Those of the recorders that `put` itself shows the events of a run."""
    most_rows = 0
    """The most sprites that `put` adds for a frame."""
    new_bytes = 0
    """Of the pixels that are new on a frame, if there are many."""
    explains = False
    """Whether it tells why inference removed candidates (`Snapshot.removals`)."""

    @abstractmethod
    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Bring the region up to date."""

    def reach(self, frames: NextFrames) -> int:
        """For how many of the next frames, after one that was drawn, `put` says what changes."""
        del frames
        return 0

    def put(self, frames: NextFrames, draft: Draft) -> None:  # noqa: B027 - nothing is a choice
        """Add what changes in the region on these frames, of which no two things overlap on one
        frame; afterwards the panel is as if it had drawn each of them. By default that is
        nothing."""
