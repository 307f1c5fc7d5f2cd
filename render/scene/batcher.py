"""Makes runs: where frames of a race differ by copied sprites alone, many are made at once.

A frame on which anything else happens is drawn by the scene, and runs go on after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from render.drawing.canvas import Frame
from render.drawing.run_draft import Draft
from render.drawing.sprite_index import MOST_WANTED
from render.drawing.sprite_run import SpriteRun
from render.panels.board import BoardPanel
from render.panels.callout import CalloutPanel
from render.panels.contract import Panel
from render.panels.counters import CounterPanel
from render.panels.depth import DepthPanel
from render.panels.title_and_footer import FramePanel
from render.playback.player import Player, Recorder
from render.scene.acts import Acts
from render.scene.batch_kernels import sort
from render.scene.scene import Scene
from render.scene.search_batcher import RunParts, SearchBatcher
from render.timing.step_table import steps_through
from render.timing.timeline import Phase, Shot
from solver.state import NEVER

__all__ = ["MOST_FRAMES", "Batcher", "frames_and_runs"]

MOST_FRAMES = 1024
_WINDOW = 4096
"""Frames whose steps are found at once."""

_BYTES = 16 << 20
"""Of pictures that a run adds where each board shows a new one on every frame."""


def frames_and_runs(
    acts: Acts, players: Sequence[Player], first: int = 0
) -> Iterator[Frame | SpriteRun]:
    """The film, in order, from the picture on that stands on tick `first`: its frames as the acts
    draw them, or runs of them. Each is valid until the next is taken, and a run must have been
    played by then."""
    timeline = acts.timeline
    batchers: dict[int, Batcher] = {}
    at = timeline.shot_at(first).start
    while at < timeline.frames:
        scene = acts.scene_of(at)
        batcher = batchers.get(id(scene))
        if scene and not batcher and _can_batch(scene.panels):
            others = [acts.later_recorders(scene, number) for number in range(len(players))]
            batcher = batchers[id(scene)] = Batcher(scene, players, others)
            batcher.drew(timeline.shot_at(max(0, at - 1)))
        if batcher and (run := batcher.run(at, acts.until(at))):
            yield run
            at += len(run)
            continue
        shot = batcher.shot(at) if batcher else timeline.shot_at(at)
        now = zip(players, shot.steps, strict=True)
        yield acts.draw(shot, [player.advance(step) for player, step in now])
        if batcher:
            batcher.drew(shot)
        at += shot.ticks


def _can_batch(panels: Sequence[Panel]) -> bool:
    """Whether the picture has no panel but those whose frames can be made of copies."""
    return all(panel.batched for panel in panels)


class Batcher:
    """Makes runs of a scene whose panels are all of those kinds."""

    def __init__(
        self, scene: Scene, players: Sequence[Player], others: Sequence[Sequence[Recorder]] = ()
    ) -> None:
        """`others` are, for each player, the recorders beyond the scene's own."""
        self._scene = scene
        self._timeline = scene.timeline
        self._players = players
        (self._frame,) = (panel for panel in scene.panels if isinstance(panel, FramePanel))
        self._callouts = [panel for panel in scene.panels if isinstance(panel, CalloutPanel)]
        boards = [panel for panel in scene.panels if isinstance(panel, BoardPanel)]
        counters = [panel for panel in scene.panels if isinstance(panel, CounterPanel)]
        depths: list[DepthPanel | None] = [
            panel for panel in scene.panels if isinstance(panel, DepthPanel)
        ]
        self._searches = [
            SearchBatcher(player, history, board, counter, depth, other)
            for player, history, board, counter, depth, other in zip(
                players,
                scene.histories,
                boards,
                counters,
                depths or [None] * len(boards),
                others or [()] * len(boards),
                strict=True,
            )
        ]
        each = sum(search.most_rows for search in self._searches) + 1
        new = sum(search.cell_bytes for search in self._searches)
        self._most = max(1, min(MOST_FRAMES, MOST_WANTED // each, max(64, _BYTES // new)))
        columns = sum(
            search.columns + 2 * self._most for search in self._searches if search.columns
        )
        self._draft = Draft(scene.sprites.index, self._most * each)
        self._parts = RunParts(self._most * len(self._searches), columns)
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

    def run(self, at: int, until: int = NEVER) -> SpriteRun | None:
        """The run that begins on frame `at` and ends before frame `until`, or None where that frame
        must be drawn."""
        elapsed = at - self._timeline.intro + 1
        if not self._begun or not 0 < elapsed <= self._timeline.race:
            return None
        if self._scene.marked(at):
            return None
        steps = self._steps_from(elapsed)
        frames = min(steps.shape[1], until - at, self._frame.told_until(at) - at)
        frames = min([frames, *(panel.changes_from(at) - at for panel in self._callouts)])
        for search, own in zip(self._searches, steps, strict=True):
            frames = min(frames, search.reach(at, own[:frames])) if frames >= 1 else 0
        for search, own in zip(self._searches, steps, strict=True):
            frames = min(frames, search.scout(own[:frames])) if frames >= 1 else 0
        return self._made(at, steps[:, :frames]) if frames >= 1 else None

    def _made(self, at: int, steps: NDArray[np.int64]) -> SpriteRun:
        draft, parts, frames = self._draft, self._parts, steps.shape[1]
        index, sheet = draft.index, draft.index.sheet
        index.begin()
        parts.begin()
        arrays = draft.begin()
        self._frame.put_bar(draft, self._timeline, at, frames)
        for search, own in zip(self._searches, steps, strict=True):
            search.batch(own, arrays, parts)
        index.draw()
        first_part = sheet.count
        ends = [*(search.begun for search in self._searches[1:]), parts.counts]
        for search, end in zip(self._searches, ends, strict=True):
            search.paint(sheet, parts.arrays, end)
        placed = np.empty_like(draft.placed)
        first = np.zeros(frames + 1, np.int64)
        sort(draft.frames, draft.placed, first_part, first, placed)
        return SpriteRun(self._scene.canvas.pixels, sheet, first, placed)

    def _steps_from(self, elapsed: int) -> NDArray[np.int64]:
        """(panels, n): the steps after so many frames of the race and on, for at least one frame
        and at most as many as a run may have."""
        if not self._elapsed <= elapsed < self._elapsed + self._steps.shape[1]:
            frames = min(_WINDOW, self._timeline.race - elapsed + 1)
            found = steps_through(self._timeline, elapsed, frames)
            self._steps, self._elapsed = np.ascontiguousarray(found.T), elapsed
        begun = elapsed - self._elapsed
        return self._steps[:, begun : begun + self._most]
