"""Makes strips: where frames of a race differ by copies alone, many are made at once.

A frame on which anything else happens is drawn by the scene, and strips go on after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame
from render.drawing.sprite_index import MOST_WANTED, PictureBook
from render.drawing.sprite_run import Strip
from render.panels.board import BoardPanel
from render.panels.contract import Panel
from render.panels.counters import CounterPanel
from render.panels.depth import DepthPanel
from render.panels.heading import HeadingPanel
from render.panels.title_and_footer import FramePanel
from render.playback.player import Player
from render.scene.batch_kernels import sort
from render.scene.scene import Scene
from render.scene.search_batcher import Draft, Roll
from render.timing.step_table import steps_through
from render.timing.timeline import Phase, Shot

__all__ = ["MOST_FRAMES", "frames_and_strips"]

MOST_FRAMES = 1024
_LEAST_FRAMES = 2
_WINDOW = 4096
"""Frames whose steps are found at once."""

_BYTES = 16 << 20
"""Of pictures that a strip adds where each board shows a new one on every frame."""

_ROLLING = (FramePanel, HeadingPanel, BoardPanel, CounterPanel, DepthPanel)


def frames_and_strips(
    scene: Scene, players: Sequence[Player], first: int = 0
) -> Iterator[Frame | Strip]:
    """The film, in order, from the picture on that stands on tick `first`: its frames as the scene
    draws them, or strips of them. Each is valid until the next is taken, and a strip must have been
    played by then."""
    timeline = scene.timeline
    roller = Roller(scene, players) if _can_roll(scene.panels) else None
    at = timeline.shot_at(first).start
    with closing(scene):
        while at < timeline.frames:
            strip = roller.strip(at) if roller else None
            if strip:
                yield strip
                at += len(strip)
                continue
            shot = roller.shot(at) if roller else timeline.shot_at(at)
            now = zip(players, shot.steps, strict=True)
            yield scene.draw(shot, [player.advance(step) for player, step in now])
            if roller:
                roller.drew(shot)
            at += shot.ticks


def _can_roll(panels: Sequence[Panel]) -> bool:
    """Whether the picture has no panel but those whose frames can be made of copies."""
    return all(isinstance(panel, _ROLLING) for panel in panels)


class Roller:
    """Makes strips of a scene whose panels are all of those kinds."""

    def __init__(self, scene: Scene, players: Sequence[Player]) -> None:
        self._scene = scene
        self._timeline = scene.timeline
        self._players = players
        self._book = PictureBook()
        (self._frame,) = (panel for panel in scene.panels if isinstance(panel, FramePanel))
        boards = [panel for panel in scene.panels if isinstance(panel, BoardPanel)]
        counters = [panel for panel in scene.panels if isinstance(panel, CounterPanel)]
        depths: list[DepthPanel | None] = [
            panel for panel in scene.panels if isinstance(panel, DepthPanel)
        ]
        self._rolls = [
            Roll(player, history, board, counter, depth, self._book)
            for player, history, board, counter, depth in zip(
                players,
                scene.histories,
                boards,
                counters,
                depths or [None] * len(boards),
                strict=True,
            )
        ]
        each = sum(roll.most_rows for roll in self._rolls) + 1
        new = sum(roll.cell_bytes for roll in self._rolls)
        self._most = max(1, min(MOST_FRAMES, MOST_WANTED // each, max(64, _BYTES // new)))
        columns = sum(roll.columns + 2 * self._most for roll in self._rolls if roll.columns)
        self._draft = Draft(self._most * each, columns)
        self._begun = False
        self._steps = np.empty((len(players), 0), np.int64)
        self._elapsed = 0

    def shot(self, at: int) -> Shot:
        """The picture shown on frame `at`."""
        timeline = self._timeline
        elapsed = at - timeline.intro + 1
        if not 0 < elapsed <= timeline.race:
            return timeline.shot_at(at)
        return Shot(Phase.RACE, at, 1, tuple(self._steps_from(elapsed)[:, 0].tolist()))

    def drew(self, shot: Shot) -> None:
        """Note that the scene drew a shot."""
        self._begun |= shot.phase in (Phase.INTRO, Phase.RACE)

    def strip(self, at: int) -> Strip | None:
        """The strip that begins on frame `at`, or None where that frame must be drawn."""
        elapsed = at - self._timeline.intro + 1
        if not self._begun or not 0 < elapsed <= self._timeline.race:
            return None
        steps = self._steps_from(elapsed)
        frames = min(steps.shape[1], self._frame.told_until(at) - at)
        for look in (Roll.reach, Roll.scout):
            for roll, own in zip(self._rolls, steps, strict=True):
                if frames < _LEAST_FRAMES:
                    return None
                frames = min(frames, look(roll, own[:frames]))
        return self._made(at, steps[:, :frames]) if frames >= _LEAST_FRAMES else None

    def _made(self, at: int, steps: NDArray[np.int64]) -> Strip:
        book, draft, frames = self._book, self._draft, steps.shape[1]
        book.begin()
        draft.clear()
        draft.add(self._frame.fill_through(book, self._timeline, at, frames))
        for roll, own in zip(self._rolls, steps, strict=True):
            roll.roll(own, draft)
        book.draw()
        sheet = book.sheet
        parts = sheet.count
        ends = [*(roll.parts for roll in self._rolls[1:]), draft.parts]
        for roll, end in zip(self._rolls, ends, strict=True):
            roll.paint(sheet, draft, end)
        rows = draft.rows
        first, placed = np.zeros(frames + 1, np.int64), np.empty((len(rows), 3), np.int32)
        sort(rows, parts, first, placed)
        return Strip(self._scene.canvas.pixels, sheet, first, placed)

    def _steps_from(self, elapsed: int) -> NDArray[np.int64]:
        """(panels, n): the steps after so many frames of the race and on, for at least one frame
        and at most as many as a strip may have."""
        if not self._elapsed <= elapsed < self._elapsed + self._steps.shape[1]:
            frames = min(_WINDOW, self._timeline.race - elapsed + 1)
            found = steps_through(self._timeline, elapsed, frames)
            self._steps, self._elapsed = np.ascontiguousarray(found.T), elapsed
        begun = elapsed - self._elapsed
        return self._steps[:, begun : begun + self._most]
