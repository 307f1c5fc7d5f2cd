"""What every panel promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from render.drawing.canvas import Canvas
from render.playback.player import Recorder, Snapshot
from render.timing.timeline import Shot, Timeline

__all__ = ["Moment", "Notice", "Panel"]


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


class Panel(ABC):
    """Draws one region of a canvas that starts as plain ground. A panel remembers what it drew
    and draws only what differs; it never draws outside its region.

    `recorders` must see every event of the search before a frame is drawn. `batched` is set where
    `render.scene.batcher` can make many frames of the panel at once: it knows each such panel.
    """

    batched: ClassVar[bool] = False
    recorders: Sequence[Recorder] = ()

    @abstractmethod
    def draw(self, canvas: Canvas, moment: Moment) -> None:
        """Bring the region up to date."""
