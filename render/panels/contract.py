"""What every panel promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from render.drawing.canvas import Canvas
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

    `recorders` must see every event of the search before a frame is drawn. `batched` is set where
    `render.scene.batcher` can make many frames of the panel at once: it knows each such panel.
    `explains` is set where it tells why inference removed candidates (`Snapshot.removals`).
    """

    batched: ClassVar[bool] = False
    explains: ClassVar[bool] = False
    recorders: Sequence[Recorder] = ()

    @abstractmethod
    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Bring the region up to date."""
